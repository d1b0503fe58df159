"""Walking a result's values, and telling its own words from what it retrieved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...contract.observation import Observation, ToolResult
from ..wording.presence import says_something

NODES_LIMIT = 20_000
DEPTH_LIMIT = 60
OWN_LIMIT = 200
"""Values of the tool's own fields that are looked at."""

_DATA = frozenset({"payload", "source", "status"})
_STACKS = frozenset(
    {"traceback", "trace", "stack", "stacktrace", "stack_trace", "exception"}
)
_FINE = frozenset({"ok", "okay", "success", "no error", "no errors", "0", "false"})

_JSON = frozenset({str, int, float, bool, list, type(None)})

Node = tuple[str, str, Any]
"""JSON pointer, key that the value stands under (its list's, in a list), value."""


def nodes(value: Any, limit: int = NODES_LIMIT) -> Iterator[Node]:
    """Yield every value inside a value, itself first; bounded in number and depth."""
    pending: list[tuple[str, str, Any, int]] = [("", "", value, 0)]
    for _ in range(limit):
        if not pending:
            return
        path, key, node, depth = pending.pop()
        yield path, key, node
        if depth >= DEPTH_LIMIT:
            continue
        if isinstance(node, Mapping):
            items = [(str(name)[:200], child) for name, child in _first(node, limit)]
        elif isinstance(node, list | tuple):
            items = [(str(place), child) for place, child in enumerate(node[:limit])]
        else:
            continue
        inner = isinstance(node, Mapping)
        pending += [
            (f"{path}/{_token(name)}", name if inner else key, child, depth + 1)
            for name, child in reversed(items)
        ]


def strings(value: Any, limit: int = NODES_LIMIT) -> Iterator[tuple[str, str, str]]:
    """Yield pointer, key and text of every text inside a value."""
    for path, key, node in nodes(value, limit):
        if isinstance(node, str):
            yield path, key, node


def mappings_by_wrapper(
    value: Any, names: frozenset[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a mapping and, three levels down, those that such names wrap."""
    pending = [("", value, 0)]
    while pending:
        path, node, depth = pending.pop()
        if not is_mapping(node):
            continue
        yield path, node
        if depth < 3 and not names.isdisjoint(node):
            pending += [
                (f"{path}/{name}", node[name], depth + 1)
                for name in names
                if name in node
            ]


def is_mapping(value: Any) -> bool:
    """Whether a value is a mapping; quick for the types that JSON has."""
    kind = type(value)
    return kind is dict or (kind not in _JSON and isinstance(value, Mapping))


def plain_text(result: ToolResult) -> str | None:
    """Return the text of a result that is nothing but text."""
    observation = result.observation
    if result.text is None:
        return None
    if observation is None:
        return result.text
    if observation.fields or observation.status not in ("success", "error"):
        return None
    return result.text


def claims_success(result: ToolResult) -> bool:
    """Whether status, or where there is none the protocol's flag, says success."""
    observation = result.observation
    if result.raised is not None:
        return False
    if observation is None or observation.status is None:
        return result.protocol_error is False
    return bool(observation.status == "success")


def claims_error(result: ToolResult) -> bool:
    """Whether status, or where there is none the protocol's flag, says error."""
    observation = result.observation
    if result.raised is not None:
        return False
    if observation is None or observation.status is None:
        return result.protocol_error is True
    return bool(observation.status == "error")


def delivered(observation: Observation | None) -> Any:
    """Return the payload; a mapping that is no envelope is one as a whole."""
    if observation is None:
        return None
    if observation.payload is None and observation.status is None:
        return observation.fields or None
    return observation.payload


def own_texts(result: ToolResult) -> Iterator[tuple[str, str]]:
    """Yield pointer and text of the tool's own words, never of what it retrieved.

    These are the summary, the error and recovery fields and the next actions; on an
    error whatever else stands beside the payload, and a stack inside it.
    """
    observation = result.observation
    if observation is None:
        return
    if isinstance(observation.summary, str):
        yield "/summary", observation.summary
    failed = claims_error(result)
    for name, value in _own_fields(observation, failed):
        for path, _, text in strings(value, OWN_LIMIT):
            yield f"/{_token(name)}{path}", text
    if failed and isinstance(observation.payload, Mapping):
        for name in _STACKS:
            if isinstance(observation.payload.get(name), str):
                yield f"/payload/{name}", observation.payload[name]


def _own_fields(observation: Observation, failed: bool) -> Iterator[tuple[str, Any]]:
    if not observation.fields:
        yield "next_actions", list(observation.next_actions)
        return
    if not failed:
        yield "error", observation.fields.get("error")
        yield "next_actions", list(observation.next_actions)
        return
    for name, value in _first(observation.fields, OWN_LIMIT):
        mapped = value is observation.payload or value is observation.summary
        if isinstance(name, str) and name not in _DATA and not mapped:
            yield name, value


def is_set(value: Any) -> bool:
    """Whether an error field names an error: ``null``, ``0``, ``[]``, "ok" do not."""
    if isinstance(value, str):
        return says_something(value) and value.strip().lower() not in _FINE
    if isinstance(value, Mapping):
        return any(is_set(child) for _, child in _first(value, 50))
    if isinstance(value, list | tuple):
        return any(is_set(child) for child in value[:50])
    return isinstance(value, bool | int) and bool(value)


def is_empty(value: Any) -> bool:
    """Whether a value holds nothing: ``null``, ``""``, ``[]``, ``{}``, ``false``."""
    return value is None or value is False or value in ("", [], {}, ())


def _first(mapping: Mapping[Any, Any], limit: int) -> list[tuple[Any, Any]]:
    return [pair for pair, _ in zip(mapping.items(), range(limit), strict=False)]


def _token(name: Any) -> str:
    return str(name)[:200].replace("~", "~0").replace("/", "~1")
