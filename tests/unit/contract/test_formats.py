"""Every accepted form, good and hostile: parse reads it and never raises."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import json
import types
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping

ERROR = {"status": "error", "summary": "No index.", "next_actions": ["build it"]}
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


def tool_message(content):
    return {"role": "tool", "tool_call_id": "c1", "content": content}


def output_item(output):
    return {"type": "function_call_output", "call_id": "c1", "output": output}


def langchain(content, status):
    return {"type": "tool", "tool_call_id": "c1", "content": content, "status": status}


class Model(BaseModel):
    status: str = "error"
    summary: str = "No index."
    next_actions: list[str] = ["build it"]
    payload: Any = None


@dataclasses.dataclass
class Data:
    status: str = "error"
    summary: str = "No index."
    next_actions: tuple[str, ...] = ("build it",)
    payload: Any = None


class Slots:
    __slots__ = ("next_actions", "status", "summary")

    def __init__(self):
        self.status, self.summary = "error", "No index."
        self.next_actions = ["build it"]


Tuple = collections.namedtuple("Tuple", "status summary next_actions")


class TestOneObservationInEveryForm:
    @pytest.mark.parametrize(
        ("raw", "form"),
        [
            (ERROR, "mapping"),
            (collections.OrderedDict(ERROR), "mapping"),
            (types.MappingProxyType(ERROR), "mapping"),
            (json.dumps(ERROR), "json text"),
            ("\n " + json.dumps(ERROR, indent=2), "json text"),
            (json.dumps(ERROR).encode(), "json text"),
            (bytearray(json.dumps(ERROR).encode("utf-8-sig")), "json text"),
            (LABELLED, "labelled text"),
            (Model(), "model object"),
            (Data(), "model object"),
            (Slots(), "model object"),
            (types.SimpleNamespace(**ERROR), "model object"),
            (Tuple("error", "No index.", ["build it"]), "model object"),
            (tool_result(json.dumps(ERROR), is_error=True), "anthropic tool_result"),
            (tool_result([text_block(json.dumps(ERROR))]), "anthropic tool_result"),
            (
                tool_result([text_block("Note."), text_block(LABELLED)]),
                "anthropic tool_result",
            ),
            (tool_result(ERROR), "anthropic tool_result"),
            ([text_block(json.dumps(ERROR))], "content blocks"),
            ((text_block(LABELLED),), "content blocks"),
            (mcp(json.dumps(ERROR), isError=True), "mcp result"),
            (mcp(json.dumps(ERROR)), "mcp result"),
            (mcp("prose", structuredContent=ERROR), "mcp result"),
            ({"structuredContent": ERROR}, "mcp result"),
            ({"content": None, "structured_content": ERROR}, "mcp result"),
            (mcp("x", structuredContent={"result": ERROR}), "mcp result"),
            (mcp("x", structuredContent={"result": json.dumps(ERROR)}), "mcp result"),
            (mcp("x", structuredContent={"result": LABELLED}), "mcp result"),
            (mcp(json.dumps(ERROR), structuredContent={"a": 1}), "mcp result"),
            (mcp("prose", isError=True, **ERROR), "mcp result"),
            (json.dumps(mcp(json.dumps(ERROR), isError=True)), "mcp result"),
            (
                {"content": [{"type": "resource", "resource": {"text": LABELLED}}]},
                "mcp result",
            ),
            (tool_message(json.dumps(ERROR)), "openai tool message"),
            (tool_message([text_block(LABELLED)]), "openai tool message"),
            (output_item(json.dumps(ERROR)), "openai function_call_output"),
            (
                output_item([{"type": "input_text", "text": LABELLED}]),
                "openai function_call_output",
            ),
            (langchain(json.dumps(ERROR), "error"), "langchain tool message"),
        ],
    )
    def test_error(self, raw, form):
        seen = parse(raw)
        assert seen.form == form
        assert seen.problem == ""
        assert seen.raw is raw
        found = seen.observation
        assert (found.status, found.summary) == ("error", "No index.")
        assert found.next_actions == ("build it",)
        assert found.payload is None
        assert found.fields["summary"] == "No index."

    def test_success(self):
        found = parse(GOOD).observation
        assert (found.payload, found.source) == ({"n": 1}, "db")
        assert found.fields is GOOD

    def test_text_is_kept_where_the_form_carries_text(self):
        assert parse(LABELLED).text == LABELLED
        assert parse(GOOD).text is None
        assert parse(mcp("a", "b")).text == "a\nb"


class TestForeign:
    @pytest.mark.parametrize(
        ("raw", "form"),
        [
            ({}, "mapping"),
            ({"rows": []}, "mapping"),
            ({"isError": True}, "mapping"),
            ({"content": "x"}, "mapping"),
            ({"content": [1, 2]}, "mapping"),
            ({"content": {"a": 1}, "is_error": False}, "mapping"),
            ({"type": "invoice", "role": "user"}, "mapping"),
            ('{"rows": []}', "json text"),
            (mcp('{"rows": []}', isError=False), "mcp result"),
            (mcp("text", structuredContent={"rows": []}), "mcp result"),
        ],
    )
    def test_a_foreign_mapping_has_no_status(self, raw, form):
        seen = parse(raw)
        assert (seen.form, seen.problem) == (form, "")
        assert seen.observation.status is None

    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            (None, "the tool returned nothing (None)"),
            (7, "a result of type int is none of the accepted forms"),
            (True, "a result of type bool is none of the accepted forms"),
            ([], "a result of type list is none of the accepted forms"),
            ([{"type": "invoice"}], "a result of type list is none"),
            ([text_block(None)], "a result of type list is none"),
            (("a", 1), "a result of type tuple is none"),
            ({1}, "a result of type set is none"),
            (ValueError("x"), "a result of type ValueError is none"),
            (Model, "a result of type ModelMetaclass is none"),
            ((n for n in ()), "a result of type generator is none"),
            (len, "a result of type builtin_function_or_method is none"),
            ("", "plain text is no observation: "),
            ("Table created.", "plain text is no observation: "),
            ("[INFO] done", "plain text is no observation: "),
            ("Summary: fine", "plain text is no observation: "),
            ("{'rows': []}", "the text is not valid JSON: Expecting property name"),
            ("[1]", "the JSON text is a list, not an object"),
            (b"\xff\xfe", "the bytes are not UTF-8 text"),
            (tool_result(None), "the anthropic tool_result holds no observation"),
            (mcp(isError=False), "the mcp result holds no observation"),
            (
                tool_result([{"type": "image", "source": {}}]),
                "the anthropic tool_result holds no observation",
            ),
            (
                mcp("done", structuredContent={"result": "done"}),
                "plain text is no observation: ",
            ),
            (mcp("[" * 500), "the JSON text is nested too deep to decode"),
        ],
    )
    def test_a_problem_is_one_line(self, raw, said):
        seen = parse(raw)
        assert seen.observation is None
        assert seen.problem.startswith(said)
        assert "\n" not in seen.problem
        assert seen.raw is raw

    def test_an_awaitable_was_not_awaited(self):
        async def tool():
            return ERROR

        seen = parse(tool())  # a warning of pytest's if it were not closed
        assert seen.problem == "the tool returned a coroutine that was not awaited"
        loop = asyncio.new_event_loop()
        assert "was not awaited" in parse(loop.create_future()).problem
        loop.close()

    def test_a_tool_that_raised(self):
        seen = parse(None, raised="SystemExit: 3")
        assert seen.raised == "SystemExit: 3"
        assert seen.problem == "the tool raised instead of returning a result"
        both = parse(ERROR, raised="late")
        assert (both.raised, both.problem) == ("late", "")
        assert both.observation.status == "error"


class TestMapping:
    def test_it_is_used_in_every_form_of_fields(self):
        fields = {"ok": False, "message": "no"}
        for raw in (
            fields,
            json.dumps(fields),
            types.SimpleNamespace(**fields),
            mcp(json.dumps(fields)),
            mcp("x", structuredContent=fields),
            tool_result(json.dumps(fields)),
        ):
            found = parse(raw, HOUSE).observation
            assert (found.status, found.summary) == ("error", "no")

    def test_a_labelled_block_has_the_contract_s_names(self):
        assert parse(LABELLED, HOUSE).observation.status == "error"

    def test_fields_named_as_a_protocol_s_can_be_mapped(self):
        block = {"status": "state", "payload": "content"}
        fields = {"state": "success", "content": [text_block("x")]}
        seen = parse(fields, ObservationMapping.model_validate(block))
        assert (seen.form, seen.observation.payload) == ("mapping", fields["content"])

    def test_the_protocol_s_own_fields_can_be_mapped(self):
        block = {
            "status": {"from": "isError", "when": {"true": "error"}},
            "summary": "content.0.text",
        }
        mapping = ObservationMapping.model_validate(block)
        found = parse(mcp("no table", isError=True), mapping).observation
        assert (found.status, found.summary) == ("error", "no table")


class TestPlainText:
    @pytest.mark.parametrize(
        ("raw", "status"),
        [
            ("\nfirst\nsecond", "success"),
            (tool_result("\nfirst\nsecond"), "success"),
            (mcp("\nfirst\nsecond", isError=False), "success"),
            (mcp("\nfirst\nsecond", isError=True), "error"),
            (tool_message("\nfirst\nsecond"), "success"),
        ],
    )
    def test_status_and_payload(self, raw, status):
        seen = parse(raw, TEXT)
        found = seen.observation
        assert (found.status, found.summary) == (status, "first")
        assert found.payload == ("\nfirst\nsecond" if status == "success" else None)
        assert seen.problem == ""

    @pytest.mark.parametrize(
        "text",
        [
            '{"rows": [1]}',
            '{"status": "active", "summary": "3 users"}',
            '{"status": "error"}',
            "{broken",
            "status: active\nsummary: 3 users",
        ],
    )
    def test_text_that_only_looks_like_more(self, text):
        found = parse(text, TEXT).observation
        assert (found.status, found.payload) == ("success", text)

    @pytest.mark.parametrize(
        "raw", [json.dumps(ERROR), LABELLED, mcp(LABELLED, isError=False), ERROR]
    )
    def test_an_observation_beyond_doubt_is_not_hidden(self, raw):
        assert parse(raw, TEXT).observation.status == "error"

    def test_structured_content_without_text(self):
        seen = parse({"content": [], "structuredContent": {"n": 0}}, TEXT)
        assert (seen.observation.status, seen.observation.payload) == (
            "success",
            {"n": 0},
        )

    def test_none_is_not_text(self):
        assert parse(None, TEXT).observation is None
