"""A gate that cannot fail is seen: paths never met, and prompts that were told."""

from __future__ import annotations

import pytest

POLICY = """
version: 1
target: {call: "agent.loop:ask", instructions: "prompt.md"}
tools:
  call: agent.tools:execute_tool
  catalogue: agent.tools:TOOLS
  contracts: contracts.yaml
"""
CONTRACTS = """
version: 1
tools:
  search:
    output_schema: {type: array, items: {type: string}}
    failure_modes: [{name: down}]
"""
TOOLS = '''
"""The tools."""
from agent.words import KINDS

TOOLS = [{
    "name": "search",
    "description": "Searches the team's dated notes and returns the newest ones.",
    "input_schema": {"type": "object", "properties": {"query": {
        "type": "string", "description": "Words to look for."}}},
}]

def execute_tool(name, arguments):
    if arguments.get("query") == "down":
        return {"status": "error", "summary": "The service is down.", "next_actions": [
            "Cause: nothing listens on port 8081.", "Start it and call search again.",
            "If it is still down then, stop and tell the user."]}
    found = ["a note"] if arguments.get("query") else []
    return {"status": "success", "summary": f"{len(found)} notes with text ''.",
            "payload": found, "source": "notes.db"}
'''
WORDS = 'KINDS = {"libraries": ["httpx", "sqlite"], "notes": ["meeting", "decision"]}\n'
LOOP = """
from agent.tools import execute_tool

def ask(question):
    arguments = {"query": "x"}
    result = execute_tool("search", arguments)
    return {"answer": "So it is.", "calls": [
        {"name": "search", "arguments": arguments, "result": result}]}
"""
TASKS = """
from dataclasses import dataclass

import pytest

@dataclass
class Task:
    prompt: str

TASKS = [
    Task("What did the team decide about the timeout of five seconds last April?"),
    Task("Who left a label enum in the notes enriched with tags?"),
    Task("Why does a broken tool fail on type annotations?"),
    Task("Am I right that somebody wanted to rebuild the search index on release day?"),
]

@pytest.mark.agentgate("capability", input="task")
@pytest.mark.parametrize("task", TASKS, ids=["a", "b", "c", "d"])
def test_ask(agentgate, task):
    agentgate.run(task.prompt).expect(tools=["search"])
"""
PATHS = """
import pytest

@pytest.mark.agentgate
@pytest.mark.parametrize(("query", "mode"), [("down", "down"), ("", None)])
def test_path(agentgate, query, mode):
    agentgate.call("search", {"query": query}, mode=mode)
"""
CLEAN = {
    "agentgate.yaml": POLICY,
    "contracts.yaml": CONTRACTS,
    "prompt.md": "Answer from tool results, and name the source of each fact.",
    "agent/__init__.py": "",
    "agent/tools.py": TOOLS,
    "agent/words.py": WORDS,
    "agent/loop.py": LOOP,
    "test_tasks.py": TASKS,
    "test_paths.py": PATHS,
}
PLANTED = {
    "prompt.md": "For example: what did the team decide about the timeout of five "
    "seconds last April? Then call search.",
    "agent/words.py": 'KINDS = {"notes": ["label enum", "enriched with tags"],\n'
    '         "libraries": ["type annotations", "httpx"]}\n',
    "agent/tools.py": TOOLS.replace(
        "Searches the team's dated notes",
        "Finds who wanted to rebuild the search index on release day",
    ),
}


def reasons(child):
    found = child.manifest["decision"]["reasons"]
    return [r["text"] for r in found if r["rule"].startswith("theatre.")]


@pytest.mark.parametrize("mode", [["-n0"], ["-n2"]], ids=["n0", "n2"])
def test_a_clean_agent_ships(child, mode):
    run = child("--agentgate", *mode, files=CLEAN)
    assert (run.code, reasons(run)) == (0, []), run.out
    run.agrees()
    assert run.manifest["coverage"]["kinds"] == {
        "search": {"success": 12, "error": 1, "empty": 1}
    }


def test_told_prompts_block_a_partial_run_too(child):
    run = child("--agentgate", "-n2", "-k", "test_ask", files=CLEAN | PLANTED)
    assert (run.code, run.decision) == (1, "block"), run.out
    run.agrees()
    starts = [
        ("agent/words.py:1 holds 3 phrases, word for word, from the prompts of ", "b"),
        ("the description of search shares 5 content words in a row with the ", "d"),
        ("the system prompt shares 5 content words in a row with the prompt of ", "a"),
    ]
    for text, (start, task) in zip(sorted(reasons(run)), starts, strict=True):
        assert text.startswith(start)
        assert f"test_tasks.py::test_ask[{task}]" in text
        assert f"theatre.prompt-leak: {start}" in run.out


def test_what_was_never_seen_blocks(child):
    run = child("--agentgate", "test_tasks.py", files=CLEAN)
    assert run.decision == "block"
    assert reasons(run) == [
        "search: no trial ever saw it find nothing, as its contract says that it can",
        "search: no trial ever saw it fail",
        "search: declared failure mode 'down' was never exercised",
    ]
