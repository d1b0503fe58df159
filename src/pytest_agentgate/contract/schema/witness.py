"""A value that one schema accepts and another one refuses, checked before it counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import Any

from .building import UNKNOWN, Builder, UnbuildableError, alternatives
from .facet import BARE, Facet, Nodes, meet, type_of
from .formats import BROKEN
from .gaps import Gap, Step, scalar_parts
from .patterns import longest
from .shape import Reader

MOST_LEAVES = 300
"""Values of one place that are looked at for one gap."""
TRIES = 120
"""Values that are tried for one gap."""
EFFORTS = 600
"""Holders of a value that are made for one gap, tried or not."""
_TEXTS = ("agentgate", "", "a", "A", "0", " ", "!", "é", "a b", "-", "\n", "agentgate!")
_NUMBERS = (0, 1, -1, 2, 0.5, -0.5, 1.5, 7, 1_000_003, -1_000_003)


@dataclass(frozen=True)
class Witness:
    """A value about which two schemas disagree.

    Attributes:
        value: the whole value, as a tool would be called with.
        accepted_by: ``served`` or ``declared``; the other one refuses it.
    """

    value: Any
    accepted_by: str


class Search:
    """Searches values that the loose schema accepts and the strict one refuses.

    Args:
        reader: reads the shapes of both.
        shows: whether a value is accepted by the loose schema, and refused by the
            strict one; it asks the reference validator.
    """

    def __init__(self, reader: Reader, shows: Callable[[Any], bool]) -> None:
        self._reader = reader
        self._shows = shows
        self._efforts = EFFORTS
        rng = Random(0)  # noqa: S311  # one seed: a comparison gives one answer
        self._plain = Builder(reader, rng)
        self._full = Builder(reader, rng, optional=1)

    def showing(self, gap: Gap) -> Any:
        """Return a whole value that shows the gap.

        Raises:
            UnbuildableError: none was found.
        """
        self._efforts = EFFORTS
        for value in islice(self._wrapped(gap), TRIES):
            if self._shows(value):
                return value
        raise UnbuildableError("no value was found that shows it")

    def among(self, nodes: Nodes) -> Any:
        """Return a value that the nodes admit and that shows a difference.

        Raises:
            UnbuildableError: none was found.
        """
        for value in islice(self._full.several(nodes), TRIES):
            if self._shows(value):
                return value
        raise UnbuildableError("no value was found that shows it")

    def _wrapped(self, gap: Gap) -> Iterator[Any]:
        for one in gap.inner:
            yield from self._wrapped(replace(one, steps=(*gap.steps, *one.steps)))
        for value in self._leaves(gap):
            yield from self._around(value, gap.steps)
            if self._efforts < 0:
                return

    def _around(self, value: Any, steps: tuple[Step, ...]) -> Iterator[Any]:
        if not steps:
            yield value
            return
        step = steps[-1]
        for holder in _together(step.kind, step.strict, step.loose):
            self._efforts -= 1
            if self._efforts < 0:
                return
            try:
                held = self._holding(step, holder, value)
            except UnbuildableError:
                continue
            yield from self._around(held, steps[:-1])

    def _holding(self, step: Step, holder: Facet, value: Any) -> Any:
        if step.kind == "object":
            name = str(step.part)
            if name == "*":
                name = next(iter(self._plain.free_names(holder)), UNKNOWN)
            return self._plain.object(holder, given={name: value})
        at = 0 if step.part == "*" else int(step.part)
        length = max(at + 1, holder.limits.get("minItems", 0))
        plain = replace(holder, contains=())
        made = self._plain.array(plain, length=0)
        for index in range(length):
            kept = value if index == at else self._element(holder, index, value)
            made.append(kept)
        return made

    def _element(self, holder: Facet, index: int, value: Any) -> Any:
        found = self._plain.several(holder.item(index))
        if holder.unique:
            return next(islice((one for one in found if one != value), index, None), 0)
        return next(found, value)

    def _leaves(self, gap: Gap) -> Iterator[Any]:
        if gap.opaque:
            return
        if not gap.kind:
            step = gap.steps[-1]
            named = step.kind == "object" and step.part != "*"
            below = (
                step.loose.member(str(step.part))
                if named
                else step.loose.rest
                if step.part == "*"
                else step.loose.item(int(step.part))
            )
            yield from chain(islice(self._full.several(below), 40), (None, {}, []))
            return
        by_keyword = _LEAVES.get(gap.keyword, Search.plain)
        yield from _sharp(gap, chain(by_keyword(self, gap), self.plain(gap)))

    def plain(self, gap: Gap) -> Iterator[Any]:
        """Yield values of the type that the loose schema admits."""
        for facet in alternatives(gap.kind, gap.loose):
            yield from islice(self._full.several_of(gap.kind, facet), 30)
        yield from _LOOSE.get(gap.kind, ())

    def bases(self, gap: Gap, **limits: int) -> Iterator[Any]:
        """Yield lists or objects that both schemas admit, or one of them."""
        for facet in _together(gap.kind, gap.strict, gap.loose):
            held = {**facet.limits, **limits}
            for builder in (self._full, self._plain):
                try:
                    yield builder.of(gap.kind, replace(facet, limits=held))
                except UnbuildableError:
                    continue

    def lengths(self, gap: Gap) -> Iterator[Any]:
        """Yield values one too short or too long."""
        keyword = gap.keyword
        limit = gap.strict.limits[keyword]
        size = limit - 1 if keyword.startswith("min") else limit + 1
        if gap.kind == "array":
            for facet in _together("array", gap.strict, gap.loose):
                freed = _without(facet, keyword)
                try:
                    yield self._full.array(freed, length=size)
                except UnbuildableError:
                    continue
        elif gap.kind == "string":
            yield from self._texts(gap.loose, size)
        else:
            yield from self._sizes(gap, size)

    def _texts(self, facet: Facet, size: int) -> Iterator[str]:
        exact = {**facet.limits, "minLength": size, "maxLength": size}
        top = min((longest(one) for one in facet.patterns), default=size)
        if size <= top:
            yield from islice(self._plain.strings(replace(facet, limits=exact)), 6)
            yield "a" * size

    def _sizes(self, gap: Gap, size: int) -> Iterator[Any]:
        for base in self.bases(_freed(gap)):
            names = [name for name in base if name not in gap.strict.required]
            while len(base) > size and names:
                del base[names.pop()]
            for name in self._plain.free_names(gap.loose, size + 1):
                if len(base) < size:
                    base[name] = 0
            yield base

    def retyped(self, gap: Gap) -> Iterator[Any]:
        """Yield fractions where an integer is asked for, else plain values."""
        yield from self.numbers(gap) if gap.strict.whole else self.plain(gap)

    def numbers(self, gap: Gap) -> Iterator[Any]:
        """Yield numbers beside the bounds."""
        for bound in (gap.strict.low, gap.strict.high, gap.loose.low, gap.loose.high):
            if bound is not None:
                for away in (0, 1, -1, 0.5, -0.5, 0.001, -0.001):
                    yield _whole(bound.value + away)
                for divisor in gap.loose.multiples:
                    steps = math.floor(bound.value / divisor)
                    for step in (steps - 1, steps, steps + 1, steps + 2):
                        yield _whole(step * divisor)
        for divisor in gap.strict.multiples:
            for number in (1, divisor + 1, divisor / 2, divisor * 1.5, divisor + 0.5):
                yield _whole(number)
        yield from self._full.numbers(gap.loose)
        yield from _NUMBERS

    def texts(self, gap: Gap) -> Iterator[Any]:
        """Yield strings that break a pattern or a format, or are listed nowhere."""
        low = gap.loose.limits.get("minLength", 0)
        for text in (*islice(self._full.strings(gap.loose), 12), *_TEXTS, BROKEN):
            for spelt in (text, f"{text}!", f"!{text}", text[:-1], text.swapcase()):
                yield spelt
                if len(spelt) < low:
                    yield (spelt or "!") * low

    def missing(self, gap: Gap) -> Iterator[Any]:
        """Yield objects without a property."""
        lost = [one for one in gap.strict.required if one not in gap.loose.required]
        for base in self.bases(gap):
            for name in lost:
                yield {key: value for key, value in base.items() if key != name}

    def twice(self, gap: Gap) -> Iterator[Any]:
        """Yield lists with an element that comes twice."""
        for facet in _together("array", gap.strict, gap.loose):
            held = replace(facet, unique=False)
            size = max(2, held.limits.get("minItems", 0))
            try:
                made = self._plain.array(held, length=size)
            except UnbuildableError:
                continue
            yield [*made[:-1], made[0]]
            yield [made[0]] * size

    def named(self, gap: Gap) -> Iterator[Any]:
        """Yield objects with names that the strict schema does not allow."""
        names = list(self._full.several(gap.loose.names))
        for base in self.bases(gap):
            for name in (*names, *_TEXTS, UNKNOWN, "a" * 70):
                if isinstance(name, str):
                    nodes = gap.loose.member(name)
                    value = next(self._plain.several(nodes), 0)
                    yield {**base, name: value}

    def depending(self, gap: Gap) -> Iterator[Any]:
        """Yield objects with a property, and without what it asks for."""
        wanted = gap.strict.dependent
        for base in self.bases(gap):
            for name in (*wanted, *gap.strict.conditional):
                held = {**base}
                held[name] = next(self._plain.several(gap.loose.member(name)), 0)
                yield held
                for other in (*wanted.get(name, ()), *held):
                    if other != name:
                        yield {key: held[key] for key in held if key != other}
                yield {name: held[name]}

    def refused(self, gap: Gap) -> Iterator[Any]:
        """Yield what the strict schema excludes."""
        for node in gap.strict.refused:
            yield from islice(self._full.several((node,)), 20)

    def conditional(self, gap: Gap) -> Iterator[Any]:
        """Yield values for which a condition holds, changed member by member."""
        for held, _, _ in gap.strict.conditions:
            shape = self._reader.shape(held)
            facet = shape.facets.get(gap.kind, BARE)
            met = meet(gap.kind, facet, gap.loose)
            if met is None:
                continue
            for builder in (self._full, self._plain):
                try:
                    value = builder.of(gap.kind, replace(met, conditions=()))
                except UnbuildableError:
                    continue
                yield value
                if isinstance(value, dict):
                    yield from _changed(value)

    def members(self, gap: Gap) -> Iterator[Any]:
        """Yield values of the alternatives, and lists with and without an element."""
        for group in gap.strict.groups:
            for one in group.branches:
                for other in group.branches:
                    met = None if one is other else meet(gap.kind, one, other)
                    if met is not None:
                        yield from islice(self._full.several_of(gap.kind, met), 6)
        if gap.kind == "array":
            yield []
            for base in self.bases(replace(gap, strict=BARE)):
                yield base
                yield base * 5
        if gap.kind == "object":
            for base in self.bases(replace(gap, strict=BARE)):
                yield base
                yield {**base, UNKNOWN: 0}
                yield from _changed(base)


_LEAVES: dict[str, Callable[[Search, Gap], Iterator[Any]]] = {
    "type": Search.retyped,
    "minimum": Search.numbers,
    "maximum": Search.numbers,
    "exclusiveMinimum": Search.numbers,
    "exclusiveMaximum": Search.numbers,
    "multipleOf": Search.numbers,
    "pattern": Search.texts,
    "format": Search.texts,
    "required": Search.missing,
    "uniqueItems": Search.twice,
    "propertyNames": Search.named,
    "dependentRequired": Search.depending,
    "dependentSchemas": Search.depending,
    "not": Search.refused,
    "if": Search.conditional,
    "anyOf": Search.members,
    "oneOf": Search.members,
    "contains": Search.members,
    "unevaluatedProperties": Search.members,
    "unevaluatedItems": Search.members,
    **dict.fromkeys(
        (
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
        ),
        Search.lengths,
    ),
}
_LOOSE: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "boolean": (True, False),
    "number": _NUMBERS,
    "string": (*_TEXTS, BROKEN),
    "array": ([], [0], ["a"], [None]),
    "object": ({}, {UNKNOWN: 0}),
}


def _sharp(gap: Gap, leaves: Iterator[Any]) -> Iterator[Any]:
    """Yield the values that the keyword refuses, first those that it alone refuses."""
    parts = list(scalar_parts(gap.strict)) if gap.kind in ("number", "string") else []
    alone = [part for keyword, said, part in parts if keyword == gap.keyword]
    others = [part for keyword, said, part in parts if keyword != gap.keyword]
    if not alone:
        yield from leaves
        return
    blunt = []
    for leaf in islice(leaves, MOST_LEAVES):
        if type_of(leaf) != gap.kind or all(part.admits(leaf) for part in alone):
            continue
        if all(part.admits(leaf) for part in others):
            yield leaf
        else:
            blunt.append(leaf)
    yield from blunt


def _together(kind: str, strict: Facet, loose: Facet) -> list[Facet]:
    """Return what both admit, or else what either does."""
    met = meet(kind, strict, loose)
    found = [] if met is None else [met]
    return [*found, loose, strict]


def _without(facet: Facet, keyword: str) -> Facet:
    limits = {name: value for name, value in facet.limits.items() if name != keyword}
    return replace(facet, limits=limits)


def _freed(gap: Gap) -> Gap:
    """Return the gap without the limit that it is about."""
    return replace(gap, strict=_without(gap.strict, gap.keyword))


def _changed(value: dict[str, Any]) -> Iterator[Any]:
    for name in value:
        yield {key: held for key, held in value.items() if key != name}
        others: tuple[Any, ...] = (None, "agentgate", -1, [], {})
        yield from ({**value, name: other} for other in others)


def _whole(number: float) -> float:
    plain = math.isfinite(number) and float(number).is_integer()
    return int(number) if plain else number
