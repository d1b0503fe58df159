"""A state that a call must not change, or change once: looked at and brought back.

State is compared, never what a tool says of it.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..contract.settings import StateSettings
from ..errors import TargetError
from ..grading.probing import difference

DOCS = "docs/reference/probe.md#effects"
LOCK_SECONDS = 5.0


@dataclass(frozen=True)
class State:
    """What is looked at before and after a call.

    Attributes:
        name: how messages name it.
        look: returns the state as plain data.
        reset: brings it back; ``None`` where nobody declared how.
    """

    name: str
    look: Callable[[], Any]
    reset: Callable[[], Any] | None = None

    def verify(self) -> None:
        """Check that the state stands still, and that a reset brings it back.

        Raises:
            TargetError: two looks in a row, or after two resets, differ.
        """
        before = self.fresh()
        differs = difference(before, self.look())
        if differs is None and self.reset is not None:
            differs = difference(before, self.fresh())
        if differs is None:
            return
        what = "its reset does not bring it back" if self.reset else "nobody called"
        raise TargetError(
            f"the state {self.name} changes by itself: {what}",
            expected="an equal state each time",
            seen=str(differs),
            way_out="look at something that only the tools change, and let the reset "
            "write all of it anew",
            docs=DOCS,
        )

    def bring_back(self, to: Any) -> None:
        """Reset the state and check that it is what it was.

        Raises:
            TargetError: it is not.
        """
        differs = difference(to, self.fresh())
        if differs is not None:
            raise TargetError(
                f"the reset of the state {self.name} does not undo a call",
                expected="the state after the first reset",
                seen=str(differs),
                way_out="let the reset write all of the state anew",
                docs=DOCS,
            )

    def fresh(self) -> Any:
        """Reset the state, where that can be done, and return it."""
        if self.reset is not None:
            try:
                self.reset()
            except Exception as error:  # the owner's code
                raise TargetError(
                    f"the reset of the state {self.name} raised",
                    seen=f"{type(error).__name__}: {error}",
                    way_out="mend the function that probe.state.reset names",
                    docs=DOCS,
                ) from error
        return self.look()


def state_of(
    settings: StateSettings, folder: Path, reference: Callable[[str], Any]
) -> State:
    """Make the state that a policy declares.

    Args:
        settings: the policy's ``probe.state``.
        folder: where its paths start from.
        reference: resolves ``module:attribute``.
    """
    reset = reference(settings.reset) if settings.reset else None
    if settings.callable:
        function = reference(settings.callable)
        return State(settings.callable, partial(_told_by, function), reset)
    looks = (
        (settings.sqlite, _rows_of),
        (settings.directory, _files_of),
        (settings.json_file, _value_of),
    )
    path, look = next((path, look) for path, look in looks if path)
    return State(str(path), partial(look, folder / str(path)), reset)


def _told_by(function: Callable[[], Any]) -> Any:
    try:
        # What it returns may be the live thing, which the next call changes.
        return copy.deepcopy(function())
    except Exception as error:  # the owner's code
        raise _unreadable(f"{type(error).__name__}: {error}") from error


def _rows_of(path: Path) -> dict[str, Any]:
    """Read every table of a database; bytes that hold no row do not count."""
    if not path.exists():
        return {}
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(
            sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS)
        ) as database:
            tables = database.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
            ).fetchall()
            return {
                name: {"sql": sql, "rows": _rows(database, name)}
                for name, sql in tables
            }
    except sqlite3.Error as error:
        raise _unreadable(f"{path.name}: {error}") from error


def _rows(database: sqlite3.Connection, table: str) -> list[list[Any]]:
    quoted = table.replace('"', '""')
    found = database.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - quoted
    return sorted(map(list, found), key=repr)


def _files_of(path: Path) -> dict[str, str]:
    try:
        return {
            str(found.relative_to(path)): _print_of(found)
            for found in sorted(path.rglob("*"))
        }
    except OSError as error:
        raise _unreadable(str(error)) from error


def _print_of(path: Path) -> str:
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    if not path.is_file():
        return "a folder" if path.is_dir() else "no regular file"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _value_of(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes()) if path.exists() else None
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(f"{path.name}: {error}") from error


def _unreadable(seen: str) -> TargetError:
    return TargetError(
        "the state that probing looks at cannot be read",
        expected="what probe.state in the policy names",
        seen=seen,
        way_out="mend probe.state, or leave it out: effects are then not judged",
        docs=DOCS,
    )
