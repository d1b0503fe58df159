"""Family envelope: at least twelve inputs a rule, a third of them good."""

from __future__ import annotations

import datetime
import time

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping
from pytest_agentgate.contract.observation import Observation, ToolResult
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.rules import envelope

RULES = {entry.id.partition(".")[2]: entry for entry in envelope.RULES}
TEXT = ObservationMapping.model_validate("text")
OK = {"status": "success", "summary": "1 row.", "payload": [1], "source": "db:t#1"}
BAD = {"status": "error", "summary": "Index missing.", "next_actions": ["Run it."]}


def ok(**fields):
    return {**OK, **fields}


def without(name, base=OK):
    return {key: value for key, value in base.items() if key != name}


def answer(rule, raw, mapping=None, **context):
    result = (
        raw if isinstance(raw, ToolResult) else parse(raw, mapping or parse_default)
    )
    said = RULES[rule].check(result, Context(**context))
    if said is None:
        return []
    return list(said) if isinstance(said, list | tuple) else [said]


parse_default = ObservationMapping()


def test_rules_stand_in_catalogue_order():
    assert [entry.id.partition(".")[2] for entry in envelope.RULES] == [
        *("parse", "status", "summary", "payload", "source", "next-actions"),
        *("lean", "json-safe", "output-schema", "raised"),
    ]


@pytest.mark.parametrize("entry", envelope.RULES, ids=lambda entry: entry.id)
def test_examples(entry):
    for example, fails in ((entry.bad, True), (entry.good, False)):
        name = entry.id.partition(".")[2]
        found = answer(name, example.subject, **example.context)
        assert [one.verdict for one in found][:1] == (["fail"] if fails else [])


@pytest.mark.parametrize("entry", envelope.RULES, ids=lambda entry: entry.id)
def test_page_is_complete(entry):
    assert entry.fails_when
    assert entry.why
    assert entry.way_out


LABELLED = "status: success\nsummary: 1 row.\npayload: [1]\nsource: db:t#1"
FAILS = {
    "parse": [
        *(None, "done", 42, 3.5, True, [1, 2], b"\xff\xfe", object()),
        '{"status": "success"',
        "[1, 2]",
        {"isError": False, "content": [{"type": "text", "text": "hello"}]},
    ],
    "status": [
        *(ok(status=word) for word in ("ok", "Success", "", "failed", "warn", "ERROR")),
        *(ok(status=word) for word in (True, 200, None, ["success"], {})),
        without("status"),
    ],
    "summary": [
        *(ok(summary=text) for text in ("", "  ", "\u200b", "\n", None, 7, ["x"])),
        *(ok(summary=text) for text in ("a\nb", "a\r\nb", "a\u2028b", "\tx\n- y")),
        without("summary"),
        {**BAD, "summary": "Broken:\n  at line 3"},
    ],
    "payload": [
        without("payload"),
        ok(payload=None),
        {"status": "success", "summary": "ok"},
        {"status": "success", "summary": "ok", "data": [1], "source": "db"},
        '{"status": "success", "summary": "x", "payload": null, "source": "db"}',
        "status: success\nsummary: 1 row.\nsource: db:t#1",
        {"isError": False, "content": []},
        {"content": [], "structuredContent": None, "isError": False},
    ],
    "source": [
        without("source"),
        *(ok(source=text) for text in (None, "", "  ", "n/a", "N/A", "unknown", "-")),
        *(ok(source=text) for text in ("none", "null", "TODO", "tbd", "???", "\u200b")),
        *(ok(source=text) for text in ([], {}, False, ["", None], {"url": "n/a"})),
    ],
    "next-actions": [
        without("next_actions", BAD),
        *({**BAD, "next_actions": text} for text in ([], [""], [" ", "\n"], "", None)),
        *({**BAD, "next_actions": text} for text in (["n/a"], ["-"], ["none"], [None])),
        {**BAD, "status": "warning", "next_actions": []},
        {**BAD, "status": "warning", "payload": [1], "next_actions": []},
    ],
    "lean": [
        ok(next_actions=["a", "b"]),
        ok(next_actions="one\ntwo"),
        ok(next_actions=["one\ntwo"]),
        ok(next_actions=["a", "b", "c"]),
        ok(next_actions=[{"tool": "x"}, {"tool": "y"}]),
        ok(next_actions=["Open it.", "Read it.", "Say so."]),
    ],
    "json-safe": [
        *(ok(payload=value) for value in (float("nan"), float("inf"), -float("inf"))),
        *(ok(payload=value) for value in (b"x", datetime.date(2026, 1, 1), {1, 2})),
        *(ok(payload=value) for value in ("\ud800", [float("nan")], {"a": b""})),
        '{"status": "success", "summary": "x", "payload": NaN, "source": "db"}',
        '{"status": "success", "status": "error", "summary": "x"}',
        '{"status": "success", "summary": "x", "payload": {"a": 1, "a": 2}}',
    ],
    "raised": [
        ToolResult(None, raised="ConnectionError: refused"),
        ToolResult(None, raised=""),
        ToolResult(Observation("success"), raised="SystemExit: 3"),
        parse(None, raised="KeyError: 'x'"),
        parse(BAD, raised="TimeoutError"),
        parse("text", raised="ValueError: bad"),
        parse(OK, raised="RuntimeError"),
        parse(b"", raised="OSError"),
    ],
}
PASSES = {
    "parse": [OK, BAD, '{"status": "error", "summary": "x"}', LABELLED, {}],
    "status": [OK, BAD, ok(status="warning"), LABELLED, None],
    "summary": [
        OK,
        ok(summary="✓ done"),
        ok(summary="終わり。"),
        ok(summary="x\n"),
        BAD,
    ],
    "payload": [
        *(ok(payload=value) for value in ([], 0, False, "", {}, [None])),
        *(BAD, None, "plain", {"isError": True, "content": []}),
    ],
    "source": [
        *(ok(source=text) for text in ("orders#88123", "db", "git:9f2c@README.md", 0)),
        *(
            ok(source=text)
            for text in ({"table": "people", "row_id": 0}, ["a.pdf", ""])
        ),
        *(BAD, None, ok(source="https://example.test/hours")),
    ],
    "next-actions": [
        *(BAD, OK, without("next_actions"), {**BAD, "next_actions": "Run it."}),
        {**BAD, "next_actions": ["", "Run it."]},
        {**BAD, "next_actions": [{"tool": "read_doc", "arguments": {}}]},
    ],
    "lean": [
        *(OK, BAD, ok(next_actions=[]), ok(next_actions="Open it.")),
        *({**BAD, "next_actions": ["a", "b"]}, ok(next_actions=["Open it."])),
    ],
    "json-safe": [
        *(OK, BAD, ok(payload="é 😀"), ok(payload={"a": None}), ok(payload=10**30)),
        *(None, LABELLED),
    ],
    "raised": [parse(one) for one in (OK, BAD, None, "x", {})],
}


@pytest.mark.parametrize(
    ("name", "raw"), [(name, raw) for name, raws in FAILS.items() for raw in raws]
)
def test_fails(name, raw):
    assert [one.verdict for one in answer(name, raw)][:1] == ["fail"]


@pytest.mark.parametrize(
    ("name", "raw"), [(name, raw) for name, raws in PASSES.items() for raw in raws]
)
def test_passes(name, raw):
    assert answer(name, raw) == []


QUESTION = {"query": "thermal limits of cell B4", "k": 3}
ECHOES = [
    "thermal limits of cell B4",
    "Thermal  limits of cell B4?",
    "'thermal limits of cell B4'",
    "query: thermal limits of cell B4",
    ["thermal limits of cell B4"],
    {"query": "thermal limits of cell B4"},
    [{"type": "rag", "query": "thermal limits of cell B4"}],
    {"type": "rag", "query": "thermal limits of cell B4", "url": None},
    "kb_search",
    "KB_search",
    "tool:kb_search",
    {"tool": "kb_search"},
]
SOURCES = [
    "manual.pdf, page 4",
    [{"type": "rag", "query": "thermal limits of cell B4", "doc": "manual.pdf"}],
    {"query": "thermal limits of cell B4", "row_id": 0},
    ["thermal limits of cell B4", "manual.pdf"],
    "index kb, thermal limits of cell B4, chunk 3",
    3,
]


@pytest.mark.parametrize("source", ECHOES)
def test_echo_is_no_source(source):
    found = answer("source", ok(source=source), tool="kb_search", arguments=QUESTION)
    assert found
    assert "success without a source" in found[0].message


@pytest.mark.parametrize("source", SOURCES)
def test_source_beside_the_question(source):
    found = answer("source", ok(source=source), tool="kb_search", arguments=QUESTION)
    assert found == []


@pytest.mark.parametrize(
    "address",
    ["https://x.test/a", "docs/a b.md", "README.md", "ord-71", "orders#8", "s3://b/k"],
)
def test_an_address_may_be_repeated(address):
    assert answer("source", ok(source=address), arguments={"at": address}) == []


def test_word_that_was_asked_for_is_an_echo():
    found = answer("source", ok(source="Oslo"), arguments={"city": "Oslo"})
    assert found[0].message == (
        "success without a source: it repeats an argument of the call"
    )


QUOTE = ToolContract(
    name="get_quote",
    output_schema={
        "type": "object",
        "properties": {"price": {"type": "number"}},
        "required": ["price"],
    },
)
MCP = {"isError": False, "content": []}


@pytest.mark.parametrize(
    ("raw", "verdicts"),
    [
        (ok(payload={"price": "high"}), ["fail"]),
        (ok(payload={}), ["fail"]),
        (ok(payload=[]), ["fail"]),
        (ok(payload=0), ["fail"]),
        (ok(payload={"price": None}), ["fail"]),
        (ok(status="warning", payload={"cost": 1}), ["fail"]),
        (MCP, ["fail"]),
        ({**MCP, "structuredContent": None}, ["fail"]),
        ({**MCP, "structuredContent": {"price": "high"}}, ["fail"]),
        ({**MCP, "structuredContent": ok(payload={"cost": 1})}, ["fail"]),
        ({**MCP, "content": [{"type": "text", "text": "41.5"}]}, ["fail"]),
        (ok(payload={"price": 41.5}), []),
        (ok(payload={"price": 0, "more": 1}), []),
        ({**MCP, "structuredContent": {"price": 41.5}}, []),
        ({**MCP, "structuredContent": ok(payload={"price": 1})}, []),
        ({**MCP, "isError": True}, []),
        (BAD, []),
        ({**BAD, "status": "warning"}, []),
        (without("payload"), []),
    ],
)
@pytest.mark.parametrize("fast", [True, False])
def test_output_schema(raw, verdicts, fast, monkeypatch):
    if not fast:
        monkeypatch.setitem(__import__("sys").modules, "jsonschema_rs", None)
        monkeypatch.setattr("pytest_agentgate.grading.schemas._compiled", {})
    found = answer("output-schema", raw, contract=QUOTE)
    assert [one.verdict for one in found] == verdicts


def test_output_schema_says_where():
    found = answer("output-schema", ok(payload={"price": "high"}), contract=QUOTE)
    assert found[0].path == "/price"
    assert "'high' is not of type 'number'" in found[0].seen


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "no-such-type"},
        {"$ref": "https://example.invalid/schema.json"},
        {"$ref": "#/$defs/absent"},
        {"pattern": "("},
    ],
)
def test_unusable_output_schema_is_no_failure_of_the_result(schema):
    contract = ToolContract(name="t", output_schema=schema)
    found = answer("output-schema", OK, contract=contract)
    assert [one.verdict for one in found] in (["abstain"], [])


NAN = float("nan")


@pytest.mark.parametrize(
    ("handler", "raw", "fires"),
    [
        ({"mean": NAN}, ok(payload={"mean": None}), True),
        ({"a": [1.0, NAN]}, ok(payload={"a": [1.0, None]}), True),
        ({"mean": float("inf")}, ok(payload={"mean": None}), True),
        ({"mean": NAN}, ok(payload={"mean": "nan"}), True),
        ({"blob": b"ab"}, ok(payload={"blob": "b'ab'"}), True),
        ({"on": datetime.date(2026, 1, 1)}, ok(payload={"on": None}), True),
        (ok(payload={"mean": NAN}), ok(payload={"mean": None}), True),
        (
            {"mean": NAN},
            ok(payload={"mean": None}, summary="Mean is undefined."),
            False,
        ),
        ({"mean": None}, ok(payload={"mean": None}), False),
        ({"mean": 1.5}, ok(payload={"mean": 1.5}), False),
        ({"on": datetime.date(2026, 1, 1)}, ok(payload={"on": "2026-01-01"}), False),
        ({"mean": NAN, "n": 1}, ok(payload={"n": 1}), False),
    ],
)
def test_rewritten_on_the_way(handler, raw, fires):
    found = answer("json-safe", raw, handler_return=handler)
    assert bool(found) is fires


@pytest.mark.parametrize("entry", envelope.RULES, ids=lambda entry: entry.id)
def test_only_raised_speaks_of_a_tool_that_raised(entry):
    result = parse({"status": 1}, raised="ValueError")
    said = entry.check(result, Context(contract=QUOTE, handler_return=NAN))
    assert bool(said) is (entry.id == "envelope.raised")


def test_passing_path_is_fast():
    result = parse(OK)
    context = Context(tool="search", arguments={"query": "x"})
    rounds, best = 2_000, 1.0
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(rounds):
            for entry in envelope.RULES:
                entry.check(result, context)
        best = min(best, (time.perf_counter() - began) / rounds / len(envelope.RULES))
    assert best < 2e-6  # 0.3 us wanted on a quiet machine


def nested(depth):
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["status", "summary", "payload", "source"])
@pytest.mark.parametrize(
    "value",
    [0, 1.5, b"x", {1: 2}, object(), nested(3_000), "x" * 200_000, ["x"] * 5_000],
    ids=lambda value: f"{type(value).__name__}",
)
def test_no_value_crashes_or_stalls_a_rule(name, value):
    result = parse(ok(**{name: value}))
    context = Context(arguments={"q": value}, contract=QUOTE, handler_return=value)
    began = time.perf_counter()
    for entry in envelope.RULES:
        entry.check(result, context)
    assert time.perf_counter() - began < 1
