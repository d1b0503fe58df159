"""What is served and what was agreed, held against the contract."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_agentgate.contract.catalogue import Catalogue, Definition
from pytest_agentgate.contract.schema.weakening import Comparison, Disagreement
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.registry import Registry
from pytest_agentgate.grading.rules.contract import fidelity

DECLARED = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["a", "b"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 25, "default": 5},
    },
    "required": ["kind"],
    "additionalProperties": False,
}


def with_limit(**limit):
    properties = {**DECLARED["properties"], "limit": limit}
    return {**DECLARED, "properties": properties}


def grade(served, declared=DECLARED, **fields):
    contract = ToolContract(name="t", input_schema=declared, **fields)
    context = Context(served=Definition("t", "", served[0], served[1]))
    grader = Grader(Registry([fidelity.fidelity]))
    return grader.grade(contract, context, kind="contract")


def judge(served, **fields):
    grades = grade((served, fields.pop("served_output", None)), **fields)
    assert not grades.errors
    return [(one.message, one.seen) for one in grades.findings]


def test_the_same_written_otherwise():
    assert judge(DECLARED) == []
    titled = {"title": "T", **DECLARED, "$defs": {"Unused": {}}}
    assert judge(titled) == []


def test_a_lost_bound_is_shown_by_a_value():
    served = with_limit(type="integer", minimum=1, default=5)
    ((message, seen),) = judge(served)
    assert message == (
        "the served input schema is weaker than the declared one: "
        "maximum at /properties/limit"
    )
    assert seen.startswith("declared 25, served nothing; the served schema accepts {")
    assert seen.endswith(", the declared one refuses it")


def test_what_grew_and_what_was_lost():
    grown = {**DECLARED, "required": ["kind", "limit"]}
    ((message, seen),) = judge(grown)
    assert message.startswith("the served input schema demands more than the declared")
    assert "the declared schema accepts" in seen
    lost = with_limit(type="integer", minimum=1, maximum=25)
    ((message, seen),) = judge(lost)
    assert message == (
        "the served input schema differs from the declared one: "
        "default at /properties/limit"
    )
    assert seen == "declared 5, served nothing"


def test_output_schemas_the_other_way_round():
    declared = {"type": "object", "required": ["id"]}
    less = {"type": "object"}
    ((message, _),) = judge(DECLARED, served_output=less, output_schema=declared)
    assert message.startswith("the served output schema demands more")
    assert judge(DECLARED, output_schema=declared) == []
    assert judge(DECLARED, served_output=less) == []


def test_what_cannot_be_shown_is_not_claimed(monkeypatch):
    unlike = {**DECLARED, "if": {"type": "object"}, "then": {"minProperties": 1}}
    for one in grade((unlike, None)).findings:
        assert one.verdict == "abstain" or "accepts" in one.seen
    for garbage in ([], "x", 7, None):
        assert judge(garbage) == []


def test_engines_that_disagree_are_our_error(monkeypatch):
    wrong = Comparison((), (Disagreement("one says yes, one says no", 1),))
    monkeypatch.setattr(fidelity, "compare", lambda *_, **__: wrong)
    (error,) = grade((with_limit(type="integer"), None)).errors
    assert error.message == "EnginesDisagreeError: one says yes, one says no"


AGREED = Definition("t", "Finds a note.", DECLARED)


def pinned(current, agreed=AGREED):
    grader = Grader(Registry([fidelity.pinned]))
    context = Context(pinned={"t": agreed})
    grades = grader.grade(Catalogue((current,)), context, kind="catalogue")
    assert not grades.errors
    return [(one.tool, one.message) for one in grades.findings]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"description": "Finds a note!"}, "not as agreed: description"),
        ({"hints": {"readOnlyHint": True}}, "not as agreed: hints"),
        ({"carried": {"version": "2"}}, "not as agreed: contract"),
        (
            {"input_schema": with_limit(type="integer", minimum=1, default=5)},
            "the input schema is wider than agreed: maximum at /properties/limit",
        ),
        (
            {"input_schema": {**DECLARED, "required": ["kind", "limit"]}},
            "the input schema is narrower than agreed: required at the root",
        ),
        (
            {"input_schema": {**DECLARED, "description": "Words."}},
            "not as agreed: input schema",
        ),
        ({"input_schema": []}, "not as agreed: input schema"),
        ({"output_schema": {}}, "not as agreed: output schema"),
    ],
)
def test_what_was_agreed(change, message):
    assert pinned(AGREED) == []
    assert pinned(replace(AGREED, **change)) == [("t", message)]


def test_a_new_tool_was_never_agreed():
    assert pinned(replace(AGREED, name="new")) == []
