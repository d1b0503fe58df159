"""Ids of trials and tasks, and what a plan is made of."""

from __future__ import annotations

import pytest

from pytest_agentgate.gate.plan import Plan, PlannedTask, digest
from pytest_agentgate.gate.terms import GateTerms
from pytest_agentgate.plugin.trials import task_id, trial_number


@pytest.mark.parametrize(
    ("nodeid", "task", "number"),
    [
        ("t.py::test_x[trial2]", "t.py::test_x", 2),
        ("t.py::test_x[a-trial12]", "t.py::test_x[a]", 12),
        ("t.py::test_x[trial1-trial3]", "t.py::test_x[trial1]", 3),
        ("t.py::test_x[a[b]-trial1]", "t.py::test_x[a[b]]", 1),
        ("t.py::C::test_x[-trial1]", "t.py::C::test_x[]", 1),
        ("t.py::test_x", "t.py::test_x", 0),
    ],
)
def test_task_and_number_of_a_node_id(nodeid, task, number):
    assert (task_id(nodeid), trial_number(nodeid)) == (task, number)


def test_a_plan_survives_json():
    task = PlannedTask("t", "g", 3, "d", deselected=(2,))
    plan = Plan({"g": GateTerms(k=3)}, (task,), ("-k",))
    assert Plan.from_json(plan.to_json()) == plan
    assert list(plan.expected) == [("t", 1), ("t", 3)]


def test_digests_tell_content_apart_and_are_stable():
    assert digest("a", {"x": 1}) == digest("a", {"x": 1})
    assert digest("a", {"x": 1}) != digest("a", {"x": 2})
    assert digest("a", "bc") != digest("ab", "c")


def test_digests_do_not_depend_on_hash_seed_or_addresses():
    import subprocess
    import sys

    code = (
        "from pytest_agentgate.gate.plan import digest\n"
        "print(digest({'a', 'b', 'c'}, [object(), len], {1: {'x', 'y'}}))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1
