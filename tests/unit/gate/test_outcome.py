"""Records travel as one ASCII string and come back unchanged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping
from pytest_agentgate.gate.outcome import (
    FindingGroup,
    TrialRecord,
    decode,
    encode,
    group,
    kind_of,
    seen_of,
    total,
)
from pytest_agentgate.grading.finding import Finding

texts = st.text(alphabet=st.characters(codec=None), max_size=20)


@given(reason=texts, tool=texts, seconds=st.floats(0, 1e6), modes=st.lists(texts))
def test_round_trip(reason, tool, seconds, modes):
    record = TrialRecord(
        "t",
        1,
        "g",
        "failed",
        reason=reason,
        seconds=seconds,
        modes=tuple(modes),
        findings=(FindingGroup("r.r", tool, "fail", "error", reason),),
        observations={tool: 2},
        kinds={tool: {"success": 1, "error": 1}},
        latencies=(0.5,),
    )
    text = encode(record)
    assert text.isascii()
    assert decode(text) == record


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": "great"}, "unknown outcome 'great'"),
        ({"extra": 1}, "unknown fields in a trial record: ['extra']"),
        ({"findings": [{"rule": "r"}]}, "not a trial record"),
    ],
)
def test_what_is_no_record_is_refused(change, message):
    data = TrialRecord("t", 1, "g", "passed").to_json() | change
    with pytest.raises(ValueError, match=r".+") as raised:
        decode(json.dumps(data))
    assert message in str(raised.value)


def test_a_missing_field_is_refused():
    with pytest.raises(ValueError, match="not a trial record"):
        decode('{"task": "t", "outcome": "passed"}')


def test_equal_complaints_are_counted_once_with_the_first_evidence():
    findings = [
        Finding("m", rule="a.b", tool="t", seen="first"),
        Finding("m", rule="a.b", tool="t", seen="second"),
        Finding("m", rule="a.b", tool="u"),
    ]
    groups = group(findings)
    assert [(g.tool, g.count, g.seen) for g in groups] == [
        ("t", 2, "first"),
        ("u", 1, ""),
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], None), ([1, 2], 3), ([1, None], None), ([0], 0), ([None], None)],
)
def test_total(values, expected):
    assert total(values) == expected


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"status": "success", "payload": [1]}, "success"),
        ({"status": "success", "payload": 0}, "success"),
        ({"status": "success", "payload": False}, "success"),
        ({"status": "warning", "payload": {"rows": [1]}}, "success"),
        ({"status": "success", "payload": []}, "empty"),
        ({"status": "success", "payload": ""}, "empty"),
        ({"status": "success", "payload": {"rows": [], "total": 0}}, "empty"),
        ({"status": "warning"}, "empty"),
        ({"status": "error"}, "error"),
        ({"status": "error", "payload": [1]}, "error"),
        ({"status": "success"}, None),
        ({"status": "fine", "payload": [1]}, None),
    ],
)
def test_kinds(given, kind):
    parsed = parse({"summary": "s", **given}, ObservationMapping())
    assert kind_of(parsed.observation) == kind


def test_kinds_of_shards_add_up():
    records = [
        TrialRecord("a", 1, "g", "passed", kinds={"t": {"success": 2}}),
        TrialRecord("b", 1, "g", "failed", kinds={"t": {"success": 1, "error": 1}}),
        TrialRecord("c", 1, "g", "errored", kinds={"s": {"empty": 1}}),
    ]
    assert seen_of(records) == {"s": {"empty": 1}, "t": {"success": 3, "error": 1}}
