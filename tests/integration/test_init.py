"""``init`` finds a tool layer in source, and what it writes runs."""

from __future__ import annotations

AGENT = """
TOOLS = [
    {"name": "search", "description": "d", "input_schema": {"type": "object"}},
    {"name": "fetch", "description": "d", "input_schema": {"type": "object"}},
]

def execute_tool(name, arguments):
    if not arguments:
        return {"status": "success", "summary": "1.", "payload": 1, "source": "db:t"}
    return {"status": "error", "summary": f"{name} takes no argument no_such_argument.",
            "next_actions": ["Drop the argument and call it once more; "
                             "if that fails too, stop and tell the user."]}
"""


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_found_tool_layer_is_gated_at_once(child, command, tmp_path):
    write(tmp_path, "agent/__init__.py", "")
    write(tmp_path, "agent/tools.py", AGENT)
    result = command("init")
    assert result.code == 0, result.out
    assert "dispatcher: agent.tools:execute_tool" in result.out
    assert "catalogue:  agent.tools:TOOLS" in result.out
    gated = child("--agentgate")
    assert gated.code == 1, gated.out
    assert len(gated.manifest["trials"]) == 6
    assert "gate recovery: pass" in gated.out
    assert "search: no trial ever saw it succeed" in gated.out
    # What the comment in the written test asks for.
    test = tmp_path / "test_agentgate.py"
    text = test.read_text().replace("# @", "@").replace("# def", "def")
    text = text.replace("#     assert", "    assert")
    other = text.replace("test_success", "test_fetch").replace(
        '("search", {', '("fetch", {'
    )
    test.write_text(text)
    (tmp_path / "test_other.py").write_text(other)
    gated = child("--agentgate")
    assert gated.code == 0, gated.out


def test_nothing_found_is_said_and_leaves_comments(command, tmp_path):
    write(tmp_path, "broken.py", "def (:\n")
    result = command("init")
    assert result.code == 0
    assert "none found: fill in tools.call" in result.out
    from pytest_agentgate.store.policy import load_policy

    assert load_policy(tmp_path / "agentgate.yaml").policy.tools.call is None


def test_what_is_there_is_never_overwritten(command, tmp_path):
    write(tmp_path, "agentgate.yaml", "mine")
    result = command("init")
    assert result.code == 4
    assert "agentgate.yaml is there already" in result.out
    assert (tmp_path / "agentgate.yaml").read_text() == "mine"
    assert not (tmp_path / "test_agentgate.py").exists()


def test_explain_a_rule_a_family_and_a_misspelt_one(command):
    result = command("explain", "recovery.stop-condition")
    assert result.code == 0
    for part in ("Fails when:", "when to give up", "docs/", "waive"):
        assert part in result.out
    assert "envelope.lean" in command("explain", "envelope").out
    wrong = command("explain", "recovery.stop")
    assert wrong.code == 4
    assert "did you mean 'recovery.stop-condition'?" in wrong.out
