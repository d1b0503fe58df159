"""What a whole run owes a tool, and how run facts travel."""

from __future__ import annotations

import json

import pytest

from pytest_agentgate.contract.tool import FailureMode, ToolContract
from pytest_agentgate.gate.facts import Duties, Reason, RunFacts
from pytest_agentgate.gate.leaks import Told
from pytest_agentgate.gate.manifest import facts_from_json, facts_to_json
from pytest_agentgate.gate.plan import Plan, PlannedTask
from pytest_agentgate.gate.rules.theatre import duties, prompt_leaks
from pytest_agentgate.gate.terms import GateTerms


@pytest.mark.parametrize(
    ("schema", "empty"),
    [
        ({"type": "array"}, True),
        ({"type": "array", "minItems": 1}, False),
        ({"type": ["array", "null"], "items": {"type": "string"}}, True),
        ({"type": "string"}, True),
        ({"type": "string", "minLength": 1}, False),
        ({"enum": ["a", "b"]}, False),
        ({"type": "object", "properties": {"a": {}}}, True),
        ({"type": "object", "required": ["a"]}, False),
        ({"$ref": "#/$defs/l", "$defs": {"l": {"type": "array"}}}, True),
        ({"type": "integer"}, False),
        ({}, False),
        ({"description": "anything"}, False),
        ({"type": "nonsense"}, False),
        ({"$ref": "#/nowhere"}, False),
        (None, False),
    ],
)
def test_empty_is_owed_where_the_schema_shows_it(schema, empty):
    assert duties(ToolContract(name="t", output_schema=schema)).empty is empty


@pytest.mark.parametrize(
    ("statuses", "side_effect", "owed"),
    [
        ((), None, Duties()),
        (("error",), "read_only", Duties(("m0",))),
        (("error", "warning"), None, Duties(("m0", "m1"), empty=True)),
        (("warning",), None, Duties(("m0",), empty=True, error=False)),
        ((None,), None, Duties(("m0",))),
        (("warning", "error"), "reversible_mutation", Duties(("m0", "m1"))),
    ],
)
def test_duties_by_failure_modes(statuses, side_effect, owed):
    modes = tuple(FailureMode(name=f"m{i}", status=s) for i, s in enumerate(statuses))
    contract = ToolContract(name="t", failure_modes=modes, side_effect=side_effect)
    assert duties(contract) == owed


def test_facts_survive_json():
    facts = RunFacts(
        tools={"t": Duties(("m",), empty=True, error=False), "u": Duties()},
        ignored=frozenset({"a.b"}),
        notes=(Reason("a.b", "text", "note"),),
        internal_errors=("x",),
    )
    assert facts_from_json(json.loads(json.dumps(facts_to_json(facts)))) == facts


def leaking(told: Told, *inputs: str) -> list[Reason]:
    tasks = (
        PlannedTask(f"t.py::t[{i}]", "g", 1, "d", input=w) for i, w in enumerate(inputs)
    )
    return list(prompt_leaks([told], Plan({"g": GateTerms()}, tuple(tasks))))


def test_a_leak_names_the_text_the_tasks_and_both_wordings():
    asked = "What did we agree on at the kick-off meeting in spring last year?"
    told = Told("the system prompt", f"Example: {asked}")
    (reason,) = leaking(told, asked, f"Hello. {asked}", "")
    assert (reason.rule, reason.effect) == ("theatre.prompt-leak", "block")
    assert reason.text == (
        "the system prompt shares 5 content words in a row with the prompt of "
        "t.py::t[0] and 1 more: "
        f"'Example: {asked}' and '{asked}'"
    )


def test_nothing_is_read_where_no_task_has_an_input():
    def unread():
        raise AssertionError("read")
        yield

    tasks = (PlannedTask("t", "g", 1, "d"),)
    assert list(prompt_leaks(unread(), Plan({"g": GateTerms()}, tasks))) == []
