"""Every subschema of a JSON Schema, with the JSON pointer at which it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Role = Literal[
    "root",
    "property",  # the value of a named property
    "pattern",  # the value of properties whose name matches
    "rest",  # additionalProperties, unevaluatedProperties
    "item",  # an element of a list
    "branch",  # of allOf, anyOf, oneOf; then, else, dependentSchemas
    "condition",  # not, if: what stands here is tested and not demanded
    "names",  # propertyNames
    "content",  # what a string holds
    "definition",  # $defs: says nothing before something refers to it
]

MAPS: dict[str, Role] = {
    "properties": "property",
    "patternProperties": "pattern",
    "dependentSchemas": "branch",
    "dependencies": "branch",
    "$defs": "definition",
    "definitions": "definition",
}
LISTS: dict[str, Role] = {
    "allOf": "branch",
    "anyOf": "branch",
    "oneOf": "branch",
    "prefixItems": "item",
    "items": "item",
}
SINGLES: dict[str, Role] = {
    "additionalProperties": "rest",
    "unevaluatedProperties": "rest",
    "items": "item",
    "additionalItems": "item",
    "unevaluatedItems": "item",
    "contains": "item",
    "propertyNames": "names",
    "not": "condition",
    "if": "condition",
    "then": "branch",
    "else": "branch",
    "contentSchema": "content",
}


class Place(NamedTuple):
    """One subschema and where it stands.

    Attributes:
        pointer: JSON pointer into the whole schema, ``""`` for its root.
        schema: what stands there: an object or a boolean, where it is a schema.
        role: what it is to the schema that holds it.
        keyword: the keyword that holds it, ``""`` for the root.
        name: the property, pattern, definition or index below that keyword.
        parent: the pointer of the schema that holds it; ``""`` also for the root.
        depth: how many schemas hold it.
    """

    pointer: str
    schema: Any
    role: Role
    keyword: str = ""
    name: str = ""
    parent: str = ""
    depth: int = 0


def places(schema: Any) -> Iterator[Place]:
    """Yield the schema and every subschema, parents first, in the written order.

    Any JSON value will do, nested as deep as may be: what stands where no schema can
    stand is not entered. ``$ref`` is not followed.
    """
    stack = [Place("", schema, "root")]
    while stack:
        place = stack.pop()
        yield place
        if isinstance(place.schema, dict):
            stack.extend(reversed(list(_held(place, place.schema))))


def escaped(part: str) -> str:
    """Write a name as one part of a JSON pointer."""
    return part.replace("~", "~0").replace("/", "~1")


def _held(place: Place, schema: dict[Any, Any]) -> Iterator[Place]:
    for keyword, value in schema.items():
        if isinstance(value, dict) and keyword in MAPS:
            for name, child in value.items():
                if keyword != "dependencies" or isinstance(child, dict | bool):
                    yield _child(place, keyword, MAPS[keyword], child, str(name))
        elif isinstance(value, list) and keyword in LISTS:
            for index, child in enumerate(value):
                yield _child(place, keyword, LISTS[keyword], child, str(index))
        elif isinstance(value, dict | bool) and keyword in SINGLES:
            yield _child(place, keyword, SINGLES[keyword], value)


def _child(
    place: Place, keyword: str, role: Role, schema: Any, name: str | None = None
) -> Place:
    pointer = f"{place.pointer}/{keyword}"
    if name is not None:
        pointer = f"{pointer}/{escaped(name)}"
    below = place.depth + 1
    return Place(pointer, schema, role, keyword, name or "", place.pointer, below)
