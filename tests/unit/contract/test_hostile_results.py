"""Results that are meant to break a reader, and those that merely do."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping

GOOD = {"status": "success", "summary": "1 row.", "payload": {"n": 1}, "source": "db"}
TEXT = ObservationMapping.model_validate("text")
HOUSE = ObservationMapping.model_validate(
    {
        "status": {"from": "ok", "when": {"true": "success", "false": "error"}},
        "summary": "message",
        "payload": "data",
    }
)
LABELLED = "status: error\nsummary: No index.\nnext_actions:\n- build it"


def text_block(text):
    return {"type": "text", "text": text}


def tool_result(content, **more):
    return {"type": "tool_result", "tool_use_id": "t1", "content": content, **more}


def mcp(*texts, **more):
    return {"content": [text_block(text) for text in texts], **more}


def search_result(text, source):
    return {"type": "search_result", "source": source, "content": [text_block(text)]}


@dataclasses.dataclass
class Data:
    status: str = "error"
    summary: str = "No index."
    next_actions: tuple[str, ...] = ("build it",)
    payload: Any = None


class TestDefects:
    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            ({"status": "success", "payload": float("nan")}, "non-finite /payload"),
            ('{"status": "error", "status": "x"}', "duplicate-key "),
            (b'{"status": "error"}', "bytes "),
            (b"\xff", "bytes "),
            ("odd \ud800", "surrogate "),
            (mcp("odd \ud800"), "surrogate "),
            (mcp('{"status": "error", "x": 1e999}'), "non-finite /x"),
            (
                mcp(LABELLED, structuredContent={"a": [float("inf")]}),
                "non-finite /structuredContent/a/0",
            ),
            (
                {"structuredContent": {"result": '{"status": "x", "status": "y"}'}},
                "duplicate-key ",
            ),
            (Data(payload={1}), "not-json /payload"),
            ({1: "x"}, "not-json "),
            ({7}, "not-json "),
        ],
    )
    def test_each_is_found_once(self, raw, expected):
        assert [f"{d.kind} {d.path}" for d in parse(raw).defects] == [expected]

    def test_bytes_and_what_is_in_them(self):
        kinds = [d.kind for d in parse(b'{"status": NaN}').defects]
        assert kinds == ["bytes", "non-finite"]

    def test_a_good_result_has_none(self):
        for raw in (GOOD, json.dumps(GOOD), mcp(json.dumps(GOOD)), LABELLED):
            assert parse(raw).defects == ()


class Hostile:
    @property
    def status(self):
        raise RuntimeError("boom")


class HostileMapping(dict):
    def get(self, *_):
        raise RuntimeError("boom")


def nested(make, depth=50_000):
    value = "x"
    for _ in range(depth):
        value = make(value)
    return value


class TestHostile:
    @pytest.mark.parametrize("raw", [Hostile(), HostileMapping(status="x")])
    def test_objects_that_raise(self, raw):
        seen = parse(raw)
        name = type(raw).__name__
        assert seen.problem == f"the {name} could not be read: RuntimeError"
        assert seen.raw is raw

    def test_objects_that_have_every_attribute(self):
        seen = parse(mock.MagicMock())
        assert not isinstance(seen.observation and seen.observation.status, str)

    @pytest.mark.parametrize(
        "make",
        [
            lambda x: {"a": x},
            lambda x: [x],
            lambda x: tool_result(x),
            lambda x: tool_result([x]),
            lambda x: search_result(x, "s") | {"content": [x]},
            lambda x: {"structuredContent": {"result": x}},
        ],
        ids=["dict", "list", "inline", "blocks", "search", "structured"],
    )
    def test_depth_in_memory(self, make):
        started = time.perf_counter()
        seen = parse(nested(make))
        assert time.perf_counter() - started < 1
        assert "RecursionError" not in seen.problem

    def test_cycles(self):
        loop = {"status": "error"}
        loop["payload"] = loop
        assert [d.kind for d in parse(loop).defects] == ["too-deep"]
        block = tool_result(None)
        block["content"] = [block]
        assert parse(block).observation is None

    @pytest.mark.parametrize("head", ["", "{", '{"a": "', "[INFO]", "status: x\n", "é"])
    def test_fifty_megabytes_of_text(self, head):
        started = time.perf_counter()
        parse(head + "x y\n" * 12_500_000)
        assert time.perf_counter() - started < 1

    def test_a_large_mapping_in_memory_is_parsed(self):
        seen = parse({**GOOD, "payload": "x" * 20_000_000})
        assert (seen.observation.status, seen.defects) == ("success", ())


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
KEYS = st.sampled_from(
    [
        "status",
        "summary",
        "type",
        "role",
        "content",
        "tool_call_id",
        "isError",
        "structuredContent",
        "result",
        "error",
        "text",
        "output",
        "source",
    ]
)
WORDS = st.sampled_from(
    [
        *[
            "tool_result",
            "tool",
            "text",
            "search_result",
            "document",
            "resource",
            "error",
        ],
        *("function_call_output", "content", '{"status": "error"}', LABELLED),
    ]
)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | ANY_TEXT
    | WORDS
    | st.binary(max_size=8)
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS | ANY_TEXT | st.integers(), inner, max_size=5)
        | st.sets(st.integers(), max_size=2)
    ),
    max_leaves=16,
)


@given(ANYTHING, st.sampled_from([ObservationMapping(), HOUSE, TEXT]))
def test_parse_never_raises(raw, mapping):
    seen = parse(raw, mapping)
    assert (seen.observation is None) == bool(seen.problem)
    assert seen.raw is raw
    assert "could not be read" not in seen.problem
    repr(seen)


@given(ANY_TEXT | st.text('{}[]":,\n abst-', max_size=60))
def test_parse_never_raises_on_text(text):
    for raw in (text, text.encode("utf-8", "surrogatepass"), mcp(text), [text]):
        seen = parse(raw)
        assert (seen.observation is None) == bool(seen.problem)
        assert "could not be read" not in seen.problem


@given(st.dictionaries(ANY_TEXT, st.none() | st.integers() | ANY_TEXT, max_size=5))
def test_json_text_reads_as_the_mapping_does(fields):
    text = parse(json.dumps({"status": "error", **fields}))
    value = parse({"status": "error", **fields})
    assert text.observation == value.observation
    assert {d.kind for d in text.defects} == {d.kind for d in value.defects}
