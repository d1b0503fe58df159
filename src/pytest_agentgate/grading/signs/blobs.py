"""Binary data inlined as text: data URLs, long runs of base 64 or hex, raw bytes."""

from __future__ import annotations

import re

DATA_URL_LIMIT = 512
"""Characters of an inlined data URL that are still an icon."""

RUN = 800
"""Characters of unbroken base 64 that are no name, key, token or signature."""

MAGIC_RUN = 256
"""The same, where the run begins as an image, archive or document does."""

_DATA_URL = re.compile(
    r"data:[\w.+-]{1,60}/[\w.+-]{1,80}(?:;[\w=.-]{1,60}){0,5};base64,"
)
_RUN = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{256,}")
_DATA = re.compile(r"[A-Za-z0-9+/_-]*")
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,80}\r?\n){12,}")
_MAGIC = (
    "iVBORw0K",
    "/9j/",
    "R0lGOD",
    "JVBERi0",
    "UEsDB",
    "H4sI",
    "UklGR",
    "Qk",
    "SUkq",
)
_ESCAPED = re.compile(r"\\x[0-9a-fA-F]{2}")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{1,40}-----")


def blob_in(text: str) -> str:
    """Say what binary data is inlined in a text, ``""`` where there is none."""
    if len(text) < MAGIC_RUN:
        return ""
    for match in _DATA_URL.finditer(text):
        data = _DATA.match(text, match.end())
        if data and len(data[0]) >= DATA_URL_LIMIT:
            return f"a data URL of {len(match[0]) + len(data[0])} characters"
    for run in _RUN.finditer(text):
        if _is_blob(run[0]):
            return f"{len(run[0])} characters of base 64 or hex"
    if _WRAPPED.search(text) and not _PEM.search(text):
        return "wrapped base 64"
    head = text[:4_000]
    if 12 * len(_ESCAPED.findall(head)) > len(head):
        return "escaped bytes"
    if 10 * len(_CONTROL.findall(head)) > len(head):
        return "raw bytes"
    return ""


def _is_blob(run: str) -> bool:
    if run.startswith(_MAGIC):
        return len(run) >= MAGIC_RUN and _is_mixed(run, 12)
    if len(run) < RUN:
        return False
    kinds = set(run[:4_000])
    is_hex = kinds <= set("0123456789abcdefABCDEF") and len(kinds) >= 8
    return is_hex or _is_mixed(run, 24)


def _is_mixed(run: str, least: int) -> bool:
    """Whether a run has all three kinds of characters, as encoded bytes do."""
    kinds = set(run[:4_000])
    return (
        len(kinds) >= least
        and any(char.islower() for char in kinds)
        and any(char.isupper() for char in kinds)
        and any(char.isdigit() for char in kinds)
    )
