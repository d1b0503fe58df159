"""Ids of trials and tasks, and what a plan is made of."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from pytest_agentgate.gate.plan import Plan, PlannedTask, digest
from pytest_agentgate.gate.terms import GateTerms
from pytest_agentgate.plugin import trials
from pytest_agentgate.plugin.marks import GateMark
from pytest_agentgate.plugin.trials import task_id, trial_number
from pytest_agentgate.redaction import Redactor


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
    task = PlannedTask("t", "g", 3, "d", deselected=(2,), input="Is it?")
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


@dataclass
class Asked:
    prompt: object


@pytest.mark.parametrize(
    ("given", "params", "words"),
    [
        ("task", {"task": "Is it?"}, "Is it?"),
        ("task", {"task": {"prompt": "Is it?"}}, "Is it?"),
        ("task", {"task": Asked("Is it?")}, "Is it?"),
        (lambda task: f"{task}?", {"task": "Is it", "_agentgate_trial": 2}, "Is it?"),
        ("task", {"task": {"question": "Is it?"}}, ""),
        ("task", {"task": Asked(7)}, ""),
        ("task", {}, ""),
        (None, {"task": "Is it?"}, ""),
        ("task", {"task": "key sk-ant-api03-" + "a" * 40}, "key [REDACTED"),
        ("task", {"task": "x" * 5_000}, "x" * 2_000),
    ],
)
def test_the_words_that_a_task_gives_its_agent(monkeypatch, given, params, words):
    environment = SimpleNamespace(redactor=Redactor())
    monkeypatch.setattr(trials, "environment", lambda _config: environment)
    item = SimpleNamespace(
        callspec=SimpleNamespace(params=params), config=None, nodeid="t"
    )
    found = trials._input(item, GateMark("g", GateTerms(), 1, input=given))
    assert found.startswith(words)
    assert bool(found) is bool(words)
    assert len(found) <= trials.INPUT_LIMIT


def test_an_input_that_raises_is_refused():
    item = SimpleNamespace(callspec=SimpleNamespace(params={}), nodeid="t.py::t")
    mark = GateMark("g", GateTerms(), 1, input=lambda: {}["x"])
    with pytest.raises(pytest.UsageError) as raised:
        trials._input(item, mark)
    assert str(raised.value) == "t.py::t: input= cannot be worked out: KeyError('x')"
