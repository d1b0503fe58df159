"""Grade a result, a contract, a catalogue or a window without pytest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..contract.catalogue import Catalogue, Definition, read_definitions
from ..contract.formats import parse
from ..contract.mapping import DEFAULT_MAPPING, ObservationMapping
from ..contract.observation import Observation
from ..contract.tool import ToolContract
from .context import DEFAULT_CAPS, Caps, Context
from .finding import Finding
from .grader import Grader, GraderError, Grades
from .linting import Linted, lint
from .rules import built_in
from .settings import RuleSettings


@dataclass(frozen=True, slots=True)
class Graded:
    """One result and what the rules said about it.

    Attributes:
        observation: as it was read, ``None`` where nothing could be read.
        grades: findings, grader errors, and which rules could judge.
    """

    observation: Observation | None
    grades: Grades

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Failures and abstains, in catalogue order."""
        return self.grades.findings

    @property
    def errors(self) -> tuple[GraderError, ...]:
        """Rules that raised."""
        return self.grades.errors

    @property
    def passed(self) -> bool:
        """Whether no rule of severity ``error`` failed and none raised."""
        return not (self.grades.failing or self.grades.errors)


def grade(
    result: Any,
    *,
    rules: str | Iterable[str] | None = None,
    mapping: ObservationMapping = DEFAULT_MAPPING,
    settings: RuleSettings | None = None,
    raised: str | None = None,
    **context: Any,
) -> Graded:
    """Grade one tool result by the built-in rules.

    Args:
        result: what the tool returned, in any accepted form.
        rules: narrow to these rule ids or families.
        mapping: where the contract's fields are in the result.
        settings: profile, severities and what is ignored.
        raised: the exception's text where the tool raised instead.
        **context: what else rules may look at, by ``Context`` field, such as
            ``tool``, ``arguments``, ``contract``.

    Raises:
        AgentGateError: ``rules`` or ``settings`` name a rule that does not exist.
    """
    grader, only = _grader_of(settings, rules)
    parsed = parse(result, mapping, raised=raised)
    grades = grader.grade(parsed, Context(**context), only=only)
    return Graded(parsed.observation, grades)


def grade_contract(
    contract: ToolContract,
    *,
    served: Definition | None = None,
    rules: str | Iterable[str] | None = None,
    settings: RuleSettings | None = None,
) -> Grades:
    """Grade what one tool promises (ADR-016).

    Args:
        contract: the tool's contract.
        served: the tool as the model, or a transport, is really given it.
        rules: narrow to these rule ids or families.
        settings: profile, severities and what is ignored.

    Raises:
        AgentGateError: ``rules`` or ``settings`` name a rule that does not exist.
    """
    grader, only = _grader_of(settings, rules)
    context = Context(tool=contract.name, served=served)
    return grader.grade(contract, context, kind="contract", only=only)


def grade_catalogue(
    tools: Any,
    *,
    pinned: Mapping[str, Definition] | None = None,
    caps: Caps = DEFAULT_CAPS,
    rules: str | Iterable[str] | None = None,
    settings: RuleSettings | None = None,
) -> Linted:
    """Grade every tool of a catalogue, and the catalogue as one.

    Args:
        tools: a ``Catalogue``, or tool definitions in any shape that can be read.
        pinned: the definitions that were agreed on, by name.
        caps: the limits in force.
        rules: narrow to these rule ids or families.
        settings: profile, severities and what is ignored.

    Raises:
        AgentGateError: the tools cannot be read, or ``rules`` or ``settings`` name a
            rule that does not exist.
    """
    grader, only = _grader_of(settings, rules)
    known = isinstance(tools, Catalogue)
    catalogue = tools if known else Catalogue(read_definitions(tools))
    return lint(catalogue, grader, caps=caps, pinned=pinned, only=only)


def grade_window(
    *,
    tools: Iterable[Any] | None = None,
    instructions: str | None = None,
    caps: Caps = DEFAULT_CAPS,
    settings: RuleSettings | None = None,
) -> Grades:
    """Grade what stands in the model's window before the first turn.

    Args:
        tools: the tool definitions that the model is given.
        instructions: the system prompt.
        caps: the limits in force.
        settings: profile, severities and what is ignored.
    """
    grader = _grader(settings or RuleSettings())
    asked = {"context.tool-definitions": tools, "context.instructions": instructions}
    parts = [
        grader.grade(subject, Context(caps=caps), kind="run", only=frozenset({rule}))
        for rule, subject in asked.items()
        if subject is not None
    ]
    return Grades(
        findings=tuple(one for part in parts for one in part.findings),
        errors=tuple(one for part in parts for one in part.errors),
        applied=tuple(one for part in parts for one in part.applied),
    )


def _grader_of(
    settings: RuleSettings | None, rules: str | Iterable[str] | None
) -> tuple[Grader, frozenset[str] | None]:
    grader = _grader(settings or RuleSettings())
    return grader, grader.select([rules] if isinstance(rules, str) else rules)


def _grader(settings: RuleSettings) -> Grader:
    return _cached(settings.model_dump_json())


@cache
def _cached(settings: str) -> Grader:
    return Grader(built_in(), RuleSettings.model_validate_json(settings))
