"""What the tool protocols wrap around a result, unwrapped.

Read here: Anthropic ``tool_result`` blocks, MCP ``CallToolResult`` in wire and in
Python spelling, OpenAI tool messages and Responses items, LangChain tool messages,
and the content blocks that they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .records import record_of

HINTS = frozenset(
    {
        "type",
        "role",
        "tool_call_id",
        "content",
        "structuredContent",
        "structured_content",
        "isError",
        "is_error",
    }
)
"""Keys without which a mapping is no protocol result."""

_MCP_KEYS = frozenset(
    {
        "content",
        "structuredContent",
        "structured_content",
        "isError",
        "is_error",
        "_meta",
        "meta",
        "resultType",
        "result_type",
    }
)
_MCP_OWN = ("structuredContent", "structured_content", "isError", "is_error")


@dataclass(slots=True)
class Delivery:
    """A protocol result, unwrapped.

    Attributes:
        form: the form's name.
        flag: the protocol's error flag, ``None`` where it has none.
        structured: MCP's structured content.
        texts: the texts of the text blocks, in order.
        retrieved: texts and sources of the search results.
        visible: every text that the model sees, in order.
        inline: a mapping that stands where content blocks are due.
    """

    form: str
    flag: bool | None = None
    structured: Any = None
    texts: list[str] = field(default_factory=list)
    retrieved: list[tuple[str, Any]] = field(default_factory=list)
    visible: list[str] = field(default_factory=list)
    inline: Mapping[str, Any] | None = None

    @property
    def text(self) -> str | None:
        """The model-visible text; ``None`` where there is none."""
        return "\n".join(self.visible) if self.visible else None


def unwrap(fields: Mapping[str, Any]) -> Delivery | None:
    """Unwrap a protocol result; ``None`` where the mapping is none."""
    kind = fields.get("type")
    if kind == "tool_result":
        return _unwrap("anthropic tool_result", fields)
    if kind == "function_call_output" and "output" in fields:
        return _fill(Delivery("openai function_call_output"), fields["output"])
    if "tool_call_id" in fields and (kind == "tool" or fields.get("role") == "tool"):
        return _unwrap_tool_message(fields)
    if _is_mcp(fields):
        return _unwrap("mcp result", fields)
    return None


def unwrap_blocks(items: Any) -> Delivery | None:
    """Unwrap a bare list of content blocks; ``None`` where it is none."""
    if not items or not all(map(_is_block, items)):
        return None
    return _fill(Delivery("content blocks"), items)


def _is_mcp(fields: Mapping[str, Any]) -> bool:
    content = fields.get("content")
    owned = any(name in fields for name in _MCP_OWN)
    if isinstance(content, list | tuple):
        return owned or (_MCP_KEYS.issuperset(fields) and all(map(_is_block, content)))
    if content is None or isinstance(content, str):
        return owned and ("content" in fields or _structured(fields) is not None)
    return False


def _unwrap(form: str, fields: Mapping[str, Any]) -> Delivery:
    delivery = Delivery(form, _flag(fields), _structured(fields))
    return _fill(delivery, fields.get("content"))


def _unwrap_tool_message(fields: Mapping[str, Any]) -> Delivery:
    if fields.get("role") == "tool":
        return _fill(Delivery("openai tool message"), fields.get("content"))
    failed = {"error": True, "success": False}
    status = fields.get("status")
    flag = failed.get(status) if isinstance(status, str) else None
    return _fill(Delivery("langchain tool message", flag), fields.get("content"))


def _flag(fields: Mapping[str, Any]) -> bool | None:
    for name in ("isError", "is_error"):
        if isinstance(fields.get(name), bool):
            return bool(fields[name])
    return None


def _structured(fields: Mapping[str, Any]) -> Any:
    value = fields.get("structuredContent")
    return fields.get("structured_content") if value is None else value


def _fill(delivery: Delivery, content: Any) -> Delivery:
    """Sort the content into the delivery."""
    if isinstance(content, str):
        content = (content,)
    if not isinstance(content, list | tuple):
        delivery.inline = record_of(content)
        return delivery
    for item in content:
        if isinstance(item, str):
            _add_text(delivery, item)
            continue
        block = record_of(item) or {}
        read = _READERS.get(_kind(block))
        if read is not None:
            read(delivery, block)
    return delivery


def _kind(block: Mapping[str, Any]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _is_block(item: Any) -> bool:
    block = record_of(item) if item is not None else None
    kind = _kind(block or {})
    if kind in _TEXT_KINDS:
        return isinstance((block or {}).get("text"), str)
    return kind in _READERS or kind in _OTHER_KINDS


def _add_text(delivery: Delivery, text: Any) -> None:
    if isinstance(text, str):
        delivery.texts.append(text)
        delivery.visible.append(text)


def _read_text(delivery: Delivery, block: Mapping[str, Any]) -> None:
    _add_text(delivery, block.get("text"))


def _read_search_result(delivery: Delivery, block: Mapping[str, Any]) -> None:
    content = block.get("content")
    blocks = content if isinstance(content, list | tuple) else ()
    texts = ((record_of(inner) or {}).get("text") for inner in blocks)
    text = "\n".join(text for text in texts if isinstance(text, str))
    delivery.retrieved.append((text, block.get("source")))
    delivery.visible.append(text)


def _read_resource(delivery: Delivery, block: Mapping[str, Any]) -> None:
    resource = record_of(block.get("resource")) or {}
    _add_text(delivery, resource.get("text"))


def _read_document(delivery: Delivery, block: Mapping[str, Any]) -> None:
    source = record_of(block.get("source")) or {}
    if source.get("type") == "text":
        _add_text(delivery, source.get("data"))
    elif source.get("type") == "content" and isinstance(source.get("content"), str):
        _add_text(delivery, source["content"])


_TEXT_KINDS = ("text", "input_text", "output_text")
_OTHER_KINDS = (
    "image",
    "audio",
    "resource_link",
    "tool_reference",
    "browser_state",
    "input_image",
    "input_file",
    "image_url",
)
_READERS: dict[str, Callable[[Delivery, Mapping[str, Any]], None]] = {
    **dict.fromkeys(_TEXT_KINDS, _read_text),
    "search_result": _read_search_result,
    "resource": _read_resource,
    "document": _read_document,
}
