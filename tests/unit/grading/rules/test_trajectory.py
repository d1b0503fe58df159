"""What one call of a run shows by itself."""

from __future__ import annotations

import pytest

from pytest_agentgate import Context, ToolContract
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.trajectory.run import ToolCall

SCHEMA = {
    "type": "object",
    "properties": {
        "guests": {"type": "integer", "minimum": 1, "maximum": 12},
        "kind": {"enum": ["lunch", "dinner"]},
        "notes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["guests"],
    "additionalProperties": False,
}
GRADER = Grader(built_in())


def fired(arguments, schema=SCHEMA):
    contract = ToolContract(name="book", input_schema=schema)
    context = Context(tool="book", arguments=arguments, contract=contract)
    grades = GRADER.grade(ToolCall("book", arguments), context, kind="trajectory")
    return [(finding.rule, finding.path) for finding in grades.findings]


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({}, ""),
        ({"guests": "four"}, "/guests"),
        ({"guests": 0}, "/guests"),
        ({"guests": 13}, "/guests"),
        ({"guests": 2.5}, "/guests"),
        ({"guests": None}, "/guests"),
        ({"guests": 2, "kind": "tea"}, "/kind"),
        ({"guests": 2, "notes": ["a", 1]}, "/notes/1"),
        ({"guests": 2, "hall": "A"}, ""),
    ],
)
def test_arguments_that_break_the_schema(arguments, path):
    assert fired(arguments) == [("trajectory.arguments", path)]


@pytest.mark.parametrize(
    "arguments",
    [
        {"guests": 1},
        {"guests": 12, "kind": "dinner"},
        {"guests": 2, "notes": []},
        {"guests": 2, "notes": ["window"]},
    ],
)
def test_arguments_that_keep_it(arguments):
    assert fired(arguments) == []


def test_without_a_usable_schema_nothing_is_judged():
    assert fired({"x": 1}, {}) == []
    assert fired({"x": 1}, {"type": "no such type"}) == []
    grades = GRADER.grade(ToolCall("book"), Context(tool="book"), kind="trajectory")
    assert grades.idle == ("trajectory.arguments",)
