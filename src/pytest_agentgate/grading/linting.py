"""Judge a whole catalogue: every tool's contract, and the listing as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..contract.catalogue import Catalogue, Definition, complete
from .context import DEFAULT_CAPS, Caps, Context
from .finding import Finding
from .grader import Grader, GraderError, Grades

WINDOW = frozenset({"context.tool-definitions"})


@dataclass(frozen=True, slots=True)
class Linted:
    """What the rules said about a catalogue.

    Attributes:
        findings: failures and abstains: first about single tools, in the listing's
            order, then about the listing; each names its tool, ``""`` for none.
        errors: rules that raised.
    """

    findings: tuple[Finding, ...] = ()
    errors: tuple[GraderError, ...] = ()

    @property
    def by_tool(self) -> dict[str, tuple[Finding, ...]]:
        """The findings by tool, in their order."""
        found: dict[str, list[Finding]] = {}
        for one in self.findings:
            found.setdefault(one.tool, []).append(one)
        return {tool: tuple(entries) for tool, entries in found.items()}


def lint(
    catalogue: Catalogue,
    grader: Grader,
    *,
    caps: Caps = DEFAULT_CAPS,
    pinned: Mapping[str, Definition] | None = None,
    only: frozenset[str] | None = None,
) -> Linted:
    """Judge every contract of a catalogue (ADR-016), and the catalogue itself.

    Args:
        catalogue: the tools, with what a person declared and another transport serves.
        grader: the rules and their settings.
        caps: the limits in force.
        pinned: the definitions that were agreed on, by name.
        only: narrow to these rule ids.
    """
    others = {other.name: other for other in reversed(catalogue.served or ())}
    grades = [
        grader.grade(
            complete(entry, catalogue.declared.get(entry.name)),
            Context(
                tool=entry.name,
                caps=caps,
                served=_served(entry, others),
                pinned=pinned,
            ),
            kind="contract",
            only=only,
        )
        for entry in catalogue.definitions
        if not entry.hosted
    ]
    whole = Context(caps=caps, pinned=pinned)
    grades.append(grader.grade(catalogue, whole, kind="catalogue", only=only))
    grades.append(_window(catalogue, grader, whole, only))
    return Linted(
        tuple(found for part in grades for found in part.findings),
        tuple(error for part in grades for error in part.errors),
    )


def _served(entry: Definition, others: Mapping[str, Definition]) -> Definition:
    """Return the tool as another transport serves it, else as it is listed.

    What is listed without a schema that could be compared is judged by itself.
    """
    comparable = isinstance(entry.input_schema, Mapping)
    return others.get(entry.name, entry) if comparable else entry


def _window(
    catalogue: Catalogue, grader: Grader, context: Context, only: frozenset[str] | None
) -> Grades:
    """Judge the definitions, which stand in every window (SYS-003 §4)."""
    chosen = WINDOW if only is None else WINDOW & only
    tools = tuple(catalogue.contracts.values())
    return grader.grade(tools, context, kind="run", only=chosen)
