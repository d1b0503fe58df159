"""The lock: what it keeps of a run, what it refuses, and how it is read again."""

from __future__ import annotations

import json

import pytest

from pytest_agentgate.contract.catalogue import Definition
from pytest_agentgate.errors import AgentGateError
from pytest_agentgate.gate.facts import RunFacts
from pytest_agentgate.gate.manifest import conclude
from pytest_agentgate.gate.outcome import TrialRecord
from pytest_agentgate.gate.plan import Plan, PlannedTask
from pytest_agentgate.gate.terms import GateTerms
from pytest_agentgate.redaction import Redactor
from pytest_agentgate.store.lock import (
    agreed_definitions,
    lock_document,
    locked,
    read_lock,
    write_lock,
)

SEARCH = Definition(
    "search",
    "Finds notes.",
    {"type": "object", "properties": {"password": {"type": "string"}}},
    hints={"readOnlyHint": True},
    carried={"version": "1"},
)
NOTHING = Redactor({})
SECRET = Redactor({"API_TOKEN": "sk-verysecret-12345678"})


def manifest(*, outcome="passed", partial=(), tools=(SEARCH,), **facts):
    plan = Plan(
        {"recovery": GateTerms(k=2), "a": GateTerms(metric="pass@k", threshold=0.5)},
        (
            PlannedTask("t.py::z", "recovery", 2, "d1"),
            PlannedTask("t.py::b", "a", 1, "d2"),
        ),
        partial,
    )
    outcomes = {("t.py::z", 1): outcome, ("t.py::z", 2): "passed"}
    records = {
        key: TrialRecord(*key, "recovery", ended) for key, ended in outcomes.items()
    }
    records["t.py::b", 1] = TrialRecord("t.py::b", 1, "a", "passed")
    run = {
        "nonce": "n",
        "started": "2026-01-01",
        "versions": {"pytest-agentgate": "0.1.0", "python": "3.11"},
        "rules": [
            {"id": "b.c", "origin": "house:c", "severity": "error", "hash": "12ab"},
            {"id": "a.b", "origin": "built in", "severity": "error", "hash": ""},
        ],
        "tools": [locked(tool, NOTHING) for tool in tools],
        "waivers": [{"rule": "a.b", "tool": "*", "owner": "o", "reason": ""}],
    }
    return conclude(run, plan, records, RunFacts(**facts))


def nested(depth):
    schema = {}
    for _ in range(depth):
        schema = {"items": schema}
    return schema


def test_a_lock_says_what_was_agreed_and_nothing_of_the_run():
    document = lock_document(manifest())
    assert document == {
        "version": 1,
        "pytest-agentgate": "0.1.0",
        "tasks": [
            {
                "id": "t.py::b",
                "gate": "a",
                "metric": "pass@k",
                "k": 1,
                "trials": 1,
                "threshold": 0.5,
                "digest": "d2",
            },
            {
                "id": "t.py::z",
                "gate": "recovery",
                "metric": "pass^k",
                "k": 2,
                "trials": 2,
                "threshold": 1.0,
                "digest": "d1",
            },
        ],
        "rules": [
            {"id": "a.b", "origin": "built in", "hash": ""},
            {"id": "b.c", "origin": "house:c", "hash": "12ab"},
        ],
        "tools": [SEARCH.to_json()],
        "waivers": [{"rule": "a.b", "tool": "*", "owner": "o", "reason": ""}],
    }


def test_it_is_written_one_entry_a_line_and_read_again(tmp_path):
    path = tmp_path / "agentgate.lock"
    write_lock(path, lock_document(manifest()))
    before = path.read_bytes()
    assert b'\n{"id": "t.py::b", ' in before
    assert read_lock(path).tools == {"search": SEARCH}
    write_lock(path, lock_document(manifest()))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"partial": ("-k",)}, "this run was partial"),
        ({"outcome": "failed"}, "the decision of this run is block"),
        (
            {"tools": (Definition("odd", input_schema={"enum": {1}}),)},
            "the definition of tool 'odd' is no plain data",
        ),
    ],
)
def test_a_run_that_shows_nothing_is_not_locked(run, message):
    with pytest.raises(AgentGateError, match=message) as caught:
        lock_document(manifest(**run))
    assert "way out:" in str(caught.value)
    assert "docs/reference/lock.md" in str(caught.value)


def test_a_run_that_waits_for_a_review_is_locked():
    waiting = manifest(outcome="errored")
    assert waiting.decision.word == "needs_review"
    assert lock_document(waiting)["tasks"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("tasks: []", "no JSON"),
        ("<<<<<<< ours\n{}", "no JSON"),
        ("[]", "version '\\[\\]'"),
        ('{"version": 2}', "version '2'"),
        ('{"version": 1, "tasks": []}', "no list 'rules'"),
        (
            '{"version": 1, "tasks": [], "rules": [], "waivers": [], "tools": [1]}',
            "a tool '1'",
        ),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_what_is_no_lock_is_neither_read_nor_written_over(tmp_path, text, seen):
    path = tmp_path / "agentgate.lock"
    path.write_text(text)
    with pytest.raises(AgentGateError, match=seen):
        read_lock(path)
    with pytest.raises(AgentGateError, match="is no lock that this version reads"):
        write_lock(path, {"version": 1})
    assert path.read_text() == text


def test_a_missing_lock_names_the_way_to_one(tmp_path):
    with pytest.raises(AgentGateError, match="then pytest-agentgate lock"):
        read_lock(tmp_path / "agentgate.lock")


class TestDefinitions:
    def test_secrets_are_taken_out_and_property_names_stay(self):
        tool = Definition(
            "t", "Uses sk-verysecret-12345678.", SEARCH.input_schema, carried={}
        )
        kept = locked(tool, SECRET)
        assert "verysecret" not in json.dumps(kept)
        assert kept["input_schema"] == SEARCH.input_schema

    @pytest.mark.parametrize("schema", [nested(200_000), {"a": float("nan")}, {1: {2}}])
    def test_what_is_no_plain_data_is_its_name_alone(self, schema):
        assert locked(Definition("t", "d", schema), NOTHING) == {"name": "t"}

    def test_what_differs_in_redacted_text_alone_is_what_was_agreed(self, tmp_path):
        path = tmp_path / "agentgate.lock"
        secret = Definition("search", "Uses sk-verysecret-12345678.")
        run = manifest(tools=())
        document = lock_document(run) | {"tools": [locked(secret, SECRET)]}
        write_lock(path, document)
        agreed = agreed_definitions(read_lock(path), [secret], SECRET)
        assert agreed == {"search": secret}
        other = Definition("search", "Uses sk-verysecret-12345678, and more.")
        agreed = agreed_definitions(read_lock(path), [other], SECRET)
        assert agreed["search"] != other

    def test_a_tool_that_is_gone_stays_agreed(self, tmp_path):
        path = tmp_path / "agentgate.lock"
        write_lock(path, lock_document(manifest()))
        agreed = agreed_definitions(read_lock(path), [Definition("new")], NOTHING)
        assert agreed == {"search": SEARCH}
