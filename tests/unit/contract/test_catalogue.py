"""Lists of tools, in the shapes that models are given."""

from __future__ import annotations

import pytest

from pytest_agentgate.contract.catalogue import read_catalogue
from pytest_agentgate.contract.tool import FailureMode, ToolContract
from pytest_agentgate.errors import PolicyError

SCHEMA = {"type": "object", "properties": {}}
SHAPES = {
    "anthropic": {"name": "t", "description": "d", "input_schema": SCHEMA},
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
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape):
    contract = read_catalogue([SHAPES[shape]])["t"]
    assert (contract.description, contract.input_schema) == ("d", SCHEMA)


def test_the_contract_adds_what_the_list_does_not_say():
    own = {"t": ToolContract(name="t", failure_modes=(FailureMode(name="down"),))}
    contract = read_catalogue([SHAPES["mcp"]], own)["t"]
    assert contract.description == "d"
    assert contract.mode("down") is not None
    assert contract.mode("up") is None


@pytest.mark.parametrize("tools", [None, "TOOLS", {"t": {}}, [{}], [1]])
def test_what_is_no_list_of_tools_is_refused(tools):
    with pytest.raises(PolicyError, match=r"tools\.catalogue cannot be read"):
        read_catalogue(tools)
