"""Results that real tools gave, read where the shared data is present."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"
TEXT = ObservationMapping.model_validate("text")


def read(path):
    file = SHARED / path
    if not file.exists():
        pytest.skip("../shared is not here")
    return file.read_text("utf-8")


def calls(server):
    captured = json.loads(read(f"data/mcp_servers/{server}.json"))["calls"]
    found = [call["result"] for call in captured if "result" in call]
    assert found
    return found


@pytest.mark.parametrize("server", ["fetch", "git", "sqlite", "time"])
def test_mcp_servers(server):
    for raw in calls(server):
        seen = parse(raw)
        assert seen.form == "mcp result"
        assert seen.protocol_error is raw["isError"]
        assert seen.text == "\n".join(block["text"] for block in raw["content"])
        assert seen.structured == raw.get("structuredContent")
        assert seen.defects == ()
        # None of the four knows the contract: no status can have been read.
        assert seen.observation is None or seen.observation.status is None
        assert bool(seen.problem) == (seen.observation is None)


@pytest.mark.parametrize("server", ["fetch", "git", "sqlite", "time"])
def test_mcp_servers_as_plain_text(server):
    for raw in calls(server):
        seen = parse(raw, TEXT)
        failed = raw["isError"]
        assert seen.observation.status == ("error" if failed else "success")
        assert seen.observation.payload == (None if failed else seen.text)
        assert seen.observation.summary == seen.text.strip().splitlines()[0].strip()


def test_kb_agent():
    rows = list(map(json.loads, read("data/kb_agent/observations.jsonl").splitlines()))
    read_rows = 0
    for row in rows:
        seen = parse(row["result"], raised=row["raised"])
        if row["result"] is None:
            assert seen.problem == "the tool raised instead of returning a result"
            assert seen.raised == row["raised"]
        else:
            read_rows += 1
            form = "json text" if isinstance(row["result"], str) else "mapping"
            assert (seen.form, seen.problem) == (form, "")
            assert seen.observation.status in ("success", "warning", "error")
    assert read_rows > 100
