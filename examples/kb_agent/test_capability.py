"""The right tools for what users ask: the gate ``capability``."""

import pytest
from tasks import TASKS


@pytest.mark.agentgate("capability", input="task")
@pytest.mark.parametrize("task", TASKS, ids=str)
@pytest.mark.usefixtures("notes_service")
def test_right_tool(agentgate, task):
    """Exactly the tools of the task are called; answers cite where tasks say so."""
    agentgate.run(task.prompt).expect(tools=task.tools, answer=task.answer)
