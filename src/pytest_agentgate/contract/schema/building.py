"""Values that a schema admits, made from its shape."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from .facet import Facet, Nodes, canonical, meet
from .formats import known, sample
from .patterns import LONGEST, longest, matches, matching
from .shape import Reader, Shape

UNKNOWN = "agentgate_unknown"
"""The name of a property that no schema is expected to know."""
DEEP = 4
"""Levels below which only what is required is made."""
DEEPEST = 40
MOST = 5_000
"""Elements of the largest list and characters of the longest text that is made."""
VARIED = 8
"""Values of one member that are tried in a list or an object."""
_WORDS = ("a", "text", "note 1", "example", "x" * 12)


class UnbuildableError(Exception):
    """No value was found; the text says what for."""


class Builder:
    """Makes values that shapes admit. What it makes is to be checked: it may be wrong.

    Args:
        reader: reads what stands below.
        rng: the source of every choice.
        optional: how likely an optional member is made: 0 never, 1 always.
    """

    def __init__(self, reader: Reader, rng: Random, *, optional: float = 0) -> None:
        self.reader = reader
        self.rng = rng
        self.optional = optional
        self._barren: set[object] = set()

    def value(self, nodes: Nodes, depth: int = 0) -> Any:
        """Make a value that the nodes admit together.

        Raises:
            UnbuildableError: none was found.
        """
        return self.of_shape(self.reader.shape(nodes), depth)

    def of_shape(self, shape: Shape, depth: int = 0) -> Any:
        """Make a value of a shape, of the first of its types that can be made."""
        kinds = sorted(shape.facets, key=_PREFERRED.index)
        why = "nothing is admitted"
        for kind in kinds:
            try:
                return self.of(kind, shape.facets[kind], depth)
            except UnbuildableError as error:
                why = str(error)
        raise UnbuildableError(why)

    def of(self, kind: str, facet: Facet, depth: int = 0) -> Any:
        """Make a value of a type."""
        if depth > DEEPEST:
            raise UnbuildableError("it is required without end")
        if facet.groups:
            return self._of_alternative(kind, facet, depth)
        if facet.values is not None:
            return self._listed(facet)
        if kind == "number":
            return self.number(facet)
        if kind == "string":
            return self.string(facet)
        if kind == "array":
            return self.array(facet, depth)
        if kind == "object":
            return self.object(facet, depth)
        return None if kind == "null" else True

    def _of_alternative(self, kind: str, facet: Facet, depth: int) -> Any:
        why = "no alternative fits"
        for alternative in alternatives(kind, facet):
            try:
                return self.of(kind, alternative, depth)
            except UnbuildableError as error:
                why = str(error)
        raise UnbuildableError(why)

    def _listed(self, facet: Facet) -> Any:
        values = list((facet.values or {}).values())
        if not values:
            raise UnbuildableError("no value is listed")
        return self.rng.choice(values) if self.optional else values[0]

    def number(self, facet: Facet) -> float:
        """Make a number within its bounds."""
        low = -math.inf if facet.low is None else facet.low.value
        high = math.inf if facet.high is None else facet.high.value
        tries: list[float] = [1, 0, low, high, low + 1, high - 1, (low + high) / 2]
        if not facet.whole:
            tries += [low + 0.5, high - 0.5]
        for divisor in facet.multiples:
            start = low if math.isfinite(low) else (high if math.isfinite(high) else 0)
            steps = math.ceil(start / divisor)
            tries += [steps * divisor, (steps + 1) * divisor, (steps - 1) * divisor]
        if self.optional and math.isfinite(low) and math.isfinite(high):
            bottom = math.ceil(low)
            tries.insert(0, self.rng.randint(bottom, max(bottom, math.floor(high))))
        for number in tries:
            if math.isfinite(number):
                plain = int(number) if float(number).is_integer() else number
                if facet.admits(plain):
                    return plain
        raise UnbuildableError("no number fits its bounds")

    def string(self, facet: Facet) -> str:
        """Make a string that has its length, pattern and format."""
        key = (facet.patterns, facet.formats, *sorted(facet.limits.items()))
        text = None if key in self._barren else next(self.strings(facet), None)
        if text is None:
            self._barren.add(key)
            wanted = ", ".join((*facet.patterns, *facet.formats))
            raise UnbuildableError(f"no string was found for {wanted or 'its length'}")
        return text

    def strings(self, facet: Facet) -> Iterator[str]:
        """Yield strings that the facet admits, different ones where there are any."""
        low = facet.limits.get("minLength", 0)
        high = facet.limits.get("maxLength")
        if low > MOST:
            return
        for text in self._drafts(facet, low, high):
            if facet.admits(text) and all(
                matches(pattern, text) for pattern in facet.patterns
            ):
                yield text

    def _drafts(self, facet: Facet, low: int, high: int | None) -> Iterator[str]:
        for name in facet.formats:
            if known(name):
                yield from (sample(name, self.rng) for _ in range(4))
        for pattern in facet.patterns:
            yield from matching(pattern, self.rng, low, high)
        word = self.rng.choice(_WORDS) if self.optional else _WORDS[0]
        top = LONGEST if high is None else high
        if facet.patterns:
            top = min(top, *(longest(pattern) for pattern in facet.patterns))
        size = max(low, min(len(word), top))
        yield (word * (size // len(word) + 1))[:size]
        yield "a" * low

    def array(self, facet: Facet, depth: int = 0, length: int | None = None) -> Any:
        """Make a list, of a length where one is asked for."""
        least = facet.limits.get("minItems", 0)
        most = facet.limits.get("maxItems", MOST)
        wanted = max(sum(low for _, low, _ in facet.contains), least)
        if self._makes(depth) and not self.reader.never(facet.item(0)):
            wanted = max(wanted, min(1, most))
        wanted = wanted if length is None else length
        if wanted > MOST:
            raise UnbuildableError("a list as long as that is not made")
        made = [self._element(facet, index, depth) for index in range(wanted)]
        made = self._containing(facet, made, depth)
        return self._different(facet, made, depth) if facet.unique else made

    def _element(self, facet: Facet, index: int, depth: int) -> Any:
        return self.value(facet.item(index), depth + 1)

    def _containing(self, facet: Facet, made: list[Any], depth: int) -> list[Any]:
        at = len(facet.prefix)
        for nodes, least, _ in facet.contains:
            for _ in range(least):
                together = (*nodes, *facet.item(at))
                if at >= len(made):
                    made.append(None)
                made[at] = self.value(together, depth + 1)
                at += 1
        return made

    def _different(self, facet: Facet, made: list[Any], depth: int) -> list[Any]:
        seen: dict[str, Any] = {}
        for index, value in enumerate(made):
            if canonical(value) in seen:
                value = self._another(facet.item(index), seen, depth)
            seen[canonical(value)] = value
        return list(seen.values())

    def _another(self, nodes: Nodes, seen: dict[str, Any], depth: int) -> Any:
        for value in islice(self.several(nodes, depth), 200):
            if canonical(value) not in seen:
                return value
        raise UnbuildableError("too few different elements were found")

    def several(self, nodes: Nodes, depth: int = 0) -> Iterator[Any]:
        """Yield values that the nodes admit, plain ones of every type first."""
        shape = self.reader.shape(nodes)
        for kind in sorted(shape.facets, key=_PREFERRED.index):
            for facet in alternatives(kind, shape.facets[kind]):
                yield from self.several_of(kind, facet, depth)

    def several_of(self, kind: str, facet: Facet, depth: int = 0) -> Iterator[Any]:
        """Yield values of one type."""
        if facet.values is not None:
            yield from facet.values.values()
        elif kind == "number":
            yield from self.numbers(facet)
        elif kind == "string":
            yield from self.strings(facet)
            for size in range(1, 20):
                text = "a" * size
                if facet.admits(text):
                    yield text
        elif kind == "boolean":
            yield from (True, False)
        elif kind == "null":
            yield None
        else:
            yield from self._holders(kind, facet, depth + 1)

    def _holders(self, kind: str, facet: Facet, depth: int) -> Iterator[Any]:
        """Yield lists or objects: the least, the most, and others member by member."""
        for optional in (0, 1):
            builder = Builder(self.reader, self.rng, optional=optional)
            try:
                made = builder.of(kind, facet, depth)
            except UnbuildableError:
                continue
            yield made
            if depth > DEEP:
                continue
            for name in made if kind == "object" else ():
                for value in islice(self.several(facet.member(name), depth), VARIED):
                    yield {**made, name: value}
            if kind == "array" and made:
                for value in islice(self.several(facet.item(0), depth), VARIED):
                    yield [value, *made[1:]]

    def numbers(self, facet: Facet) -> Iterator[float]:
        """Yield numbers that the facet admits."""
        try:
            first = self.number(facet)
        except UnbuildableError:
            return
        step = max((abs(one) for one in facet.multiples), default=1)
        for index in range(60):
            for number in (first + index * step, first - index * step):
                if facet.admits(number):
                    yield number
        if not facet.whole and facet.admits(first + 0.5):
            yield first + 0.5

    def object(
        self, facet: Facet, depth: int = 0, given: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Make an object; what is given stands in it as it is."""
        made: dict[str, Any] = {}
        for name in self._wanted(facet, depth, given or {}):
            if given is not None and name in given:
                made[name] = given[name]
            else:
                self._property(made, facet, name, depth)
        self._enough(made, facet, depth)
        return made

    def _makes(self, depth: int) -> bool:
        if depth >= DEEP or not self.optional:
            return False
        return self.optional >= 1 or self.rng.random() < self.optional

    def _wanted(self, facet: Facet, depth: int, given: dict[str, Any]) -> list[str]:
        names = [*facet.required, *given]
        names += [
            name
            for name, nodes in facet.properties.items()
            if self._makes(depth) and not self.reader.never(nodes)
        ]
        most = facet.limits.get("maxProperties", len(names))
        wanted = list(dict.fromkeys(names))[: max(most, len(facet.required))]
        for name in wanted:  # grows as it goes
            for needed in facet.dependent.get(name, ()):
                if needed not in wanted:
                    wanted.append(needed)
        return wanted

    def _property(
        self, made: dict[str, Any], facet: Facet, name: str, depth: int
    ) -> None:
        try:
            made[name] = self.value(facet.member(name), depth + 1)
        except UnbuildableError as error:
            if name in facet.required:
                raise UnbuildableError(f"{name}: {error}") from error

    def _enough(self, made: dict[str, Any], facet: Facet, depth: int) -> None:
        least = facet.limits.get("minProperties", 0)
        spare = [*facet.properties, *self.free_names(facet, least)]
        for name in spare:
            if len(made) >= least:
                return
            if name not in made and not self.reader.never(facet.member(name)):
                self._property(made, facet, name, depth)
        if len(made) < least:
            raise UnbuildableError("too few properties were found")

    def free_names(self, facet: Facet, count: int = 1) -> list[str]:
        """Return names that are not properties, that the facet's names allow."""
        drafts = [UNKNOWN, *(f"{UNKNOWN}_{index}" for index in range(1, count))]
        for pattern, _ in facet.matched:
            drafts += islice(matching(pattern, self.rng), count)
        if facet.names:
            strings = [*self.several(facet.names)]
            drafts += [text for text in strings if isinstance(text, str)]
        return [
            name
            for name in drafts
            if name not in facet.properties and self._named(facet, name)
        ]

    def _named(self, facet: Facet, name: str) -> bool:
        if not facet.names:
            return True
        admitted = self.reader.shape(facet.names).facets.get("string")
        if admitted is None or admitted.values is None:
            return admitted is not None and admitted.admits(name)
        return canonical(name) in admitted.values


def alternatives(kind: str, facet: Facet, limit: int = 32) -> list[Facet]:
    """Return a facet as alternatives without ``anyOf``, each with all that holds.

    More than ``limit`` are cut; what is made of them is then only a part.
    """
    plain = replace(facet, groups=())
    made = [plain]
    for group in facet.groups:
        grown = []
        for one in made:
            for branch in group.branches:
                for inner in alternatives(kind, branch, limit):
                    met = meet(kind, one, inner)
                    if met is not None:
                        grown.append(met)
        made = grown[:limit]
    return made


_PREFERRED = ("object", "string", "number", "array", "boolean", "null")
