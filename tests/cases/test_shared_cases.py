"""The shared real-world cases, and the runner that grades them."""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from case_file import expand, read_cases
from case_trials import figures, outcome, tasks_of
from run import LATER, judge, main

HERE = Path(__file__).resolve().parent
CASES = HERE.parents[1].parent / "shared" / "cases" / "cases.jsonl"
FAMILIES = (
    "envelope",
    "honesty",
    "hygiene",
    "recovery",
    "context",
    "contract",
    "gate",
)


def built(rules):
    return {rule for rule in rules if rule.partition(".")[0] in FAMILIES}


def shared_cases():
    """The cases that the families built so far can judge."""
    if not CASES.is_file():
        return []
    return [case for case in read_cases(CASES) if "unsupported" not in judge(case)]


def test_the_shared_cases_are_here():
    if not CASES.is_file():
        pytest.skip("../shared is not here")
    assert len(shared_cases()) > 45


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case["id"])
def test_shared_case(case):
    said, expected = judge(case), case["expected"]
    fired = set(said["fired"])
    assert built(expected["must_fire"]) <= fired
    assert not set(expected["must_not_fire"]) & fired
    assert "errors" not in said
    if case["kind"] == "good":
        assert said["verdict"] == expected["verdict"]


def test_each_case_gets_one_line(tmp_path):
    if not CASES.is_file():
        pytest.skip("../shared is not here")
    command = [sys.executable, str(HERE / "run.py"), str(CASES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == [c["id"] for c in read_cases(CASES)]
    for line in lines:
        assert {"verdict", "fired"} <= set(line) or line["unsupported"]


def case(theme="result: any", **given):
    return {"id": "x", "theme": theme, "kind": "bad", "input": given}


OK = {"status": "success", "summary": "1 row.", "payload": [1], "source": "db:t#1"}


def test_a_good_result_passes():
    assert judge(case(tool_result=OK)) == {"id": "x", "verdict": "pass", "fired": []}


def test_the_verdict_is_the_gates():
    failed = judge(case(tool_result={**OK, "payload": {"done": 1, "failed": 2}}))
    assert failed["verdict"] == "fail"
    warned = judge(case(tool_result={**OK, "next_actions": ["Open it.", "Read it."]}))
    assert (warned["verdict"], warned["fired"]) == ("pass", ["envelope.lean"])


def test_a_family_that_is_not_built_is_said():
    said = judge(case("cost: none", tool_contract={"name": "a"}))
    assert said["unsupported"] == LATER["cost"]
    assert judge(case(trajectory=[]))["unsupported"] == LATER["trajectory"]
    assert "nothing to grade" in judge(case())["unsupported"]
    given = {**case(tool_result=OK), "expected": {"must_fire": ["trajectory.order"]}}
    assert judge(given)["unsupported_rules"] == ["trajectory.order"]


def test_logs_and_evidence_are_judged():
    token = "ghp_" + "FAKE0000aaaaBBBB1111ccccDDDD2222eeee"
    said = judge(case(tool_result=OK, logs=["GET /", {"auth": token}]))
    assert said["fired"] == ["hygiene.secret"]
    said = judge(case(tool_result=OK, evidence={"http_status": 500}))
    assert said["fired"] == ["honesty.status"]


def test_messages_are_graded():
    message = {"role": "tool", "tool_call_id": "a", "content": json.dumps(OK)}
    assert (
        judge(case(messages=[{"role": "user", "content": "?"}, message]))["fired"] == []
    )
    block = {"type": "tool_result", "tool_use_id": "a", "content": "Error: gone"}
    said = judge(case(messages=[{"role": "user", "content": [block]}]))
    assert {"envelope.parse", "honesty.status"} <= set(said["fired"])


@pytest.mark.parametrize(
    ("given", "fired"),
    [
        ({"trials": [True, True, True], "gate": {"metric": "pass^k", "k": 3}}, []),
        (
            {"trials": [True, False, True], "gate": {"metric": "pass^k", "k": 3}},
            ["gate.flaky", "gate.threshold"],
        ),
        (
            {"trials": [True], "gate": {"metric": "pass@3", "min": 0.5}},
            ["gate.too-few-trials"],
        ),
        ({"trials": [], "gate": {}}, ["gate.nothing-measured", "gate.too-few-trials"]),
        (
            {
                "tasks": {"a": [True, False, False], "b": [True, True, True]},
                "gate": {"metric": "pass@k", "k": 2, "min": 0.5},
                "reported": {"pass@2": 0.777778},
            },
            ["gate.pass-at-k"],
        ),
        (
            {
                "tasks": {"a": [True, False, False], "b": [True, True, True]},
                "gate": {"metric": "pass@k", "k": 2, "min": 0.5},
                "reported": {"pass@2": 0.8333},
            },
            [],
        ),
        (
            {
                "trials": {"n": 4, "c": 3},
                "gate": {"metric": "pass^k", "k": 2, "min": 0.4},
                "reported": 0.5625,
            },
            ["gate.flaky", "gate.pass-hat-k"],
        ),
        (
            {
                "trials": [True, True],
                "gate": {"metric": "pass^k", "k": 2, "min": 1.0},
                "reported": {"pass^4": 1.0, "passed": True},
            },
            ["gate.too-few-trials"],
        ),
        ({"scores": [0.9, 0.8], "threshold": 0.7, "gate": {"metric": "pass_rate"}}, []),
    ],
)
def test_trials(given, fired):
    assert judge(case("trials: any", **given))["fired"] == fired


def test_markers_stand_for_values():
    assert expand({"$repeat": {"item": {"id": "a{i}"}, "times": 2}}) == [
        {"id": "a0"},
        {"id": "a1"},
    ]
    assert (
        expand({"$text_repeat": {"prefix": "a", "text": "bc", "times": 2}}) == "abcbc"
    )
    assert math.isnan(expand({"x": [{"$float": "nan"}]})["x"][0])
    assert expand({"$datetime": "2026-01-02"}) == datetime.datetime(2026, 1, 2)
    assert expand({"$bytes_b64": "YQ=="}) == b"a"
    assert expand({"$other": 1}) == {"$other": 1}


def test_trials_are_read_however_they_are_written():
    assert dict(tasks_of({"trials": [True, False]})) == {"task": [True, False]}
    assert dict(tasks_of({"tasks": {"a": {"trials": [1]}}})) == {"a": [1]}
    listed = [{"id": "a", "trials": [True]}, {"id": "b", "trials": {"n": 2, "c": 1}}]
    assert dict(tasks_of({"tasks": listed})) == {"a": [True], "b": [True, False]}
    flat = [{"task": "a", "passed": True}, {"task": "a", "passed": False}]
    assert dict(tasks_of({"trials": flat})) == {"a": flat}
    assert dict(tasks_of({"trials": [[True], [False]]})) == {"0": [True], "1": [False]}


@pytest.mark.parametrize(
    ("trial", "word"),
    [
        (True, "passed"),
        ("Passed", "passed"),
        ({"status": "failed"}, "failed"),
        (0, "failed"),
        ("errored", "errored"),
        ("timeout", "errored"),
        ("skipped", "not_run"),
        (None, "not_run"),
        ({}, "not_run"),
    ],
)
def test_outcomes(trial, word):
    assert outcome(trial) == word


def test_figures_have_the_names_of_metrics():
    told = {"pass_at_3": 0.5, "value": 0.25, "passed": True, "note": "x"}
    assert figures(told, {"metric": "pass^3"}) == {"pass@3": 0.5, "pass^3": 0.25}


def test_usage_is_said(capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python tests/cases/run.py FILE\n"
