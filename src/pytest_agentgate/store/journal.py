"""The append-only record of a run: the evidence that a gate is judged by.

An exit code is not evidence: a test can end the process, a report can be lost. The
journal has the plan first, a line for each finished trial, an end line once the
item loop is over, and a footer that is written last of all, when the interpreter
ends by itself. Each line carries a hash over itself and all lines before it. That
shows loss and casual edits; it does not stop a forger who runs as the same user.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import JournalError

JOURNAL = "journal.jsonl"
MANIFEST = "manifest.json"
_CHAIN = ',"chain":"'
_OWN_FILES = (JOURNAL, MANIFEST)


class Journal:
    """One run's journal, open for appending.

    Args:
        directory: the output folder; an earlier run there moves to ``previous/``.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        set_aside(directory)
        self.path = directory / JOURNAL
        self._file = self.path.open("x", encoding="ascii", newline="\n")
        self._chain = ""
        self._exit_code: int | None = None
        # Handlers run last in, first out: one that a test registers and that ends
        # the process runs before this one, and the footer is then missing.
        atexit.register(self.close)

    def write(self, record: Mapping[str, Any], *, sync: bool = False) -> None:
        """Append one record and flush it.

        Args:
            record: plain data.
            sync: also force it to the disk.
        """
        self._append(json.dumps(record, ensure_ascii=True, allow_nan=False))
        if sync:
            os.fsync(self._file.fileno())

    def write_trial(self, record: str) -> None:
        """Append a trial's record as it came: one ASCII JSON object."""
        self._append(f'{{"type": "trial", "trial": {record}}}')

    def _append(self, body: str) -> None:
        self._chain = _link(self._chain, body)
        self._file.write(f'{body[:-1]}{_CHAIN}{self._chain}"}}\n')
        self._file.flush()

    def finish(self, exit_code: int) -> None:
        """Note the exit code that the session settled on, for the footer."""
        self._exit_code = exit_code

    def close(self) -> None:
        """Write the footer and close; without a settled exit code, only close."""
        if self._file.closed:
            return
        if self._exit_code is not None:
            self.write({"type": "footer", "exit_code": self._exit_code}, sync=True)
        self._file.close()


def set_aside(directory: Path) -> None:
    """Move what an earlier run wrote into ``previous/``, replacing what is there."""
    present = [name for name in _OWN_FILES if os.path.lexists(directory / name)]
    if not present:
        return
    previous = directory / "previous"
    if previous.is_symlink() or previous.is_file():
        previous.unlink()
    elif previous.is_dir():
        shutil.rmtree(previous)
    previous.mkdir()
    for name in present:
        (directory / name).rename(previous / name)


def read_journal(directory: Path) -> list[dict[str, Any]]:
    """Read a whole journal and check its chain.

    Args:
        directory: the output folder of a run.

    Returns:
        The records, plan first and footer last.

    Raises:
        JournalError: there is none, a line is cut or edited, or the run did not
            come to its end.
    """
    path = directory / JOURNAL
    records: list[dict[str, Any]] = []
    chain = ""
    lines = _lines(path)
    for number, line in enumerate(lines, start=1):
        record, chain = _check(path, number, line.rstrip("\n"), chain)
        records.append(record)
    if not records or records[0].get("type") != "plan":
        raise _broken(path, 1, "a plan record first", "none")
    if records[-1].get("type") != "footer":
        raise _broken(
            path,
            len(records),
            "a footer as the last line",
            f"a {records[-1].get('type')} record: the run did not come to its end",
        )
    if not lines[-1].endswith("\n"):
        raise _broken(path, len(lines), "a whole line", "a line without its end")
    return records


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise JournalError(
            f"there is no journal at {path}",
            expected="the folder that pytest --agentgate wrote",
            seen="no journal.jsonl",
            way_out="run pytest --agentgate first, or name its --agentgate-out folder",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _broken(path, 1, "readable ASCII text", str(error)) from None
    return text.splitlines(keepends=True)


def _check(
    path: Path, number: int, line: str, chain: str
) -> tuple[dict[str, Any], str]:
    body, mark, rest = line.rpartition(_CHAIN)
    body += "}"
    expected = _link(chain, body)
    if not mark or rest != f'{expected}"}}':
        raise _broken(path, number, "a whole, unedited line", f"{line[:60]!r}")
    try:
        record = json.loads(body)
    except ValueError as error:
        raise _broken(path, number, "JSON", str(error)) from None
    return record, expected


def _link(chain: str, body: str) -> str:
    return hashlib.sha256(f"{chain}\n{body}".encode("ascii")).hexdigest()[:32]


def _broken(path: Path, number: int, expected: str, seen: str) -> JournalError:
    return JournalError(
        f"{path}: line {number}: this journal cannot decide anything",
        expected=expected,
        seen=seen,
        way_out="run pytest --agentgate again and judge the fresh journal",
        docs="docs/reference/exit-codes.md",
    )
