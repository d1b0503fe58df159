"""Whether what is served, and what was agreed, is what the contract says (ADR-001)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ....contract.catalogue import Catalogue, Definition
from ....contract.schema.weakening import Comparison, Difference, compare
from ....contract.tool import ToolContract
from ...context import Context
from ...finding import Finding, abstain, fail, shortened
from ...registry import Example, rule
from .examples import LISTED, PLAIN

VALUE_CHARS = 120
_HOW = {
    "weakened": "is weaker than the declared one",
    "breaking": "demands more than the declared one",
    "changed": "differs from the declared one",
}
_WIDER = Definition("search", PLAIN.description, {"type": "object"})


class EnginesDisagreeError(Exception):
    """Two engines contradict each other about a schema: a defect of agentgate's."""


@rule(
    "contract.fidelity",
    subject="contract",
    strict="error",
    needs=("served",),
    fails_when="the served schema is weaker than, or different from, the declared one: "
    "enum, bounds, default, required, type, closedness",
    way_out="serve the declared schema itself, not one that is generated beside it",
    bad=Example(PLAIN, {"served": _WIDER}),
    good=Example(PLAIN, {"served": LISTED.definitions[0]}),
)
def fidelity(contract: ToolContract, context: Context) -> list[Finding] | None:
    """Generated schemas lose enums and bounds in silence (ADR-001).

    Spellings do not matter; each difference is shown by a value that one schema
    accepts and the other one refuses, checked with the reference validator.
    """
    served = context.served
    if served is None:
        return None
    found: list[Finding] = []
    if isinstance(served.input_schema, dict | bool) and contract.input_schema:
        made = compare(contract.input_schema, served.input_schema)
        found += _differences(made, "input")
    if contract.output_schema is not None and isinstance(served.output_schema, dict):
        made = compare(contract.output_schema, served.output_schema, direction="output")
        found += _differences(made, "output")
    return found or None


def _differences(made: Comparison, side: str) -> Iterator[Finding]:
    """Put a comparison into words.

    Raises:
        EnginesDisagreeError: the engines contradict each other.
    """
    if made.disagreements:
        raise EnginesDisagreeError(made.disagreements[0].message)
    for one in made.differences:
        place = f"{one.keyword} at {one.pointer or 'the root'}"
        if one.kind == "unproven":
            yield abstain(
                f"the served {side} schema may differ: {place}: {one.why}",
                seen=_told(one),
                path=one.pointer,
            )
        else:
            yield fail(
                f"the served {side} schema {_HOW[one.kind]}: {place}",
                expected=f"{one.keyword} {_value(one.declared)}",
                seen=_told(one),
                path=one.pointer,
            )


def _told(one: Difference) -> str:
    said = f"declared {_value(one.declared)}, served {_value(one.served)}"
    if one.witness is None:
        return said
    other = "served" if one.witness.accepted_by == "declared" else "declared"
    return (
        f"{said}; the {one.witness.accepted_by} schema accepts "
        f"{_value(one.witness.value)}, the {other} one refuses it"
    )


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return shortened(text, VALUE_CHARS)


@rule(
    "contract.pinned",
    subject="catalogue",
    strict="error",
    needs=("pinned",),
    fails_when="an approved definition differs from the current one",
    way_out="take the change back, or agree on it: 'pytest-agentgate lock'",
    bad=Example(LISTED, {"pinned": {"search": _WIDER}}),
    good=Example(LISTED, {"pinned": {"search": LISTED.definitions[0]}}),
)
def pinned(catalogue: Catalogue, context: Context) -> list[Finding]:
    """A definition is a prompt: whoever changes a word of it changes the agent."""
    agreed = context.pinned or {}
    return [
        replace(found, tool=entry.name)
        for entry in catalogue.definitions
        if entry.name in agreed
        for found in _changes(agreed[entry.name], entry)
    ]


def _changes(agreed: Definition, current: Definition) -> Iterator[Finding]:
    if current.description != agreed.description:
        yield _changed("description", agreed.description, current.description)
    for side in ("input", "output"):
        old = getattr(agreed, f"{side}_schema")
        new = getattr(current, f"{side}_schema")
        if old != new:
            yield from _schema_changes(side, old, new)
    if dict(current.hints) != dict(agreed.hints):
        yield _changed("hints", dict(agreed.hints), dict(current.hints))
    if dict(current.carried) != dict(agreed.carried):
        yield _changed("contract", dict(agreed.carried), dict(current.carried))


def _schema_changes(side: str, old: Any, new: Any) -> Iterator[Finding]:
    comparable = isinstance(old, dict | bool) and isinstance(new, dict | bool)
    shown = []
    if comparable:
        made = compare(old, new, direction="input")
        shown = [one for one in made.differences if one.kind != "unproven"]
    if not shown:
        yield _changed(f"{side} schema", old, new)
    words = {
        "weakened": "is wider than agreed",
        "breaking": "is narrower than agreed",
        "changed": "is not the agreed one",
    }
    for one in shown:
        place = f"{one.keyword} at {one.pointer or 'the root'}"
        yield fail(
            f"the {side} schema {words[one.kind]}: {place}",
            expected=f"{one.keyword} {_value(one.declared)}",
            seen=_told(one),
            path=one.pointer,
        )


def _changed(what: str, old: Any, new: Any) -> Finding:
    return fail(
        f"not as agreed: {what}",
        expected=_value(old),
        seen=_value(new),
    )


RULES = (fidelity, pinned)
