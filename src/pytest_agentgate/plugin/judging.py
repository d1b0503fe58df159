"""Judge results for one test by the session's rules, and keep the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..contract.formats import parse
from ..contract.observation import Observation, ToolResult
from ..errors import TargetError, nearest
from ..grading.context import Context
from ..grading.failure import failure
from ..grading.finding import Finding, fail
from ..grading.grader import Grades
from ..live.dispatch import Dispatched
from ..trajectory.run import ToolCall
from .environment import Environment
from .evidence import Evidence

Selectors = str | Iterable[str]


class Judging:
    """The rules of the session, applied in one test.

    Args:
        environment: what the session judges by.
        only: rule ids that the test's mark narrows checks to.
    """

    def __init__(self, environment: Environment, only: frozenset[str] | None) -> None:
        self.environment = environment
        self.evidence = Evidence()
        self.only = only

    def read(self, value: Any, raised: str | None = None) -> ToolResult:
        """Parse a result with the policy's mapping."""
        return parse(value, self.environment.policy.observation, raised=raised)

    def received(self, made: Dispatched) -> ToolResult:
        """Count a call that was made, and parse what came of it."""
        self.evidence.latencies.append(made.seconds)
        self.evidence.leaked += made.leaked
        return self.read(made.value, made.raised)

    def context(
        self,
        tool: str | None,
        arguments: Mapping[str, Any] | None,
        mode: str | None = None,
        transport: Mapping[str, Any] | None = None,
    ) -> Context:
        """Gather what rules may look at besides the result."""
        return self.environment.context(tool, arguments, mode, transport)

    def judge(
        self,
        parsed: ToolResult,
        context: Context,
        rules: Selectors | None = None,
        expect_fail: Selectors | None = None,
    ) -> Observation:
        """Grade one result, keep what was found, and raise if it fails the test.

        Raises:
            GradeFailure: a rule of severity ``error`` fails, or one that is
                expected to fail does not.
            TargetError: the context names a failure mode that is not declared.
        """
        __tracebackhide__ = True
        grader = self.environment.grader
        only = self.only if rules is None else grader.select(_listed(rules))
        expected = grader.registry.select(_listed(expect_fail or ()))
        _check_mode(context)
        findings = self.grade(parsed, context, only)
        self.evidence.findings += [f for f in findings if f.rule not in expected]
        subject = context.tool or "the result"
        if expected and not any(f.rule in expected for f in findings):
            self.refuse(subject, [_unexpected(expected, context.tool or "")])
        failing = [f for f in findings if f.fails_trial and f.rule not in expected]
        if failing:
            raise failure(subject, failing)
        return parsed.observation or Observation()

    def grade(
        self, parsed: ToolResult, context: Context, only: frozenset[str] | None = None
    ) -> list[Finding]:
        """Grade and count one result; return what was found, waivers applied."""
        chosen = self.only if only is None else only
        grades = self.environment.grader.grade(parsed, context, only=chosen)
        tool = context.tool or "(unnamed)"
        self.evidence.add(tool, parsed.observation, context.mode, grades)
        return self._waived(grades)

    def grade_call(self, call: ToolCall) -> list[Finding]:
        """Grade one call of a run: its arguments, then what came back."""
        context = self.context(call.name, call.arguments)
        made = self.environment.grader.grade(
            call, context, kind="trajectory", only=self.only
        )
        self.evidence.errors += [f"{e.rule}: {e.message}" for e in made.errors]
        result = self.grade(self.read(call.result), context)
        return [*self._waived(made), *result]

    def refuse(self, subject: str, findings: list[Finding]) -> None:
        """Keep findings and raise them.

        Raises:
            GradeFailure: always.
        """
        __tracebackhide__ = True
        self.evidence.findings += findings
        raise failure(subject, findings)

    def _waived(self, grades: Grades) -> list[Finding]:
        return [self.environment.accept(finding) for finding in grades.findings]


def _check_mode(context: Context) -> None:
    __tracebackhide__ = True
    contract = context.contract
    if not context.mode or contract is None or contract.mode(context.mode):
        return
    names = [mode.name for mode in contract.failure_modes]
    raise TargetError(
        f"{context.tool} declares no failure mode {context.mode!r}",
        expected="a failure mode of the tool's contract",
        seen=repr(context.mode),
        way_out=nearest(context.mode, names) if names else "declare it",
        docs="docs/reference/policy.md#contracts",
    )


def _listed(selectors: Selectors) -> list[str]:
    return [selectors] if isinstance(selectors, str) else list(selectors)


def _unexpected(expected: frozenset[str], tool: str) -> Finding:
    names = ", ".join(sorted(expected))
    return replace(
        fail(
            "a rule that is expected to fail here did not",
            expected=f"{names} fails",
            seen="it passed",
            way_out="drop expect_fail: what it stood for has been mended",
        ),
        rule=sorted(expected)[0],
        tool=tool,
    )
