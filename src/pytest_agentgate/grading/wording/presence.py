"""Whether a value says anything: blank, a placeholder, or usable text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..lazy import lazy
from .table import words

PLACEHOLDERS = words(
    "n/a na n.a. n.a unknown none null nil todo tbd tba fixme undefined undef nan "
    "- -- --- – — . .. ... … ? ?? ??? xxx placeholder example empty missing "
    "false true source not available unspecified unbekannt keine desconocido "
    "ninguno inconnu aucun 不明 なし 未定 未知 无 無 暂无 "
) | frozenset(
    ("no source", "none.", "not applicable", "not available", "to do", "unknown source")
)

_TRACEBACK = lazy(
    r"Traceback \(most recent call last\)|^\s*File \"[^\"\n]*\", line \d+|^\s+at "
    r"[\w.$<>]+\([^)\n]*:\d+\)",
    re.MULTILINE,
)
_EDGES = " \t\r\n\"'`()[]<>*_"
LEAVES_LIMIT = 200
"""Values of one structure that are looked at."""


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: spaces, invisible marks, or no character at all."""
    if text[:1].isalnum():
        return False
    return not any(char.isprintable() and not char.isspace() for char in text)


def is_placeholder(text: str) -> bool:
    """Whether a text says "nothing here": ``n/a``, ``unknown``, ``-``, ``tbd``."""
    if len(text) > 40:
        return False
    plain = text.strip(_EDGES).casefold()
    return plain in PLACEHOLDERS or not plain.strip("-–—._?!…")


def says_something(value: Any) -> bool:
    """Whether a value holds a text that is neither blank nor a placeholder."""
    if isinstance(value, str):
        return not is_blank(value) and not is_placeholder(value)
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, Mapping | list | tuple):
        return any(says_something(leaf) for _, leaf in leaves(value))
    return isinstance(value, int | float)


def is_usable(value: Any) -> bool:
    """Whether a structured recovery field is settled: text, and no traceback."""
    return says_something(value) and not any(
        _TRACEBACK.search(text[:20_000]) for text in texts_of(value)
    )


def leaves(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield ``(key, value)`` of the plain values inside a structure, bounded."""
    pending: list[tuple[str, Any]] = [("", value)]
    for _ in range(LEAVES_LIMIT):
        if not pending:
            return
        key, node = pending.pop()
        if isinstance(node, Mapping):
            pending += [(str(name), child) for name, child in _first(node.items())]
        elif isinstance(node, list | tuple):
            pending += [(key, child) for child in _first(node)]
        else:
            yield key, node


def _first(items: Iterable[Any]) -> list[Any]:
    kept = [item for item, _ in zip(items, range(LEAVES_LIMIT), strict=False)]
    kept.reverse()
    return kept


def texts_of(value: Any) -> list[str]:
    """Return the texts inside a value, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and len(value) < LEAVES_LIMIT:
        if all(isinstance(one, str) for one in value):
            return list(value)
    elif value is None:
        return []
    return [leaf for _, leaf in leaves(value) if isinstance(leaf, str)]
