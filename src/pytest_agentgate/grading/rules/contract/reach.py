"""Where a value meets a schema, through references, and where that leaves it open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from ....contract.schema.references import KEYWORDS, Document, Target
from ....contract.schema.walk import Place, places

CHOICES = ("anyOf", "oneOf")
OBJECT = frozenset(
    (
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "required",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
    )
)
"""Keywords that say something about objects alone."""
_OTHER_WORDS = """
enum const $ref $dynamicRef $recursiveRef allOf anyOf oneOf not if then else minLength
maxLength pattern format contentEncoding minimum maximum multipleOf exclusiveMinimum
exclusiveMaximum items prefixItems minItems maxItems contains uniqueItems
"""
OTHER = frozenset(_OTHER_WORDS.split())
"""Keywords that say something about values of other types."""
VALUES = ("property", "pattern", "rest", "item")
"""Roles of schemas that a value of its own is held against."""
_DEEP = 20
_PARTS = 200
_OUTWARD = 8


class Reach:
    """The schemas that some value is held against.

    A definition that nothing met refers to is not one of them, nor is what stands
    under ``if``, ``not``, ``contains`` and ``propertyNames``: that is tested, not
    demanded.

    Args:
        schema: the whole schema; any JSON value will do.
        declared: pointers of objects that are open on purpose.
    """

    def __init__(self, schema: Any, declared: Iterable[str] = ()) -> None:
        self.document = Document(schema)
        self.declared = frozenset(declared)
        self._at: dict[str, Place] = {}
        self._held: dict[str, list[Place]] = {}
        self._known: dict[tuple[int, bool], bool] = {}
        self._enter(Target(schema, ""))
        self._states = self._walked()

    @property
    def met(self) -> Iterator[Place]:
        """The places that a value meets, in the written order."""
        for pointer, place in self._at.items():
            if (pointer, False) in self._states or (pointer, True) in self._states:
                yield place

    @property
    def open(self) -> Iterator[str]:
        """Pointers of the objects that admit members which they do not name."""
        for pointer, place in self._at.items():
            if (pointer, False) not in self._states or pointer in self.declared:
                continue
            if _admits_objects(place) and not self._closed(place.schema):
                yield pointer

    def together(self, given: Any) -> Iterator[Mapping[str, Any]]:
        """Yield a schema and those that hold beside it: allOf, and behind ``$ref``."""
        return islice(self._beside(given), _PARTS)

    def lists_names(self, given: Mapping[str, Any]) -> bool:
        """Whether a map is one by the members of an enum (``propertyNames``)."""
        return any(
            {"enum", "const"} & one.keys()
            for one in self.together(given.get("propertyNames"))
        )

    def restated(self, place: Place) -> list[Any]:
        """Return what else is said of a property that a branch speaks of.

        ``then: {properties: {a: ...}}`` narrows an ``a`` that is defined outside.
        """
        found: list[Any] = []
        if place.keyword != "properties":
            return found
        holder = self._at[place.parent]
        for _ in range(_OUTWARD):
            if holder.role != "branch":
                break
            holder = self._at[holder.parent]
            for part in self.together(holder.schema):
                named = part.get("properties")
                other = named.get(place.name) if isinstance(named, Mapping) else None
                if other is not None and other is not place.schema:
                    found.append(other)
        return found

    def _enter(self, target: Target) -> None:
        """Take in a schema that may stand where none is looked for."""
        for place in places(target.schema):
            pointer = f"{target.pointer}{place.pointer}"
            if pointer in self._at:
                continue
            parent = f"{target.pointer}{place.parent}"
            moved = place._replace(pointer=pointer, parent=parent)
            if place.role == "root":
                moved = moved._replace(role="definition" if pointer else "root")
            else:
                self._held.setdefault(parent, []).append(moved)
            self._at[pointer] = moved

    def _walked(self) -> set[tuple[str, bool]]:
        """Return each pointer met, and whether what is around closes it already."""
        seen: set[tuple[str, bool]] = set()
        ahead = [("", False)]
        while ahead:
            state = ahead.pop()
            if state not in seen:
                seen.add(state)
                ahead.extend(self._next(*state))
        return seen

    def _next(self, pointer: str, covered: bool) -> Iterator[tuple[str, bool]]:
        given = self._at[pointer].schema
        if not isinstance(given, Mapping):
            return
        inside = covered or pointer in self.declared or self._closed(given, False)
        for keyword in KEYWORDS:
            target = self.document.target(given.get(keyword), pointer)
            if target is not None:
                if target.pointer not in self._at:
                    self._enter(target)
                yield target.pointer, inside
        if "$ref" in given and not self.document.siblings:
            return
        for child in self._held.get(pointer, ()):
            if child.role in VALUES and child.keyword != "contains":
                yield child.pointer, False
            elif child.role == "branch":
                yield child.pointer, inside

    def _closed(self, given: Any, choices: bool = True, depth: int = 0) -> bool:
        """Whether a schema, or one that must hold beside it, names all members."""
        if given is False:
            return True
        if not isinstance(given, Mapping) or depth > _DEEP:
            return False
        key = (id(given), choices)
        if key not in self._known:
            self._known[key] = self._closes(given, choices, depth + 1)
        return self._known[key]

    def _closes(self, given: Mapping[str, Any], choices: bool, depth: int) -> bool:
        target = self.document.target(given.get("$ref"))
        if target is not None and self._closed(target.schema, True, depth):
            return True
        if "$ref" in given and not self.document.siblings:
            return False
        if _closes_itself(given) or self.lists_names(given):
            return True
        together = given.get("allOf")
        if isinstance(together, list) and any(
            self._closed(one, True, depth) for one in together
        ):
            return True
        return choices and any(
            self._all_closed(given[keyword], depth)
            for keyword in CHOICES
            if isinstance(given.get(keyword), list)
        )

    def _all_closed(self, branches: list[Any], depth: int) -> bool:
        objects = [one for one in branches if not _is_scalar(one)]
        return bool(objects) and all(self._closed(one, True, depth) for one in objects)

    def _beside(self, given: Any) -> Iterator[Mapping[str, Any]]:
        ahead, seen = [given], set()
        while ahead:
            one = ahead.pop()
            if not isinstance(one, Mapping) or id(one) in seen:
                continue
            seen.add(id(one))
            target = self.document.target(one.get("$ref"))
            if target is not None:
                ahead.append(target.schema)
            if "$ref" in one and not self.document.siblings:
                yield {"$ref": one["$ref"]}
                continue
            yield one
            together = one.get("allOf")
            ahead += together if isinstance(together, list) else []


def _admits_objects(place: Place) -> bool:
    given = place.schema
    # An empty schema under additionalProperties is the holder's openness.
    says_nothing = place.role not in ("rest", "branch")
    if given is True:
        return says_nothing
    if not isinstance(given, Mapping) or {"enum", "const", "$ref"} & given.keys():
        return False
    if given.get("type") is not None:
        return not _is_scalar(given)
    if OBJECT & given.keys():
        return True
    return says_nothing and not OTHER & given.keys()


def _closes_itself(given: Mapping[str, Any]) -> bool:
    if {"enum", "const"} & given.keys() or given.get("maxProperties") == 0:
        return True
    closing = ("additionalProperties", "unevaluatedProperties")
    return any(given.get(keyword) is False for keyword in closing)


def _is_scalar(given: Any) -> bool:
    types = given.get("type") if isinstance(given, Mapping) else None
    return types is not None and "object" not in (
        types if isinstance(types, list) else [types]
    )
