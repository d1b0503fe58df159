"""What a tool layer is judged by, from its policy."""

from __future__ import annotations

from pytest_agentgate.environment import Environment


def test_a_tool_that_the_provider_runs_has_no_duties(tmp_path):
    (tmp_path / "tools.json").write_text(
        '[{"name": "find", "input_schema": {}},'
        ' {"type": "web_search_20250305", "name": "web_search"}]'
    )
    policy = tmp_path / "agentgate.yaml"
    policy.write_text("version: 1\ntools: {catalogue: tools.json}\n")
    environment = Environment.load(policy)
    assert environment.known_tools == {"find", "web_search"}
    assert set(environment.tools or {}) == {"find"}
