"""Family context: the budget of the model's window (SYS-003 §4).

Characters are those of the text that the model gets: a result's own text, or its
JSON. Tokens are estimated as characters / 4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from ...contract.observation import ToolResult
from ...contract.tool import ToolContract
from ..context import Caps, Context
from ..finding import Finding, fail
from ..registry import Example, rule
from ..signs.blobs import blob_in
from ..signs.chunks import asked_for, chunks_of, may_exceed
from ..signs.glance import glance, show
from ..signs.walk import strings

CHARS_PER_TOKEN = 4
SMALL = Caps(result_chars=200, chunks=2, chunk_chars=40, tool_definitions_tokens=40)
HIT = {
    "status": "success",
    "summary": "2 passages.",
    "payload": {"chunks": [{"text": "Leave is 30 days."}, {"text": "It is paid."}]},
    "source": "doc:leave.pdf",
}
TOOL = {"name": "search_kb", "description": "Search the notes.", "input_schema": {}}


@rule(
    "context.result-size",
    fails_when="the result is larger than the cap (caps.result_chars)",
    way_out="return the part that was asked for; put the rest into a file, say where",
    bad=Example({**HIT, "payload": "leave " * 60}, {"caps": SMALL}),
    good=Example(HIT, {"caps": SMALL}),
)
def result_size(result: ToolResult, context: Context) -> Finding | None:
    """One result that fills the window pushes out the task itself."""
    cap = context.caps.result_chars
    if len(glance(result, context.redactor).text) <= cap // 2:
        return None
    size = _size(result)
    if size <= cap:
        return None
    return fail(
        f"the result has {size} characters, the cap is {cap}",
        expected=f"at most {cap} characters",
        seen=f"{size} characters",
    )


def _size(result: ToolResult) -> int:
    """Return the characters of what the model gets: the text, else JSON."""
    if result.text is not None:
        return len(result.text)
    observation = result.observation
    value = None if observation is None else observation.fields or observation.payload
    return _json_size(result.structured if value is None else value)


def _json_size(value: Any) -> int:
    try:
        return len(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):
        return len(show(value))


@rule(
    "context.chunks",
    fails_when="too many chunks (caps.chunks, or more than were asked for), or a chunk "
    "above its cap (caps.chunk_chars)",
    way_out="return the best few, cut to size, each with its source",
    bad=Example(
        {**HIT, "payload": {"chunks": [{"text": f"Rule {n}."} for n in range(3)]}},
        {"caps": SMALL},
    ),
    good=Example(HIT, {"caps": SMALL}),
)
def chunks(result: ToolResult, context: Context) -> Finding | None:
    """Past the first few, passages cost tokens and bury the one that answers."""
    observation = result.observation
    payload = None if observation is None else observation.payload
    if not payload or isinstance(payload, str | int | float):
        return None
    cap, chars = context.caps.chunks, context.caps.chunk_chars
    asked = None if context.arguments is None else asked_for(context.arguments)
    most = min(cap, asked or cap)
    if (
        not may_exceed(payload, most)
        and len(glance(result, context.redactor).text) <= chars
    ):
        return None
    texts = chunks_of(result)
    if not texts:
        return None
    if len(texts) > most:
        return fail(
            f"{len(texts)} chunks, "
            + (f"the cap is {cap}" if len(texts) > cap else f"{asked} were asked for"),
            expected=f"at most {most} chunks",
            seen=f"{len(texts)} chunks",
            path="/payload",
        )
    longest = max(map(len, texts))
    if longest <= chars:
        return None
    return fail(
        f"a chunk has {longest} characters, the cap is {chars}",
        expected=f"at most {chars} characters a chunk",
        seen=f"{longest} characters",
        path="/payload",
    )


@rule(
    "context.inline-blob",
    fails_when="base64 or other binary data inlined as text",
    way_out="return a path, a URL or an image block; a picture is no text",
    bad=Example({**HIT, "payload": "data:image/png;base64," + "iVBORw0KGgo1" * 80}),
    good=Example({**HIT, "payload": {"file": "out/screen.png", "bytes": 90_000}}),
)
def inline_blob(result: ToolResult, context: Context) -> Finding | None:
    """The model cannot read it and pays for every character of it."""
    kept = glance(result, context.redactor)
    if "base64" not in kept.topics:
        return None
    for path, text in _texts(result):
        blob = blob_in(text)
        if blob:
            return fail(
                f"binary data inlined as text: {blob}",
                expected="a path, a URL, or an image block",
                seen=blob,
                path=path,
            )
    return None


def _texts(result: ToolResult) -> Iterable[tuple[str, str]]:
    observation = result.observation
    if observation is not None and observation.fields:
        yield from ((path, text) for path, _, text in strings(observation.fields))
    elif result.text is not None:
        yield "", result.text
    if result.structured is not None:
        yield from ((path, text) for path, _, text in strings(result.structured))


@rule(
    "context.tool-definitions",
    subject="run",
    severity="warning",
    fails_when="tool definitions larger than the cap (caps.tool_definitions_tokens)",
    way_out="shorten descriptions, serve fewer tools, or load them when needed",
    bad=Example([{**TOOL, "description": "Search. " * 40}], {"caps": SMALL}),
    good=Example([TOOL], {"caps": SMALL}),
)
def tool_definitions(subject: Any, context: Context) -> Finding | None:
    """Definitions are paid for on every turn, before the first word of the task.

    The subject is the list of definitions that the model is given.
    """
    if isinstance(subject, str | bytes | Mapping) or not isinstance(subject, Iterable):
        return None
    size = sum(_json_size(_definition(tool)) for tool in subject)
    return _over(size, context.caps.tool_definitions_tokens, "tool definitions")


def _definition(tool: Any) -> Any:
    """Return what the model sees of a tool: name, description, input schema."""
    if isinstance(tool, ToolContract):
        return tool.model_dump(include={"name", "description", "input_schema"})
    return tool.model_dump() if isinstance(tool, BaseModel) else tool


@rule(
    "context.instructions",
    subject="run",
    severity="warning",
    fails_when="a system prompt larger than the cap (caps.instructions_tokens)",
    way_out="move large guidance into files that the agent refers to",
    bad=Example("Be kind. " * 8_000),
    good=Example("Answer from the notes, and cite them."),
)
def instructions(subject: Any, context: Context) -> Finding | None:
    """Large guidance is paid for on every turn and followed less than short guidance.

    The subject is the system prompt.
    """
    if not isinstance(subject, str):
        return None
    return _over(len(subject), context.caps.instructions_tokens, "the system prompt")


def _over(chars: int, cap: int, what: str) -> Finding | None:
    tokens = chars // CHARS_PER_TOKEN
    if tokens <= cap:
        return None
    return fail(
        f"{what}: about {tokens} tokens, the cap is {cap}",
        expected=f"at most {cap} tokens (characters / {CHARS_PER_TOKEN})",
        seen=f"{chars} characters",
    )


RULES = (result_size, chunks, inline_blob, tool_definitions, instructions)
