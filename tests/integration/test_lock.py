"""``pytest-agentgate lock``: from a whole run, and what it is good for afterwards."""

from __future__ import annotations

import json

import pytest

POLICY = """\
version: 1
tools: {catalogue: "shop:TOOLS", lint: true}
rules:
  severity:
    theatre.happy-path: warning
    contract: warning
    contract.pinned: error
    contract.stable-name: error
  extra: [house_rules:nothing]
"""
HOUSE = """
from pytest_agentgate import rule

@rule("house.nothing", fails_when="never")
def nothing(result, context):
    return None
"""
SHOP = """
TOOLS = [
    {
        "name": "search",
        "description": "Finds items.",
        "input_schema": {
            "type": "object",
            "properties": {"limit": {"type": "integer", "maximum": 25}},
        },
    },
    {"name": "buy", "description": "Buys one."},
]
"""
TEST = """
import pytest

@pytest.mark.agentgate("recovery")
def test_x(agentgate):
    payload = [1]
    agentgate.check(
        {"status": "success", "summary": "s", "payload": payload, "source": "x"}
    )
"""
FILES = {
    "agentgate.yaml": POLICY,
    "shop.py": SHOP,
    "house_rules.py": HOUSE,
    "test_it.py": TEST,
}


def test_a_whole_run_is_locked_and_a_removed_tool_is_named(child, command):
    first = child("--agentgate", files=FILES)
    assert first.code == 0, first.out
    written = command("lock")
    assert written.code == 0, written.out
    assert written.out.startswith("locked 4 tasks, ")
    assert "2 tools, 0 waivers in agentgate.lock" in written.out
    path = first.folder / "agentgate.lock"
    lock = json.loads(path.read_text())
    assert [tool["name"] for tool in lock["tools"]] == ["buy", "search"]
    assert [task["id"] for task in lock["tasks"]][-1] == "test_it.py::test_x"
    hashes = {rule["id"]: rule["hash"] for rule in lock["rules"]}
    assert len(hashes["house.nothing"]) == 16
    assert hashes["envelope.status"] == ""
    before = path.read_bytes()

    assert child("--agentgate").code == 0
    assert command("lock").code == 0
    assert path.read_bytes() == before

    changed = SHOP.replace('"maximum": 25', '"maximum": 99').replace('"buy"', '"sell"')
    second = child("--agentgate", files={"shop.py": changed})
    assert second.code == 1, second.out
    assert second.outcomes["contract[search] 1"] == "failed"
    assert second.outcomes["contract[sell] 1"] == "passed"
    assert second.outcomes["catalogue 1"] == "failed"
    second.agrees()
    only = ("--rule", "contract.pinned", "--rule", "contract.stable-name")
    linted = command("lint", "--check", *only)
    assert linted.code == 1, linted.out
    assert "search\n  error  contract.pinned: " in linted.out
    assert "/properties/limit" in linted.out
    assert "buy\n  error  contract.stable-name: " in linted.out
    assert command("lint", *only).code == 0
    refused = command("lock")
    assert refused.code == 4, refused.out
    assert "the decision of this run is block" in refused.out
    assert path.read_bytes() == before


def test_what_shows_too_little_is_refused(child, command):
    assert "there is no journal" in command("lock").out
    partial = child("--agentgate", "-k", "test_x", files=FILES)
    refused = command("lock")
    assert refused.code == 4
    assert "this run was partial" in refused.out
    journal = partial.folder / ".agentgate" / "journal.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))
    assert command("lock").code == 4


def test_a_file_that_is_no_lock_is_left_alone(child, command):
    result = child("--agentgate", files=FILES)
    (result.folder / "mine.lock").write_text("dear diary")
    refused = command("lock", "--file", "mine.lock")
    assert refused.code == 4
    assert "mine.lock is no lock" in refused.out
    assert (result.folder / "mine.lock").read_text() == "dear diary"


@pytest.mark.parametrize("text", ["", "<<<<<<< ours\n", "{}"])
def test_a_broken_lock_stops_a_session_with_4(child, text):
    result = child("--agentgate", files=FILES | {"agentgate.lock": text})
    assert result.code == 4, result.out
    assert "agentgate.lock is no lock that this version reads" in result.out
    assert "Traceback" not in result.out
