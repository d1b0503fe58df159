"""Family context: at least twelve inputs a rule, a third of them good."""

from __future__ import annotations

import base64
import random
import time

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Caps, Context
from pytest_agentgate.grading.grading import grade_window
from pytest_agentgate.grading.rules import context as family

RULES = {entry.id.partition(".")[2]: entry for entry in family.RULES}
RESULT_RULES = ("result-size", "chunks", "inline-blob")


def ok(payload=None, **fields):
    base = {"status": "success", "summary": "Read.", "payload": payload}
    return {**base, "source": "doc:leave.pdf", **fields}


def mcp(text, **fields):
    return {"isError": False, "content": [{"type": "text", "text": text}], **fields}


def answer(rule, raw, **context):
    said = RULES[rule].check(parse(raw), Context(**context))
    if said is None:
        return []
    return list(said) if isinstance(said, list | tuple) else [said]


def test_rules_stand_in_catalogue_order():
    assert [entry.id for entry in family.RULES] == [
        f"context.{name}"
        for name in (*RESULT_RULES, "tool-definitions", "instructions")
    ]


@pytest.mark.parametrize("entry", family.RULES, ids=lambda entry: entry.id)
def test_examples(entry):
    for example, fails in ((entry.bad, True), (entry.good, False)):
        subject = example.subject
        if entry.subject == "result":
            subject = parse(subject)
        said = entry.check(subject, Context(**example.context))
        assert (said is not None) is fails


@pytest.mark.parametrize("entry", family.RULES, ids=lambda entry: entry.id)
def test_page_is_complete(entry):
    assert entry.why
    assert entry.way_out
    assert entry.fails_when


@pytest.mark.parametrize(
    ("raw", "fires"),
    [
        (ok("a" * 100_001), True),
        (ok([{"id": n, "name": "north"} for n in range(5_000)]), True),
        (mcp("a" * 100_001), True),
        (ok("ä" * 100_000), True),
        (ok("\u200b" * 100_000), True),
        ("a" * 100_001, True),
        ({"isError": False, "structuredContent": ok("a" * 100_001)}, True),
        (ok([b"a"] * 2, more="a" * 100_001), True),
        (ok("a" * 99_000), False),
        (ok("\u200b" * 60_000), False),
        (ok("'" * 60_000), False),
        (mcp("a" * 100_000), False),
        (ok([]), False),
        (None, False),
    ],
)
def test_result_size(raw, fires):
    said = answer("result-size", raw)
    assert bool(said) is fires
    if fires:
        assert said[0].message.endswith("characters, the cap is 100000")


def test_the_cap_is_the_policys():
    caps = Caps(result_chars=50)
    (said,) = answer("result-size", mcp("a" * 51), caps=caps)
    assert said.message == "the result has 51 characters, the cap is 50"
    assert answer("result-size", mcp("a" * 50), caps=caps) == []


def passages(count, size=20):
    return [{"id": n, "text": "w" * size} for n in range(count)]


def scored(count, size=20):
    return [{"score": 0.5, "content": "w" * size} for n in range(count)]


SEARCHED = {
    "type": "tool_result",
    "tool_use_id": "a",
    "content": [
        {
            "type": "search_result",
            "source": "a",
            "title": "a",
            "content": [{"type": "text", "text": "w" * 1_300}],
        }
    ],
}


@pytest.mark.parametrize(
    ("raw", "fires"),
    [
        (ok({"chunks": passages(26)}), True),
        (ok({"passages": passages(1, 1_201)}), True),
        (ok(scored(26)), True),
        (ok({"results": scored(3, 1_300)}), True),
        (ok({"data": {"chunks": passages(26)}}), True),
        (ok({"snippets": ["w"] * 26}), True),
        (ok({"excerpts": ["w" * 1_300]}), True),
        (ok({"hits": {"chunks": passages(30)}}), True),
        (SEARCHED, True),
        (ok({"chunks": passages(25, 1_200)}), False),
        (ok(scored(25, 1_200)), False),
        (ok({"orders": passages(60)}), False),
        (ok([{"id": n, "title": "a"} for n in range(60)]), False),
        (ok({"lines": ["w"] * 60}), False),
        (ok({"chunks": 60}), False),
        (ok({"chunks": []}), False),
        (ok("w" * 5_000), False),
        (ok(), False),
    ],
)
def test_chunks(raw, fires):
    assert bool(answer("chunks", raw)) is fires


@pytest.mark.parametrize(
    ("asked", "count", "fires"),
    [(3, 15, True), (3, 4, True), (3, 3, False), (30, 15, False), (30, 26, True)],
)
def test_more_chunks_than_were_asked_for(asked, count, fires):
    raw = ok({"chunks": passages(count)})
    said = answer("chunks", raw, arguments={"query": "leave", "k": asked})
    assert bool(said) is fires


def test_chunks_say_which_cap():
    (said,) = answer("chunks", ok({"chunks": passages(4)}), arguments={"top_k": 3})
    assert said.message == "4 chunks, 3 were asked for"
    (said,) = answer("chunks", ok({"chunks": passages(9)}), caps=Caps(chunks=8))
    assert said.message == "9 chunks, the cap is 8"
    (said,) = answer(
        "chunks", ok({"chunks": passages(1, 90)}), caps=Caps(chunk_chars=80)
    )
    assert said.message == "a chunk has 90 characters, the cap is 80"


NOISE = random.Random(7).randbytes(4_000)
BASE64 = base64.b64encode(NOISE).decode()
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + NOISE[:300]).decode()
WRAPPED = "\n".join(BASE64[n : n + 76] for n in range(0, len(BASE64), 76)) + "\n"
WORDS = "the-quick-brown-fox/jumps_over_the-lazy-dog/" * 40


@pytest.mark.parametrize(
    ("raw", "fires"),
    [
        (ok({"url": f"data:image/png;base64,{BASE64}"}), True),
        (ok(f"see data:application/pdf;name=a.pdf;base64,{BASE64} end"), True),
        (ok({"image": PNG}), True),
        (ok({"content": BASE64}), True),
        (ok({"content": base64.urlsafe_b64encode(NOISE).decode()}), True),
        (ok({"mail": f"Hello,\n\n{WRAPPED}\nbye"}), True),
        (ok({"dump": NOISE.hex()}), True),
        (ok(repr(NOISE)), True),
        (ok(NOISE.decode("latin-1")), True),
        (mcp(f"data:image/png;base64,{BASE64}"), True),
        (f"data:image/png;base64,{BASE64}", True),
        (ok({"file": "out/screen.png", "bytes": 90_000}), False),
        (ok({"icon": "data:image/gif;base64,R0lGODlhAQABAAAAACw="}), False),
        (ok({"digest": "sha256:" + NOISE[:32].hex()}), False),
        (ok({"signature": base64.b64encode(NOISE[:256]).decode()}), False),
        (ok({"path": WORDS}), False),
        (ok({"dna": "ACGT" * 900}), False),
        (ok("a" * 4_000), False),
        (ok({"text": "base64 is an encoding. " * 90}), False),
        (ok({"key": f"-----BEGIN CERTIFICATE-----\n{WRAPPED}"}), False),
        (
            {
                "isError": False,
                "content": [{"type": "image", "mimeType": "image/png", "data": BASE64}],
            },
            False,
        ),
    ],
)
def test_inline_blob(raw, fires):
    said = answer("inline-blob", raw)
    assert bool(said) is fires
    if fires:
        assert said[0].message.startswith("binary data inlined as text: ")
        assert len(said[0].seen) < 80


TOOL = {"name": "search", "description": "Search.", "input_schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("tools", "fires"),
    [
        ([{**TOOL, "description": "w" * 80_001}], True),
        (
            [{**TOOL, "name": f"t{n}", "description": "w" * 900} for n in range(100)],
            True,
        ),
        ([ToolContract(name="a", description="w" * 80_001)], True),
        (
            [
                {
                    "type": "function",
                    "function": {"name": "a", "description": "w" * 80_001},
                }
            ],
            True,
        ),
        (({**TOOL, "description": "w" * 800} for _ in range(101)), True),
        ([{**TOOL, "input_schema": {"enum": ["w" * 9] * 9_000}}], True),
        ([TOOL] * 3, False),
        ([ToolContract(name="a", output_schema={"enum": ["w" * 80_001]})], False),
        ([{**TOOL, "description": "w" * 79_000}], False),
        ([], False),
        ("w" * 90_000, False),
        ({"name": "w" * 90_000}, False),
        (None, False),
    ],
)
def test_tool_definitions(tools, fires):
    said = RULES["tool-definitions"].check(tools, Context())
    assert (said is not None) is fires
    if said:
        assert "the cap is 20000" in said.message


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("w" * 32_004, True),
        ("word " * 7_000, True),
        ("漢" * 40_000, True),
        ("\n" * 40_000, True),
        ("w" * 32_000, False),
        ("", False),
        ("Answer from the notes.", False),
        (["w" * 40_000], False),
        (None, False),
    ],
)
def test_instructions(text, fires):
    said = RULES["instructions"].check(text, Context())
    assert (said is not None) is fires


def test_the_cap_of_instructions_is_the_policys():
    caps = Caps(instructions_tokens=10)
    said = RULES["instructions"].check("w" * 44, Context(caps=caps))
    assert said.message == "the system prompt: about 11 tokens, the cap is 10"
    assert RULES["instructions"].check("w" * 43, Context(caps=caps)) is None


def test_grade_window():
    graded = grade_window(tools=[TOOL], instructions="w" * 40_000)
    assert [one.rule for one in graded.findings] == ["context.instructions"]
    assert graded.findings[0].severity == "warning"
    assert graded.applied == ("context.tool-definitions", "context.instructions")
    tight = grade_window(tools=[TOOL], caps=Caps(tool_definitions_tokens=1))
    assert [one.rule for one in tight.findings] == ["context.tool-definitions"]


DEEP = {"payload": 1}
for _ in range(100_000):
    DEEP = {"a": DEEP}
HOSTILE = {
    "50 MB": ok("word " * 10_000_000),
    "50 MB of base64": ok(BASE64 * 9_000),
    "deep": ok(DEEP),
    "runs": ok((("A" * 255) + " ") * 20_000),
    "colons": ok("data:" * 500_000),
    "escapes": ok("\\x00" * 300_000),
    "many": ok([{"text": "w", "score": n} for n in range(50_000)]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_bounded(name):
    result = parse(HOSTILE[name])
    for rule in RESULT_RULES:
        start = time.perf_counter()
        RULES[rule].check(result, Context())
        assert time.perf_counter() - start < 8, rule
