"""Apply the selected rules to a subject and collect what they find.

A rule whose input is missing does not apply and is listed as such. A rule that
raises is a grader error: it neither passes nor fails anything, and the trial that
met it is errored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from .context import INPUTS, Context
from .finding import Finding, Severity, evidence
from .registry import Check, Registry, Rule, Subject
from .settings import RuleSettings


@dataclass(frozen=True, slots=True)
class GraderError:
    """A rule that raised: the judgement is missing, the subject is not to blame.

    Attributes:
        rule: the rule's id.
        message: the exception, on one line.
        tool: the tool that was judged, ``""`` for none.
    """

    rule: str
    message: str
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Grades:
    """What the rules said about one subject.

    Attributes:
        findings: failures and abstains, in catalogue order.
        errors: rules that raised.
        applied: ids of the rules that could judge the subject.
        idle: ids of the selected rules whose inputs were missing.
    """

    findings: tuple[Finding, ...] = ()
    errors: tuple[GraderError, ...] = ()
    applied: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that fail a trial, in catalogue order."""
        return tuple(finding for finding in self.findings if finding.fails_trial)


@dataclass(frozen=True, slots=True)
class _Bench:
    """The rules that can judge, given which inputs are missing."""

    rules: tuple[tuple[Rule, Check], ...]
    applied: tuple[str, ...]
    idle: tuple[str, ...]


class Grader:
    """The rules of a session under its settings.

    Args:
        registry: all known rules.
        settings: the policy's ``rules`` block.

    Raises:
        AgentGateError: the settings name a rule that does not exist.
    """

    def __init__(
        self, registry: Registry, settings: RuleSettings | None = None
    ) -> None:
        self.registry = registry
        self.settings = settings or RuleSettings()
        self._ignored = registry.select(self.settings.ignore)
        self._tool_ignored = {
            tool: registry.select(entry.ignore)
            for tool, entry in self.settings.tools.items()
        }
        self._severities = self._resolve(self.settings.severity)
        self._tool_severities = {
            tool: self._resolve(entry.severity)
            for tool, entry in self.settings.tools.items()
        }
        # The policy and the rules stand for a session, so a bench is made once
        # for each combination of tool, narrowing and missing inputs.
        self._bench = cache(self._make_bench)

    def _resolve(self, severities: dict[str, Severity]) -> dict[str, Severity]:
        resolved: dict[str, Severity] = {}
        # Families first, so that a single rule's entry wins over its family's.
        for selector in sorted(severities, key=lambda name: "." in name):
            for rule_id in self.registry.select([selector]):
                resolved[rule_id] = severities[selector]
        return resolved

    @property
    def overridden(self) -> frozenset[str]:
        """Ids of the rules to which the policy gives a severity, for every tool."""
        return frozenset(self._severities)

    def select(self, selectors: Iterable[str] | None) -> frozenset[str] | None:
        """Turn ``rules=`` into rule ids; ``None`` stays "all of them"."""
        return None if selectors is None else self.registry.select(selectors)

    def severity(self, entry: Rule, tool: str = "") -> Severity:
        """Return a rule's severity under profile, policy and tool."""
        for table in (self._tool_severities.get(tool, {}), self._severities):
            if entry.id in table:
                return table[entry.id]
        if self.settings.profile == "strict" and entry.strict:
            return entry.strict
        return entry.severity

    def grade(
        self,
        subject: Any,
        context: Context,
        *,
        kind: Subject = "result",
        only: frozenset[str] | None = None,
    ) -> Grades:
        """Judge one subject by every rule that applies.

        Args:
            subject: a tool result, contract, catalogue, trajectory or run.
            context: what the rules may look at besides.
            kind: which of the five the subject is.
            only: narrow to these rule ids.
        """
        bench = self._bench(context.tool, only, context.given, kind)
        findings: list[Finding] = []
        errors: list[GraderError] = []
        for entry, check in bench.rules:
            try:
                answer = check(subject, context)
                if answer is not None:
                    self._collect(entry, answer, context, findings)
            except Exception as error:
                message = f"{type(error).__name__}: {evidence(str(error))}"
                errors.append(GraderError(entry.id, message, context.tool or ""))
        return Grades(tuple(findings), tuple(errors), bench.applied, bench.idle)

    def _collect(
        self, entry: Rule, answer: Any, context: Context, findings: list[Finding]
    ) -> None:
        answers = (answer,) if isinstance(answer, Finding) else tuple(answer)
        for answer in answers:
            tool = answer.tool or context.tool or ""
            # A rule about a whole catalogue names the tool that it is about itself.
            if entry.id not in self._tool_ignored.get(tool, ()):
                findings.append(self._settled(entry, answer, tool))

    def _settled(self, entry: Rule, finding: Finding, tool: str) -> Finding:
        return replace(
            finding,
            rule=entry.id,
            severity=self.severity(entry, tool),
            tool=tool,
            way_out=finding.way_out or entry.way_out,
            expected=finding.expected or f"not: {entry.fails_when}",
        )

    def settle(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Apply the policy to findings that were made elsewhere, by rule and tool.

        What the policy ignores is left out; severity, way out and expectation come
        from the rule's entry where the finding has none.
        """
        return tuple(
            self._settled(self.registry[one.rule], one, one.tool)
            for one in findings
            if one.rule not in self._ignored
            and one.rule not in self._tool_ignored.get(one.tool, ())
        )

    def _make_bench(
        self,
        tool: str | None,
        only: frozenset[str] | None,
        given: tuple[bool, ...],
        kind: Subject,
    ) -> _Bench:
        inputs = zip(INPUTS, given, strict=True)
        missing = frozenset(name for name, there in inputs if not there)
        off = self._ignored | self._tool_ignored.get(tool or "", frozenset())
        chosen = [
            entry
            for entry in self.registry
            if entry.subject == kind
            and entry.check is not None
            and entry.id not in off
            and (only is None or entry.id in only)
        ]
        rules = tuple(entry for entry in chosen if not entry.needs & missing)
        return _Bench(
            tuple((entry, entry.check) for entry in rules if entry.check),
            tuple(entry.id for entry in rules),
            tuple(entry.id for entry in chosen if entry.needs & missing),
        )
