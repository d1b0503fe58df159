"""JSON text to a value, with everything noted that plain decoding hides.

``json.loads`` takes the last of two equal keys, accepts NaN, turns ``1e999`` into
infinity, refuses integers over 4,300 digits and runs out of stack on deep input.
Here each of these is a defect, and none of them an exception.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .defects import MAX_DEFECTS, MAX_DEPTH, MAX_DIGITS, Marks, find_defects
from .observation import Defect

MAX_CHARS = 10_000_000
"""Characters of JSON text that are decoded."""

# Everything but the brackets around other brackets. Possessive throughout, and the
# last two branches never fail, so that hostile text costs two passes at most.
_STRING = r'"(?:[^"\\]++|\\.)*+'
_FLAT = rf'(?:[^"\[\]{{}}]++|{_STRING}")*+'
_INNER = re.compile(rf'\{{{_FLAT}\}}|\[{_FLAT}\]|{_STRING}"?|[^"\[\]{{}}]++', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


@dataclass(slots=True)
class Decoded:
    """What a JSON text says.

    Attributes:
        value: the value, ``None`` where there is a problem.
        defects: what JSON cannot carry, or hides.
        problem: why the text could not be decoded.
    """

    value: Any = None
    defects: tuple[Defect, ...] = ()
    problem: str = ""


class _NotesNeededError(Exception):
    """Decoding must be done again, with notes."""


def decode(text: str) -> Decoded:
    """Decode JSON text of any size, depth and honesty; never raises for bad text."""
    if len(text) > MAX_CHARS:
        detail = f"{len(text)} characters, over {MAX_CHARS}"
        return _refuse("too-large", detail, "the JSON text is too large to decode")
    if is_deep(text):
        return _too_deep()
    text = text.lstrip("\ufeff")
    try:
        return _decode(text)
    except RecursionError:
        return _too_deep()
    except ValueError as error:
        return Decoded(problem=f"the text is not valid JSON: {error}")


def is_deep(text: str) -> bool:
    """Say whether the brackets of a text nest deeper than ``MAX_DEPTH``."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    # The deepest brackets have none inside: without these, one level is gone.
    outer = _INNER.sub("", text)
    return max(accumulate(map(_STEPS.__getitem__, outer)), default=0) >= MAX_DEPTH


def _decode(text: str) -> Decoded:
    try:
        value = _QUICK.decode(text)
    except json.JSONDecodeError:
        raise
    # The other ValueError is an integer of too many digits.
    except (_NotesNeededError, ValueError):
        return _decode_with_notes(text)
    return Decoded(value, find_defects(value))


def _decode_with_notes(text: str) -> Decoded:
    marks: Marks = {}

    def note_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs) and len(marks) < MAX_DEFECTS:
            details = tuple(f"key {key!a} is repeated" for key in _repeated(pairs))
            marks[id(made)] = (made, "duplicate-key", details)
        return made

    def note_long(digits: str) -> int | str:
        if len(digits) < MAX_DIGITS:
            return int(digits)
        if len(marks) < MAX_DEFECTS:
            detail = f"an integer of {len(digits)} digits"
            marks[id(digits)] = (digits, "too-large", (detail,))
        return digits

    decoder = json.JSONDecoder(object_pairs_hook=note_repeated, parse_int=note_long)
    value = decoder.decode(text)
    return Decoded(value, find_defects(value, marks))


def _repeated(pairs: list[tuple[str, Any]]) -> list[str]:
    counts = Counter(key for key, _ in pairs)
    return [key[:80] for key, count in counts.items() if count > 1][:10]


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _NotesNeededError
    return made


_QUICK = json.JSONDecoder(object_pairs_hook=_only_once)


def _too_deep() -> Decoded:
    detail = f"nesting deeper than {MAX_DEPTH}"
    return _refuse("too-deep", detail, "the JSON text is nested too deep to decode")


def _refuse(kind: str, detail: str, problem: str) -> Decoded:
    return Decoded(None, (Defect(kind, "", detail),), f"{problem}: {detail}")
