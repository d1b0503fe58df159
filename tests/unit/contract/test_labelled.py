"""The labelled text block."""

from __future__ import annotations

import time

import pytest

from pytest_agentgate.contract.jsontext import MAX_CHARS
from pytest_agentgate.contract.labelled import read_labelled


def fields(text):
    return read_labelled(text).value


def test_the_plain_block():
    text = "status: error\nsummary: Index missing.\nnext_actions:\n- build it\n- stop"
    assert fields(text) == {
        "status": "error",
        "summary": "Index missing.",
        "next_actions": ["build it", "stop"],
    }


@pytest.mark.parametrize(
    "label", ["next_actions", "next actions", "Next-Actions", "NEXT_ACTIONS"]
)
def test_labels_in_any_spelling(label):
    text = f"\n\n  STATUS : error\r\n  {label}: ask\r\n"
    assert fields(text) == {"status": "error", "next_actions": ["ask"]}


@pytest.mark.parametrize(
    ("written", "actions"),
    [
        ("one thing", ["one thing"]),
        ("\n- a\n- b", ["a", "b"]),
        ("\n  * a\n    goes on\n  * b", ["a goes on", "b"]),
        ("\n1. a\n2) b", ["a", "b"]),
        ("\na\n\nb", ["a", "b"]),
        ('["a", "b"]', ["a", "b"]),
        ("[a] then b", ["[a] then b"]),
        ("", None),
    ],
)
def test_next_actions(written, actions):
    text = f"status: error\nnext_actions:{written}"
    assert fields(text)["next_actions"] == actions


@pytest.mark.parametrize(
    ("written", "payload"),
    [
        ('{"rows": []}', {"rows": []}),
        ('\n{\n  "rows": [1]\n}', {"rows": [1]}),
        ("42", 42),
        ("null", None),
        ("two\nlines", "two\nlines"),
        ("{not json", "{not json"),
        ("", None),
    ],
)
def test_payload_is_json_or_text(written, payload):
    text = f"status: success\npayload: {written}\nsource: db"
    assert fields(text) == {"status": "success", "payload": payload, "source": "db"}


def test_a_label_met_again_in_the_payload_is_payload():
    text = "status: success\nsummary: log\npayload:\nstatus: 500\nsummary: x\nsource: f"
    decoded = read_labelled(text)
    assert decoded.value["payload"] == "status: 500\nsummary: x"
    assert decoded.value["source"] == "f"
    assert decoded.defects == ()


def test_indented_lines_belong_to_the_value():
    text = "status: success\npayload:\n  source: inner\nsource: outer"
    assert fields(text)["payload"] == "source: inner"
    assert fields(text)["source"] == "outer"


def test_a_repeated_label_is_a_defect_and_the_first_wins():
    decoded = read_labelled("status: error\nstatus: success\nsummary: x")
    assert decoded.value == {"status": "error", "summary": "x"}
    assert [(d.kind, d.path) for d in decoded.defects] == [("duplicate-key", "/status")]


@pytest.mark.parametrize(
    ("payload", "kind", "path"),
    [
        ('{"a": NaN}', "non-finite", "/payload/a"),
        ('{"a": 1, "a": 2}', "duplicate-key", "/payload"),
        ("[" * 500 + "]" * 500, "too-deep", "/payload"),
        ("bad \ud800", "surrogate", "/payload"),
    ],
    ids=["nan", "twice", "deep", "surrogate"],
)
def test_defects_in_values(payload, kind, path):
    (defect,) = read_labelled(f"status: success\npayload: {payload}").defects
    assert (defect.kind, defect.path) == (kind, path)


def test_recovery_labels():
    text = "status: error\nRoot cause: quota\nretryable: true\nretry after: 30"
    assert fields(text) == {
        "status": "error",
        "root_cause": "quota",
        "retryable": True,
        "retry_after": 30,
    }


@pytest.mark.parametrize(
    "text", ["", "Repository status:\nok", "all good", "- status: x", "statuses: 3"]
)
def test_other_text(text):
    assert read_labelled(text) is None


def test_size():
    decoded = read_labelled("status: success\npayload: " + "x" * MAX_CHARS)
    assert [d.kind for d in decoded.defects] == ["too-large"]
    assert decoded.problem.startswith("the text is too large: ")


@pytest.mark.parametrize("line", ["status: x\n", " \n", "status\n"])
def test_many_lines_cost_one_pass(line):
    started = time.perf_counter()
    decoded = read_labelled("status: x\n" + line * 100_000)
    assert time.perf_counter() - started < 1
    assert len(decoded.defects) <= 100
