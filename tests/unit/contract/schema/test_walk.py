"""Every subschema of a schema, with its JSON pointer."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pytest_agentgate.contract.schema.walk import escaped, places

SCHEMA = {
    "type": "object",
    "properties": {"a/b": {"type": "string"}, "c~d": {"$ref": "#/$defs/D"}},
    "patternProperties": {"^x": True},
    "additionalProperties": {"anyOf": [{"type": "null"}, {"items": {"not": {}}}]},
    "allOf": [{"if": {}, "then": {}, "else": False}],
    "dependencies": {"a": ["b"], "b": {"required": ["c"]}},
    "$defs": {"D": {"prefixItems": [{}], "contains": {}, "propertyNames": {}}},
}


def test_pointers_parents_first_in_the_written_order() -> None:
    assert [place.pointer for place in places(SCHEMA)] == [
        "",
        "/properties/a~1b",
        "/properties/c~0d",
        "/patternProperties/^x",
        "/additionalProperties",
        "/additionalProperties/anyOf/0",
        "/additionalProperties/anyOf/1",
        "/additionalProperties/anyOf/1/items",
        "/additionalProperties/anyOf/1/items/not",
        "/allOf/0",
        "/allOf/0/if",
        "/allOf/0/then",
        "/allOf/0/else",
        "/dependencies/b",
        "/$defs/D",
        "/$defs/D/prefixItems/0",
        "/$defs/D/contains",
        "/$defs/D/propertyNames",
    ]


def test_what_each_is_to_its_holder() -> None:
    by_pointer = {place.pointer: place for place in places(SCHEMA)}
    assert by_pointer[""].role == "root"
    named = by_pointer["/properties/a~1b"]
    assert (named.role, named.keyword, named.name) == ("property", "properties", "a/b")
    assert (named.parent, named.depth) == ("", 1)
    assert by_pointer["/patternProperties/^x"].role == "pattern"
    assert by_pointer["/additionalProperties"].role == "rest"
    branch = by_pointer["/additionalProperties/anyOf/1"]
    assert (branch.role, branch.name, branch.depth) == ("branch", "1", 2)
    assert branch.parent == "/additionalProperties"
    assert by_pointer["/allOf/0/if"].role == "condition"
    assert by_pointer["/allOf/0/else"].role == "branch"
    assert by_pointer["/$defs/D"].role == "definition"
    assert by_pointer["/$defs/D/prefixItems/0"].role == "item"
    assert by_pointer["/$defs/D/propertyNames"].role == "names"


def test_a_property_may_be_named_like_a_keyword() -> None:
    schema = {"properties": {"properties": {"type": "string"}, "items": {}}}
    assert [place.pointer for place in places(schema)] == [
        "",
        "/properties/properties",
        "/properties/items",
    ]


@pytest.mark.parametrize(
    "value", [None, True, 3, "text", [], [{"type": "string"}], {"properties": [1]}]
)
def test_any_value_is_one_place(value: Any) -> None:
    assert [place.schema for place in places(value)] == [value]


def test_what_stands_where_a_schema_should_is_a_place() -> None:
    held = list(places({"properties": {"a": 3}, "items": ["x"], "anyOf": "no"}))
    assert [place.schema for place in held[1:]] == [3, "x"]


def test_depth_and_width_are_no_matter() -> None:
    deep: Any = {"type": "string"}
    for _ in range(10_000):
        deep = {"items": deep}
    wide = {"properties": {f"p{index}": {} for index in range(100_000)}}
    start = time.perf_counter()
    assert sum(1 for _ in places(deep)) == 10_001
    assert sum(1 for _ in places(wide)) == 100_001
    assert time.perf_counter() - start < 3


def test_escaping() -> None:
    assert escaped("~/") == "~0~1"
