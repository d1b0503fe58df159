"""Strings that match a regular expression, made from its parse tree.

A pattern is never run on a long text: it may be a hostile one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

LONGEST = 200
"""Characters of the longest text that a pattern is run on."""
LONGEST_RISKY = 16
"""The same for a pattern that can be read in many ways, which may never end."""
MANY = 4
"""Repeats without end that are too many in one pattern, rounds that are too many to
go through something of no fixed length."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCXYZ_-. /:@é"
_CATEGORIES = {
    "CATEGORY_DIGIT": "0123456789",
    "CATEGORY_NOT_DIGIT": "abcXYZ_-. ",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": "abcXYZ019_-",
    "CATEGORY_WORD": "abcdefXYZ019_",
    "CATEGORY_NOT_WORD": "-. /:@",
}
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_STRETCHES = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)


def matches(pattern: str, text: str) -> bool | None:
    """Whether a pattern is found in a text; ``None`` where it is not tried."""
    compiled, limit = _read(pattern)
    if compiled is None or len(text) > limit:
        return None
    return bool(compiled.search(text))


def longest(pattern: str) -> int:
    """Return how many characters a text may have that this pattern is run on."""
    return _read(pattern)[1]


def matching(
    pattern: str, rng: Random, low: int = 0, high: int | None = None
) -> Iterator[str]:
    """Yield different texts that match, as long as asked; none where none is found."""
    tree = _tree(pattern)
    if tree is None:
        return
    top = LONGEST if high is None else high
    seen: set[str] = set()
    for stretch in _STRETCHES:
        fitting = 0
        for _ in range(4):
            try:
                text = _Writer(rng, stretch).sequence(tree)
            except (ValueError, IndexError, RecursionError):
                continue
            fitting += len(text) <= top
            for padded in _padded(text, low):
                fits = low <= len(padded) <= top and padded not in seen
                if fits and matches(pattern, padded):
                    seen.add(padded)
                    yield padded
        if not fitting:
            return  # and longer ones follow


def _padded(text: str, low: int) -> Iterator[str]:
    yield text
    short = low - len(text)
    if short > 0:
        yield text + "a" * short
        yield "a" * short + text
        yield text + text[-1:] * short


@lru_cache(maxsize=1024)
def _read(pattern: str) -> tuple[re.Pattern[str] | None, int]:
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None, 0
    dangers = list(_dangers(_tree(pattern), 0, 1))
    if "hopeless" in dangers:
        return compiled, 0
    risky = "nested" in dangers or dangers.count("endless") >= MANY
    return compiled, LONGEST_RISKY if risky else LONGEST


@lru_cache(maxsize=1024)
def _tree(pattern: str) -> Any:
    from re import _parser  # type: ignore[attr-defined]  # sre_parse, as it is now named

    try:
        return _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def _dangers(tree: Any, least: int, most: int) -> Iterator[str]:
    """Yield what makes a pattern slow, below repeats of that many rounds."""
    for kind, argument in tree:
        name = str(kind)
        rounds = (1, 1)
        if name in _REPEATS:
            rounds = (int(argument[0]), int(argument[1]))
            if rounds[1] > LONGEST:
                yield "endless"
        if name in ("BRANCH", "GROUPREF") or rounds[0] != rounds[1]:
            if least > MANY:
                yield "hopeless"
            elif most > 1:
                yield "nested"
        for part in _parts(name, argument):
            yield from _dangers(part, max(least, rounds[0]), max(most, rounds[1]))


def _parts(name: str, argument: Any) -> list[Any]:
    if name in _REPEATS:
        return [argument[2]]
    if name == "BRANCH":
        return list(argument[1])
    if name == "SUBPATTERN":
        return [argument[3]]
    if name == "ATOMIC_GROUP":
        return [argument]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    return []


class _Writer:
    """Writes one text along a parse tree."""

    def __init__(self, rng: Random, stretch: int) -> None:
        self._rng = rng
        self._stretch = stretch
        self._groups: dict[int, str] = {}
        self._length = 0

    def sequence(self, tree: Any) -> str:
        return "".join(self._one(str(kind), argument) for kind, argument in tree)

    def _one(self, name: str, argument: Any) -> str:
        if name == "LITERAL":
            return self._wrote(chr(argument))
        if name == "NOT_LITERAL":
            return self._wrote(self._other(lambda char: ord(char) != argument))
        if name == "ANY":
            return self._wrote(self._rng.choice(_ALPHABET))
        if name == "IN":
            return self._wrote(self._member(argument))
        if name == "BRANCH":
            return self.sequence(self._rng.choice(argument[1]))
        if name == "SUBPATTERN":
            text = self.sequence(argument[3])
            self._groups[argument[0] or 0] = text
            return text
        if name == "ATOMIC_GROUP":
            return self.sequence(argument)
        if name == "GROUPREF":
            return self._groups.get(argument, "")
        if name in _REPEATS:
            return self._repeat(*argument)
        return ""  # anchors and look-arounds; the finished text is tried

    def _wrote(self, char: str) -> str:
        self._length += 1
        if self._length > LONGEST:
            raise ValueError("longer than a pattern is run on")
        return char

    def _repeat(self, low: int, high: int, tree: Any) -> str:
        count = min(int(high), int(low) + self._stretch)
        return "".join(self.sequence(tree) for _ in range(count))

    def _other(self, wanted: Any) -> str:
        return self._rng.choice([char for char in _ALPHABET if wanted(char)])

    def _member(self, items: Any) -> str:
        if str(items[0][0]) == "NEGATE":
            refused = set("".join(self._choices(item) for item in items[1:]))
            return self._other(lambda char: char not in refused)
        return self._rng.choice(self._choices(self._rng.choice(items)))

    def _choices(self, item: Any) -> str:
        kind, argument = str(item[0]), item[1]
        if kind == "LITERAL":
            return chr(argument)
        if kind == "RANGE":
            low, high = argument
            return "".join(map(chr, range(low, min(high, low + 200) + 1)))
        return _CATEGORIES.get(str(argument), "")
