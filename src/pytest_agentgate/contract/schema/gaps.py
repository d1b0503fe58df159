"""Where one schema admits what another one refuses, keyword by keyword.

A gap is a claim, and a hint where to look: it counts once a value was found that shows
it (``witness``), or where it was proved (``containment``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Literal, NamedTuple

from .building import alternatives
from .facet import (
    BARE,
    FEW,
    Bound,
    Facet,
    Group,
    Nodes,
    canonical,
    divides,
    identity,
)
from .formats import known
from .patterns import matching
from .shape import Reader, Shape
from .validation import Acceptance
from .walk import escaped

MOST_PAIRS = 200_000
"""Pairs of subschemas that are compared before it is given up."""
MOST_TRIALS = 20_000
"""The same of pairs of alternatives, of which most are compared in vain."""


class TooManyError(Exception):
    """The schemas have too many pairs of alternatives to compare."""


class Step(NamedTuple):
    """One level of the value in which a gap shows."""

    kind: Literal["array", "object"]
    part: str | int
    strict: Facet
    loose: Facet


@dataclass(frozen=True)
class Gap:
    """A keyword by which the strict schema refuses what the loose one admits.

    Attributes:
        keyword: the keyword, as the strict schema spells it.
        kind: the JSON type of which more is admitted.
        said: the keyword's value in the strict schema, ``None`` where it has none.
        instead: the same in the loose schema.
        strict: what the strict schema admits there.
        loose: what the loose schema admits there.
        pointer: where the served schema stands; ``None`` where nothing is served.
        path: JSON pointer into a value; ``*`` for any element or name.
        steps: the levels from the whole value down to there.
        remark: whether no value can show it, as of an unknown format.
        opaque: why it cannot be told, ``""`` where it can.
        inner: of a property that is lost: the gaps inside of it, any of which shows it.
    """

    keyword: str
    kind: str
    said: Any = None
    instead: Any = None
    strict: Facet = BARE
    loose: Facet = BARE
    pointer: str | None = None
    path: str = ""
    steps: tuple[Step, ...] = ()
    remark: bool = False
    opaque: str = ""
    inner: tuple[Gap, ...] = ()


class Gaps:
    """Finds where a loose schema admits what a strict one refuses.

    Args:
        reader: reads the shapes of both.
        served_is_loose: whether pointers are those of the loose schema.
    """

    def __init__(self, reader: Reader, *, served_is_loose: bool) -> None:
        self._reader = reader
        self._served_is_loose = served_is_loose
        self._known: dict[Any, tuple[Gap, ...]] = {}
        self._trials = 0

    @property
    def pairs(self) -> int:
        """How many pairs of subschemas were compared."""
        return len(self._known)

    def between(self, strict: Nodes, loose: Nodes) -> tuple[Gap, ...]:
        """Return every gap, outer ones first.

        Raises:
            TooManyError: there is too much to compare.
        """
        key = (identity(strict), identity(loose))
        if key not in self._known:
            if len(self._known) >= MOST_PAIRS:
                raise TooManyError
            self._known[key] = ()  # met again inside of itself: equal so far
            self._known[key] = tuple(self._between(strict, loose))
        return self._known[key]

    def _between(self, strict: Nodes, loose: Nodes) -> Iterator[Gap]:
        narrow, wide = self._reader.shape(strict), self._reader.shape(loose)
        if (
            strict
            and loose
            and strict[0].schema is loose[0].schema
            and (
                len(strict) == len(loose) == 1
                and strict[0].document is loose[0].document
            )
        ):
            return
        served = wide if self._served_is_loose else narrow
        nodes = loose if self._served_is_loose else strict
        pointer = served.pointer if nodes else None
        for gap in self._of_shapes(narrow, wide, strict, loose):
            yield gap if gap.pointer is not None else replace(gap, pointer=pointer)

    def _of_shapes(
        self, narrow: Shape, wide: Shape, strict: Nodes, loose: Nodes
    ) -> Iterator[Gap]:
        opaque = narrow.opaque or wide.opaque
        if opaque:
            if _text(strict) != _text(loose):
                yield Gap("$ref" if "$ref" in opaque else "schema", "", opaque=opaque)
            return
        for kind, facet in wide.facets.items():
            if kind not in narrow.facets:
                yield _another_type(kind, narrow, wide)
            elif narrow.facets[kind] != facet:
                accepts = partial(_accepted, strict)
                yield from self._facets(kind, narrow.facets[kind], facet, accepts)

    def _facets(
        self, kind: str, strict: Facet, loose: Facet, accepts: Callable[[Any], bool]
    ) -> Iterator[Gap]:
        if strict.bare:
            return
        yield from self._exclusive(kind, strict, loose)
        narrow, wide = alternatives(kind, strict), alternatives(kind, loose)
        if len(narrow) == len(wide) == 1:
            yield from self._plain(kind, narrow[0], wide[0], accepts)
            return
        seen = set()
        for index, one in enumerate(wide):
            found = self._nearest(kind, narrow, one, index, accepts)
            if found and len(narrow) != len(wide):
                group = (strict.groups or loose.groups)[0]
                found = [_of_group(group, kind, strict, one)]
            for gap in found:
                key = (gap.keyword, gap.pointer, gap.path, canonical(repr(gap.said)))
                if key not in seen:
                    seen.add(key)
                    yield gap

    def _nearest(
        self,
        kind: str,
        narrow: list[Facet],
        one: Facet,
        index: int,
        accepts: Callable[[Any], bool],
    ) -> list[Gap]:
        """Compare with the alternative that leaves the fewest gaps."""
        best: list[Gap] | None = None
        order = sorted(range(len(narrow)), key=lambda at: (at != index, at))
        for at in order:
            self._trials += 1
            if self._trials > MOST_TRIALS:
                raise TooManyError
            found = list(self._plain(kind, narrow[at], one, accepts))
            if best is None or len(found) < len(best):
                best = found
            if not best:
                break
        return best or []

    def _exclusive(self, kind: str, strict: Facet, loose: Facet) -> Iterator[Gap]:
        for group in strict.groups:
            if group.exclusive and not any(
                other.exclusive and self._alike(kind, group, other)
                for other in loose.groups
            ):
                gap = _of_group(group, kind, strict, loose)
                yield replace(gap, keyword=group.keyword)

    def _alike(self, kind: str, one: Group, other: Group) -> bool:
        if len(one.branches) != len(other.branches):
            return False
        return all(
            not list(self._plain(kind, here, there, _never))
            and not list(self._plain(kind, there, here, _never))
            for here, there in zip(one.branches, other.branches, strict=True)
        )

    def _plain(
        self, kind: str, strict: Facet, loose: Facet, accepts: Callable[[Any], bool]
    ) -> Iterator[Gap]:
        if strict == loose:
            return
        make = partial(_gap, kind=kind, strict=strict, loose=loose)
        values = loose.values if loose.values is not None else _few(kind, loose)
        if values is not None:
            yield from _of_values(kind, strict, values, make, accepts)
            return
        if strict.values is not None:
            said = list(strict.values.values())
            yield make(strict.valued, _single(strict.valued, said))
            return
        if kind == "number":
            yield from _of_numbers(strict, loose, make)
        for keyword, limit in strict.limits.items():
            other = loose.limits.get(keyword)
            if _looser(keyword, limit, other):
                yield make(keyword, limit, other)
        if kind == "string":
            yield from _of_strings(strict, loose, make)
        elif kind == "array":
            yield from self._arrays(strict, loose, make)
        elif kind == "object":
            yield from self._objects(strict, loose, make)
        yield from self._whole(strict, loose, make)

    def _whole(self, strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
        """Compare the keywords that hold for every type."""
        for node in strict.refused:
            if not any(not self.between((one,), (node,)) for one in loose.refused):
                others = [one.schema for one in loose.refused]
                yield make("not", node.schema, others[0] if others else None)
        mine = {_parts(parts) for parts in loose.conditions}
        for parts in strict.conditions:
            if _parts(parts) not in mine:
                yield make("if", parts[0][0].schema)
        for keyword, text in strict.residue:
            if (keyword, text) not in loose.residue and not _shut(keyword, loose):
                yield make(keyword, text)

    def _arrays(self, strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
        if strict.unique and not loose.unique:
            yield make("uniqueItems", True)
        most = loose.limits.get("maxItems", math.inf)
        reach = max(len(strict.prefix), len(loose.prefix))
        for index in range(reach + 1):
            if index >= most or self._reader.never(loose.item(index)):
                break
            named = index < reach
            keyword = "prefixItems" if named else (strict.resting or "items")
            part: str | int = index if named or reach else "*"
            step = Step("array", part, strict, loose)
            yield from self._below(
                step, strict.item(index), loose.item(index), keyword, make
            )
        held = {(_text(nodes), least, most) for nodes, least, most in loose.contains}
        for nodes, least, above in strict.contains:
            if (_text(nodes), least, above) not in held:
                yield make("contains", nodes[0].schema)

    def _objects(self, strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
        if any(name not in loose.required for name in strict.required):
            yield make("required", list(strict.required), list(loose.required))
        for name in dict.fromkeys((*strict.properties, *loose.properties)):
            yield from self._property(name, strict, loose, make)
        yield from self._others(strict, loose, make)
        if strict.names and self.between(strict.names, loose.names):
            others = loose.names[0].schema if loose.names else None
            yield make("propertyNames", strict.names[0].schema, others)
        for name, needed in strict.dependent.items():
            held = {*loose.required, *loose.dependent.get(name, ())}
            if not held.issuperset(needed):
                yield make("dependentRequired", {name: list(needed)})
        for name, nodes in strict.conditional.items():
            if _text(nodes) != _text(loose.conditional.get(name, ())):
                yield make("dependentSchemas", {name: nodes[0].schema})

    def _property(
        self, name: str, strict: Facet, loose: Facet, make: Any
    ) -> Iterator[Gap]:
        ours, theirs = strict.member(name), loose.member(name)
        if self._reader.never(theirs):
            return
        step = Step("object", name, strict, loose)
        shut = name not in strict.properties and self._reader.never(strict.rest)
        if shut and name not in loose.properties:
            return  # told by the rest of both
        if not theirs and name not in loose.properties:
            inner = self.between(ours, theirs)
            if inner:
                gap = make("properties", ours[0].schema)
                gap = replace(gap, path=_path(name), steps=(step,), kind="")
                yield replace(gap, inner=inner)
            return
        yield from self._below(step, ours, theirs, "properties", make)

    def _others(self, strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
        """Compare what properties may be that are not named."""
        theirs = {pattern for pattern, _ in loose.matched}
        for pattern, nodes in strict.matched:
            name = _name_for(pattern, (strict, loose))
            if name is not None:
                step = Step("object", name, strict, loose)
                held = loose.member(name)
                yield from self._below(step, nodes, held, "patternProperties", make)
        for pattern in theirs - {pattern for pattern, _ in strict.matched}:
            name = _name_for(pattern, (strict, loose))
            if name is not None:
                step = Step("object", name, strict, loose)
                yield from self._below(
                    step, strict.member(name), loose.member(name), strict.resting, make
                )
        if not self._reader.never(loose.rest):
            step = Step("object", "*", strict, loose)
            keyword = strict.resting or "additionalProperties"
            yield from self._below(step, strict.rest, loose.rest, keyword, make)

    def _below(
        self, step: Step, strict: Nodes, loose: Nodes, keyword: str, make: Any
    ) -> Iterator[Gap]:
        if self._reader.never(loose):
            return
        path = _path(step.part)
        if self._reader.never(strict):
            said = strict[0].schema if len(strict) == 1 else False
            gap = make(keyword, said, loose[0].schema if loose else None)
            yield replace(gap, path=path, steps=(step,), kind="")
            return
        for gap in self.between(strict, loose):
            yield replace(gap, path=f"{path}{gap.path}", steps=(step, *gap.steps))


def _gap(
    keyword: str,
    said: Any,
    instead: Any = None,
    *,
    kind: str,
    strict: Facet,
    loose: Facet,
) -> Gap:
    return Gap(keyword, kind, said, instead, strict, loose)


def _another_type(kind: str, narrow: Shape, wide: Shape) -> Gap:
    keyword = narrow.typing
    said: Any = _types(narrow)
    if keyword in ("enum", "const"):
        listed = [facet.values or {"null": None} for facet in narrow.facets.values()]
        said = [value for values in listed for value in values.values()]
    return Gap(
        keyword, kind, _single(keyword, said), _types(wide), loose=wide.facets[kind]
    )


def _types(shape: Shape) -> list[str]:
    return [
        "integer" if kind == "number" and facet.whole else kind
        for kind, facet in shape.facets.items()
    ]


def _of_group(group: Group, kind: str, strict: Facet, loose: Facet) -> Gap:
    said = f"{len(group.branches)} alternatives"
    return Gap(group.keyword, kind, said, None, strict, loose)


def _of_values(
    kind: str,
    strict: Facet,
    values: dict[str, Any],
    make: Any,
    accepts: Callable[[Any], bool],
) -> Iterator[Gap]:
    if strict.values is not None:
        outside = [value for text, value in values.items() if text not in strict.values]
        if outside:
            said = _single(strict.valued, list(strict.values.values()))
            yield make(strict.valued, said, list(values.values()))
        return
    for value in values.values():
        if kind in ("number", "string"):
            keyword, said = _refusing(strict, value)
        else:
            keyword, said = ("schema", None) if not accepts(value) else ("", None)
        if keyword:
            yield make(keyword, said, list(values.values()))
            return


def _refusing(strict: Facet, value: Any) -> tuple[str, Any]:
    """Return the keyword that refuses a number or a string, ``""`` for none."""
    if strict.admits(value):
        return "", None
    for part in scalar_parts(strict):
        if not part[2].admits(value):
            return part[0], part[1]
    return "schema", None


def scalar_parts(facet: Facet) -> Iterator[tuple[str, Any, Facet]]:
    """Yield each keyword about a number or a string: name, value, and it alone."""
    if facet.values is not None:
        yield facet.valued, list(facet.values.values()), Facet(values=facet.values)
    if facet.whole:
        yield "type", "integer", Facet(whole=True)
    for bound, side in ((facet.low, "low"), (facet.high, "high")):
        if bound is not None:
            alone = Facet(low=bound) if side == "low" else Facet(high=bound)
            yield bound.keyword, bound.written, alone
    for divisor in facet.multiples:
        yield "multipleOf", divisor, Facet(multiples=(divisor,))
    for keyword, limit in facet.limits.items():
        yield keyword, limit, Facet(limits={keyword: limit})
    for pattern in facet.patterns:
        yield "pattern", pattern, Facet(patterns=(pattern,))
    for name in facet.formats:
        yield "format", name, Facet(formats=(name,))


def _of_numbers(strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
    if strict.whole and not loose.whole:
        yield make("type", "integer", "number")
    if strict.low is not None and _lower(loose.low, strict.low):
        yield make(strict.low.keyword, strict.low.written, _written(loose.low))
    if strict.high is not None and _higher(loose.high, strict.high):
        yield make(strict.high.keyword, strict.high.written, _written(loose.high))
    for divisor in strict.multiples:
        if not any(divides(divisor, other) for other in loose.multiples):
            yield make("multipleOf", divisor, next(iter(loose.multiples), None))


def _of_strings(strict: Facet, loose: Facet, make: Any) -> Iterator[Gap]:
    for pattern in strict.patterns:
        if pattern not in loose.patterns:
            yield make("pattern", pattern, next(iter(loose.patterns), None))
    for name in strict.formats:
        if name not in loose.formats:
            gap = make("format", name, next(iter(loose.formats), None))
            yield replace(gap, remark=not known(name))


def _lower(loose: Bound | None, strict: Bound) -> bool:
    if loose is None:
        return True
    if (loose.keyword, loose.written) == (strict.keyword, strict.written):
        return False
    return loose.value < strict.value or (
        loose.value == strict.value and strict.strict and not loose.strict
    )


def _higher(loose: Bound | None, strict: Bound) -> bool:
    if loose is None:
        return True
    if (loose.keyword, loose.written) == (strict.keyword, strict.written):
        return False
    return loose.value > strict.value or (
        loose.value == strict.value and strict.strict and not loose.strict
    )


def _looser(keyword: str, strict: int, loose: int | None) -> bool:
    if loose is None:
        return True
    return loose < strict if keyword.startswith("min") else loose > strict


def _written(bound: Bound | None) -> float | None:
    return None if bound is None else bound.written


def _few(kind: str, facet: Facet) -> dict[str, Any] | None:
    """Return the integers of a short range as a list of values."""
    if kind != "number" or not facet.whole or not (facet.low and facet.high):
        return None
    if facet.high.value - facet.low.value >= FEW:
        return None
    held = range(int(facet.low.value), int(facet.high.value) + 1)
    return {canonical(value): value for value in held if facet.admits(value)}


def _single(keyword: str, said: Any) -> Any:
    return said[0] if keyword == "const" and len(said) == 1 else said


def _name_for(pattern: str, facets: tuple[Facet, ...]) -> str | None:
    named = {name for facet in facets for name in facet.properties}
    found = matching(pattern, Random(0))  # noqa: S311
    return next((name for name in islice(found, 20) if name not in named), None)


def _shut(keyword: str, loose: Facet) -> bool:
    return keyword in ("unevaluatedProperties", "unevaluatedItems") and any(
        node.schema is False for node in loose.rest
    )


def _parts(parts: tuple[Nodes, ...]) -> str:
    return " ".join(_text(nodes) for nodes in parts)


def _text(nodes: Nodes) -> str:
    return " ".join(canonical(node.schema) for node in nodes)


def _path(part: str | int) -> str:
    return f"/{part if isinstance(part, int) else escaped(part)}"


def _accepted(strict: Nodes, value: Any) -> bool:
    return all(
        Acceptance(node.document.root, node.schema)(value) is not False
        for node in strict
    )


def _never(_value: Any) -> bool:
    return False
