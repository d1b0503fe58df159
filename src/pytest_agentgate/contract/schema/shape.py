"""What a schema admits, by JSON type: one form for all the ways to write it.

A shape is made from schemas that hold together (a schema alone, or declared and served
at once): ``$ref`` is followed, ``allOf`` merged, ``anyOf`` and ``oneOf`` split by type,
``const`` made an ``enum``, bounds of integers made inclusive. So the spellings of one
thing have one shape, and two shapes can be compared keyword by keyword.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeGuard

from .facet import (
    BARE,
    TYPES,
    Bound,
    Facet,
    Group,
    Node,
    Nodes,
    canonical,
    identity,
    joined,
    meet,
    settled,
    type_of,
)
from .references import Document

LARGEST = 1e300
"""Numbers that are as large are not reckoned with."""
_EVERY_TEXT = ("", ".*", "^", "^.*", ".*$")
_LIMITS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


@dataclass(frozen=True)
class Shape:
    """What schemas that hold together admit.

    Attributes:
        facets: by JSON type; a type that is missing is not admitted.
        narrowed: the keywords that took types away.
        opaque: why it could not be read wholly, ``""`` where it was.
        defaults: the ``default`` values found.
        pointer: where the first of the schemas stands, behind its ``$ref``.
    """

    facets: dict[str, Facet]
    narrowed: tuple[str, ...] = ()
    opaque: str = ""
    defaults: tuple[Any, ...] = ()
    pointer: str = ""

    @property
    def never(self) -> bool:
        """Whether nothing is admitted."""
        return not self.facets

    @property
    def typing(self) -> str:
        """The keyword that says which types are admitted."""
        if "type" in self.narrowed or not self.narrowed:
            return "type"
        return self.narrowed[0]


ANYTHING = Shape(dict.fromkeys(TYPES, BARE))
NOTHING = Shape({}, ("false",))


def root(schema: Any) -> Nodes:
    """Return a whole schema (of draft 2020-12) as nodes."""
    return (Node(schema, Document(schema), ""),)


class Reader:
    """Reads nodes as shapes, each once."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[tuple[int, str], ...], Shape] = {}
        self._open: set[tuple[int, str]] = set()

    def shape(self, nodes: Nodes) -> Shape:
        """Return what all of the nodes admit together."""
        if not nodes:
            return ANYTHING
        key = identity(nodes)
        if key not in self._shapes:
            made = ANYTHING
            for node in nodes:
                made = both(made, self._one(node))
            made = replace(made, pointer=_head(nodes[0]).pointer)
            self._shapes[key] = made
        return self._shapes[key]

    def never(self, nodes: Nodes) -> bool:
        """Whether the nodes together admit nothing."""
        return self.shape(nodes).never

    def _one(self, node: Node) -> Shape:
        if isinstance(node.schema, bool):
            return ANYTHING if node.schema else NOTHING
        if not isinstance(node.schema, dict):
            return replace(ANYTHING, opaque="what stands there is no schema")
        key = (id(node.document), node.pointer)
        if key in self._open:
            return replace(ANYTHING, opaque="a $ref leads back to itself")
        self._open.add(key)
        try:
            return self._read(node, node.schema)
        finally:
            self._open.discard(key)

    def _read(self, node: Node, schema: dict[str, Any]) -> Shape:
        made = _listed(_typed(schema), schema)
        facets = {}
        for kind, facet in made.facets.items():
            said = settled(kind, _said(kind, node, schema))
            met = None if said is None else meet(kind, facet, said)
            if met is not None:
                facets[kind] = met
        made = replace(made, facets=facets)
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in schema:
                made = both(made, self._referred(node, schema[keyword]))
        made = self._combined(made, node, schema)
        if "default" in schema:
            made = replace(made, defaults=(schema["default"], *made.defaults))
        return _closed(made, node, schema)

    def _referred(self, node: Node, ref: Any) -> Shape:
        target = node.document.target(ref, node.pointer)
        if target is None:
            return replace(ANYTHING, opaque=f"$ref {ref!r} leads nowhere")
        return self._one(Node(target.schema, node.document, target.pointer))

    def _combined(self, made: Shape, node: Node, schema: dict[str, Any]) -> Shape:
        for index, child in enumerate(_list(schema.get("allOf"))):
            made = both(made, self._one(node.child(child, "allOf", index)))
        for keyword in ("anyOf", "oneOf"):
            branches = [
                self._one(node.child(child, keyword, index))
                for index, child in enumerate(_list(schema.get(keyword)))
            ]
            if branches:
                made = both(made, self._either(branches, keyword))
        if "not" in schema:
            made = self._without(made, node.child(schema["not"], "not"))
        if "if" in schema and ("then" in schema or "else" in schema):
            held, then, otherwise = (
                (node.child(schema[keyword], keyword),) if keyword in schema else ()
                for keyword in ("if", "then", "else")
            )
            condition = (held, then, otherwise)
            facets = {
                kind: replace(facet, conditions=(*facet.conditions, condition))
                for kind, facet in made.facets.items()
            }
            made = replace(made, facets=facets)
        return made

    def _either(self, shapes: list[Shape], keyword: str) -> Shape:
        """Return what one of the shapes admits, split by type."""
        facets: dict[str, Facet] = {}
        for kind in TYPES:
            found = [shape.facets[kind] for shape in shapes if kind in shape.facets]
            overlap = keyword == "oneOf" and not all(
                self._apart(kind, one, other) for one, other in combinations(found, 2)
            )
            if found:
                facets[kind] = _united(found, keyword, overlap)
        opaque = next((shape.opaque for shape in shapes if shape.opaque), "")
        defaults = tuple(value for shape in shapes for value in shape.defaults)
        narrowed = (keyword,) if len(facets) < len(TYPES) else ()
        if all("type" in shape.narrowed for shape in shapes):
            narrowed = ("type",)
        return Shape(facets, narrowed, opaque, defaults)

    def _apart(self, kind: str, one: Facet, other: Facet) -> bool:
        """Whether it is plain that no value is admitted by both."""
        if meet(kind, one, other) is None:
            return True
        return kind == "object" and any(
            self.never(joined(one.member(name), other.member(name)))
            for name in (*one.required, *other.required)
        )

    def _without(self, made: Shape, refused: Node) -> Shape:
        shape = self._one(refused)
        facets = {
            kind: facet
            if kind not in shape.facets
            else replace(facet, refused=joined(facet.refused, (refused,)))
            for kind, facet in made.facets.items()
            if kind not in shape.facets or not shape.facets[kind].bare
        }
        narrowed = made.narrowed
        if len(facets) < len(made.facets):
            narrowed = (*narrowed, "not")
        opaque = made.opaque or shape.opaque
        return replace(made, facets=facets, narrowed=narrowed, opaque=opaque)


def both(one: Shape, other: Shape) -> Shape:
    """Return what both shapes admit."""
    if one is ANYTHING or other is ANYTHING:
        return other if one is ANYTHING else one
    facets = {}
    for kind, facet in one.facets.items():
        if kind in other.facets:
            met = meet(kind, facet, other.facets[kind])
            if met is not None:
                facets[kind] = met
    return Shape(
        facets,
        tuple(dict.fromkeys(one.narrowed + other.narrowed)),
        one.opaque or other.opaque,
        one.defaults + other.defaults,
    )


def _head(node: Node) -> Node:
    seen: set[str] = set()
    while isinstance(node.schema, dict) and "$ref" in node.schema:
        target = node.document.target(node.schema["$ref"], node.pointer)
        if target is None or target.pointer in seen:
            break
        seen.add(target.pointer)
        node = Node(target.schema, node.document, target.pointer)
    return node


def _typed(schema: dict[str, Any]) -> Shape:
    if "type" not in schema:
        return ANYTHING
    kinds = schema["type"]
    kinds = kinds if isinstance(kinds, list) else [kinds]
    names = ["number" if kind == "integer" else kind for kind in kinds]
    if not all(name in TYPES for name in names if isinstance(name, str)):
        return replace(ANYTHING, opaque=f"type {schema['type']!r} is none")
    whole = "integer" in kinds and "number" not in kinds
    facets = {kind: BARE for kind in TYPES if kind in names}
    if whole:
        facets["number"] = Facet(whole=True)
    return Shape(facets, ("type",) if len(facets) < len(TYPES) else ())


def _listed(made: Shape, schema: dict[str, Any]) -> Shape:
    for keyword in ("enum", "const"):
        if keyword not in schema:
            continue
        values = [schema["const"]] if keyword == "const" else _list(schema["enum"])
        by_type: dict[str, dict[str, Any]] = {}
        for value in values:
            by_type.setdefault(type_of(value), {})[canonical(value)] = value
        facets = {
            kind: facet
            for kind, held in by_type.items()
            if kind in TYPES
            and (facet := settled(kind, _valued(kind, held, keyword))) is not None
        }
        made = both(made, Shape(facets, (keyword,)))
    return made


def _valued(kind: str, held: dict[str, Any], keyword: str) -> Facet:
    return BARE if kind == "null" else Facet(values=held, valued=keyword)


def _said(kind: str, node: Node, schema: dict[str, Any]) -> Facet:
    if kind == "number":
        return _said_of_numbers(schema)
    limits = {
        keyword: int(schema[keyword])
        for keyword in _LIMITS.get(kind, ())
        if _number(schema.get(keyword))
        and (schema[keyword] > 0 or keyword.startswith("max"))
    }
    if kind == "string":
        patterns = [schema[k] for k in ("pattern",) if isinstance(schema.get(k), str)]
        formats = [schema[k] for k in ("format",) if isinstance(schema.get(k), str)]
        return Facet(
            limits=limits,
            patterns=tuple(one for one in patterns if one not in _EVERY_TEXT),
            formats=tuple(formats),
        )
    if kind == "array":
        return _said_of_arrays(node, schema, limits)
    return _said_of_objects(node, schema, limits) if kind == "object" else BARE


def _said_of_numbers(schema: dict[str, Any]) -> Facet:
    def tightest(names: tuple[str, str], choose: Any) -> Any:
        bounds = [
            Bound(schema[name], name.startswith("exclusive"), name, schema[name])
            for name in names
            if _number(schema.get(name))
        ]
        return (
            choose(bounds, key=lambda one: one.value, default=None) if bounds else None
        )

    multiple = schema.get("multipleOf")
    return Facet(
        low=tightest(("exclusiveMinimum", "minimum"), max),
        high=tightest(("exclusiveMaximum", "maximum"), min),
        multiples=(multiple,) if _number(multiple) and multiple > 0 else (),
    )


def _said_of_arrays(
    node: Node, schema: dict[str, Any], limits: dict[str, int]
) -> Facet:
    prefix = tuple(
        (node.child(child, "prefixItems", index),)
        for index, child in enumerate(_list(schema.get("prefixItems")))
    )
    contains: tuple[Any, ...] = ()
    if "contains" in schema:
        low, high = schema.get("minContains", 1), schema.get("maxContains")
        least = int(low) if _number(low) else 1
        most = int(high) if _number(high) else None
        if least or most is not None:
            contains = (((node.child(schema["contains"], "contains"),), least, most),)
    return Facet(
        limits=limits,
        unique=schema.get("uniqueItems") is True,
        prefix=prefix,
        contains=contains,
        **_rest(node, schema, "items"),
    )


def _said_of_objects(
    node: Node, schema: dict[str, Any], limits: dict[str, int]
) -> Facet:
    required = [name for name in _list(schema.get("required")) if isinstance(name, str)]
    names: Nodes = ()
    if _stated(schema.get("propertyNames", True)):
        names = (node.child(schema["propertyNames"], "propertyNames"),)
    return Facet(
        limits=limits,
        required=tuple(dict.fromkeys(required)),
        properties={
            name: (node.child(child, "properties", name),)
            for name, child in _dict(schema.get("properties")).items()
        },
        matched=tuple(
            (name, (node.child(child, "patternProperties", name),))
            for name, child in _dict(schema.get("patternProperties")).items()
        ),
        names=names,
        dependent={
            name: tuple(one for one in needed if isinstance(one, str))
            for name, needed in _dict(schema.get("dependentRequired")).items()
            if isinstance(needed, list) and needed
        },
        conditional={
            name: (node.child(child, "dependentSchemas", name),)
            for name, child in _dict(schema.get("dependentSchemas")).items()
        },
        **_rest(node, schema, "additionalProperties"),
    )


def _rest(node: Node, schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    value = schema.get(keyword, True)
    if not _stated(value):
        return {}
    return {"rest": (node.child(value, keyword),), "resting": keyword}


def _closed(made: Shape, node: Node, schema: dict[str, Any]) -> Shape:
    """Apply ``unevaluated...``, which sees through ``allOf`` and ``$ref``."""
    facets = dict(made.facets)
    for kind, keyword, before in (
        ("object", "unevaluatedProperties", "additionalProperties"),
        ("array", "unevaluatedItems", "items"),
    ):
        facet = facets.get(kind)
        if facet is None or not _stated(schema.get(keyword, True)):
            continue
        rest = (node.child(schema[keyword], keyword),)
        if facet.groups or facet.conditions or facet.conditional or facet.contains:
            text = (keyword, canonical(schema[keyword]))
            facets[kind] = replace(facet, residue=(*facet.residue, text))
        elif before not in schema:
            facets[kind] = replace(facet, rest=joined(facet.rest, rest))
            facets[kind] = replace(facets[kind], resting=facet.resting or keyword)
    return replace(made, facets=facets)


def _united(found: list[Facet], keyword: str, overlap: bool) -> Facet:
    """Return what one of the facets of a type admits, plainly where that is exact."""
    if len(found) == 1:
        return found[0]
    if not overlap:
        if any(facet.bare for facet in found):
            return BARE
        if all(facet == found[0] for facet in found):
            return found[0]
        if all(
            facet.values is not None and facet == Facet(facet.values, facet.valued)
            for facet in found
        ):
            values = {
                text: value
                for facet in found
                for text, value in (facet.values or {}).items()
            }
            return Facet(values=values, valued=found[0].valued)
    return Facet(groups=(Group(keyword, tuple(found), overlap),))


def _stated(schema: Any) -> bool:
    """Whether a schema says anything."""
    return schema is not True and schema != {}


def _number(value: Any) -> TypeGuard[float]:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < LARGEST
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    return {name: held for name, held in value.items() if isinstance(name, str)}
