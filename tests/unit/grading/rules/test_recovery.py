"""Family recovery: at least twelve inputs a rule, a third of them good."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping
from pytest_agentgate.contract.tool import FailureMode, ToolContract
from pytest_agentgate.errors import AgentGateError
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.rules import recovery

RULES = {entry.id.partition(".")[2]: entry for entry in recovery.RULES}
SHARED = Path(__file__).resolve().parents[4] / ".." / "shared"
TEXT = ObservationMapping.model_validate("text")
ERROR = {
    "status": "error",
    "summary": "Index file is missing.",
    "next_actions": ["Go."],
}
TRACEBACK = 'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in f\nBoom'


def error(*actions, **fields):
    return {**ERROR, "next_actions": list(actions), **fields}


def answer(rule, raw, mapping=None, **context):
    result = parse(raw, mapping) if mapping else parse(raw)
    said = RULES[rule].check(result, Context(**context))
    if said is None:
        return []
    return list(said) if isinstance(said, list | tuple) else [said]


def verdicts(*args, **context):
    return [one.verdict for one in answer(*args, **context)]


def test_rules_stand_in_catalogue_order():
    assert list(RULES) == [
        *("root-cause", "remediation", "stop-condition", "expected", "actionable"),
        *("unsafe-retry", "retry-class", "retry-after", "tainted"),
    ]


@pytest.mark.parametrize("entry", recovery.RULES, ids=lambda entry: entry.id)
def test_examples(entry):
    for example, fails in ((entry.bad, True), (entry.good, False)):
        name = entry.id.partition(".")[2]
        assert bool(answer(name, example.subject, **example.context)) is fails


@pytest.mark.parametrize("entry", recovery.RULES, ids=lambda entry: entry.id)
def test_page_is_complete(entry):
    assert entry.fails_when
    assert entry.why
    assert entry.way_out


NOT_OWED = [
    {"status": "success", "summary": "x", "payload": [], "source": "db"},
    {"status": "warning", "summary": "Error", "payload": [1], "next_actions": ["Go."]},
    {"status": "warning", "summary": "Error", "payload": 0, "next_actions": []},
    None,
    "plain text",
]


@pytest.mark.parametrize("raw", NOT_OWED)
@pytest.mark.parametrize("name", ["root-cause", "remediation", "stop-condition"])
def test_owed_on_failure_paths_only(name, raw):
    assert answer(name, raw) == []


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [
        (error(summary="Something went wrong."), ["fail"]),
        (error(summary="Error"), ["fail"]),
        (error(summary=""), ["fail"]),
        (error(summary=None), ["fail"]),
        (error(summary=TRACEBACK), ["fail"]),
        (error(summary="Tool crashed.", error={"root_cause": TRACEBACK}), ["fail"]),
        (error(summary="failed", error={"root_cause": "unknown"}), ["fail"]),
        (error(summary="failed", error={"root_cause": "An error occurred."}), ["fail"]),
        (error(summary="failed", root_cause=" "), ["fail"]),
        (error(summary="failed", error={"message": "Oops!"}), ["fail"]),
        ({"status": "warning", "summary": "failed"}, ["fail"]),
        (error(summary="failed", error={"root_cause": "name not registered"}), []),
        (error(summary="failed", error={"root_cause": ["disk full", "on /data"]}), []),
        (error(summary="failed", error={"message": "No such table: notes"}), []),
        (error(summary="failed", error="connection refused by the index"), []),
        (error(summary="HTTP 429:"), []),
        (error(summary="failed", root_cause="Brak połączenia z bazą"), []),
        (error(summary="Nie znaleziono pliku klienta."), ["abstain"]),
    ],
)
def test_root_cause(raw, verdict):
    assert verdicts("root-cause", raw) == verdict


STOPPING = "Retry once; if it fails again, stop and tell the user."


@pytest.mark.parametrize(
    ("raw", "remedy", "stop"),
    [
        (error(), "fail", "fail"),
        (error(" "), "fail", "fail"),
        (error("n/a"), "fail", "fail"),
        (error("Try again."), "fail", "fail"),
        (error("Service detail: " + STOPPING), "fail", "fail"),
        (error("Try again.", error={"remediation": " "}), "fail", "fail"),
        (error("Try again.", error={"remediation": "none"}), "fail", "fail"),
        (error("Try again.", stop_condition="-"), "fail", "fail"),
        (error("Try again.", error={"stop_condition": TRACEBACK}), "fail", "fail"),
        ({**error("Try again."), "status": "warning"}, "fail", "fail"),
        (error("Start the index."), "", "fail"),
        (error("Spróbuj ponownie później."), "abstain", "abstain"),
        (error(STOPPING), "", ""),
        (error("Retry once.", "If it fails again, stop."), "", ""),
        (
            error(error={"remediation": "Pick a date.", "stop_condition": "stop"}),
            "",
            "",
        ),
        (
            error("Go.", remediation=["Pick a date."], stop_condition=["2 tries"]),
            "",
            "",
        ),
        (error(remediation="Zmień datę", stop_condition="Po dwóch próbach"), "", ""),
        (error(remediation=STOPPING), "", ""),
    ],
)
def test_remediation_and_stop_condition(raw, remedy, stop):
    assert verdicts("remediation", raw) == ([remedy] if remedy else [])
    assert verdicts("stop-condition", raw) == ([stop] if stop else [])


def test_plain_text_is_its_own_advice():
    raw = {
        "isError": True,
        "content": [{"type": "text", "text": "No index. " + STOPPING}],
    }
    assert verdicts("remediation", raw, TEXT) == []
    assert verdicts("stop-condition", raw, TEXT) == []
    assert verdicts("root-cause", raw, TEXT) == []


def test_finding_shows_what_was_read():
    (found,) = answer("stop-condition", error("Start the index, then retry."))
    assert found.message == "a failure path without a stop condition"
    assert found.seen == "['Start the index, then retry.']"
    assert "how often" in found.expected


MODES = ToolContract(
    name="search",
    failure_modes=(
        FailureMode(name="down", says=(r"uvicorn .*--port \d+", r"(?i)STOP")),
        FailureMode(name="empty", says=("Drop the kind",)),
        FailureMode(name="free"),
    ),
)
RUN = "Run uvicorn api:app --port 8000; if it fails again, stop."


@pytest.mark.parametrize(
    ("mode", "raw", "count"),
    [
        ("down", error("Start it."), 2),
        ("down", error("uvicorn api:app --port 8000"), 1),
        ("down", error("stop"), 1),
        ("down", error(summary="refused"), 2),
        ("empty", error("Drop the tag filter."), 1),
        ("empty", error("drop the kind filter"), 1),
        ("empty", {"status": "success", "summary": "0 rows", "payload": []}, 1),
        ("absent", error(RUN), 1),
        ("", error(RUN), 1),
        ("down", error(RUN), 0),
        ("down", error("Retry.", remediation=RUN), 0),
        ("down", error("Retry.", stop_condition="STOP", summary=RUN), 0),
        ("empty", error("Drop the kind='x' filter."), 0),
        ("free", error(), 0),
        ("free", {"status": "success", "summary": "0 rows", "payload": []}, 1),
    ],
)
def test_expected(mode, raw, count):
    assert verdicts("expected", raw, mode=mode, contract=MODES) == ["fail"] * count


PARTS = FailureMode(
    name="m",
    status="error",
    cause="refused the connection",
    remedy="make serve",
    stop="refused again, stop",
)
WHOLE = error(
    "Start it with make serve, then retry once.",
    "If it is refused again, stop.",
    summary="The index refused the connection.",
)


@pytest.mark.parametrize(
    ("raw", "messages"),
    [
        (WHOLE, []),
        ({**WHOLE, "status": "warning"}, ["the status is not the declared one"]),
        ({**WHOLE, "status": "success"}, ["the status is not the declared one"]),
        ({**WHOLE, "summary": "Down."}, ["the declared cause is not there"]),
        (
            {**WHOLE, "next_actions": ["Retry once."]},
            [
                "the declared remedy is not there",
                "the declared stop condition is not there",
            ],
        ),
        (
            {"status": "success", "summary": "Fine.", "payload": 1},
            [
                "the status is not the declared one",
                "the declared cause is not there",
                "the declared remedy is not there",
                "the declared stop condition is not there",
            ],
        ),
        (
            error(
                root_cause="It refused the connection.",
                remediation="make serve",
                stop_condition="If refused again, stop.",
            ),
            [],
        ),
    ],
)
def test_expected_parts_are_named(raw, messages):
    contract = ToolContract(name="t", failure_modes=(PARTS,))
    found = answer("expected", raw, mode="m", contract=contract)
    assert [one.message.removeprefix("failure mode 'm': ") for one in found] == messages


def test_undeclared_mode_is_named():
    (found,) = answer("expected", error(), mode="dwn", contract=MODES)
    assert found.message == "failure mode 'dwn' is not declared"
    assert found.expected == "one of: down, empty, free"


def says(pattern):
    return ToolContract(
        name="t", failure_modes=(FailureMode(name="m", says=(pattern,)),)
    )


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"(.*a){20}b", "(x+x+)+y"])
def test_no_pattern_can_hang_a_run(pattern):
    began = time.perf_counter()
    answer("expected", error("a" * 4_000 + "!"), mode="m", contract=says(pattern))
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "("])
def test_pattern_that_cannot_be_used_is_an_error_of_the_policy(pattern):
    with pytest.raises(AgentGateError, match="cannot be used") as caught:
        answer("expected", error("a"), mode="m", contract=says(pattern))
    assert "without look-around" in str(caught.value)


def test_lone_surrogates_do_not_hide_the_wording():
    raw = error("run it \ud800 now")
    assert answer("expected", raw, mode="m", contract=says("run it .* now")) == []


TOOLS = frozenset({"search_docs", "read_doc", "create-session"})
SEARCH = ToolContract(
    name="search_docs",
    input_schema={
        "type": "object",
        "properties": {
            "kind": {"type": "string"},
            "span": {"type": "object", "properties": {"start": {"type": "string"}}},
        },
    },
)


@pytest.mark.parametrize(
    "text",
    [
        "Call `get_job` with the id.",
        "Poll get_operation with the operation_id above.",
        "get_operation(operation_id)",
        "Use the lookup_user tool to find the id.",
        "Invoke the tool find_docs first.",
        "Call 'lister' to see all.",
        "Then retry search_doc.",
        "Rufe find_docs auf.",
        "find_docs を呼び出してください。",
        "请调用 find_docs 工具。",
        "Drop the 'category' filter.",
        "Call again with start_at=25.",
        "Set limit=5 and retry once.",
    ],
)
def test_not_actionable(text):
    found = answer("actionable", error(text), known_tools=TOOLS, contract=SEARCH)
    assert [one.verdict for one in found] == ["fail"]


@pytest.mark.parametrize(
    "text",
    [
        "Call search_docs, then read_doc.",
        "Pick from: search_docs, read_doc.",
        "Call again with a shorter query.",
        "Call the service owner.",
        "Run scripts/build_index.py, then retry.",
        "Run `uv run build-index --all`.",
        "Call json.loads_all() on the text.",
        "Call to_string() first.",
        "Set KB_ALLOWED_HOSTS=localhost.",
        "Set the error_code in the form.",
        "Drop the kind='libraries' filter.",
        "Drop the 'start' filter.",
        "Drop the date filter.",
        "Use snake_case names.",
        "Check get_charge(order), or resend with the SAME key.",
        "Call create-session with title='x'.",
        "Start it: uvicorn app:api --port=8000",
    ],
)
def test_actionable(text):
    found = answer("actionable", error(text), known_tools=TOOLS, contract=SEARCH)
    assert found == []


READS = ToolContract(name="get", side_effect="read_only")
CHARGE = ToolContract(name="charge", side_effect="irreversible_mutation")
EDIT = ToolContract(name="edit", side_effect="reversible_mutation")
NATURAL = ToolContract(
    name="delete", side_effect="irreversible_mutation", idempotency="natural"
)
NOBODY = ToolContract(name="x")


@pytest.mark.parametrize(
    ("summary", "advice", "contract", "transport", "fires"),
    [
        ("The charge timed out.", "Retry once, then stop.", CHARGE, None, True),
        ("The charge timed out.", "Send it again.", EDIT, None, True),
        ("Connection lost.", "Please try again.", CHARGE, None, True),
        ("The service returned HTTP 502.", "Retry in 30 s.", CHARGE, None, True),
        ("Not saved?", "Repeat the call.", CHARGE, {"timed_out": True}, True),
        ("It failed.", "Resubmit the form.", CHARGE, {"http_status": 500}, True),
        ("No answer in 30 s.", "Einmal wiederholen.", CHARGE, None, True),
        ("请求超时。", "请重试一次。", CHARGE, None, True),
        ("The charge timed out.", "Check get_charge, then retry.", CHARGE, None, False),
        ("It timed out.", "Resend with the same key once.", CHARGE, None, False),
        ("The charge timed out.", "Do not retry; tell the user.", CHARGE, None, False),
        ("The search timed out.", "Retry once.", READS, None, False),
        ("It timed out.", "Retry once.", NATURAL, None, False),
        ("It timed out.", "Retry once.", NOBODY, None, False),
        ("Permission denied.", "Retry once.", CHARGE, None, False),
        ("HTTP 429: slow down", "Retry in 21 s.", CHARGE, None, False),
        ("It timed out; nothing was charged.", "Retry once.", CHARGE, None, False),
        ("Connection refused.", "Start it, then retry.", CHARGE, None, False),
    ],
)
def test_unsafe_retry(summary, advice, contract, transport, fires):
    raw = error(advice, summary=summary)
    found = answer("unsafe-retry", raw, contract=contract, transport=transport)
    assert bool(found) is fires


@pytest.mark.parametrize(
    ("summary", "flag", "transport", "fires"),
    [
        ("Permission denied.", True, None, True),
        ("Note 7 was not found.", True, None, True),
        ("invalid value for kind", True, None, True),
        ("Unauthorized", True, None, True),
        ("failed", True, {"http_status": 404}, True),
        ("failed", True, {"http_status": 422}, True),
        ("The search timed out.", False, None, True),
        ("Rate limit reached.", False, None, True),
        ("network unreachable while reading", False, None, True),
        ("failed", False, {"http_status": 503}, True),
        ("The service returned HTTP 429.", "false", None, True),
        ("Zeitüberschreitung beim Lesen", False, None, True),
        ("Permission denied.", False, None, False),
        ("The search timed out.", True, None, False),
        ("The disk is full.", True, None, False),
        ("The disk is full.", False, None, False),
        ("Timeout, or the id was not found.", True, None, False),
        ("invalid response from upstream", True, None, False),
        ("failed", False, {"http_status": 400}, False),
        ("Permission denied.", None, None, False),
        ("Permission denied.", "maybe", None, False),
    ],
)
def test_retry_class(summary, flag, transport, fires):
    raw = error("Stop.", summary=summary, retryable=flag)
    assert bool(answer("retry-class", raw, transport=transport)) is fires


def test_not_repeating_a_write_of_unknown_outcome_is_right():
    raw = error("Stop.", summary="The charge timed out.", error={"retryable": False})
    assert answer("retry-class", raw, contract=CHARGE) == []
    assert answer("retry-class", raw, contract=READS) != []


@pytest.mark.parametrize(
    ("raw", "transport", "fires"),
    [
        (error("Wait."), {"retry_after": 21}, True),
        (error("Wait."), {"retry_after": "21"}, True),
        (error("Wait."), {"headers": {"Retry-After": "21"}}, True),
        (error("Wait 5 s."), {"retry-after": 21}, True),
        (error("Wait.", summary="429, Retry-After: 21"), None, True),
        (error("Wait.", summary="limited (retry after 21 s)"), None, True),
        (error("Wait.", payload={"headers": {"retry-after": "21"}}), None, True),
        (error("Wait."), {"retry_after": "Wed, 21 Oct 2026 07:28:00 GMT"}, True),
        (error("Wait 21 s."), {"retry_after": 21}, False),
        (error("Wait 30 s."), {"retry_after": 21}, False),
        (error("Wait a minute."), {"retry_after": 60}, False),
        (error("Wait 2 minutes."), {"retry_after": "120"}, False),
        (error("Wait.", retry_after=21), {"retry_after": 21}, False),
        (error("Wait.", error={"retry_after": 21}), {"retry_after": 21}, False),
        (error("Wait."), {"retry_after": 0}, False),
        (error("Wait."), {"http_status": 429}, False),
        (error("Wait."), None, False),
    ],
)
def test_retry_after(raw, transport, fires):
    found = answer("retry-after", raw, transport=transport)
    assert bool(found) is fires
    assert RULES["retry-after"].severity == "warning"


CANARY = {"canary": "zx-41-canary"}


@pytest.mark.parametrize(
    ("raw", "transport", "fires"),
    [
        (error("Service detail: zx-41-canary"), CANARY, True),
        (error("Retry.", "zx-41-canary"), CANARY, True),
        (error("Retry.", remediation="call zx-41-canary"), CANARY, True),
        (error("Retry.", stop_condition="zx-41-canary"), CANARY, True),
        (error({"do": "zx-41-canary"}), CANARY, True),
        (error("b"), {"canary": ["a", "b"]}, True),
        ({**error("zx-41-canary"), "status": "warning", "payload": [1]}, CANARY, True),
        (error("zx-41-canary", status="success"), CANARY, True),
        (error("Retry."), CANARY, False),
        (error("Retry.", summary="detail: zx-41-canary"), CANARY, False),
        (error("Retry.", payload={"detail": "zx-41-canary"}), CANARY, False),
        (error("zx-41-canary"), {"http_status": 500}, False),
        (error("zx-41-canary"), {"canary": ""}, False),
    ],
)
def test_tainted(raw, transport, fires):
    assert bool(answer("tainted", raw, transport=transport)) is fires


@pytest.mark.parametrize("entry", recovery.RULES, ids=lambda entry: entry.id)
def test_says_nothing_of_a_tool_that_raised(entry):
    result = parse({"status": "error"}, raised="ValueError")
    context = Context(
        mode="m", contract=MODES, known_tools=TOOLS, transport={"canary": "x"}
    )
    assert entry.check(result, context) is None


def test_kb_agent_rows():
    path = SHARED / "data" / "kb_agent" / "observations.jsonl"
    if not path.exists():
        pytest.skip("../shared is not here")
    failed: Counter[str] = Counter()
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        result = parse(row["result"], raised=row["raised"])
        for name in ("root-cause", "remediation", "stop-condition", "actionable"):
            known = frozenset({"search_kb", "list_projects", "search_notes"})
            context = Context(
                tool=row["tool"], known_tools=known | {"classify_snippet"}
            )
            found = RULES[name].check(result, context)
            failed[name] += found is not None
    assert failed["stop-condition"] == 18
    assert sum(failed.values()) == 18


def nested(depth):
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        *(0, 1.5, True, "", b"x", [None], {"": None}, {1: 2}, object(), "\ud800"),
        *(nested(3_000), "x" * 200_000, "a_" * 50_000, ["retry"] * 5_000),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
@pytest.mark.parametrize("entry", recovery.RULES, ids=lambda entry: entry.id)
def test_no_value_crashes_or_stalls_a_rule(entry, value):
    context = Context(
        tool="t",
        arguments={"q": value},
        contract=CHARGE,
        known_tools=TOOLS,
        mode="m",
        transport={"canary": value, "headers": value, "error": value},
    )
    names = ("summary", "root_cause", "remediation", "retryable", "error")
    results = [parse(error("Go.", **{name: value})) for name in names]
    results.append(parse({**ERROR, "next_actions": value}))
    began = time.perf_counter()
    for result in results:
        entry.check(result, context)
    assert time.perf_counter() - began < 1
