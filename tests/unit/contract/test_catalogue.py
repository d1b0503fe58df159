"""Lists of tools, in the shapes that models are given."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from pytest_agentgate.contract.catalogue import (
    Definition,
    complete,
    read_catalogue,
    read_definitions,
    side_effect_of,
)
from pytest_agentgate.contract.tool import FailureMode, ToolContract
from pytest_agentgate.errors import PolicyError

SCHEMA = {"type": "object", "properties": {"x": {"default": None}}}


@dataclass
class Own:
    name: str = "t"
    description: str = "d"
    input_schema: dict = field(default_factory=lambda: SCHEMA)


SHAPES = {
    "anthropic": {"name": "t", "description": "d", "input_schema": SCHEMA},
    "anthropic custom": {
        "type": "custom",
        "name": "t",
        "description": "d",
        "input_schema": SCHEMA,
    },
    "mcp": {"name": "t", "description": "d", "inputSchema": SCHEMA},
    "openai chat": {
        "type": "function",
        "function": {"name": "t", "description": "d", "parameters": SCHEMA},
    },
    "openai responses": {
        "type": "function",
        "name": "t",
        "description": "d",
        "parameters": SCHEMA,
        "strict": True,
    },
    "object": Own(),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape):
    contract = read_catalogue([SHAPES[shape]])["t"]
    assert (contract.description, contract.input_schema) == ("d", SCHEMA)


@pytest.mark.parametrize(
    "tools",
    [
        {"tools": [SHAPES["mcp"]]},
        {"model": "m", "tools": [SHAPES["anthropic"]]},
        SimpleNamespace(tools=[SHAPES["mcp"]]),
        (SHAPES["mcp"],),
        iter([SHAPES["mcp"]]),
        {"t": {"description": "d", "input_schema": SCHEMA}},
        {"t": SHAPES["openai chat"]},
    ],
    ids=[
        "listing",
        "request",
        "object",
        "tuple",
        "iterator",
        "by name",
        "by name, too",
    ],
)
def test_what_holds_the_definitions(tools):
    (definition,) = read_definitions(tools)
    assert definition == Definition("t", "d", SCHEMA)


def test_objects_of_mcp():
    types = pytest.importorskip("mcp").types
    tool = types.Tool(
        name="t",
        description="d",
        input_schema=SCHEMA,
        annotations=types.ToolAnnotations(read_only_hint=True),
        _meta={"agentgate/version": "1"},
    )
    wanted = Definition(
        "t", "d", SCHEMA, hints={"readOnlyHint": True}, carried={"version": "1"}
    )
    assert read_definitions([tool]) == (wanted,)
    assert read_definitions(types.ListToolsResult(tools=[tool])) == (wanted,)


def test_functions_of_anthropic():
    beta_tool = pytest.importorskip("anthropic").beta_tool

    @beta_tool
    def find(kind: str | None = None) -> str:
        """Call this to find.

        Args:
            kind: what kind
        """
        return str(kind)

    explicit = beta_tool(find.func, name="t", description="d", input_schema=SCHEMA)
    first, second = read_definitions([find, explicit])
    assert first.name == "find"
    assert first.description == "Call this to find."
    assert first.input_schema["properties"]["kind"]["description"] == "what kind"
    assert second == Definition("t", "d", SCHEMA)


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"type": "web_search_20250305", "name": "web_search"}, "web_search"),
        ({"type": "file_search", "vector_store_ids": ["v"]}, "file_search"),
    ],
)
def test_a_tool_that_the_provider_runs_is_kept_and_marked(entry, name):
    (definition,) = read_definitions([entry])
    assert (definition.name, definition.hosted) == (name, True)
    assert not any(d.hosted for d in read_definitions(list(SHAPES.values())))


@pytest.mark.parametrize("schema", [True, False, [], ["x"], "object", 1, {}])
def test_a_schema_is_kept_as_it_stands(schema):
    entry = {"name": "t", "inputSchema": schema, "outputSchema": schema}
    (definition,) = read_definitions([entry])
    assert definition.input_schema == definition.output_schema == schema
    complete(definition)


def test_what_cannot_be_read_in_an_entry_is_as_if_it_were_not_there():
    odd = {
        "name": "t",
        "description": ["d"],
        "annotations": ["readOnlyHint"],
        "_meta": {1: 2, "agentgate": "x", "agentgate/version": "1"},
    }
    (definition,) = read_definitions([odd])
    assert definition == Definition("t", carried={"version": "1"})
    typed = {"name": "t", "annotations": {"readOnlyHint": "yes"}, "_meta": []}
    assert read_definitions([typed]) == (Definition("t"),)


def test_equal_names_are_kept():
    names = [d.name for d in read_definitions([SHAPES["mcp"], SHAPES["anthropic"]])]
    assert names == ["t", "t"]


def test_a_large_listing():
    text = json.dumps(
        [{"name": f"t{i}", "description": "d" * 5_000} for i in range(999)]
    )
    assert len(text) > 5_000_000 * 0.99
    assert len(read_definitions(json.loads(text))) == 999


@pytest.mark.parametrize(
    ("tools", "seen"),
    [
        (None, "a value of type NoneType"),
        ("TOOLS", "the text 'TOOLS'"),
        (b"TOOLS", "a value of type bytes"),
        ({"t": {}}, "an empty mapping under 't'"),
        ({"name": "t", "input_schema": {}}, "the text 't' under 'name'"),
        ([{}], "entry 1 is an empty mapping"),
        ([SHAPES["mcp"], 1], "entry 2 is a value of type int"),
        ([SHAPES["mcp"], {"name": 3, "x": 1}], "entry 2 is a mapping with the keys n"),
        ([print], "entry 1 is the function print, without a definition"),
        ([ToolContract], "entry 1 is the function ToolContract, without a definition"),
        (ToolContract(name="t"), "a value of type ToolContract"),
    ],
)
def test_what_is_no_list_of_tools_is_refused(tools, seen):
    with pytest.raises(PolicyError, match="the list of tools cannot be read") as caught:
        read_definitions(tools)
    assert caught.value.seen.startswith(seen)
    assert "mcp:COMMAND" in caught.value.way_out


def test_the_contract_adds_what_the_list_does_not_say():
    own = {"t": ToolContract(name="t", failure_modes=(FailureMode(name="down"),))}
    contract = read_catalogue([SHAPES["mcp"]], own)["t"]
    assert contract.description == "d"
    assert contract.mode("down") is not None
    assert contract.mode("up") is None


@pytest.mark.parametrize(
    ("hints", "side_effect"),
    [
        ({}, None),
        ({"idempotentHint": True}, None),
        ({"readOnlyHint": True}, "read_only"),
        ({"readOnlyHint": True, "destructiveHint": True}, "read_only"),
        ({"readOnlyHint": False}, "irreversible_mutation"),
        ({"destructiveHint": True}, "irreversible_mutation"),
        ({"destructiveHint": False}, "reversible_mutation"),
    ],
)
def test_what_hints_amount_to(hints, side_effect):
    assert side_effect_of(hints) == side_effect


def test_a_person_goes_before_the_definition_and_that_before_its_hints():
    hints = {"readOnlyHint": True}
    hinted = Definition("t", hints=hints)
    assert complete(hinted).side_effect == "read_only"
    carried = Definition("t", hints=hints, carried={"side_effect": "read_only"})
    told = Definition("t", hints=hints, carried={"side_effect": "reversible_mutation"})
    assert complete(carried).side_effect == "read_only"
    assert complete(told).side_effect == "reversible_mutation"
    person = ToolContract(name="t", side_effect="irreversible_mutation")
    assert complete(told, person).side_effect == "irreversible_mutation"
    assert complete(told, ToolContract(name="t")).side_effect == "reversible_mutation"
    assert complete(told).hints == hints


def test_a_carried_field_that_is_none_is_named():
    wrong = Definition("t", carried={"sideEffect": "read_only"})
    with pytest.raises(PolicyError, match="tool 't' carries a contract") as caught:
        complete(wrong)
    assert "sideEffect" in str(caught.value)


def test_a_schema_that_contains_itself_is_refused_and_not_walked():
    circle: dict = {"type": "object"}
    circle["properties"] = {"again": circle}
    with pytest.raises(PolicyError) as refused:
        read_definitions([{"name": "t", "input_schema": circle}])
    assert refused.value.seen == "entry 1, 't', with a schema that contains itself"
