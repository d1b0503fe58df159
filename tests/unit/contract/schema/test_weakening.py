"""Served schemas against declared ones: what is named, and with which witness."""

from __future__ import annotations

import copy
import json
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_agentgate.contract.schema import weakening
from pytest_agentgate.contract.schema.containment import contains
from pytest_agentgate.contract.schema.formats import checker
from pytest_agentgate.contract.schema.modern import Modern
from pytest_agentgate.contract.schema.weakening import (
    Comparison,
    Difference,
    compare,
)

from .pairs import ITEM, KIND, PAIRS, SAME, WEAKER, Pair, tool

SERVERS = Path("/work/shared/data/mcp_servers")
LIMIT = 5.0


@pytest.fixture(params=["with jsonschema-rs", "without"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compare twice: with the prover and without."""
    if request.param == "without":
        monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    else:
        pytest.importorskip("jsonschema_rs")
    return str(request.param)


def named(comparison: Comparison) -> set[tuple[str, str, str]]:
    return {(one.kind, one.keyword, one.pointer) for one in comparison.differences}


def is_valid(schema: Any, value: Any) -> bool:
    kind = jsonschema.validators.validator_for(
        schema, default=jsonschema.Draft202012Validator
    )
    return bool(kind(schema, format_checker=checker()).is_valid(value))


def assert_true(difference: Difference, declared: Any, served: Any) -> None:
    """Ask the reference validator about a witness."""
    assert difference.witness is not None
    schemas = {"declared": declared, "served": served}
    accepting = difference.witness.accepted_by
    refusing = ({"declared", "served"} - {accepting}).pop()
    value = difference.witness.value
    assert is_valid(schemas[accepting], value), difference
    assert not is_valid(schemas[refusing], value), difference


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_each_difference_is_named_and_no_other(pair: Pair, engine: str) -> None:
    comparison = compare(pair.declared, pair.served, direction=pair.direction)
    assert named(comparison) == set(pair.said)
    assert comparison.disagreements == ()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_each_difference_has_a_true_witness(pair: Pair) -> None:
    declared, served = Modern(pair.declared).schema, Modern(pair.served).schema
    for one in compare(
        pair.declared, pair.served, direction=pair.direction
    ).differences:
        if one.kind != "changed":
            assert_true(one, declared, served)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_is_weaker_one_way_is_breaking_the_other_way(pair: Pair) -> None:
    there = compare(pair.declared, pair.served)
    back = compare(pair.served, pair.declared)
    assert len(there.weakened) == len(back.breaking)
    assert len(there.breaking) == len(back.weakened)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_prover_agrees(pair: Pair) -> None:
    pytest.importorskip("jsonschema_rs")
    declared, served = Modern(pair.declared).schema, Modern(pair.served).schema
    comparison = compare(pair.declared, pair.served)
    for proved, found in (
        (contains(declared, served), comparison.weakened),
        (contains(served, declared), comparison.breaking),
    ):
        assert proved is None or proved is not bool(found)


def test_the_prover_answers_for_most_pairs() -> None:
    pytest.importorskip("jsonschema_rs")
    answers = [
        contains(Modern(pair.declared).schema, Modern(pair.served).schema)
        for pair in PAIRS
    ]
    assert sum(answer is not None for answer in answers) > 0.85 * len(PAIRS)


@pytest.mark.parametrize("pair", [*WEAKER[:40]], ids=lambda pair: pair.name)
def test_a_witness_breaks_the_keyword_that_it_is_shown_for(pair: Pair) -> None:
    for one in compare(pair.declared, pair.served).weakened:
        if one.keyword in ("properties", "propertyNames", "unevaluatedProperties"):
            continue
        assert one.witness is not None
        declared = Modern(pair.declared).schema
        validator = jsonschema.Draft202012Validator(declared, format_checker=checker())
        broken = [error.validator for error in _leaves(validator, one.witness.value)]
        assert one.keyword in broken
        if one.keyword not in ("type", "enum", "const"):
            assert set(broken) == {one.keyword}


def _leaves(validator: Any, value: Any) -> list[Any]:
    ahead = list(validator.iter_errors(value))
    found = []
    while ahead:
        error = ahead.pop()
        found.append(error)
        ahead.extend(error.context or ())
    return found


def test_a_witness_is_a_whole_call() -> None:
    declared = tool(q={"type": "string"}, tags={"type": "array", "items": ITEM})
    served = copy.deepcopy(declared)
    del served["properties"]["tags"]["items"]["properties"]["id"]["minimum"]
    (one,) = compare(declared, served).weakened
    assert (one.keyword, one.declared, one.served) == ("minimum", 1, None)
    assert one.pointer == "/properties/tags/items/properties/id"
    assert one.path == "/tags/*/id"
    assert one.witness is not None
    assert one.witness.value == {"q": "a", "tags": [{"id": 0}]}
    assert one.witness.accepted_by == "served"


def test_null_where_the_generated_schema_admits_it() -> None:
    """A real case: an optional enum became ``anyOf`` with null, default null."""
    served = tool(q={"type": "string"}, kind={"anyOf": [KIND, {"type": "null"}]})
    served["properties"]["kind"]["default"] = None
    comparison = compare(tool(q={"type": "string"}, kind=KIND), served)
    (one,) = comparison.differences
    assert (one.kind, one.keyword, one.pointer) == (
        "weakened",
        "type",
        "/properties/kind",
    )
    assert one.witness is not None
    assert one.witness.value == {"q": "a", "kind": None}
    nullable = {"type": ["string", "null"], "enum": [*KIND["enum"], None]}
    assert not compare(tool(q={"type": "string"}, kind=nullable), served).differences


def test_what_a_default_was() -> None:
    (one,) = compare(tool(n={"default": 5}), tool(n={"default": "5"})).changed
    assert (one.keyword, one.declared, one.served) == ("default", 5, "5")
    assert one.path == "/n"


def test_a_default_that_was_added_is_no_difference() -> None:
    assert compare(
        tool(n={"type": "null"}), tool(n={"type": "null", "default": None})
    ) == (Comparison())


def test_engines_that_disagree_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weakening, "contains", lambda *_: True)
    comparison = compare({"maximum": 3}, {})
    assert comparison.weakened
    (wrong,) = comparison.disagreements
    assert wrong.message == (
        "jsonschema-rs proves that the declared schema admits all that the served"
        " schema admits; jsonschema shows a value that it refuses, by maximum at ''"
    )
    assert wrong.value == 4


def test_what_no_value_shows_is_dropped_where_it_is_proved_equal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declared, served = {"pattern": "^a$"}, {"pattern": "^[a]$"}
    for proof, kinds in ((True, []), (None, ["unproven"])):
        monkeypatch.setattr(weakening, "contains", lambda *_, proof=proof: proof)
        found = compare(declared, served).differences
        assert [one.kind for one in found] == kinds


def test_a_witness_breaks_one_keyword_where_several_were_lost() -> None:
    declared = {"type": "integer", "minimum": 10, "multipleOf": 5}
    found = {
        one.keyword: one for one in compare(declared, {"type": "integer"}).weakened
    }
    low, divisor = found["minimum"].witness, found["multipleOf"].witness
    assert low is not None
    assert divisor is not None
    assert low.value < 10
    assert low.value % 5 == 0
    assert divisor.value >= 10
    assert divisor.value % 5


def test_what_is_proved_and_not_shown_by_a_keyword(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        weakening, "contains", lambda strict, _loose: "maxLength" not in strict
    )
    monkeypatch.setattr(
        weakening, "beyond", lambda *_: {"type": "string", "minLength": 4}
    )
    monkeypatch.setattr(weakening.Gaps, "between", lambda *_: ())
    (one,) = compare({"type": "string", "maxLength": 3}, {"type": "string"}).weakened
    assert one.keyword == "schema"
    assert one.witness is not None
    assert len(one.witness.value) >= 4


class TestWhatCannotBeCompared:
    @pytest.mark.parametrize(
        ("declared", "served"),
        [
            (tool(a={"$ref": "#/$defs/Gone"}), tool(a={"type": "string"})),
            (tool(a={"type": "string"}), tool(a={"$ref": "https://example.invalid/s"})),
            (tool(a={"type": "text"}), tool(a={"type": "string"})),
            (tool(a={"$ref": "#/properties/a"}), tool(a={"type": "string"})),
            (["a list"], tool(a={"type": "string"})),
        ],
        ids=["dangling", "remote", "no such type", "itself", "no schema"],
    )
    def test_is_unproven(self, declared: Any, served: Any, engine: str) -> None:
        comparison = compare(declared, served)
        assert {one.kind for one in comparison.differences} == {"unproven"}
        assert all(one.why for one in comparison.differences)

    def test_why_a_reference_is_unproven(self) -> None:
        (one,) = compare(tool(a={"$ref": "#/$defs/Gone"}), tool(a={})).differences
        assert one.keyword == "$ref"
        assert one.why == "$ref '#/$defs/Gone' leads nowhere"

    def test_a_pattern_that_is_not_python(self, engine: str) -> None:
        declared = tool(a={"type": "string", "pattern": "^\\p{Lu}$"})
        (one,) = compare(declared, tool(a={"type": "string"})).differences
        assert (one.keyword, one.witness) == ("pattern", None)
        assert one.kind == ("weakened" if engine.startswith("with j") else "unproven")

    @pytest.mark.parametrize(
        "pair",
        [
            (None, {}),
            ({}, 3),
            ("", []),
            (True, False),
            (False, True),
            ({"properties": []}, {"properties": 7, "required": "a", "items": "x"}),
            ({"enum": {}}, {"enum": "ab"}),
            ({"minimum": "1", "maxLength": None}, {"maximum": float("nan")}),
            ({"type": []}, {"type": [[]]}),
            ({"$ref": 7}, {"$ref": []}),
            ({"pattern": "("}, {"pattern": "["}),
            ({"allOf": [None, 3]}, {"anyOf": [], "oneOf": {}}),
            ({"const": float("inf")}, {"const": float("-inf")}),
            ({1: 2}, {"properties": {1: {}}}),
            ({"multipleOf": 0}, {"multipleOf": 1e-320}),
            ({"minimum": 10**400}, {"maximum": -(10**400)}),
        ],
    )
    def test_garbage_is_no_traceback(self, pair: tuple[Any, Any], engine: str) -> None:
        assert isinstance(compare(*pair), Comparison)
        assert isinstance(compare(*pair[::-1], direction="output"), Comparison)


class TestSize:
    @pytest.mark.parametrize("depth", [150, 2_000, 10_000])
    def test_depth(self, depth: int, engine: str) -> None:
        def nested(inside: dict[str, Any]) -> dict[str, Any]:
            for _ in range(depth):
                inside = {"type": "array", "items": inside}
            return inside

        comparison = compare(nested({"type": "string"}), nested({"type": "integer"}))
        assert comparison.differences
        if depth > 1_000:
            (one,) = comparison.differences
            assert one.why == "the schemas are too deep or too large to be compared"

    def test_width(self, engine: str) -> None:
        wide = tool(**{f"p{number}": KIND for number in range(2_000)})
        served = copy.deepcopy(wide)
        served["properties"]["p1999"] = {"type": "string"}
        start = time.perf_counter()
        (one,) = compare(wide, served).differences
        assert one.pointer == "/properties/p1999"
        assert time.perf_counter() - start < LIMIT

    def test_alternatives_without_end(self, engine: str) -> None:
        def branching(depth: int, leaf: Any) -> Any:
            for _ in range(depth):
                leaf = {"anyOf": [tool(a=leaf), tool(b=leaf, c={})]}
            return leaf

        start = time.perf_counter()
        assert compare(branching(9, KIND), branching(9, {})).differences
        assert time.perf_counter() - start < LIMIT

    @pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*b$", "(.*a){25}"])
    def test_a_hostile_pattern(self, pattern: str, engine: str) -> None:
        declared = tool(a={"type": "string", "pattern": pattern, "maxLength": 4_000})
        start = time.perf_counter()
        compare(declared, tool(a={"type": "string", "pattern": pattern}))
        compare(declared, tool(a={"type": "string", "minLength": 60}))
        assert time.perf_counter() - start < LIMIT


class TestRealListings:
    @pytest.fixture
    def schemas(self) -> list[dict[str, Any]]:
        if not SERVERS.is_dir():
            pytest.skip("the recorded listings of public servers are not here")
        found: list[dict[str, Any]] = []
        for file in sorted(SERVERS.glob("*.json")):
            found += _input_schemas(json.loads(file.read_text("utf-8")))
        assert len(found) == 21
        return found

    def test_each_is_equal_to_itself(self, schemas: list[dict[str, Any]]) -> None:
        for schema in schemas:
            again = {"title": "again", **copy.deepcopy(schema)}
            assert compare(schema, again) == Comparison()

    def test_closing_one_breaks_and_opening_it_weakens(
        self, schemas: list[dict[str, Any]]
    ) -> None:
        for schema in schemas:
            closed = {**schema, "additionalProperties": False}
            (one,) = compare(schema, closed).differences
            assert (one.kind, one.keyword) == ("breaking", "additionalProperties")
            assert_true(one, schema, closed)
            (one,) = compare(closed, schema).differences
            assert (one.kind, one.keyword) == ("weakened", "additionalProperties")
            assert_true(one, closed, schema)


def _input_schemas(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("inputSchema"), dict):
            return [value["inputSchema"]]
        return [one for held in value.values() for one in _input_schemas(held)]
    if isinstance(value, list):
        return [one for held in value for one in _input_schemas(held)]
    return []


def _sometimes(**choices: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=choices)


_SMALL = st.integers(0, 6)
_SCALARS = st.one_of(
    _sometimes(
        minLength=_SMALL,
        maxLength=_SMALL,
        pattern=st.sampled_from(["^[a-z]*$", "x", "^\\d{2}"]),
        format=st.sampled_from(["date", "email", "uri", "colour"]),
    ).map(lambda more: {"type": "string", **more}),
    _sometimes(
        minimum=_SMALL,
        maximum=_SMALL,
        exclusiveMinimum=_SMALL,
        multipleOf=st.sampled_from([1, 2, 0.5]),
    ).map(lambda more: {"type": "integer", **more}),
    _sometimes(minimum=_SMALL, exclusiveMaximum=_SMALL).map(
        lambda more: {"type": "number", **more}
    ),
    st.lists(st.sampled_from(["a", "b", 1, None, True]), min_size=1).map(
        lambda values: {"enum": values}
    ),
    st.sampled_from([True, {}, {"const": 1}, {"type": "null"}, {"$ref": "#/$defs/D"}]),
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.sampled_from("abcd")
    return _sometimes(
        properties=st.dictionaries(names, inner, max_size=3),
        required=st.lists(names, unique=True, max_size=2),
        additionalProperties=st.one_of(st.booleans(), inner),
        minProperties=st.integers(0, 2),
        dependentRequired=st.dictionaries(names, st.lists(names, max_size=1)),
    ).map(lambda more: {"type": "object", **more})


def _holding(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        _objects(inner),
        _sometimes(
            items=inner,
            minItems=st.integers(0, 2),
            maxItems=_SMALL,
            uniqueItems=st.booleans(),
            prefixItems=st.lists(inner, max_size=2),
        ).map(lambda more: {"type": "array", **more}),
        some.map(lambda branches: {"anyOf": branches}),
        some.map(lambda branches: {"oneOf": branches}),
        some.map(lambda branches: {"allOf": branches}),
        inner.map(lambda schema: {"not": schema}),
    )


_SCHEMAS = st.recursive(_SCALARS, _holding, max_leaves=8).map(
    lambda schema: {
        "type": "object",
        "properties": {"x": schema},
        "$defs": {"D": {"type": "string", "maxLength": 3}},
    }
)


def _changed(schema: Any, draw: Any) -> Any:
    """Drop a keyword somewhere, or change a number."""
    made = copy.deepcopy(schema)
    holders = [made["properties"]]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders.extend(one for one in inner if isinstance(one, dict | list) and one)
    holder = draw(st.sampled_from([one for one in holders if isinstance(one, dict)]))
    name = draw(st.sampled_from(sorted(holder)))
    if isinstance(holder[name], int) and draw(st.booleans()):
        holder[name] = draw(_SMALL)
    else:
        del holder[name]
    return made


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_reported_witness_is_always_a_true_one(data: st.DataObject) -> None:
    declared = data.draw(_SCHEMAS)
    served = data.draw(st.one_of(_SCHEMAS, st.just(_changed(declared, data.draw))))
    comparison = compare(declared, served)
    assert comparison.disagreements == ()
    for one in comparison.differences:
        if one.witness is not None:
            assert_true(one, declared, served)


@given(schema=_SCHEMAS)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_schema_that_is_only_renamed_and_retitled_is_equal(schema: Any) -> None:
    text = json.dumps(schema).replace("$defs", "definitions")
    again = {"title": "again", **json.loads(text)}
    assert compare(schema, again) == Comparison()


def test_there_are_enough_pairs() -> None:
    assert len(PAIRS) >= 60
    assert len(SAME) >= 20
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)
