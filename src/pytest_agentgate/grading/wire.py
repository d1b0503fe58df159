"""What reached the wire: whether anything did, and what values became on the way."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..contract.observation import ToolResult

PROTOCOL_FORMS = frozenset({"mcp result", "anthropic tool_result", "content blocks"})
ABSENT = object()
NODES_LIMIT = 5_000
_SAID = re.compile(
    r"\bnan\b|not a number|undefined|infinit|\binf\b|not defined"
    r"|no (?:value|mean|number)"
    r"|cannot be (?:computed|calculated)|omitted|dropped|replaced|converted|redacted"
    r"|unavailable|none\b|division by zero|no data",
    re.IGNORECASE,
)


def delivers_nothing(result: ToolResult) -> bool:
    """Whether a protocol result that is no error came with no content at all."""
    return (
        result.form in PROTOCOL_FORMS
        and result.protocol_error is not True
        and result.structured is None
        and not (result.text or "").strip()
    )


def to_validate(result: ToolResult) -> list[Any] | None:
    """Return what may satisfy an output schema, one of them being enough.

    An MCP result owes structured content (2025-06-18, tools, output schema); there
    the structured content or, where that is an envelope, its payload is judged.

    Returns:
        The candidates, none where they are owed and absent; ``None`` where nothing
        is owed: an error, or a result that delivered nothing.
    """
    observation = result.observation
    is_mcp = result.form == "mcp result"
    if result.protocol_error is True or (observation is None and not is_mcp):
        return None
    status = "success" if observation is None else observation.status
    payload = None if observation is None else observation.payload
    if status == "error":
        return None
    if not is_mcp:
        return None if payload is None else [payload]
    if result.structured is None:
        return [] if status == "success" else None
    return [one for one in (result.structured, payload) if one is not None]


def rewritten(handler_return: Any, result: ToolResult) -> list[tuple[str, str, str]]:
    """List values JSON cannot carry that reached the wire as something else, unsaid.

    Args:
        handler_return: what the tool's function returned before it was encoded.
        result: the result as read from the wire.

    Returns:
        ``(path, what it was, what it became)``, five at most. Values that do not
        reach the wire at all are not judged: the wire may be another shape.
    """
    observation = result.observation
    if observation is None or _is_said(result):
        return []
    roots = (observation.payload, observation.fields, result.structured)
    found: list[tuple[str, str, str]] = []
    for path, kind in _unsafe(handler_return):
        for root in roots:
            wire = _at(root, path)
            if wire is not ABSENT and _lost(wire):
                pointer = "".join(f"/{part}" for part in path)
                found.append((pointer, kind, "null" if wire is None else "text"))
                break
        if len(found) == 5:
            break
    return found


def _is_said(result: ToolResult) -> bool:
    observation = result.observation
    assert observation is not None
    said = [observation.summary, *observation.next_actions]
    return any(isinstance(text, str) and _SAID.search(text[:2_000]) for text in said)


def _lost(wire: Any) -> bool:
    if isinstance(wire, str):
        return wire in ("nan", "NaN", "inf", "-inf", "Infinity", "-Infinity") or (
            wire.startswith(("b'", 'b"', "datetime.", "bytearray("))
        )
    return wire is None


def _unsafe(value: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    pending: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    for _ in range(NODES_LIMIT):
        if not pending:
            return
        path, node = pending.pop()
        if isinstance(node, Mapping):
            pending += [((*path, key), child) for key, child in node.items()]
        elif isinstance(node, list | tuple):
            pending += [((*path, index), child) for index, child in enumerate(node)]
        else:
            kind = _kind(node)
            if kind:
                yield path, kind


def _kind(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isfinite(value) else repr(value)
    if isinstance(value, bytes | bytearray | datetime.date | datetime.time | set):
        return f"a {type(value).__name__}"
    return ""


def _at(root: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        if isinstance(root, Mapping):
            root = root.get(part, ABSENT)
        elif isinstance(root, list | tuple) and isinstance(part, int):
            root = root[part] if part < len(root) else ABSENT
        else:
            return ABSENT
    return root if path else ABSENT
