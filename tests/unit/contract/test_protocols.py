"""Protocol results: flags, search results, the SDKs' own objects."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from pydantic import BaseModel, RootModel, model_serializer

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping

ERROR = {"status": "error", "summary": "No index.", "next_actions": ["build it"]}
TEXT = ObservationMapping.model_validate("text")
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


class TestSdkObjects:
    def test_mcp(self):
        types = pytest.importorskip("mcp.types")
        raw = types.CallToolResult(
            content=[types.TextContent(type="text", text="no index")],
            structured_content={"result": json.dumps(ERROR)},
            is_error=False,
        )
        seen = parse(raw)
        assert (seen.form, seen.protocol_error) == ("mcp result", False)
        assert seen.text == "no index"
        assert seen.structured == {"result": json.dumps(ERROR)}
        assert seen.observation.status == "error"
        assert parse(raw.content).form == "content blocks"
        assert parse(raw.model_dump(by_alias=True)).observation.status == "error"

    def test_anthropic(self):
        types = pytest.importorskip("anthropic.types")
        block = types.ToolResultBlockParam(
            type="tool_result",
            tool_use_id="t1",
            content=[types.TextBlockParam(type="text", text=LABELLED)],
            is_error=True,
        )
        seen = parse(block)
        assert (seen.form, seen.protocol_error) == ("anthropic tool_result", True)
        assert seen.observation.summary == "No index."

    def test_anthropic_search_result(self):
        types = pytest.importorskip("anthropic.types")
        found = types.SearchResultBlockParam(
            type="search_result",
            source="https://example.test/a",
            title="A",
            content=[types.TextBlockParam(type="text", text="body")],
        )
        seen = parse(tool_result([found]))
        assert seen.observation.payload == ["body"]
        assert seen.observation.source == "https://example.test/a"
        assert seen.observation.status is None
        assert (seen.text, seen.problem) == ("body", "")

    def test_pydantic_dumps_that_fail_still_give_the_fields(self):
        class Stubborn(Model):
            @model_serializer
            def refuse(self) -> dict[str, Any]:
                raise RuntimeError("no dump")

        seen = parse(Stubborn())
        assert (seen.observation.status, seen.problem) == ("error", "")

    def test_a_cyclic_model_ends(self):
        model = Model()
        model.payload = model
        seen = parse(model)
        assert seen.observation.status == "error"
        assert {d.kind for d in seen.defects} <= {"not-json", "too-deep"}
        assert seen.defects

    def test_a_dataclass_that_cannot_be_copied_still_gives_the_fields(self):
        data = Data()
        data.payload = data
        seen = parse(data)
        assert seen.observation.status == "error"
        assert [d.kind for d in seen.defects] == ["not-json"]

    def test_a_root_model_of_a_list_is_named(self):
        seen = parse(RootModel[list[int]]([1]))
        assert seen.observation is None
        assert "is none of the accepted forms" in seen.problem


def search_result(text, source):
    return {"type": "search_result", "source": source, "content": [text_block(text)]}


class TestSearchResults:
    def test_several(self):
        seen = parse([search_result("a", "s1"), search_result("b", "s2")])
        assert seen.observation.payload == ["a", "b"]
        assert seen.observation.source == ["s1", "s2"]

    def test_they_fill_an_envelope_that_lacks_them(self):
        head = text_block('{"status": "success", "summary": "1 page."}')
        found = parse(tool_result([head, search_result("a", "s1")])).observation
        assert (found.summary, found.payload, found.source) == ("1 page.", ["a"], "s1")

    def test_they_are_no_payload_of_an_error(self):
        found = parse([text_block(LABELLED), search_result("a", "s1")]).observation
        assert found.payload is None

    def test_as_plain_text(self):
        found = parse(tool_result([search_result("a", "s1")]), TEXT).observation
        assert (found.status, found.payload, found.source) == ("success", "a", "s1")


class TestFlag:
    @pytest.mark.parametrize(
        ("raw", "flag"),
        [
            (mcp("x", isError=True), True),
            (mcp("x", isError=False), False),
            (mcp("x", is_error=True), True),
            (mcp("x"), None),
            (mcp("x", isError=None), None),
            (mcp("x", isError="true"), None),
            (mcp("x", isError=1), None),
            (tool_result("x", is_error=True), True),
            (tool_result("x"), None),
            (tool_message("x"), None),
            (output_item("x"), None),
            (langchain("x", "error"), True),
            (langchain("x", "success"), False),
            (langchain("x", []), None),
        ],
    )
    def test_it_has_three_states(self, raw, flag):
        seen = parse(raw)
        assert seen.protocol_error is flag
        assert (seen.observation, seen.text) == (None, "x")
        assert seen.problem.startswith("plain text is no observation: ")
