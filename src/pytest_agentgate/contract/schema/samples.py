"""Inputs to try a tool with, made from its input schema: valid, boundary, violation."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from .building import MOST, UNKNOWN, Builder, UnbuildableError, alternatives
from .facet import Facet, Nodes, canonical, identity
from .modern import Modern
from .patterns import longest
from .shape import Reader, root
from .validation import Acceptance
from .walk import escaped

MOST_VALUES = 20
"""Values of one ``enum`` that are tried."""
DEEPEST = 4
"""Levels below the arguments at which values are changed."""
_TEXTS = {
    "empty": "",
    "blank": " ",
    "accented": "é",
    "astral": "𝒜",
    "emoji": "👩‍👩‍👧",
    "right to left": "שלום",
    "control character": "a\x00b",
}
_OF_TYPES: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "boolean": (True,),
    "number": (12345, 1.5),
    "string": ("agentgate", "1"),
    "array": ([],),
    "object": ({},),
}
_NO_OBJECTS: tuple[Any, ...] = ([], "agentgate", 7, None)


class Sample(NamedTuple):
    """One input.

    Attributes:
        arguments: what to call the tool with.
        valid: whether the schema accepts it; checked with the reference validator.
        about: JSON pointer to what is tried, ``""`` for the call as a whole.
        keyword: the keyword it is about, ``""`` for none.
        label: what it is, in words.
    """

    arguments: Any
    valid: bool
    about: str
    keyword: str
    label: str

    @property
    def argument(self) -> str:
        """The name of the argument that is tried, ``""`` for none."""
        name = self.about.split("/")[1] if self.about else ""
        return name.replace("~1", "/").replace("~0", "~")


class _Spot(NamedTuple):
    path: tuple[str | int, ...]
    nodes: Nodes
    optional: bool


class _Try(NamedTuple):
    value: Any
    keyword: str
    label: str


def valid(schema: Any, rng: Random) -> Any:
    """Make a value that a schema accepts, checked with the reference validator.

    Raises:
        UnbuildableError: none was found.
    """
    return _Sampling(schema, rng, {}).checked(optional=1)


def unsupported(schema: Any, *, given: Mapping[str, Any] | None = None) -> str:
    """Return why no valid call can be made from a schema, ``""`` where one can."""
    try:
        _Sampling(schema, Random(0), given or {}).call(optional=0)  # noqa: S311
    except UnbuildableError as error:
        return str(error)
    return ""


def samples(
    schema: Any,
    *,
    seed: int,
    random: int,
    given: Mapping[str, Any] | None = None,
) -> Iterator[Sample]:
    """Yield inputs: a minimal and a full call, boundaries, violations, random ones.

    Equal arguments give equal samples. Each claim to be valid or not has been checked.
    Where no valid call can be made, only what is no object is tried, and
    ``unsupported`` says why.

    Args:
        schema: the input schema, of any draft.
        seed: what the random choices are made from.
        random: how many random valid calls come last.
        given: arguments of a call that is known to work; they stand in every call that
            is about something else.
    """
    made = _Sampling(schema, Random(seed), given or {})  # noqa: S311  # reproducible
    seen = set()
    for sample in made.all(random):
        key = canonical(sample.arguments)
        if key not in seen and made.accepts(sample.arguments) is sample.valid:
            seen.add(key)
            yield sample


class _Sampling:
    def __init__(self, schema: Any, rng: Random, given: Mapping[str, Any]) -> None:
        try:
            modern = Modern(schema).schema
        except RecursionError:
            modern = None  # admitted by nothing: no sample is right
        self.accepts = Acceptance(modern)
        self._nodes = root(modern)
        self._reader = Reader()
        self._rng = rng
        self._given = given

    def checked(self, *, optional: float) -> Any:
        """Make a value that is accepted."""
        why = "the schema cannot be read"
        for _ in range(10):
            try:
                made = self._builder(optional).value(self._nodes)
            except UnbuildableError as error:
                why = str(error)
                continue
            except RecursionError:
                break
            if isinstance(made, dict):
                made = {**made, **copy.deepcopy(dict(self._given))}
            accepted = self.accepts(made)
            if accepted:
                return made
            if accepted is not None:
                why = "no value that was tried is accepted"
        raise UnbuildableError(why)

    def call(self, *, optional: float) -> dict[str, Any]:
        """Make arguments that are accepted."""
        made = self.checked(optional=optional)
        if not isinstance(made, dict):
            raise UnbuildableError("it admits no object")
        return made

    def all(self, random: int) -> Iterator[Sample]:
        try:
            least = self.call(optional=0)
        except UnbuildableError:
            yield from self._no_objects()
            return
        yield Sample(least, True, "", "", "only what is required")
        full = self._fullest(least)
        yield Sample(full, True, "", "", "every argument")
        spots = list(self._spots())
        for spot in spots:
            for one in self._boundaries(spot):
                yield self._tried(spot, one, least, full, valid=True)
        yield from self._no_objects()
        yield from self._incomplete(full, spots)
        for spot in spots:
            for one in self._violations(spot):
                yield self._tried(spot, one, least, full, valid=False)
        for _ in range(random):
            try:
                made = self.call(optional=0.5)
            except UnbuildableError:
                continue
            yield Sample(made, True, "", "", "random")

    def _builder(self, optional: float) -> Builder:
        return Builder(self._reader, self._rng, optional=optional)

    def _fullest(self, least: Any) -> Any:
        try:
            return self.call(optional=1)
        except UnbuildableError:
            return least

    def _no_objects(self) -> Iterator[Sample]:
        for value in _NO_OBJECTS:
            yield Sample(value, False, "", "type", "no object")

    def _spots(self) -> Iterator[_Spot]:
        ahead = [_Spot((), self._nodes, False)]
        seen = set()
        while ahead:
            spot = ahead.pop(0)
            key = identity(spot.nodes)
            if len(spot.path) > DEEPEST or (key in seen and key):
                continue
            seen.add(key)
            if spot.path:
                yield spot
            ahead.extend(self._inside(spot))

    def _inside(self, spot: _Spot) -> Iterator[_Spot]:
        facets = self._reader.shape(spot.nodes).facets
        if "object" in facets:
            for held in alternatives("object", facets["object"]):
                for name, nodes in held.properties.items():
                    if not self._reader.never(nodes):
                        optional = name not in held.required
                        yield _Spot((*spot.path, name), nodes, optional)
        if "array" in facets and not self._reader.never(facets["array"].item(0)):
            yield _Spot((*spot.path, 0), facets["array"].item(0), False)

    def _tried(
        self, spot: _Spot, one: _Try, least: Any, full: Any, *, valid: bool
    ) -> Sample:
        base = least if _reaches(least, spot.path) else full
        made = _put(base, spot.path, one.value)
        about = "".join(f"/{escaped(str(part))}" for part in spot.path)
        return Sample(made, valid, about, one.keyword, one.label)

    def _incomplete(self, full: Any, spots: list[_Spot]) -> Iterator[Sample]:
        for holder in (_Spot((), self._nodes, False), *spots):
            about = "".join(f"/{escaped(str(part))}" for part in holder.path)
            held = _get(full, holder.path)
            if not isinstance(held, dict):
                continue
            facet = self._reader.shape(holder.nodes).facets.get("object", Facet())
            for name in facet.required:
                made = {key: value for key, value in held.items() if key != name}
                whole = _put(full, holder.path, made)
                label = f"{name} is missing"
                yield Sample(
                    whole, False, f"{about}/{escaped(name)}", "required", label
                )
            extra = _put(full, holder.path, {**held, UNKNOWN: "agentgate"})
            about = f"{about}/{UNKNOWN}"
            yield Sample(
                extra, False, about, "additionalProperties", "an unknown argument"
            )

    def _boundaries(self, spot: _Spot) -> Iterator[_Try]:
        facets = self._reader.shape(spot.nodes).facets
        for kind, whole in facets.items():
            if kind == "null":
                yield _Try(None, "type", "null")
            for facet in alternatives(kind, whole):
                yield from self._edges(kind, facet)

    def _edges(self, kind: str, facet: Facet) -> Iterator[_Try]:
        if facet.values is not None:
            for value in islice(facet.values.values(), MOST_VALUES):
                yield _Try(value, facet.valued, f"one of its values: {_shown(value)}")
        elif kind == "boolean":
            yield from (_Try(flag, "type", _shown(flag)) for flag in (True, False))
        elif kind == "number":
            yield from self._numbers(facet)
        elif kind == "string":
            yield from self._texts(facet)
        elif kind in ("array", "object"):
            yield from self._sizes(kind, facet)

    def _numbers(self, facet: Facet) -> Iterator[_Try]:
        for bound, away in ((facet.low, 1), (facet.high, -1)):
            if bound is not None:
                edge = bound.value + (away if bound.strict else 0)
                label = f"at its {bound.keyword} {bound.written}"
                yield _Try(_whole(edge), bound.keyword, label)
                yield _Try(_whole(edge + away), bound.keyword, f"one off: {label}")
        for value in (0, -1, 2**53, -(2**53)):
            yield _Try(value, "type", str(value))
        if not facet.whole:
            yield _Try(0.5, "type", "a fraction")
        for number in islice(self._builder(1).numbers(facet), 2):
            yield _Try(number, "type", "a number")

    def _texts(self, facet: Facet) -> Iterator[_Try]:
        for keyword in ("minLength", "maxLength"):
            if keyword in facet.limits:
                size = facet.limits[keyword]
                for text in self._of_length(facet, size):
                    yield _Try(text, keyword, f"as long as its {keyword} {size}")
        for text in islice(self._builder(1).strings(facet), 2):
            yield _Try(text, "type", "a string")
        for label, text in _TEXTS.items():
            if all(len(text) <= longest(pattern) for pattern in facet.patterns):
                yield _Try(text, "type", f"{label} text")

    def _of_length(self, facet: Facet, size: int) -> Iterator[str]:
        if size > min((longest(one) for one in facet.patterns), default=MOST):
            return
        exact = Facet(
            limits={"minLength": size, "maxLength": size},
            patterns=facet.patterns,
            formats=facet.formats,
        )
        yield from islice(self._builder(1).strings(exact), 1)

    def _sizes(self, kind: str, facet: Facet) -> Iterator[_Try]:
        names = ("minItems", "maxItems") if kind == "array" else ()
        for keyword in names:
            size = facet.limits.get(keyword, MOST)
            if size < MOST:
                made = self._list_of(facet, size)
                yield _Try(made, keyword, f"as many as its {keyword} {size}")
        for optional, label in ((0, "least"), (1, "most")):
            try:
                made = self._builder(optional).of(kind, facet)
            except UnbuildableError:
                continue
            yield _Try(made, "type", f"an {kind} with the {label} in it")
        yield _Try([] if kind == "array" else {}, "type", f"an empty {kind}")

    def _list_of(self, facet: Facet, size: int) -> Any:
        try:
            return self._builder(0).array(facet, length=size)
        except UnbuildableError:
            return None

    def _violations(self, spot: _Spot) -> Iterator[_Try]:
        shape = self._reader.shape(spot.nodes)
        facets = shape.facets
        for kind, values in _OF_TYPES.items():
            for value in values:
                if kind not in facets:
                    label = f"of type {kind}: {_shown(value)}"
                    yield _Try(value, shape.typing, label)
        if "number" in facets and facets["number"].whole:
            yield _Try(1.5, "type", "a fraction for an integer")
        for kind, whole in facets.items():
            for facet in alternatives(kind, whole):
                yield from self._beyond(kind, facet)

    def _beyond(self, kind: str, facet: Facet) -> Iterator[_Try]:
        if facet.values is not None:
            value = _unlisted(kind)
            yield _Try(value, facet.valued, f"none of its values: {_shown(value)}")
        elif kind == "number":
            for bound, away in ((facet.low, -1), (facet.high, 1)):
                if bound is not None:
                    value = bound.value if bound.strict else bound.value + away
                    label = f"beyond its {bound.keyword} {bound.written}"
                    yield _Try(_whole(value), bound.keyword, label)
            for divisor in facet.multiples:
                yield _Try(divisor * 1.5, "multipleOf", f"no multiple of {divisor}")
        elif kind == "string":
            yield from self._wrong_texts(facet)
        elif kind == "array":
            yield from self._wrong_lists(facet)

    def _wrong_texts(self, facet: Facet) -> Iterator[_Try]:
        for keyword, away in (("minLength", -1), ("maxLength", 1)):
            if keyword in facet.limits:
                size = facet.limits[keyword] + away
                label = f"of length {size}, beyond its {keyword}"
                for text in self._of_length(facet, size):
                    yield _Try(text, keyword, label)
        for pattern in facet.patterns:
            for text in ("agentgate!", "!", "", "0", "a"):
                if facet.limits.get("minLength", 0) <= len(text):
                    label = f"does not match {_shown(pattern)}"
                    yield _Try(text, "pattern", label)

    def _wrong_lists(self, facet: Facet) -> Iterator[_Try]:
        for keyword, away in (("minItems", -1), ("maxItems", 1)):
            size = facet.limits.get(keyword, MOST) + away
            if keyword in facet.limits and 0 <= size < MOST:
                free = Facet(prefix=facet.prefix, rest=facet.rest, unique=facet.unique)
                made = self._list_of(free, size)
                yield _Try(made, keyword, f"{size} elements, beyond its {keyword}")
        if facet.unique:
            made = self._list_of(facet, max(1, facet.limits.get("minItems", 1)))
            if made:
                label = "an element comes twice"
                yield _Try([made[0], *made], "uniqueItems", label)


def _reaches(base: Any, path: tuple[str | int, ...]) -> bool:
    """Whether all that holds what the path leads to is there."""
    try:
        held = _get(base, path[:-1])
    except (KeyError, IndexError, TypeError):
        return False
    return isinstance(held, dict if isinstance(path[-1], str) else list)


def _get(value: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        if isinstance(value, dict) and isinstance(part, str):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _put(base: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy with a value at a path; ``base`` itself where it leads nowhere."""
    if not path:
        return value
    made = copy.deepcopy(base)
    held = _get(made, path[:-1])
    part = path[-1]
    if isinstance(held, dict) and isinstance(part, str):
        held[part] = value
    elif isinstance(held, list) and isinstance(part, int):
        held[part : part + 1] = [value]
    return made


def _unlisted(kind: str) -> Any:
    return {"string": UNKNOWN, "number": -987_654, "array": [UNKNOWN]}.get(
        kind, {UNKNOWN: 1}
    )


def _whole(number: float) -> float:
    plain = math.isfinite(number) and float(number).is_integer()
    return int(number) if plain else number


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
