"""What lint and probe have in common."""

from __future__ import annotations

import pytest

from pytest_agentgate.cli.reporting import chosen, from_here
from pytest_agentgate.errors import AgentGateError


def test_tools_are_narrowed_in_their_own_order():
    assert chosen(None, ["a", "b"]) == ("a", "b")
    assert chosen(["b", "a"], ["a", "b", "c"]) == ("a", "b")
    assert chosen(["gone"], ["a"], ["gone"]) == ()


@pytest.mark.parametrize(
    ("tools", "way_out"),
    [(["search"], "did you mean 'search'?"), ([], "there are none")],
)
def test_an_unknown_tool_is_refused(tools, way_out):
    with pytest.raises(AgentGateError) as caught:
        chosen(["serch"], tools, [""])
    assert caught.value.problem == "there is no tool 'serch'"
    assert caught.value.way_out == way_out


def test_a_file_starts_from_this_folder_and_nothing_else_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert from_here("tools.json") == str(tmp_path / "tools.json")
    assert from_here("/a/tools.json") == "/a/tools.json"
    assert from_here("shop:TOOLS") == "shop:TOOLS"
    assert from_here("mcp:server tools.json") == "mcp:server tools.json"
