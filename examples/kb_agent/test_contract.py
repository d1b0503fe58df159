"""The shape of every result: each tool, where it delivers.

The plugin grades status, summary, payload, source and the declared output schema of
every call; the asserts say what is particular to this agent.
"""

import json
import uuid

import pytest
from faults import Fault

pytestmark = pytest.mark.agentgate

READS = ["search_kb", "list_projects", "classify_snippet", "search_notes"]


@pytest.mark.parametrize("kind", ["projects", "libraries", "notes"])
def test_search_kb_keeps_to_the_kind(agentgate, kind):
    """A kind narrows the search, and every passage names its note."""
    found = agentgate.call("search_kb", {"query": "tool results", "kind": kind})
    assert found.payload
    assert all(passage["path"].startswith(f"{kind}/") for passage in found.payload)
    assert {p["path"] for p in found.payload} == set(found.source.split(", "))


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("hook wrapper", "libraries/pluggy.md"),
        ("What does bm25 return?", "libraries/sqlite-fts5.md"),
        ("safe_load", "libraries/pyyaml.md"),
    ],
)
def test_search_kb_finds_the_note(agentgate, query, path):
    """The best passage comes from the note on the subject."""
    found = agentgate.call("search_kb", {"query": query})
    assert found.payload[0]["path"] == path


@pytest.mark.parametrize("query", ['"', "NOT (", "kind:*", "a AND", "NEAR/2", "it's"])
def test_search_kb_takes_any_query(agentgate, query):
    """Operators of the query language are words like any other."""
    found = agentgate.call("search_kb", {"query": f"{query} fixture"})
    assert found.status == "success"


@pytest.mark.parametrize("n_results", [1, 25])
def test_search_kb_is_capped(agentgate, n_results):
    """No more passages than asked for, and none longer than 1,200 characters."""
    arguments = {"query": "test tool service error file", "n_results": n_results}
    found = agentgate.call("search_kb", arguments)
    assert len(found.payload) == n_results
    assert all(len(passage["text"]) <= 1_200 for passage in found.payload)


def test_list_projects(agentgate, services):
    """Every project is listed, the services with their endpoints."""
    listed = agentgate.call("list_projects", {})
    endpoints = {p["name"]: p.get("endpoint") for p in listed.payload}
    assert endpoints.items() >= services.items()
    assert listed.source == "projects.yaml"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("The Navy launched a destroyer off Japan.", "operations sea asia_pacific"),
        ("Poland orders 96 attack helicopters.", "procurement other europe"),
        ("The weather was fine.", "other other other"),
    ],
)
def test_classify_snippet(agentgate, services, text, labels):
    """The labels come from the service, and the source says from which."""
    found = agentgate.call("classify_snippet", {"text": text})
    assert " ".join(found.payload.values()) == labels
    assert found.source == f"{services['classifier']}/classify"


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        ({"query": "CHECKLIST"}, ["Release checklist"]),
        ({"tag": "bug"}, ["Start commands must be right", "Flaky search test"]),
        ({"query": "index", "tag": "reminder"}, ["Rebuild the index on release"]),
    ],
)
def test_search_notes(agentgate, services, arguments, titles):
    """Text and tag narrow the search; the newest note comes first."""
    found = agentgate.call("search_notes", arguments)
    assert [note["title"] for note in found.payload] == titles
    assert found.source == f"{services['notes']}/notes"


def test_search_notes_without_arguments(agentgate):
    """Without arguments the tool lists the newest notes."""
    found = agentgate.call("search_notes", {})
    dates = [note["date"] for note in found.payload]
    assert len(dates) == 12
    assert dates == sorted(dates, reverse=True)


def test_search_notes_says_what_is_left_out(agentgate, misbehave):
    """A part of the notes is a warning with a payload, and long bodies are cut."""
    note = {"id": 1, "date": "2026-01-01", "title": "t", "body": "x" * 5_000}
    answer = {"notes": [note | {"tags": [], "unpromised": 1}], "total": 40}
    misbehave(Fault(body=json.dumps(answer)))
    found = agentgate.call("search_notes", {})
    assert found.status == "warning"
    assert found.summary == "The newest 1 of 40 matching notes."
    assert len(found.payload[0]["body"]) == 1_200
    assert found.payload[0]["body"].endswith(" [cut]")
    assert "unpromised" not in found.payload[0]
    assert "narrower query or a tag" in found.next_actions[0]


@pytest.mark.parametrize("name", [*READS, "add_note"])
def test_any_argument(agentgate, name):
    """Whatever a model may send is served or refused as the schema says.

    The notes stay as they are; what is added twice is there once.
    """
    agentgate.probe(name)


def test_a_note_is_added_once(agentgate, notes_service):
    """The same request_id again, as after a lost reply, adds nothing more."""
    title = f"Added by a test {uuid.uuid4()}"
    note = {"title": title, "body": "Once.", "tags": ["test"]}
    note["request_id"] = str(uuid.uuid4())
    first = agentgate.call("add_note", note)
    again = agentgate.call("add_note", note)
    assert first.payload == again.payload
    found = agentgate.call("search_notes", {"query": title})
    assert [one["id"] for one in found.payload] == [first.payload["id"]]
    assert events_of(notes_service, first.payload["id"]) == ["note.added"]


def test_a_note_is_deleted(agentgate, notes_service):
    """It is gone, a second time says so, and an event tells of one deletion."""
    note = {"title": "t", "body": "b", "tags": [], "request_id": str(uuid.uuid4())}
    number = notes_service.post("/notes", json=note).json()["note"]["id"]
    assert agentgate.call("delete_note", {"note_id": number}).status == "success"
    gone = agentgate.call("delete_note", {"note_id": number}, mode="no_such_note")
    assert f"no note has the id {number}" in gone.next_actions[0]
    assert events_of(notes_service, number) == ["note.added", "note.deleted"]


def events_of(notes_service, number):
    """Return what the audit log tells of a note."""
    events = notes_service.get("/audit").json()["events"]
    return [event["event"] for event in events if event["note"] == number]
