"""What JSON cannot carry: finding it in a value, with a JSON pointer to the place.

Two walks, both iterative and bounded: a quick one that only says whether all is
well, and a slow one, taken when it is not, that names each place. Both stop after
``MAX_NODES`` nodes; what lies beyond is not reported.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .observation import Defect

MAX_DEPTH = 200
"""Levels of nesting that a result may have."""

MAX_NODES = 100_000
MAX_DEFECTS = 100
MAX_DIGITS = 4_300
"""Digits of an integer that Python itself reads and writes."""

SURROGATE = re.compile("[\ud800-\udfff]")

Marks = dict[int, tuple[Any, str, tuple[str, ...]]]
"""Notes about decoded values, by identity: the value, a kind, details."""

_HIGH = 10 ** (MAX_DIGITS - 1)
_LOW = -_HIGH


def find_defects(value: Any, marks: Marks | None = None) -> tuple[Defect, ...]:
    """Return what JSON cannot carry in a value, ``()`` where all is well.

    Args:
        value: anything, cyclic values included.
        marks: what decoding noted about parts of the value.
    """
    if not marks and _is_plain(value):
        return ()
    return tuple(_walk(value, marks or {}))


def text_defects(text: str) -> tuple[Defect, ...]:
    """Return the defects of a text that is not JSON: lone surrogates."""
    if text.isascii() or not SURROGATE.search(text):
        return ()
    return (Defect("surrogate", "", "a lone surrogate"),)


def _is_plain(value: Any) -> bool:
    """Say whether the common types, within bounds, are all there is."""
    todo = [value]
    depth, end = 0, 1
    for seen, node in enumerate(todo):  # breadth first: the list grows in the loop
        if seen == end:
            depth += 1
            end = len(todo)
        kind = type(node)
        if kind is str:
            if not node.isascii() and SURROGATE.search(node):
                return False
        elif kind is dict or kind is list:
            if depth == MAX_DEPTH or len(todo) + len(node) > MAX_NODES:
                return False
            if kind is dict and not _has_plain_keys(node):
                return False
            todo += node.values() if kind is dict else node
        elif kind is int:
            if not _LOW < node < _HIGH:
                return False
        elif kind is float:
            if node - node != 0.0:  # true of NaN and of both infinities
                return False
        elif node is not None and kind is not bool:
            return False
    return True


def _has_plain_keys(node: dict[Any, Any]) -> bool:
    try:
        return "".join(node).isascii()
    except TypeError:  # a key that is no string
        return False


def _walk(value: Any, marks: Marks) -> Iterator[Defect]:
    """Walk depth first, in document order, with the path at hand."""
    trail: list[Iterator[tuple[str, Any]]] = [iter([("", value)])]
    names: list[str] = []
    nodes = found = 0
    while trail and nodes < MAX_NODES and found < MAX_DEFECTS:
        step = next(trail[-1], None)
        if step is None:
            trail.pop()
            del names[-1:]
            continue
        nodes += 1
        name, node = step
        for kind, detail in _judge(node, marks):
            found += 1
            yield Defect(kind, "".join(names) + name, detail)
        children = _children(node)
        if children is None:
            continue
        if len(trail) > MAX_DEPTH:
            found += 1
            detail = f"nesting deeper than {MAX_DEPTH}"
            yield Defect("too-deep", "".join(names) + name, detail)
            continue
        trail.append(children)
        names.append(name)


def _children(node: Any) -> Iterator[tuple[str, Any]] | None:
    if isinstance(node, Mapping):
        return ((f"/{_pointer(key)}", child) for key, child in list(node.items()))
    if isinstance(node, list | tuple):
        return ((f"/{index}", child) for index, child in enumerate(node))
    return None


def _pointer(key: Any) -> str:
    """Return a key as a JSON pointer's token, RFC 6901; short, and safe to print."""
    text = key if isinstance(key, str) else type(key).__name__
    text = text.encode("utf-8", "backslashreplace").decode()
    return text[:200].replace("~", "~0").replace("/", "~1")


def _judge(node: Any, marks: Marks) -> Iterator[tuple[str, str]]:
    """Yield the kind and detail of what is wrong with a node itself."""
    if id(node) in marks:
        _, kind, details = marks[id(node)]
        yield from ((kind, detail) for detail in details)
    if isinstance(node, dict):
        yield from filter(None, map(_judge_key, node))
    elif isinstance(node, str):
        if SURROGATE.search(node):
            yield "surrogate", "a lone surrogate"
    elif isinstance(node, bool | list | tuple) or node is None:
        return
    elif isinstance(node, int):
        if not _LOW < node < _HIGH:
            yield "too-large", f"an integer of more than {MAX_DIGITS - 1} digits"
    elif isinstance(node, float):
        if not math.isfinite(node):
            yield "non-finite", repr(float(node))
    else:
        yield _judge_foreign(node)


def _judge_foreign(node: Any) -> tuple[str, str]:
    name = type(node).__name__
    if isinstance(node, bytes | bytearray | memoryview):
        return "bytes", f"{name} of length {len(node)}"
    if isinstance(node, datetime.date | datetime.time | datetime.timedelta):
        return "date", name
    return "not-json", f"a value of type {name}"


def _judge_key(key: Any) -> tuple[str, str] | None:
    if not isinstance(key, str):
        return "not-json", f"a key of type {type(key).__name__}"
    if SURROGATE.search(key):
        return "surrogate", "a lone surrogate in a key"
    return None
