"""A list of tools, in the shape that its owner sends to the model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ValidationError

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
        hosted: whether the model's provider runs it and knows its schema, as with
            Anthropic's ``web_search``; no dispatcher is ever asked for it.
    """

    name: str
    description: str = ""
    input_schema: Any = field(default_factory=dict)
    output_schema: Any = None
    hints: Mapping[str, bool] = field(default_factory=dict)
    carried: Mapping[str, Any] = field(default_factory=dict)
    server: str = ""
    hosted: bool = field(default=False, compare=False)

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
    """Read tools in the shapes that models and servers are given them in.

    Anthropic's, OpenAI's (chat and Responses) and MCP's, as plain data or as the
    objects of their packages, ``@beta_tool`` functions among them. Equal names are
    kept, and schemas as they stand.

    Args:
        tools: a list of definitions, something that holds one under ``tools``, or
            definitions by name.
        server: which server they are from, where there are several.

    Raises:
        PolicyError: it is no such list, or an entry is no named tool.
    """
    inner = tools.get("tools") if isinstance(tools, Mapping) else None
    inner = getattr(tools, "tools", None) if inner is None else inner
    listed = inner if isinstance(inner, list | tuple) else tools
    if isinstance(listed, Mapping):
        return tuple(_named(key, entry, server) for key, entry in listed.items())
    if not isinstance(listed, Iterable) or isinstance(listed, str | bytes | BaseModel):
        raise _unreadable(_glance(tools))
    return tuple(
        _definition(_fields(entry), f"entry {number}", entry, server)
        for number, entry in enumerate(listed, 1)
    )


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


SCHEMAS = ("input_schema", "inputSchema", "parameters")
ORDINARY = ("function", "custom")
"""Values of ``type`` (OpenAI, Anthropic) that a definition of one's own has."""


def _named(key: Any, entry: Any, server: str) -> Definition:
    """Read a definition that stands under its name."""
    fields = _fields(entry)
    if not isinstance(key, str) or not any(
        fields.get(name) is not None for name in ("name", "description", *SCHEMAS)
    ):
        raise _unreadable(f"{_glance(entry)} under {str(key)[:60]!r}")
    return _definition({"name": key, **fields}, f"the entry {key!r}", entry, server)


def _fields(entry: Any) -> Mapping[str, Any]:
    """Return a definition as plain data, whatever package it is an object of."""
    if isinstance(entry, BaseModel):
        fields: Any = entry.model_dump(by_alias=True)
    elif callable(read := getattr(entry, "to_dict", None)) and not _is_class(entry):
        fields = read()  # anthropic's @beta_tool
    elif isinstance(entry, Mapping):
        fields = entry
    else:
        fields = {} if _is_class(entry) else getattr(entry, "__dict__", {})
    kind = fields.get("type")
    if kind in ORDINARY and isinstance(inner := fields.get(kind), Mapping):
        return inner
    return fields if isinstance(fields, Mapping) else {}


def _is_class(entry: Any) -> bool:
    return isinstance(entry, type)


def _definition(
    fields: Mapping[str, Any], place: str, entry: Any, server: str
) -> Definition:
    given = [fields[key] for key in SCHEMAS if fields.get(key) is not None]
    kind = fields.get("type")
    hosted = not given and isinstance(kind, str) and kind not in ORDINARY
    # OpenAI's hosted tools have no name but their type.
    name = fields.get("name") or (kind if hosted else fields.get("name"))
    if not isinstance(name, str):
        raise _unreadable(f"{place} is {_glance(entry)}")
    output = fields.get("outputSchema")
    if _contains_itself([given, output, fields.get("output_schema")]):
        raise _unreadable(f"{place}, {name[:60]!r}, with a schema that contains itself")
    description = fields.get("description")
    hints = fields.get("annotations")
    return Definition(
        name=name,
        description=description if isinstance(description, str) else "",
        input_schema=given[0] if given else {},
        output_schema=fields.get("output_schema") if output is None else output,
        hints=_of_type(bool, hints),
        carried=_carried(fields.get("_meta")),
        server=server,
        hosted=hosted,
    )


def _contains_itself(value: Any) -> bool:
    """Whether a value made in Python is a circle, which no listing could carry."""
    try:
        json.dumps(value, default=str)
    except ValueError:
        return True
    except (RecursionError, TypeError):
        return False
    return False


def _of_type(kind: type, fields: Any) -> dict[str, Any]:
    found = fields if isinstance(fields, Mapping) else {}
    return {key: value for key, value in found.items() if isinstance(value, kind)}


def _carried(meta: Any) -> dict[str, Any]:
    if not isinstance(meta, Mapping):
        return {}
    whole = meta.get(META)
    fields = dict(whole) if isinstance(whole, Mapping) else {}
    prefix = f"{META}/"
    for key, value in meta.items():
        if isinstance(key, str) and key.startswith(prefix):
            fields[key.removeprefix(prefix)] = value
    return fields


def _glance(entry: Any) -> str:
    """Say what kind of thing stands where a tool is due."""
    if isinstance(entry, Mapping):
        keys = ", ".join(str(key)[:30] for key in list(entry)[:5])
        return f"a mapping with the keys {keys}" if keys else "an empty mapping"
    if callable(entry):
        return f"the function {getattr(entry, '__name__', '?')}, without a definition"
    if isinstance(entry, str):
        return f"the text {entry[:40]!r}"
    return f"a value of type {type(entry).__name__}"


def _unreadable(seen: str) -> PolicyError:
    return PolicyError(
        "the list of tools cannot be read",
        expected="a list of tool definitions, each with a name: Anthropic's, OpenAI's "
        "or MCP's shape, or @beta_tool functions",
        seen=seen,
        way_out="name the list that the model is given, or the server: mcp:COMMAND",
        docs="docs/reference/catalogues.md#shapes",
    )
