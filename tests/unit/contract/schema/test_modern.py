"""Schemas of older drafts, written as draft 2020-12."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_agentgate.contract.schema.modern import Modern

OLD = "http://json-schema.org/draft-0{}/schema#"


@pytest.mark.parametrize(
    ("written", "modern"),
    [
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (
            {"items": [{}], "additionalItems": False},
            {"prefixItems": [{}], "items": False},
        ),
        (
            {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
            {
                "dependentRequired": {"a": ["b"]},
                "dependentSchemas": {"c": {"required": ["d"]}},
            },
        ),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"nullable": True}, {}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"$recursiveRef": "#"}, {"$ref": "#"}),
        ({"$id": "#name"}, {"$anchor": "name"}),
        ({"enum": [{"nullable": True}]}, {"enum": [{"nullable": True}]}),
        (True, True),
        ([], []),
    ],
)
def test_what_is_written_otherwise(written: Any, modern: Any) -> None:
    assert Modern(written).schema == modern
    nested = {"properties": {"x": written}, "anyOf": [written]}
    if isinstance(written, dict):
        assert Modern(nested).schema == {"properties": {"x": modern}, "anyOf": [modern]}


def test_beside_a_reference_nothing_counts_before_2019() -> None:
    old = {"$schema": OLD.format(7), "$ref": "#/definitions/a", "minimum": 1}
    assert Modern(old).schema == {"$ref": "#/definitions/a"}
    assert Modern({"$ref": "#/$defs/a", "minimum": 1}).schema["minimum"] == 1


def test_the_name_of_a_draft_4_schema() -> None:
    schema = {"$schema": OLD.format(4), "id": "https://example.invalid/s"}
    assert Modern(schema).schema == {"$id": "https://example.invalid/s"}


def test_whether_its_own_draft_would_read_it_so() -> None:
    assert not Modern({"minimum": 1}).restated
    assert Modern({"type": "string", "nullable": True}).restated
    strict = {"minimum": 1, "exclusiveMinimum": True}
    assert Modern(strict).restated
    assert not Modern({"$schema": OLD.format(4), **strict}).restated


def test_nothing_that_was_given_is_changed() -> None:
    schema = {"properties": {"x": {"type": "string", "nullable": True}}}
    Modern(schema)
    assert schema == {"properties": {"x": {"type": "string", "nullable": True}}}
