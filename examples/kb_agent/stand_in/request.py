"""What a request to the Messages API looks like, as far as the stand-in reads it."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

TEXT = {"type": "string"}
BLOCK = {
    "type": "object",
    "properties": {"type": {"enum": ["text", "tool_use", "tool_result"]}},
    "required": ["type"],
    "allOf": [
        {
            "if": {"properties": {"type": {"const": kind}}},
            "then": {"required": needed},
        }
        for kind, needed in {
            "text": ["text"],
            "tool_use": ["id", "name", "input"],
            "tool_result": ["tool_use_id"],
        }.items()
    ],
}
MESSAGE = {
    "type": "object",
    "properties": {
        "role": {"enum": ["user", "assistant"]},
        "content": {
            "if": TEXT,
            "then": {"minLength": 1},
            "else": {"type": "array", "items": BLOCK, "minItems": 1},
        },
    },
    "required": ["role", "content"],
}
TOOL = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9_-]{1,64}$"},
        "description": TEXT,
        "input_schema": {
            "type": "object",
            "properties": {"type": {"const": "object"}},
            "required": ["type"],
        },
    },
    "required": ["name", "input_schema"],
}
REQUEST = Draft202012Validator(
    {
        "type": "object",
        "properties": {
            "model": TEXT,
            "max_tokens": {"type": "integer", "minimum": 1},
            "messages": {"type": "array", "items": MESSAGE, "minItems": 1},
            "tools": {"type": "array", "items": TOOL},
            "tool_choice": {"properties": {"type": {"enum": ["auto", "none"]}}},
            "stream": {"const": False},
        },
        "required": ["model", "max_tokens", "messages"],
    }
)


class Refusal(Exception):  # noqa: N818 - named as the API's users know it
    """A request that is not answered.

    Attributes:
        status: the HTTP status.
        kind: the API's name for this kind of error.
    """

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


def check(request: Any, model: str) -> None:
    """Refuse a request that the Messages API would refuse, or that is not for us.

    Raises:
        Refusal: the shape is wrong, the model another, or calls lack their results.
    """
    if error := best_match(REQUEST.iter_errors(request)):
        place = ".".join(map(str, error.absolute_path)) or "request"
        raise _invalid(f"{place}: {error.message[:200]}")
    if request["model"] != model:
        raise Refusal(404, "not_found_error", f"model: {request['model']}")
    names = [tool["name"] for tool in request.get("tools", ())]
    if len(set(names)) < len(names):
        raise _invalid("tools: Tool names must be unique.")
    _check_turns(request["messages"])


def blocks(message: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    """Return a message's blocks of one kind; plain text is one text block."""
    content = message["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return [block for block in content if block["type"] == kind]


def _check_turns(messages: list[Mapping[str, Any]]) -> None:
    if messages[0]["role"] != "user" or messages[-1]["role"] != "user":
        raise _invalid("messages: the first and the last turn are the user's")
    open_calls: set[str] = set()
    for place, message in enumerate(messages):
        given = {result["tool_use_id"] for result in blocks(message, "tool_result")}
        if missing := sorted(open_calls - given):
            raise _invalid(
                f"messages.{place}: `tool_use` ids were found without `tool_result` "
                f"blocks immediately after: {', '.join(missing)}"
            )
        if unknown := sorted(given - open_calls):
            raise _invalid(
                f"messages.{place}: unexpected `tool_use_id` in `tool_result` blocks: "
                f"{', '.join(unknown)}"
            )
        open_calls = {call["id"] for call in blocks(message, "tool_use")}


def _invalid(message: str) -> Refusal:
    return Refusal(400, "invalid_request_error", message)
