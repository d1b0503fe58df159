"""Where a tool stands in the project's files: looked for, never guessed."""

from __future__ import annotations

import json

import pytest

from pytest_agentgate.store.locations import locate
from pytest_agentgate.store.references import resolve

CONTRACTS = "version: 1\ntools:\n  search: {version: '1'}\n  buy:\n    version: '1'\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "agent").mkdir()
    monkeypatch.chdir(tmp_path / "agent")
    return tmp_path / "agent"


def test_the_contracts_file_goes_first(checkout):
    (checkout / "contracts.yaml").write_text(CONTRACTS)
    (checkout / "tools.json").write_text(json.dumps([{"name": "search"}], indent=1))
    found = locate(
        ["search", "buy", "sell"], "tools.json", checkout / "contracts.yaml", checkout
    )
    assert found == {
        "search": ("agent/contracts.yaml", 3),
        "buy": ("agent/contracts.yaml", 4),
        "sell": ("agent/tools.json", 1),
    }


def test_a_name_in_a_json_file_is_found_where_it_names_a_tool(checkout):
    tools = [
        {"name": "a", "properties": {"buy": {}}, "required": ["buy"]},
        {"name": "buy"},
    ]
    (checkout / "tools.json").write_text(json.dumps(tools, indent=1))
    assert locate(["buy"], "tools.json", None, checkout)["buy"][1] == 12


def test_a_name_in_a_python_module_is_found(checkout):
    source = 'TOOLS = [\n    {"name": "search"},\n    dict(name=\'buy\'),\n]\n\n'
    (checkout / "shop_places.py").write_text(source + "def sell():\n    pass\n")
    resolve("shop_places:TOOLS", checkout)
    found = locate(["search", "buy", "sell"], "shop_places:TOOLS", None, checkout)
    assert {name: line for name, (_, line) in found.items()} == {
        "search": 2,
        "buy": 3,
        "sell": 6,
    }


def test_nothing_is_said_of_a_server_or_of_files_outside_the_checkout(
    checkout, tmp_path_factory
):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "tools.json").write_text('[{"name": "search"}]')
    assert locate(["search"], str(outside / "tools.json"), None, checkout) == {}
    assert locate(["search"], "mcp:python server.py", None, checkout) == {}
