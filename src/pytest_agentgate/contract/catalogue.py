"""A list of tools, in the shape that its owner sends to the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from ..errors import PolicyError
from .tool import SideEffect, ToolContract

META = "agentgate"
"""Where a definition carries fields of its contract: ``_meta: {agentgate: {...}}``, or
``_meta: {agentgate/version: ...}``."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool as a listing defines it, nothing repaired.

    Attributes:
        name: the tool's name.
        description: what the model reads.
        input_schema: as it stands, which may be no schema at all.
        output_schema: as it stands, ``None`` where there is none.
        hints: MCP's annotations that are set to true or false.
        carried: fields of the contract that the definition itself carries.
        server: which of several servers serves it; ``""`` for the only one.
    """

    name: str
    description: str = ""
    input_schema: Any = field(default_factory=dict)
    output_schema: Any = None
    hints: Mapping[str, bool] = field(default_factory=dict)
    carried: Mapping[str, Any] = field(default_factory=dict)
    server: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what a model and a lock see of it, as plain data."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.input_schema,
            "output_schema": self.output_schema,
            "hints": dict(self.hints),
            "contract": dict(self.carried),
        }


@dataclass(frozen=True)
class Catalogue:
    """The tools of one agent.

    Attributes:
        definitions: what the model is given, in order, equal names kept.
        declared: what a person wrote down beside it, by name (contracts file).
        served: what another transport really serves, ``None`` where nobody looked.
    """

    definitions: tuple[Definition, ...] = ()
    declared: Mapping[str, ToolContract] = field(default_factory=dict)
    served: tuple[Definition, ...] | None = None

    @cached_property
    def contracts(self) -> dict[str, ToolContract]:
        """Complete contracts by name, in the listing's order; of equals the last."""
        return {
            entry.name: complete(entry, self.declared.get(entry.name))
            for entry in self.definitions
        }


def read_definitions(tools: Any, server: str = "") -> tuple[Definition, ...]:
    """Read tools in Anthropic, OpenAI (chat, Responses), MCP or ``@beta_tool`` shape.

    Args:
        tools: a list of tool definitions.
        server: which server they are from, where there are several.

    Raises:
        PolicyError: it is not a list of named tools.
    """
    if isinstance(tools, Mapping) and isinstance(tools.get("tools"), list):
        tools = tools["tools"]
    if not isinstance(tools, Iterable) or isinstance(tools, (str, bytes, Mapping)):
        raise _unreadable(type(tools).__name__)
    return tuple(_definition(entry, server) for entry in tools)


def read_catalogue(
    tools: Any, contracts: Mapping[str, ToolContract] | None = None
) -> dict[str, ToolContract]:
    """Read tool definitions, completed by their contracts; see ``Catalogue``."""
    return Catalogue(read_definitions(tools), contracts or {}).contracts


def complete(entry: Definition, declared: ToolContract | None = None) -> ToolContract:
    """Put a tool's contract together.

    What a person wrote goes before what the definition carries, and that before its
    hints; name and description are the definition's own, the model reads those.

    Raises:
        PolicyError: the definition carries something that is no contract field.
    """
    fields: dict[str, Any] = {"hints": dict(entry.hints)}
    if isinstance(entry.input_schema, dict):
        fields["input_schema"] = entry.input_schema
    if isinstance(entry.output_schema, dict):
        fields["output_schema"] = entry.output_schema
    if (hinted := side_effect_of(entry.hints)) is not None:
        fields["side_effect"] = hinted
    fields |= entry.carried
    if declared is not None:
        fields |= declared.model_dump(exclude_unset=True)
    fields["name"] = entry.name
    fields["description"] = entry.description or fields.get("description", "")
    try:
        return ToolContract(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise PolicyError(
            f"the definition of tool {entry.name!r} carries a contract that cannot be "
            f"read: {place}: {first['msg']}",
            expected="fields of a contract under _meta.agentgate",
            seen=repr(first["input"])[:80],
            way_out="mend the definition's _meta",
            docs="docs/reference/contracts.md#in-the-tools-own-metadata",
        ) from None


def side_effect_of(hints: Mapping[str, bool]) -> SideEffect | None:
    """Return the class that MCP's hints amount to (MCP: ToolAnnotations defaults).

    A tool that is not read-only is destructive unless it says that it is not.
    """
    if not {"readOnlyHint", "destructiveHint"} & hints.keys():
        return None
    if hints.get("readOnlyHint", False):
        return "read_only"
    destructive = hints.get("destructiveHint", True)
    return "irreversible_mutation" if destructive else "reversible_mutation"


def _definition(entry: Any, server: str) -> Definition:
    fields = entry if isinstance(entry, Mapping) else getattr(entry, "__dict__", {})
    if fields.get("type") == "function" and isinstance(fields.get("function"), Mapping):
        fields = fields["function"]
    name = fields.get("name")
    if not isinstance(name, str):
        raise _unreadable(f"an entry {str(entry)[:60]!r} without a name")
    schemas = ("input_schema", "inputSchema", "parameters")
    schema: Any = next(
        (fields[key] for key in schemas if fields.get(key) is not None), {}
    )
    hints = fields.get("annotations") or {}
    return Definition(
        name=name,
        description=fields.get("description") or "",
        input_schema=schema,
        output_schema=fields.get("outputSchema") or fields.get("output_schema"),
        hints={key: hint for key, hint in hints.items() if isinstance(hint, bool)},
        carried=_carried(fields.get("_meta") or {}),
        server=server,
    )


def _carried(meta: Mapping[str, Any]) -> dict[str, Any]:
    whole = meta.get(META)
    fields = dict(whole) if isinstance(whole, Mapping) else {}
    prefix = f"{META}/"
    single = {k.removeprefix(prefix): v for k, v in meta.items() if k[:10] == prefix}
    return fields | single


def _unreadable(seen: str) -> PolicyError:
    return PolicyError(
        "tools.catalogue cannot be read",
        expected="a list of tool definitions (Anthropic, OpenAI or MCP shape)",
        seen=seen,
        way_out="point tools.catalogue at the list the model is given",
        docs="docs/reference/policy.md#tools",
    )
