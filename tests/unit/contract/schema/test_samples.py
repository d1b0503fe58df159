"""Inputs to try a tool with: what is tried, in which order; each claim holds."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from pytest_agentgate.contract.schema.building import UnbuildableError
from pytest_agentgate.contract.schema.formats import checker
from pytest_agentgate.contract.schema.samples import (
    Sample,
    samples,
    unsupported,
    valid,
)

from .pairs import PAIRS, tool
from .test_weakening import _SCHEMAS, is_valid

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 8},
        "kind": {"enum": ["military", "trade"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 25},
        "ratio": {"type": ["number", "null"], "exclusiveMinimum": 0},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "day": {"type": "string", "format": "date"},
        "tags": {
            "type": "array",
            "items": {"$ref": "#/$defs/Tag"},
            "minItems": 1,
            "maxItems": 2,
            "uniqueItems": True,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {
        "Tag": {
            "type": "object",
            "properties": {"id": {"type": "integer", "multipleOf": 5}},
            "required": ["id"],
            "additionalProperties": False,
        }
    },
}


def made(schema: Any = SCHEMA, **options: Any) -> list[Sample]:
    return list(samples(schema, **{"seed": 1, "random": 5, **options}))


def tried(about: str, *, good: bool) -> list[Any]:
    """Return what was tried of one argument."""
    found = []
    for sample in made():
        if sample.keyword == "required":
            continue
        if sample.about == about and sample.valid is good:
            value = sample.arguments
            for part in about.split("/")[1:]:
                value = value[int(part) if part.isdecimal() else part]
            found.append(value)
    return found


def test_each_claim_holds() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=checker())
    for sample in made():
        assert validator.is_valid(sample.arguments) is sample.valid, sample


def test_the_order() -> None:
    found = made()
    assert found[0].arguments == {"query": "a"}
    assert set(found[1].arguments) == set(SCHEMA["properties"])
    order = [
        "random" if one.label == "random" else "boundary" if one.valid else "violation"
        for one in found
    ]
    assert order == sorted(order, key=["boundary", "violation", "random"].index)
    assert order.count("random") == 5


def test_a_seed_gives_the_same_inputs() -> None:
    assert made() == made()
    assert made(seed=2) != made()


def test_no_input_comes_twice() -> None:
    texts = [json.dumps(one.arguments, sort_keys=True) for one in made()]
    assert len(texts) == len(set(texts))


class TestBoundaries:
    def test_of_a_number(self) -> None:
        values = tried("/count", good=True)
        assert {1, 2, 24, 25} <= set(values)

    def test_of_a_text(self) -> None:
        values = tried("/query", good=True)
        assert {1, 8} <= {len(value) for value in values}
        assert {"é", "𝒜", " "} <= set(values)

    def test_each_value_of_an_enum(self) -> None:
        assert tried("/kind", good=True)[:1] + tried("/kind", good=True)[1:2] == [
            "military",
            "trade",
        ]

    def test_an_enum_is_tried_twenty_times(self) -> None:
        schema = tool(x={"enum": list(range(50))})
        labels = [one.label for one in made(schema) if "one of" in one.label]
        assert len(labels) <= 20

    def test_null_where_it_is_allowed(self) -> None:
        assert None in tried("/ratio", good=True)
        assert None not in tried("/count", good=True)

    def test_of_a_list(self) -> None:
        assert {1, 2} == {len(value) for value in tried("/tags", good=True)}

    def test_empty_text_zero_and_negative_where_nothing_is_said(self) -> None:
        schema = tool(t={"type": "string"}, n={"type": "number"})
        values = [one.arguments for one in made(schema) if one.valid]
        assert "" in [value["t"] for value in values]
        assert {0, -1} <= {value.get("n") for value in values}


class TestViolations:
    def test_of_a_number(self) -> None:
        values = tried("/count", good=False)
        assert {0, 26, 1.5} <= {
            value for value in values if not isinstance(value, list | dict)
        }

    def test_of_every_type(self) -> None:
        values = tried("/count", good=False)
        for wrong in ("agentgate", "1", True, None, [], {}):
            assert wrong in values

    def test_of_a_text(self) -> None:
        texts = [one for one in tried("/query", good=False) if isinstance(one, str)]
        assert {len(text) for text in texts} == {0, 9}

    def test_of_a_pattern_an_enum_and_a_multiple(self) -> None:
        by_keyword = {(one.about, one.keyword) for one in made() if not one.valid}
        assert {
            ("/code", "pattern"),
            ("/kind", "enum"),
            ("/tags/0/id", "multipleOf"),
            ("/ratio", "exclusiveMinimum"),
            ("/tags", "minItems"),
            ("/tags", "maxItems"),
            ("/tags", "uniqueItems"),
            ("/query", "required"),
            ("/tags/0/id", "required"),
            ("/agentgate_unknown", "additionalProperties"),
            ("/tags/0/agentgate_unknown", "additionalProperties"),
        } <= by_keyword

    def test_of_arguments_that_are_no_object(self) -> None:
        whole = [one.arguments for one in made() if one.about == "" and not one.valid]
        assert whole == [[], "agentgate", 7, None]

    def test_a_format_is_no_violation(self) -> None:
        keywords = {one.keyword for one in made() if not one.valid}
        assert "format" not in keywords

    def test_one_thing_is_wrong_at_a_time(self) -> None:
        validator = jsonschema.Draft202012Validator(SCHEMA)
        for one in made():
            if not one.valid and one.about:
                errors = list(validator.iter_errors(one.arguments))
                assert one.keyword in {error.validator for error in errors}, one
                assert len({error.json_path for error in errors}) == 1, one


def test_what_is_given_stands_in_every_other_call() -> None:
    known = {"query": "main"}
    for one in made(given=known):
        if isinstance(one.arguments, dict) and one.about != "/query":
            assert one.arguments["query"] == "main"
    assert made(given=known)[0].arguments == known


def test_the_argument_of_a_pointer() -> None:
    assert Sample({}, True, "/a~1b~0c/0", "", "").argument == "a/b~c"
    assert Sample({}, True, "", "", "").argument == ""


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (tool(a={"type": "string", "pattern": "^\\p{Lu}$"}), "a: no string was found"),
        (tool(a=False), "a: nothing is admitted"),
        (tool(a={"$ref": "#/$defs/Gone"}), "the schema cannot be read"),
        (tool(a={"$ref": "#"}), "it is required without end"),
        (tool(a={"type": "string", "minLength": 10**9}), "a: no string was found"),
        (tool(a={"type": "string", "not": {}}), "a: nothing is admitted"),
        ({"type": "array"}, "it admits no object"),
        (["no schema"], "the schema cannot be read"),
    ],
)
def test_where_no_call_can_be_made(schema: Any, why: str) -> None:
    assert why in unsupported(schema)
    assert not [one for one in made(schema) if one.valid]


def test_a_known_call_helps_where_none_can_be_made() -> None:
    schema = tool(a={"type": "string", "pattern": "^(?i:x)(?<=[xX])$"})
    assert unsupported(schema, given={"a": "X"}) == ""
    assert made(schema, given={"a": "X"})[0].arguments == {"a": "X"}


def test_a_value_of_a_schema() -> None:
    schema = {
        "type": "array",
        "items": {"type": "integer", "minimum": 7},
        "minItems": 2,
    }
    assert is_valid(schema, valid(schema, Random(1)))
    with pytest.raises(UnbuildableError, match="nothing is admitted"):
        valid(False, Random(1))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_call_can_be_made_for_every_pair(pair: Any) -> None:
    if "dangling" in pair.name:
        pytest.skip("its schema cannot be used")
    for schema in (pair.declared, pair.served):
        assert unsupported(schema) == ""


@given(schema=_SCHEMAS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_claim_holds_for_any_schema(schema: Any) -> None:
    for one in samples(schema, seed=0, random=2):
        assert is_valid(schema, one.arguments) is one.valid


@pytest.mark.parametrize(
    "schema",
    [None, True, False, 3, [], {"type": 7}, {"properties": [1]}, {"pattern": "("}, {}],
)
def test_any_value_will_do(schema: Any) -> None:
    assert isinstance(made(schema), list)


def test_size_is_no_matter() -> None:
    deep: Any = {"type": "string"}
    for _ in range(10_000):
        deep = {"type": "array", "items": deep}
    wide = tool(**{f"p{index}": {"type": "string"} for index in range(500)})
    start = time.perf_counter()
    assert [one for one in made(tool(q={}, a=deep)) if one.valid] == []
    assert unsupported(tool(q={}, a=deep))
    next(samples(wide, seed=0, random=0))
    assert time.perf_counter() - start < 5
