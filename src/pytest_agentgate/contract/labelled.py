"""The labelled text block: an observation written as lines of ``label: value``.

A block starts with a label. Labels are the contract's field names in any case, with
spaces or hyphens for underscores, all indented as the first one is; a value runs to
the next label. A label met again inside a payload is payload.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .defects import find_defects
from .jsontext import MAX_CHARS, Decoded, decode
from .observation import Defect

LABELS = (
    "status",
    "summary",
    "payload",
    "source",
    "next_actions",
    "root_cause",
    "remediation",
    "stop_condition",
    "retryable",
    "retry_after",
)

_NAMES = "|".join(label.replace("_", "[ _-]") for label in LABELS)
_LABEL = re.compile(rf"^([ \t]*)({_NAMES})[ \t]*:", re.IGNORECASE | re.MULTILINE)
_START = re.compile(rf"(?:{_NAMES})[ \t]*:", re.IGNORECASE)
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_JSON_LABELS = {"payload", "source", "retryable", "retry_after"}


def read_labelled(text: str) -> Decoded | None:
    """Read a labelled text block as fields; ``None`` where the text is none.

    Defects are those of JSON values in the block, and labels that come twice.
    """
    if not _START.match(text.lstrip()):
        return None
    if len(text) > MAX_CHARS:
        defect = Defect("too-large", "", f"{len(text)} characters, over {MAX_CHARS}")
        return Decoded(None, (defect,), f"the text is too large: {defect.detail}")
    fields: dict[str, Any] = {}
    defects: list[Defect] = []
    for label, value in _sections(text):
        if label not in fields:
            fields[label] = _read_value(label, value, defects)
            continue
        repeated = Defect("duplicate-key", f"/{label}", "the label is repeated")
        if repeated not in defects:
            defects.append(repeated)
    defects += find_defects(fields)
    return Decoded(fields, tuple(dict.fromkeys(defects)))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield each label with the text of its value."""
    seen: set[str] = set()
    label, start, indent = "", 0, None
    for match in _LABEL.finditer(text):
        name = match[2].lower().replace(" ", "_").replace("-", "_")
        indent = match[1] if indent is None else indent
        if match[1] != indent or (label == "payload" and name in seen):
            continue
        if label:
            yield label, text[start : match.start()].strip()
        label, start = name, match.end()
        seen.add(name)
    if label:
        yield label, text[start:].strip()


def _read_value(label: str, text: str, defects: list[Defect]) -> Any:
    if not text:
        return None
    if label == "next_actions":
        return _read_actions(text, defects)
    if label not in _JSON_LABELS:
        return text
    return _read_json(label, text, defects)


def _read_json(label: str, text: str, defects: list[Defect]) -> Any:
    """Return the JSON value that a text is, or the text itself."""
    decoded = decode(text)
    if decoded.problem:
        defects += [Defect(d.kind, f"/{label}", d.detail) for d in decoded.defects]
        return text
    defects += [Defect(d.kind, f"/{label}{d.path}", d.detail) for d in decoded.defects]
    return decoded.value


def _read_actions(text: str, defects: list[Defect]) -> Any:
    """Return actions from a JSON list, a bulleted or numbered list, or lines."""
    if text.startswith("["):
        value = _read_json("next_actions", text, defects)
        if isinstance(value, list):
            return value
    if _ITEM.match(text):
        parts = [" ".join(part.split()) for part in _ITEM.split(text)]
    else:
        parts = [line.strip() for line in text.splitlines()]
    return [part for part in parts if part]
