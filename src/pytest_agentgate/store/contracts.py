"""The file of tool contracts that the policy names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..contract.tool import ToolContract
from .validation import FormatVersion, pattern_problem, problem_at, validate
from .yaml_reader import Document, read_document

DOCS = "docs/reference/contracts.md"


class ContractsFile(BaseModel):
    """The contracts of a tool layer (ADR-016), by tool name.

    Attributes:
        version: the format of this file; 1.
        tools: the fields of each tool's contract; its name is the key.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: FormatVersion
    tools: dict[str, ToolContract] = Field(default_factory=dict)


def load_contracts(path: Path) -> dict[str, ToolContract]:
    """Load a contracts file.

    Raises:
        PolicyError: with file and line: what was expected, what was seen, the way out.
    """
    document = _name_by_key(read_document(path))
    contracts = validate(ContractsFile, document, DOCS).tools
    for contract in contracts.values():
        _check_patterns(document, contract)
    return contracts


def _name_by_key(document: Document) -> Document:
    """Put each tool's key into its fields, as its name."""
    tools = document.data.get("tools")
    if not isinstance(tools, dict):
        return document
    named: dict[str, Any] = {}
    for name, fields in tools.items():
        if isinstance(fields, dict) and "name" in fields:
            raise problem_at(
                document,
                ("tools", name, "name"),
                f"unknown key 'name' in tools.{name}",
                expected="the tool's name as its key alone",
                seen=repr(fields["name"])[:80],
                way_out="remove it",
                docs=f"{DOCS}#tools",
            )
        named[name] = {"name": name, **fields} if isinstance(fields, dict) else fields
    return replace(document, data={**document.data, "tools": named})


def _check_patterns(document: Document, contract: ToolContract) -> None:
    for index, mode in enumerate(contract.failure_modes):
        path = ("tools", contract.name, "failure_modes", index)
        for place, (field, pattern) in enumerate(mode.patterns):
            if problem := pattern_problem(pattern):
                raise problem_at(
                    document,
                    (*path, field, place) if field == "says" else (*path, field),
                    f"pattern of failure mode {mode.name!r} of tool "
                    f"{contract.name!r} cannot be used: {problem}",
                    expected="a regular expression",
                    seen=repr(pattern[:80]),
                    way_out="write a simpler pattern; escape what is meant literally",
                    docs=f"{DOCS}#failure-modes",
                )
