"""One reply of the stand-in: the tools it calls, or a sentence with its source."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from stand_in.choice import Choice, choose, handed_over
from stand_in.request import blocks, check
from stand_in.words import content_words, stem, telling_words

MODEL = "stand-in-words-1"
CHARS_PER_TOKEN = 4

Json = Mapping[str, Any]
Block = dict[str, Any]


def reply(request: Any, *, slips: bool = False) -> dict[str, Any]:
    """Answer a request to the Messages API.

    Args:
        request: the body, parsed.
        slips: whether the choice of tools goes wrong this time.

    Raises:
        Refusal: the API would refuse the request.
    """
    check(request, MODEL)
    key = hashlib.sha256(json.dumps(request).encode()).hexdigest()[:24]
    results = blocks(request["messages"][-1], "tool_result")
    calls = [] if results else _calls(request, key, slips=slips)
    content = calls or [{"type": "text", "text": _answer(results)}]
    return {
        "id": f"msg_{key}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": _tokens([request.get(part) for part in _READ]),
            "output_tokens": _tokens(content),
        },
    }


_READ = ("system", "tools", "messages")


def descriptions(tools: list[Any]) -> dict[str, str]:
    """Return the tools' descriptions by name: all that the choice is made from."""
    return {tool["name"]: tool.get("description", "") for tool in tools}


def _calls(request: Json, key: str, *, slips: bool) -> list[Block]:
    tools = {tool["name"]: tool for tool in request.get("tools", ())}
    if request.get("tool_choice", {}).get("type") == "none":
        return []
    asked = " ".join(b["text"] for b in blocks(request["messages"][-1], "text"))
    chosen = choose(asked, descriptions(list(tools.values())), slips=slips)
    return [
        {
            "type": "tool_use",
            "id": f"toolu_{key}{number}",
            "name": choice.tool,
            "input": _input(tools[choice.tool], choice, asked, key),
        }
        for number, choice in enumerate(chosen)
    ]


def _input(tool: Json, choice: Choice, asked: str, key: str) -> dict[str, Any]:
    """Fill in what a tool demands, and one word to filter by where it offers that."""
    schema = tool["input_schema"]
    known = schema.get("properties", {})
    passage = handed_over(asked)
    filled: dict[str, Any] = {
        name: _value(known.get(name, {}), choice.ask if name == "query" else passage)
        or key
        for name in schema.get("required", ())
    }
    words = _looked_for(choice.ask, tool.get("description", ""))
    if "query" in known and words:
        filled.setdefault("query", max(words, key=len))
    return filled


def _value(schema: Json, passage: str) -> Any:
    """Return the passage, or a number from it; ``""`` where it has the wrong form."""
    if schema.get("type") == "integer":
        return int((re.findall(r"\d{1,9}", passage) or ["1"])[0])
    text = passage[: schema.get("maxLength")]
    return text if re.search(schema.get("pattern", ""), text) else ""


def _looked_for(ask: str, description: str) -> list[str]:
    named = set(content_words(description))
    return [word for word in telling_words(ask) if stem(word) not in named]


def _answer(results: list[Json]) -> str:
    if not results:
        return "This needs nothing looked up."
    return " ".join(_told(result.get("content", "")) for result in results)


def _told(content: Any) -> str:
    """Say what a tool found, and where, as far as its result has such fields."""
    text = content if isinstance(content, str) else json.dumps(content)
    try:
        found = json.loads(text)
        told = str(found["summary"])
    except (ValueError, KeyError, TypeError):
        return text[:200]
    return f"{told} [source: {found['source']}]" if "source" in found else told


def _tokens(value: Any) -> int:
    return len(json.dumps(value)) // CHARS_PER_TOKEN + 1
