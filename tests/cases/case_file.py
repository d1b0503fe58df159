"""Read a file of cases: one JSON object a line, markers turned into values."""

from __future__ import annotations

import base64
import datetime
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Case = Mapping[str, Any]


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file, markers turned into values."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield expand(json.loads(line))


def expand(value: Any) -> Any:
    """Turn the markers of a case into the values that they stand for."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((name, inner),) = value.items()
        if name in MARKERS:
            return MARKERS[name](inner)
    return {key: expand(item) for key, item in value.items()}


def _repeat(inner: Mapping[str, Any]) -> list[Any]:
    return [expand(_numbered(inner["item"], n)) for n in range(inner["times"])]


def _numbered(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return value.replace("{i}", str(number))
    if isinstance(value, list):
        return [_numbered(item, number) for item in value]
    if isinstance(value, dict):
        return {key: _numbered(item, number) for key, item in value.items()}
    return value


MARKERS = {
    "$repeat": _repeat,
    "$text_repeat": lambda one: one.get("prefix", "") + one["text"] * one["times"],
    "$float": float,
    "$datetime": datetime.datetime.fromisoformat,
    "$bytes_b64": base64.b64decode,
}
