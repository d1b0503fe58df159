"""Findings as tests: any argument survives, and equal calls are tested once."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from pytest_agentgate.grading.finding import Finding
from pytest_agentgate.reports.replays import as_tests

RAISED = Finding("the tool raised", rule="envelope.raised", tool="find")


def calls(text: str) -> list[Any]:
    return [
        [ast.literal_eval(argument) for argument in node.args]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]


@pytest.mark.parametrize(
    "value",
    [
        "it's",
        "\"\"\"'''\\",
        "line\nline",
        "\x00\x1b[2J",
        "é 🙂 \ud800",
        {"deep": [{"a": None, "b": True}] * 20},
        "long " * 60,
        -0.0,
        10**30,
    ],
)
def test_arguments_survive(value: Any) -> None:
    text = as_tests([(RAISED, {"value": value})])
    assert text.isascii()
    assert calls(text) == [["find", {"value": value}]]


def test_a_message_cannot_leave_its_comment() -> None:
    hostile = Finding("x\nimport os", rule="envelope.raised", tool="a b'\n")
    text = as_tests([(hostile, {})])
    ast.parse(text)
    assert "# envelope.raised: x\\nimport os" in text
    assert "def test_a_b_envelope_raised_1(agentgate):" in text


def test_one_test_a_call() -> None:
    other = Finding("no source", rule="envelope.source", tool="find")
    text = as_tests([(RAISED, {"a": 1}), (other, {"a": 1}), (other, {"a": 2})])
    assert text.count("def test_") == 2
