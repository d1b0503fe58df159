"""The right tools for what users ask: the gate ``capability``."""

from pathlib import Path

import agent
import pytest
from descriptions import leaks, literals
from tasks import TASKS

PROMPTS = {task.id: task.prompt for task in TASKS}


@pytest.mark.agentgate("capability", input="task")
@pytest.mark.parametrize("task", TASKS, ids=str)
def test_right_tool(agentgate, task):
    """Exactly the tools of the task are called; answers cite where tasks say so."""
    agentgate.run(task.prompt).expect(tools=task.tools, answer=task.answer)


def test_no_prompt_is_quoted():
    """No description, system prompt or literal of the agent quotes a task."""
    assert leaks(literals(Path(agent.__file__).parent), PROMPTS) == []


@pytest.mark.parametrize(
    "text",
    [
        "Call this for questions such as: where does the notes service listen?",
        "Knows why one validator stops after one mistake instead of all of them.",
        "limit whole exchange httpx",
        "After a holiday of weeks, when the inbox is full, this finds what the two of "
        "a team discussed: releases, tags, indexes, meetings, fixtures and services.",
    ],
)
def test_a_quoted_prompt_is_found(text):
    """The check is able to fail."""
    assert leaks([text], PROMPTS)
