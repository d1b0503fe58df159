"""Read a list of tools in the shape that its owner sends to the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import PolicyError
from .tool import ToolContract


def read_catalogue(
    tools: Any, contracts: Mapping[str, ToolContract] | None = None
) -> dict[str, ToolContract]:
    """Read tools in Anthropic, OpenAI or MCP shape, completed by their contracts.

    Args:
        tools: a list of tool definitions.
        contracts: what else the tools promise, by name.

    Returns:
        Contracts by tool name, in the list's order; name, description and input
        schema come from the list.

    Raises:
        PolicyError: it is not a list of named tools.
    """
    if not isinstance(tools, Iterable) or isinstance(tools, (str, bytes, Mapping)):
        raise _unreadable(type(tools).__name__)
    found: dict[str, ToolContract] = {}
    for entry in tools:
        definition = _definition(entry)
        name = definition.pop("name")
        known = (contracts or {}).get(name)
        base = known.model_dump(exclude_unset=True) if known else {}
        found[name] = ToolContract(**{**base, **definition, "name": name})
    return found


def _definition(entry: Any) -> dict[str, Any]:
    fields = entry if isinstance(entry, Mapping) else getattr(entry, "__dict__", {})
    if fields.get("type") == "function" and isinstance(fields.get("function"), Mapping):
        fields = fields["function"]
    name = fields.get("name")
    if not isinstance(name, str):
        raise _unreadable(f"an entry {str(entry)[:60]!r} without a name")
    schemas = ("input_schema", "inputSchema", "parameters")
    schema: Mapping[str, Any] = next(
        (fields[key] for key in schemas if fields.get(key)), {}
    )
    definition = {
        "name": name,
        "description": fields.get("description") or "",
        "input_schema": dict(schema),
    }
    output = fields.get("outputSchema") or fields.get("output_schema")
    return {**definition, "output_schema": output} if output else definition


def _unreadable(seen: str) -> PolicyError:
    return PolicyError(
        "tools.catalogue cannot be read",
        expected="a list of tool definitions (Anthropic, OpenAI or MCP shape)",
        seen=seen,
        way_out="point tools.catalogue at the list the model is given",
        docs="docs/reference/policy.md#tools",
    )
