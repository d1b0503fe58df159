"""Where a ``$ref`` leads, which lead nowhere, and which lead back."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pytest_agentgate.contract.schema.references import (
    Document,
    Reference,
    cycles,
    dangling,
    resolved,
)

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("ref", "more"),
    [
        ("#/$defs/T", {"$defs": {"T": TEXT}}),
        ("#/definitions/T", {"definitions": {"T": TEXT}}),
        ("#/$defs/a~1b~0c", {"$defs": {"a/b~c": TEXT}}),
        ("#/$defs/a%20b", {"$defs": {"a b": TEXT}}),
        ("#/allOf/0", {"allOf": [TEXT]}),
        ("#t", {"$defs": {"T": {"$anchor": "t", **TEXT}}}),
        ("#t", {"$defs": {"T": {"$id": "#t", **TEXT}}}),
        ("#t", {"$defs": {"T": {"id": "#t", **TEXT}}}),
        ("t", {"$defs": {"T": {"$id": "t", **TEXT}}}),
        (
            "https://example.invalid/t",
            {"$id": "https://example.invalid/s", "$defs": {"T": {"$id": "t", **TEXT}}},
        ),
        (
            "t#/$defs/U",
            {"$defs": {"T": {"$id": "t", "$defs": {"U": TEXT}}}},
        ),
        ("#/$defs/T", {"$id": "urn:example:tool", "$defs": {"T": TEXT}}),
    ],
)
def test_a_reference_inside_the_document(ref: str, more: dict[str, Any]) -> None:
    schema = {"properties": {"x": {"$ref": ref}}, **more}
    assert dangling(schema) == ()
    found = resolved(schema["properties"]["x"], schema)
    assert found["type"] == "string"


def test_a_pointer_inside_an_embedded_resource_is_its_own() -> None:
    inner = {"$id": "inner", "$ref": "#/$defs/T", "$defs": {"T": TEXT}}
    schema = {"$defs": {"T": {"type": "integer"}, "I": inner}}
    target = Document(schema).target("#/$defs/T", "/$defs/I")
    assert target is not None
    assert (target.schema, target.pointer) == (TEXT, "/$defs/I/$defs/T")


def test_references_without_a_target() -> None:
    schema = {
        "properties": {
            "a": {"$ref": "#/$defs/Gone"},
            "b": {"$ref": "https://example.invalid/schema.json"},
            "c": {"$ref": "#gone"},
            "d": {"$ref": 7},
            "e": {"$ref": "#/allOf/7"},
            "f": {"$ref": "#/allOf/x"},
            "g": {"$ref": "http://["},
        },
        "allOf": [{}],
    }
    found = dangling(schema)
    assert [one.pointer[-1] for one in found] == list("abcdefg")
    assert found[0] == Reference("/properties/a", "#/$defs/Gone")
    assert [one.pointer[-1] for one in found if one.remote] == ["b", "g"]


def test_a_cycle_that_consumes_nothing_is_told_from_a_tree() -> None:
    schema = {
        "properties": {"x": {"$ref": "#/$defs/a"}, "t": {"$ref": "#/$defs/tree"}},
        "$defs": {
            "a": {"$ref": "#/$defs/b"},
            "b": {"allOf": [{"$ref": "#/$defs/a"}]},
            "tree": {"properties": {"below": {"items": {"$ref": "#/$defs/tree"}}}},
        },
    }
    assert cycles(schema) == (
        Reference("/$defs/a", "#/$defs/b"),
        Reference("/$defs/b/allOf/0", "#/$defs/a"),
        Reference("/$defs/tree/properties/below/items", "#/$defs/tree", consuming=True),
    )


@pytest.mark.parametrize(
    ("schema", "consuming"),
    [
        ({"$ref": "#"}, [False]),
        ({"properties": {"a": {"$ref": "#"}}}, [True]),
        ({"anyOf": [{"$ref": "#"}, {}]}, [False]),
        ({"if": {"$ref": "#"}}, [False]),
        ({"items": {"$recursiveRef": "#"}}, [True]),
        ({"properties": {"a": {"$ref": "#/properties/b"}, "b": {}}}, []),
        ({"$defs": {"a": {"$ref": "#/$defs/ab"}, "ab": {}}}, []),
    ],
)
def test_cycles(schema: dict[str, Any], consuming: list[bool]) -> None:
    assert [one.consuming for one in cycles(schema)] == consuming


def test_following_a_cycle_ends() -> None:
    schema = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert resolved({"$ref": "#/$defs/a"}, schema) is None
    assert resolved({"$ref": "#/gone"}, schema) is None
    assert resolved(True, schema) is True


@pytest.mark.parametrize("value", [None, True, 3, "text", [], [{"$ref": "#"}]])
def test_any_value_will_do(value: Any) -> None:
    assert dangling(value) == ()
    assert cycles(value) == ()


def test_many_and_deep_references_take_no_long() -> None:
    many = {
        "properties": {f"p{i}": {"$ref": f"#/$defs/d{i}"} for i in range(5_000)},
        "$defs": {f"d{i}": {"items": {"$ref": f"#/$defs/d{i}"}} for i in range(5_000)},
    }
    deep: Any = {"$ref": "#"}
    for _ in range(10_000):
        deep = {"items": deep}
    start = time.perf_counter()
    assert dangling(many) == ()
    assert len(cycles(many)) == 5_000
    assert [one.consuming for one in cycles(deep)] == [True]
    assert time.perf_counter() - start < 5
