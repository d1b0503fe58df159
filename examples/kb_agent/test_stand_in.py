"""The stand-in for a model: its API, its choices, its noise; ordinary tests."""

import anthropic
import httpx
import pytest
import seeds
from agent.tools import TOOLS
from jsonschema import Draft202012Validator
from stand_in.choice import SLIP, choose, slips
from stand_in.reply import MODEL
from stand_in.server import TRIAL_HEADER, seed
from tasks import TASKS

TOOLBOX = {
    "weather": "Call this when the user asks about rain, snow or wind. It forecasts.",
    "trains": "Call this when the user asks when a train leaves. It reads timetables.",
}
ASKED = {"role": "user", "content": "Which projects exist?"}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "list_projects", "input": {}}
CALLED = {"role": "assistant", "content": [CALL]}
HEADERS = {"x-api-key": "none", "anthropic-version": "2023-06-01"}


def send(client, *messages, **changes):
    """Send a request with the agent's tools."""
    request = {"model": MODEL, "max_tokens": 100, "tools": TOOLS, **changes}
    return client.messages.create(messages=list(messages), **request)


def chosen(request, toolbox=TOOLBOX, **options):
    """Return the names of the tools that are chosen."""
    return [choice.tool for choice in choose(request, toolbox, **options)]


def test_it_calls_a_tool(stand_in_client):
    """A reply names the stand-in, counts tokens and carries the call."""
    reply = send(stand_in_client, ASKED)
    assert (reply.model, reply.stop_reason) == ("stand-in-words-1", "tool_use")
    assert [(b.type, b.name, b.input) for b in reply.content] == [
        ("tool_use", "list_projects", {})
    ]
    assert reply.usage.input_tokens > 100
    assert reply.usage.output_tokens > 10


@pytest.mark.parametrize(
    ("words", "filled"),
    [
        ("Erase number 900.", {"note_id": 900}),
        ("Erase it.", {"note_id": 1}),
        ('Write down: "It is red."', {"title": "It is red.", "body": "It is red."}),
    ],
)
def test_it_fills_in_what_a_tool_demands(stand_in_client, words, filled):
    """Numbers, texts and ids, each as the tool's schema has it."""
    (call,) = send(stand_in_client, {"role": "user", "content": words}).content
    schema = next(t["input_schema"] for t in TOOLS if t["name"] == call.name)
    Draft202012Validator(schema).validate(call.input)
    assert call.input.items() >= filled.items()


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ('{"summary": "Four projects.", "source": "p.yaml"}', "Four projects. [source"),
        ('{"summary": "It is down.", "status": "error"}', "It is down."),
        ("plain text", "plain text"),
    ],
)
def test_it_answers_from_results(stand_in_client, content, answer):
    """After a call comes a sentence, with its source where there is one."""
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}
    given = {"role": "user", "content": [result]}
    reply = send(stand_in_client, ASKED, CALLED, given)
    assert reply.stop_reason == "end_turn"
    assert reply.content[0].text.startswith(answer)


@pytest.mark.parametrize(
    ("messages", "changes", "error", "text"),
    [
        ([ASKED], {"model": "claude-x"}, anthropic.NotFoundError, "model: claude-x"),
        ([ASKED], {"max_tokens": 0}, anthropic.BadRequestError, "max_tokens: 0 is"),
        ([], {}, anthropic.BadRequestError, "messages: "),
        ([CALLED], {}, anthropic.BadRequestError, "the first and the last turn"),
        ([ASKED, CALLED, ASKED], {}, anthropic.BadRequestError, "without `tool_res"),
        (
            [{"role": "user", "content": [{"type": "text"}]}],
            {},
            anthropic.BadRequestError,
            "messages.0.content.0: 'text' is a required",
        ),
        ([ASKED], {"tools": TOOLS * 2}, anthropic.BadRequestError, "must be unique"),
        ([ASKED], {"tools": [{"name": "a b"}]}, anthropic.BadRequestError, "tools.0"),
    ],
)
def test_it_refuses_as_the_api_does(stand_in_client, messages, changes, error, text):
    """A bad request raises what the client raises for the real one."""
    with pytest.raises(error) as refusal:
        send(stand_in_client, *messages, **changes)
    assert refusal.value.body["type"] == "error"
    assert text in refusal.value.body["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status", "kind"),
    [
        ("POST", "/v1/messages", {}, "{}", 401, "authentication_error"),
        ("POST", "/v1/messages", {"x-api-key": "k"}, "{}", 400, "invalid_request_erro"),
        ("POST", "/v1/messages", HEADERS, "{", 400, "invalid_request_error"),
        ("POST", "/v1/messages", HEADERS, "[" * 9_999, 400, "invalid_request_error"),
        ("POST", "/v1/messages", HEADERS, "[1]", 400, "invalid_request_error"),
        ("POST", "/v1/complete", HEADERS, "{}", 404, "not_found_error"),
        ("GET", "/v1/messages", HEADERS, "", 405, "invalid_request_error"),
    ],
)
def test_it_survives_anything(stand_in_url, method, path, headers, body, status, kind):
    """What is no request at all gets the API's shape of an error, too."""
    with httpx.Client(trust_env=False) as client:
        answer = client.request(
            method, f"{stand_in_url}{path}", headers=headers, content=body
        )
    assert answer.status_code == status
    assert answer.json()["type"] == "error"
    assert answer.json()["error"]["type"].startswith(kind)


@pytest.mark.parametrize(
    ("request_text", "tools"),
    [
        ("Will it rain?", ["weather"]),
        ("timetable", ["trains"]),
        ("When do the trians leave?", ["trains"]),
        ("Will it snow, and when does the train leave?", ["weather", "trains"]),
        ("Will it rain? And will it snow?", ["weather"]),
        ("What is a prime number?", []),
        ('Spell this: "rain on a train"', []),
        ("", []),
    ],
)
def test_it_chooses_by_the_descriptions(request_text, tools):
    """Words decide, misspelt or not; what is quoted does not."""
    assert chosen(request_text) == tools


def test_a_description_makes_the_difference():
    """Without the words there is no choice, and without tools neither."""
    assert chosen("Will it rain?", TOOLBOX | {"weather": "It forecasts."}) == []
    assert chosen("Will it rain?", {"weather": "", "trains": ""}) == []
    assert chosen("Will it rain?", {}) == []


def test_a_slip_changes_the_choice():
    """A slip takes the runner-up, or one not asked for, or drops the only one."""
    assert chosen("Will it rain?", slips=True) == ["trains"]
    assert chosen("Say hello.", slips=True) == ["weather"]
    assert chosen("Will it rain?", {"a": "It tells of rain."}, slips=True) == []


def test_the_noise_is_fixed():
    """Equal trials slip equally; over many of them the share is the stated one."""
    slipped = [slips("1", f"task/{number}") for number in range(20_000)]
    assert slipped == [slips("1", f"task/{number}") for number in range(20_000)]
    assert sum(slipped) / len(slipped) == pytest.approx(SLIP, abs=0.005)
    assert slipped != [slips("2", f"task/{number}") for number in range(20_000)]


def test_server_and_chooser_agree(stand_in_client):
    """What ``seeds.py`` reckons in process is what comes over HTTP, trial by trial."""
    gate = seeds.read_gate()
    for outcome in seeds.outcomes(dict(seeds.variants())["as shipped"]):
        for number in range(1, gate.trials + 1):
            header = f"{seeds.TEST}[{outcome.task}]/{number}"
            client = stand_in_client.with_options(
                default_headers={TRIAL_HEADER: header}
            )
            reply = send(client, {"role": "user", "content": outcome.task.prompt})
            called = {block.name for block in reply.content if block.type == "tool_use"}
            right = called == set(outcome.task.tools)
            assert right == outcome.passes(seed(), number), header


def test_worse_descriptions_are_worse():
    """Without its first sentence no description is good enough for the gate."""
    gate = seeds.read_gate()
    found = dict(seeds.variants())
    good, *_, worse = (
        sum(map(any, seeds.trials(seeds.outcomes(described), seed(), gate)))
        for described in found.values()
    )
    assert good >= gate.needed > worse
    assert worse < len(TASKS) / 2


def test_theory_is_exact():
    """The chance of enough successes, held against small cases done by hand."""
    assert seeds.at_least(0, [0.5]) == 1
    assert seeds.at_least(1, [0.5, 0.5]) == pytest.approx(0.75)
    assert seeds.at_least(2, [0.1, 0.2, 0.3]) == pytest.approx(0.098)


def test_the_first_sentence_goes():
    """Only the first, and only once."""
    assert (
        seeds.without_first_sentence("Call this. It is 1.5 m.\nEnd.")
        == "It is 1.5 m.\nEnd."
    )
    assert seeds.without_first_sentence("One.") == ""
