"""Waiting times: what a service asked for, and whether advice passes it on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..lazy import lazy
from .presence import leaves

_HEADER = lazy(
    r"retry[-_ ]?after(?:[-_ ]?(?:s|sec|secs|seconds|ms))?[\"']?\s*[:=]?\s*[\"']?"
    r"(\d{1,6})\b",
    re.IGNORECASE,
)
_HEADER_KEY = lazy(r"^(?:x-)?retry[-_]?after(?:[-_]?(?:s|sec|secs|seconds))?$", re.I)
_NUMBER = lazy(r"\d{1,6}")
_MINUTES = lazy(r"(\d{1,4}) ?(?:min|分|minuten|minutos)", re.IGNORECASE)
_IN_WORDS = lazy(
    r"\ba (?:full )?minute\b|eine minute|un minuto|une minute|一分钟", re.I
)


def known_wait(transport: Mapping[str, Any] | None, fields: Any, text: str) -> str:
    """Return the waiting time that is known, as given; ``""`` where none is."""
    record = transport or {}
    headers = record.get("headers")
    stated = [record, headers if isinstance(headers, Mapping) else {}]
    for mapping in stated:
        for key, value in mapping.items():
            if isinstance(key, str) and _HEADER_KEY.match(key) and _is_time(value):
                return str(value).strip()
    for key, value in leaves(fields):
        if _HEADER_KEY.match(key) and _is_time(value):
            return str(value).strip()
    match = _HEADER.search(text) if "after" in text.lower() else None
    return match[1] if match else ""


def _is_time(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return value > 0
    return isinstance(value, str) and value.strip() not in ("", "0")


def passes_on(wait: str, advice: Iterable[str]) -> bool:
    """Tell whether advice states the waiting time, or a longer one."""
    texts = [text[:4_000] for text in advice]
    if any(wait in text for text in texts):
        return True
    try:
        seconds = float(wait)
    except ValueError:  # an HTTP date: any stated time may be a reading of it
        return any(_NUMBER.search(text) for text in texts)
    for text in texts:
        stated = [float(number) for number in _NUMBER.findall(text)]
        stated += [60 * float(number) for number in _MINUTES.findall(text)]
        stated += [60.0] * len(_IN_WORDS.findall(text))
        if any(number >= seconds for number in stated):
            return True
    return False
