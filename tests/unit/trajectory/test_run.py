"""What a target may return, and what is said of the rest."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from pytest_agentgate.errors import TargetError
from pytest_agentgate.trajectory.expectations import unmet
from pytest_agentgate.trajectory.run import Run, ToolCall, read_run

CALL = {"name": "search", "arguments": {"q": 1}, "result": {"status": "success"}}


@pytest.mark.parametrize(
    "returned",
    [
        {"answer": "yes", "calls": [CALL]},
        SimpleNamespace(answer="yes", calls=[SimpleNamespace(**CALL)]),
        Run("yes", (ToolCall(**CALL),)),
    ],
)
def test_shapes_of_a_run(returned):
    run = read_run(returned)
    assert (run.answer, run.calls) == ("yes", (ToolCall(**CALL),))
    assert (run.tokens, run.cost_usd) == (None, None)


@pytest.mark.parametrize(
    ("extra", "tokens"),
    [
        ({"tokens": 7}, 7),
        ({"usage": {"input_tokens": 3, "output_tokens": 4}}, 7),
        ({"usage": SimpleNamespace(input_tokens=3, output_tokens=4)}, 7),
        ({"usage": {"input_tokens": 3}}, None),
        ({"usage": None}, None),
    ],
)
def test_tokens_are_known_or_unknown(extra, tokens):
    assert read_run({"answer": "", "calls": [], **extra}).tokens == tokens


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "cannot be read as a run"),
        ("text", "cannot be read as a run"),
        ({"answer": "x"}, "cannot be read as a run"),
        ({"answer": 1, "calls": []}, "cannot be read as a run"),
        ({"answer": "x", "calls": [{}]}, "has no name"),
    ],
)
def test_what_is_no_run_is_refused(returned, message):
    with pytest.raises(TargetError, match=message):
        read_run(returned)


RUN = Run("Found It", (ToolCall("a"), ToolCall("b"), ToolCall("a")))


@pytest.mark.parametrize(
    ("expected", "rules"),
    [
        ({"tools": ["b", "a"]}, []),
        ({"tools": "a"}, ["trajectory.tools"]),
        ({"tools": ["a", "c"]}, ["trajectory.required-calls", "trajectory.tools"]),
        ({"tools": []}, ["trajectory.tools"]),
        ({"answer": "found"}, []),
        ({"answer": "lost"}, ["trajectory.ending"]),
        ({"answer": re.compile("F.*t$")}, []),
        ({"answer": str.istitle}, []),
        ({"answer": str.isupper}, ["trajectory.ending"]),
        ({}, []),
    ],
)
def test_expectations(expected, rules):
    assert [entry.rule for entry in unmet(RUN, **expected)] == rules


def test_an_unmet_expectation_says_what_was_needed_and_done():
    (entry,) = unmet(RUN, tools=["a", "b", "c"])
    assert entry.message == "the run never called c"
    assert (entry.expected, entry.seen) == ("a, b, c", "a, b, a")
