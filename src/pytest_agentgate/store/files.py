"""Whole files, read with a limit and written at one stroke."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import AgentGateError

# Windows has neither; there the checks around them are all there is.
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


def write_atomic(path: Path, text: str) -> None:
    r"""Write a file so that a reader sees the old text or the new one, never a part.

    The text goes to a new file in the same folder, to the disk, and is then renamed
    over the old one, whose permissions it keeps. Lone surrogates are written as
    ``\udcXX``, which is what they are in JSON.

    Args:
        path: the file; its folder must exist.
        text: the whole content.

    Raises:
        AgentGateError: the file is a symbolic link, or cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    if path.is_symlink():
        raise AgentGateError(
            f"{path} is a symbolic link",
            expected="a regular file, or none yet",
            seen=f"a link to {path.readlink()}",
            way_out="write to the file that it leads to, or remove the link",
        )
    fresh = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.tmp")
    try:
        _write(fresh, data, mode=_mode(path))
        fresh.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise AgentGateError(
            f"{path} cannot be written",
            seen=error.strerror or str(error),
            way_out="check that the folder exists and may be written to",
        ) from error


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON document whose lists stand one entry a line, in one piece.

    It is readable, a change of one entry changes one line, and it is fast for many.

    Args:
        path: the file; its folder must exist.
        document: plain data, without NaN.

    Raises:
        AgentGateError: the file cannot be written.
    """
    parts = [f"{json.dumps(key)}: {_rows(value)}" for key, value in document.items()]
    write_atomic(path, "{\n" + ",\n".join(parts) + "\n}\n")


def _rows(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=True, allow_nan=False)
    rows = [json.dumps(row, ensure_ascii=True, allow_nan=False) for row in value]
    return "[\n" + ",\n".join(rows) + "\n]"


def read_regular(
    path: Path,
    limit: int,
    *,
    follow: bool = False,
    error: type[AgentGateError] = AgentGateError,
) -> bytes:
    """Read a regular file whole.

    Args:
        path: the file.
        limit: bytes that it may have at most.
        follow: read through a symbolic link; refused otherwise.
        error: what to raise.

    Raises:
        AgentGateError: (as ``error``) there is no such file, it is no regular file
            (a folder, a pipe, a device, a link) or it is larger than the limit.
    """
    try:
        flags = os.O_RDONLY | _NONBLOCK | (0 if follow else _NOFOLLOW)
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem, error) from problem
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise error(
            f"{path} is not a regular file",
            expected="a file",
            seen=_kind(status.st_mode),
            way_out="give the path of a file",
        )
    with os.fdopen(descriptor, "rb") as file:
        # One byte more than allowed is asked for: a file can grow after fstat.
        data = file.read(limit + 1)
    if len(data) > limit:
        raise error(
            f"{path} is too large",
            expected=f"at most {limit:,} bytes",
            seen=f"{max(status.st_size, len(data)):,} bytes",
            way_out="give the right file, or split it",
        )
    return data


def slug(text: str) -> str:
    """Make a file name of an id: readable, and different for different ids.

    Forty characters of the id, what is unusual in file names replaced, and sixteen
    hexadecimal digits of its SHA-256.
    """
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", text[:400]).strip(".-")[:40]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{readable}-{digest[:16]}" if readable else digest[:16]


def _write(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _mode(path: Path) -> int:
    """Return the permissions to create with; the umask takes away from them."""
    try:
        return stat.S_IMODE(path.lstat().st_mode)
    except OSError:
        return 0o666


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")


def _unreadable(
    path: Path, problem: OSError | ValueError, error: type[AgentGateError]
) -> AgentGateError:
    if isinstance(problem, FileNotFoundError):
        return error(
            f"{path} does not exist",
            expected="a file",
            seen=f"the folder {path.parent} is there"
            if path.parent.is_dir()
            else f"no folder {path.parent}",
            way_out="check the path",
        )
    if path.is_symlink():
        return error(
            f"{path} is a symbolic link",
            expected="a regular file",
            seen="a link",
            way_out="give the file that it leads to",
        )
    reason = getattr(problem, "strerror", None) or str(problem)
    return error(f"{path} cannot be read", seen=reason, way_out="check the path")
