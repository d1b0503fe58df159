"""What schemas admit of one JSON type, and of what two of them admit together."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .formats import has, known
from .patterns import matches
from .references import Document
from .walk import escaped

TYPES = ("null", "boolean", "number", "string", "array", "object")
FEW = 100
"""Integers of a range that are read as a list of values."""


class Node(NamedTuple):
    """A schema at its place in its document."""

    schema: Any
    document: Document
    pointer: str

    def child(self, schema: Any, *parts: str | int) -> Node:
        """Return a schema below this one."""
        below = "".join(f"/{escaped(str(part))}" for part in parts)
        return Node(schema, self.document, f"{self.pointer}{below}")


Nodes = tuple[Node, ...]
"""Schemas that hold together; no node at all admits anything."""


class Bound(NamedTuple):
    """A bound of a number.

    Attributes:
        value: the number.
        strict: whether the number itself is outside.
        keyword: how it was written.
        written: the number that was written there.
    """

    value: float
    strict: bool
    keyword: str
    written: float


@dataclass(frozen=True)
class Group:
    """Alternatives, of which one must hold.

    Attributes:
        keyword: ``anyOf`` or ``oneOf``.
        branches: what each admits of the type.
        exclusive: whether exactly one must hold and several can.
    """

    keyword: str
    branches: tuple[Facet, ...]
    exclusive: bool


@dataclass(frozen=True)
class Facet:
    """What is admitted of one JSON type; a field without meaning there is empty.

    Attributes:
        values: the only values, by canonical text; ``None`` where nothing lists them.
        valued: the keyword that lists them.
        whole: whether a number must be an integer.
        low: the lower bound of a number.
        high: the upper bound of a number.
        multiples: what a number must be a multiple of.
        limits: ``minLength`` and its likes, as numbers.
        patterns: regular expressions that a string must match.
        formats: formats that a string must have.
        unique: whether the elements must differ.
        prefix: what the first elements must be.
        rest: what the members behind the named ones must be.
        resting: the keyword that says so, ``""`` for none.
        contains: what must be among the elements, at least and at most how often.
        required: names of properties that must be there.
        properties: what named properties must be.
        matched: what properties must be whose name matches.
        names: what every name must be.
        dependent: names that must be there where another is.
        conditional: what an object must be where a property is there.
        groups: alternatives.
        refused: schemas that must not hold.
        conditions: ``if``, and what must hold then and else.
        residue: keywords that are compared as text alone.
    """

    values: dict[str, Any] | None = None
    valued: str = "enum"
    whole: bool = False
    low: Bound | None = None
    high: Bound | None = None
    multiples: tuple[float, ...] = ()
    limits: dict[str, int] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    unique: bool = False
    prefix: tuple[Nodes, ...] = ()
    rest: Nodes = ()
    resting: str = ""
    contains: tuple[tuple[Nodes, int, int | None], ...] = ()
    required: tuple[str, ...] = ()
    properties: dict[str, Nodes] = field(default_factory=dict)
    matched: tuple[tuple[str, Nodes], ...] = ()
    names: Nodes = ()
    dependent: dict[str, tuple[str, ...]] = field(default_factory=dict)
    conditional: dict[str, Nodes] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    refused: Nodes = ()
    conditions: tuple[tuple[Nodes, Nodes, Nodes], ...] = ()
    residue: tuple[tuple[str, str], ...] = ()

    @property
    def bare(self) -> bool:
        """Whether every value of the type is admitted."""
        return self == BARE

    def member(self, name: str) -> Nodes:
        """Return what a property of that name must be."""
        found = self.properties.get(name, ())
        stated = name in self.properties
        for pattern, nodes in self.matched:
            if matches(pattern, name):
                stated, found = True, joined(found, nodes)
        return found if stated else self.rest

    def item(self, index: int) -> Nodes:
        """Return what the element at an index must be."""
        return self.prefix[index] if index < len(self.prefix) else self.rest

    def admits(self, value: Any) -> bool:
        """Whether a number or string of this type keeps what is said of it alone."""
        return all(
            (
                self.values is None or canonical(value) in self.values,
                not self.whole or float(value).is_integer(),
                self.low is None or _above(value, self.low),
                self.high is None or _below(value, self.high),
                all(divides(one, value) for one in self.multiples),
                len(value) >= self.limits.get("minLength", 0)
                if isinstance(value, str)
                else True,
                len(value) <= self.limits.get("maxLength", len(value))
                if isinstance(value, str)
                else True,
                all(matches(pattern, value) is not False for pattern in self.patterns),
                all(has(name, value) for name in self.formats if known(name)),
            )
        )


BARE = Facet()


def canonical(value: Any) -> str:
    """Return one text for equal JSON values; ``1`` and ``1.0`` are equal."""
    return json.dumps(_plain(value), sort_keys=True, default=repr)


def type_of(value: Any) -> str:
    """Return the JSON type of a value, ``""`` for what is no JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else ""


def divides(divisor: float, value: float) -> bool:
    """Whether a number is a multiple, as the reference validator reckons it."""
    if isinstance(divisor, int) and isinstance(value, int):
        return value % divisor == 0
    try:
        quotient = value / divisor
        return int(quotient) == quotient
    except (OverflowError, ValueError):
        return False


def identity(nodes: Nodes) -> tuple[tuple[int, str], ...]:
    """Return what tells nodes apart for as long as their documents live."""
    return tuple((id(node.document), node.pointer) for node in nodes)


def joined(one: Nodes, other: Nodes) -> Nodes:
    """Return nodes that hold together, each once."""
    if not one or not other:
        return one or other
    seen = dict(zip(identity(one + other), one + other, strict=True))
    return tuple(seen.values())


def meet(kind: str, one: Facet, other: Facet) -> Facet | None:
    """Return what two facets of a type both admit, ``None`` for nothing at all."""
    if one.bare or other.bare:
        return other if one.bare else one
    made = Facet(
        values=_shared(one.values, other.values),
        valued=one.valued if one.values is not None else other.valued,
        whole=one.whole or other.whole,
        low=_tighter(one.low, other.low, max),
        high=_tighter(one.high, other.high, min),
        multiples=_once(one.multiples, other.multiples),
        limits=_tightest(one.limits, other.limits),
        patterns=_once(one.patterns, other.patterns),
        formats=_once(one.formats, other.formats),
        unique=one.unique or other.unique,
        contains=one.contains + other.contains,
        required=_once(one.required, other.required),
        names=joined(one.names, other.names),
        dependent=_merged(one.dependent, other.dependent, _once),
        conditional=_merged(one.conditional, other.conditional, joined),
        groups=one.groups + other.groups,
        refused=joined(one.refused, other.refused),
        conditions=one.conditions + other.conditions,
        residue=_once(one.residue, other.residue),
        **_members(one, other),
    )
    return settled(kind, made)


def settled(kind: str, facet: Facet) -> Facet | None:
    """Write a facet in its one form; ``None`` where it admits nothing."""
    if kind == "number":
        facet = _integers(facet)
    elif kind == "boolean" and facet.values is not None and len(facet.values) == 2:
        facet = replace(facet, values=None)
    if facet.values is not None and kind in ("number", "string"):
        kept = {
            text: value for text, value in facet.values.items() if facet.admits(value)
        }
        facet = replace(
            BARE,
            values=kept,
            valued=facet.valued,
            groups=facet.groups,
            refused=facet.refused,
            conditions=facet.conditions,
        )
    return None if _empty(facet) else facet


def _empty(facet: Facet) -> bool:
    if facet.values is not None and not facet.values:
        return True
    if facet.low and facet.high:
        if facet.low.value > facet.high.value:
            return True
        if facet.low.value == facet.high.value:
            return facet.low.strict or facet.high.strict
    return any(
        facet.limits.get(f"min{what}", 0) > facet.limits.get(f"max{what}", math.inf)
        for what in ("Length", "Items", "Properties")
    )


def _integers(facet: Facet) -> Facet:
    if any(float(one).is_integer() for one in facet.multiples):
        facet = replace(facet, whole=True)
    if not facet.whole:
        return facet
    multiples = tuple(one for one in facet.multiples if one != 1)
    low, high = facet.low, facet.high
    if low is not None and math.isfinite(low.value):
        above = math.floor(low.value) + 1 if low.strict else math.ceil(low.value)
        low = low._replace(value=above, strict=False)
    if high is not None and math.isfinite(high.value):
        below = math.ceil(high.value) - 1 if high.strict else math.floor(high.value)
        high = high._replace(value=below, strict=False)
    return replace(facet, multiples=multiples, low=low, high=high)


def _members(one: Facet, other: Facet) -> dict[str, Any]:
    named = dict.fromkeys((*one.properties, *other.properties))
    matched = dict.fromkeys(pattern for pattern, _ in (*one.matched, *other.matched))
    return {
        "prefix": tuple(
            joined(one.item(index), other.item(index))
            for index in range(max(len(one.prefix), len(other.prefix)))
        ),
        "properties": {
            name: joined(one.member(name), other.member(name)) for name in named
        },
        "matched": tuple(
            (pattern, joined(_under(one, pattern), _under(other, pattern)))
            for pattern in matched
        ),
        "rest": joined(one.rest, other.rest),
        "resting": one.resting or other.resting,
    }


def _under(facet: Facet, pattern: str) -> Nodes:
    return dict(facet.matched).get(pattern, facet.rest)


def _shared(
    one: dict[str, Any] | None, other: dict[str, Any] | None
) -> dict[str, Any] | None:
    if one is None or other is None:
        return one if other is None else other
    return {text: value for text, value in one.items() if text in other}


def _tighter(
    one: Bound | None, other: Bound | None, choose: Callable[..., Bound]
) -> Bound | None:
    if one is None or other is None:
        return one or other
    if one.value == other.value:
        return one if one.strict else other
    return choose(one, other, key=lambda bound: bound.value)


def _tightest(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    def choose(here: int, there: int, keyword: str) -> int:
        return max(here, there) if keyword.startswith("min") else min(here, there)

    return {
        keyword: choose(
            one.get(keyword, other.get(keyword, 0)),
            other.get(keyword, one.get(keyword, 0)),
            keyword,
        )
        for keyword in (*one, *other)
    }


def _merged(one: dict[str, Any], other: dict[str, Any], join: Any) -> dict[str, Any]:
    return {
        name: join(one.get(name, ()), other.get(name, ())) for name in (*one, *other)
    }


def _once(one: Iterable[Any], other: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _above(value: float, low: Bound) -> bool:
    return value > low.value if low.strict else value >= low.value


def _below(value: float, high: Bound) -> bool:
    return value < high.value if high.strict else value <= high.value


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
