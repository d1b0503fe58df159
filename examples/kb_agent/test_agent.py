"""The loop itself, on a scripted model: ordinary tests, not part of the gate."""

import json

import pytest
from agent.agent import MAX_ROUNDS, NO_END, ask
from agent.tools import NEEDS_APPROVAL
from scripted import Script, reply, text

LISTING = {"type": "tool_use", "id": "t1", "name": "list_projects", "input": {}}
DELETE = {
    "type": "tool_use",
    "id": "t3",
    "name": "delete_note",
    "input": {"note_id": 900},
}
UNKNOWN = {"type": "tool_use", "id": "t2", "name": "no_such_tool", "input": {}}


def test_tools_are_called_and_recorded():
    """Two calls in one turn give two results in one message."""
    script = Script(
        reply("tool_use", LISTING, UNKNOWN), reply("end_turn", text("Four projects."))
    )
    run = ask("Which projects are there?", client=script)
    assert run.answer == "Four projects."
    assert [call["name"] for call in run.calls] == ["list_projects", "no_such_tool"]
    assert run.calls[0]["result"]["status"] == "success"
    assert run.usage == {"input_tokens": 20, "output_tokens": 4}
    assert (run.steps, run.ending, run.model) == (2, "end_turn", "scripted")
    results = script.requests[1][-1]["content"]
    assert [result["is_error"] for result in results] == [False, True]
    assert json.loads(results[0]["content"]) == run.calls[0]["result"]


@pytest.mark.parametrize(
    ("stop_reason", "note"),
    [
        ("max_tokens", "cut off at the token limit"),
        ("refusal", "declined to answer"),
        ("model_context_window_exceeded", "outgrew the context window"),
    ],
)
def test_a_run_cut_short_says_so(stop_reason, note):
    """What was cut off is not passed off as an answer, nor its tool call run."""
    run = ask("?", client=Script(reply(stop_reason, text("It is"), LISTING)))
    assert run.answer.startswith("It is\n\n")
    assert note in run.answer
    assert run.ending == stop_reason
    assert not run.calls


def test_a_paused_turn_goes_on():
    """After a pause the same turn is sent back as it is."""
    script = Script(
        reply("pause_turn", text("Wait.")), reply("end_turn", text("Done."))
    )
    assert ask("?", client=script).answer == "Done."
    assert script.requests[1][-1]["role"] == "assistant"


def test_an_empty_answer_says_so():
    """Silence is not an answer."""
    assert ask("?", client=Script(reply("end_turn"))).answer.startswith(
        "The model gave"
    )


def test_the_loop_ends():
    """A model that never stops calling tools is stopped."""
    run = ask("?", client=Script(*[reply("tool_use", LISTING)] * MAX_ROUNDS))
    assert (run.answer, run.ending) == (NO_END, "max_rounds")
    assert len(run.calls) == run.steps == MAX_ROUNDS


@pytest.mark.parametrize("agreed", [True, False])
def test_a_person_is_asked_before_what_cannot_be_undone(agreed, notes_service):
    """The person sees the call itself, and what they say is what happens."""
    added = {"title": "t", "body": "b", "tags": [], "request_id": "to-be-deleted"}
    note = notes_service.post("/notes", json=added).json()["note"]["id"]
    asked = []

    def approve(name, arguments):
        asked.append((name, arguments))
        return agreed

    call = DELETE | {"input": {"note_id": note}}
    script = Script(reply("tool_use", call, LISTING), reply("end_turn", text("Done.")))
    run = ask("Delete it.", client=script, approve=approve)
    assert asked == [("delete_note", {"note_id": note})]
    assert run.calls[0]["result"]["status"] == ("success" if agreed else "error")
    events = notes_service.get("/audit").json()["events"]
    assert ({"event": "note.deleted", "note": note} in events) is agreed
    assert [call["name"] for call in run.calls] == ["delete_note", "list_projects"]


def test_without_anybody_to_ask_nobody_agrees():
    """A loop that was given no one to ask deletes nothing."""
    run = ask("?", client=Script(reply("tool_use", DELETE), reply("end_turn")))
    assert run.calls[0]["result"]["summary"] == "delete_note was not carried out."
    assert {"delete_note"} == NEEDS_APPROVAL
