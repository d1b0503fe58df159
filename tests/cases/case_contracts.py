"""The contracts of a case, in the spelling of the cases, linted as a catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pytest_agentgate.contract.catalogue import Catalogue, Definition
from pytest_agentgate.contract.tool import Polling, ToolContract
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.linting import Linted, lint
from pytest_agentgate.grading.rules import built_in

SIDE_EFFECTS = {
    "read": "read_only",
    "write_reversible": "reversible_mutation",
    "irreversible": "irreversible_mutation",
}
PARTS = ("tool_contract", "tool_contracts", "servers", "pinned", "current", "baseline")
NO_WORDS_FOR = {"contract.failure-modes": "failure_modes"}
"""Rules about something that the cases' contracts have no words for, and its key."""
OF_A_LISTING = {"contract.side-effect": "side_effect", "contract.timeout": "timeout_s"}
"""Rules about what a mere definition, pinned and current, does not say."""


def is_contract_case(case: Mapping[str, Any]) -> bool:
    """Whether a case is about contracts; elsewhere a contract is context alone."""
    if not any(name in case["input"] for name in PARTS):
        return False
    if "trajectory" in case["input"] or "messages" in case["input"]:
        return False
    expected = case.get("expected", {})
    named = (*expected.get("must_fire", ()), *expected.get("must_not_fire", ()))
    is_theme = str(case.get("theme", "")).startswith("contract:")
    return is_theme or any(rule.startswith("contract.") for rule in named)


def lint_case(given: Mapping[str, Any]) -> Linted:
    """Lint what a case declares against what it serves and what was pinned."""
    registry = built_in()
    contracts = list(_contracts(given))
    bare = "current" in given and "tool_contract" not in given
    silent = {
        rule
        for rule, key in (NO_WORDS_FOR | (OF_A_LISTING if bare else {})).items()
        if not any(key in fields for _, fields in contracts)
    }
    only = frozenset(
        entry.id
        for entry in registry
        if entry.family == "contract" and entry.id not in silent
    )
    definitions = tuple(_definition(server, one, given) for server, one in contracts)
    served = given.get("served_tools", given.get("tools_available"))
    catalogue = Catalogue(
        definitions,
        served=None
        if served is None
        else tuple(_known(one, definitions) for one in served),
    )
    agreed = given.get("pinned", given.get("baseline"))
    pinned = {
        entry.name: entry
        for entry in (_known(one, definitions) for one in _tools(agreed, given))
    }
    return lint(
        catalogue,
        Grader(registry),
        pinned=None if agreed is None else pinned,
        only=only,
    )


def _known(entry: Any, definitions: tuple[Definition, ...]) -> Definition:
    """Read a definition; of a mere name the one that is listed."""
    if not isinstance(entry, str):
        return _definition("", entry, {})
    listed = (one for one in definitions if one.name == entry)
    return next(listed, Definition(entry))


def _contracts(given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for server, tools in (given.get("servers") or {}).items():
        yield from ((server, fields) for fields in tools)
    declared = [given["tool_contract"]] if "tool_contract" in given else []
    declared += given.get("tool_contracts") or ()
    current = {one["name"]: one for one in _tools(given.get("current"), given)}
    yield from (("", {**one, **current.pop(one["name"], {})}) for one in declared)
    yield from (("", one) for one in current.values())


def _tools(listed: Any, given: Mapping[str, Any]) -> Iterator[Any]:
    """Read one definition, a list of them or of names, or definitions by name."""
    if isinstance(listed, Mapping) and isinstance(listed.get("tools"), list):
        listed = listed["tools"]
    if isinstance(listed, list):
        yield from listed
    elif isinstance(listed, Mapping) and all(
        isinstance(fields, Mapping) and "properties" not in fields
        for fields in listed.values()
    ):
        yield from ({"name": name, **fields} for name, fields in listed.items())
    elif isinstance(listed, Mapping):
        contract = given.get("tool_contract") or {}
        yield {"name": contract.get("name", "tool"), **listed}


def _definition(
    server: str, fields: Mapping[str, Any], given: Mapping[str, Any]
) -> Definition:
    """Make the definition that is served, carrying the contract that is declared."""
    contract = contract_of(fields)
    declared = contract.input_schema
    if definitions := given.get("declared_defs"):
        declared = {**declared, "$defs": {**definitions, **declared.get("$defs", {})}}
    carried = contract.model_dump(exclude_unset=True, exclude={"name"})
    return replace(
        _listed(fields),
        input_schema=given.get("served_schema", fields.get("input_schema") or {}),
        carried=carried | {"input_schema": declared},
        server=server,
    )


def _listed(fields: Mapping[str, Any]) -> Definition:
    contract = contract_of(fields)
    return Definition(
        contract.name,
        contract.description,
        contract.input_schema,
        contract.output_schema,
        hints=contract.hints,
    )


def contract_of(fields: Mapping[str, Any]) -> ToolContract:
    """Read a contract in the spelling of the cases."""
    trust = fields.get("output_trust")
    said: dict[str, Any] = {
        "side_effect": SIDE_EFFECTS.get(fields.get("side_effect") or ""),
        "timeout_seconds": fields.get("timeout_s"),
        "idempotency": fields.get("idempotency"),
        "approval": fields.get("approval"),
        "output_schema": fields.get("output_schema"),
        "polling": _polling(fields.get("polling")),
        "output_trust": trust if trust in ("trusted", "untrusted") else None,
    }
    return ToolContract(
        name=fields["name"],
        description=fields.get("description") or "",
        input_schema=fields.get("input_schema") or fields.get("inputSchema") or {},
        redaction=tuple(fields.get("redact") or ()),
        hints=fields.get("annotations") or {},
        open_maps=tuple(fields.get("open_maps") or ()),
        **{key: value for key, value in said.items() if value is not None},
    )


def _polling(fields: Any) -> Polling | None:
    if not isinstance(fields, Mapping):
        return None
    return Polling(
        max_polls=fields.get("max_polls", 1),
        min_interval_seconds=fields.get("min_interval_s", 0),
    )
