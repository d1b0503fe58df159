"""The fixture ``agentgate``: what a test calls, checks and runs with."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..contract.observation import Observation
from ..errors import TargetError
from ..grading.failure import failure
from ..grading.finding import Finding, evidence, fail
from ..live.dispatch import Dispatched, adispatch, dispatch, not_awaited
from ..trajectory.expectations import Answer, unmet
from ..trajectory.run import Run, read_run
from .environment import Environment
from .judging import Judging, Selectors
from .probing import probed


class AgentGate:
    """Grade results, call tools and run the target, in one test.

    Every failing check raises ``GradeFailure``; a failure that the test swallows
    still fails it, unless ``expect_fail=`` named it.

    Args:
        environment: what the session judges by.
        only: rule ids that the test's mark narrows checks to.
        fixture: returns a fixture's value by name; asked for ``agentgate_tools``
            and ``agentgate_target`` when they are first needed.
        task: the task's id.
        trial: which trial this is.

    Attributes:
        task: the task's id, the same for all its trials.
        trial: which trial this is, from 1; without ``--agentgate`` it is 1.
    """

    def __init__(
        self,
        environment: Environment,
        only: frozenset[str] | None,
        fixture: Callable[[str], Any],
        *,
        task: str = "",
        trial: int = 1,
    ) -> None:
        self.judging = Judging(environment, only)
        self.evidence = self.judging.evidence
        self.task = task
        self.trial = trial
        self._fixture = fixture

    def check(
        self,
        result: Any,
        *,
        tool: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        rules: Selectors | None = None,
        expect_fail: Selectors | None = None,
        mode: str | None = None,
        transport: Mapping[str, Any] | None = None,
    ) -> Observation:
        """Parse and grade one tool result.

        Args:
            result: what the tool returned, in any accepted form.
            tool: the tool's name; its contract is then judged too.
            arguments: what the tool was called with.
            rules: narrow to these rule ids or families.
            expect_fail: rules that must fail here, and count for nothing.
            mode: the declared failure mode that the call provoked.
            transport: what is known of the transport, such as ``http_status``.

        Returns:
            The observation, with the policy's mapping applied.

        Raises:
            GradeFailure: a rule of severity ``error`` fails, or one that is
                expected to fail does not.
            TargetError: the result is a coroutine that nobody awaited.
        """
        __tracebackhide__ = True
        if inspect.iscoroutine(result):
            result.close()
            raise not_awaited()
        context = self.judging.context(tool, arguments, mode, transport)
        parsed = self.judging.read(result)
        return self.judging.judge(parsed, context, rules, expect_fail)

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        rules: Selectors | None = None,
        expect_fail: Selectors | None = None,
        mode: str | None = None,
        transport: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Observation:
        """Call a tool through the dispatcher, measure it, grade what comes back.

        Args:
            name: the tool's name.
            arguments: what it is called with.
            rules: as for ``check``.
            expect_fail: as for ``check``.
            mode: as for ``check``.
            transport: as for ``check``.
            timeout: seconds; the contract's ``timeout_seconds`` where not given.

        Raises:
            GradeFailure: as for ``check``; a tool that raises fails
                ``envelope.raised``.
            TargetError: there is no dispatcher, or it must be awaited.
        """
        __tracebackhide__ = True
        arguments = dict(arguments or {})
        limit = self._timeout(name, timeout)
        made = dispatch(bound(self._fixture, name, arguments), limit)
        context = self.judging.context(name, arguments, mode, transport)
        received = self.judging.received(made)
        return self.judging.judge(received, context, rules, expect_fail)

    async def acall(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        rules: Selectors | None = None,
        expect_fail: Selectors | None = None,
        mode: str | None = None,
        transport: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Observation:
        """Do what ``call`` does in an asynchronous test; over time it is cancelled."""
        __tracebackhide__ = True
        arguments = dict(arguments or {})
        limit = self._timeout(name, timeout)
        made = await adispatch(bound(self._fixture, name, arguments), limit)
        context = self.judging.context(name, arguments, mode, transport)
        received = self.judging.received(made)
        return self.judging.judge(received, context, rules, expect_fail)

    def probe(self, name: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Call a tool with what its input schema allows and forbids; judge it all.

        Args:
            name: the tool's name; its contract must say that it only reads, or the
                policy's ``probe`` that it may be called all the same.
            arguments: this one call instead of all.

        Raises:
            GradeFailure: a rule of severity ``error`` fails.
            TargetError: there is no dispatcher, or the tool may not be probed.
        """
        __tracebackhide__ = True
        findings = probed(self.judging, self._fixture, name, arguments)
        failing = [finding for finding in findings if finding.fails_trial]
        self.evidence.findings += findings
        if failing:
            raise failure(name, failing)

    def run(self, input: Any) -> RecordedRun:  # noqa: A002 - the product's word
        """Run the target once and grade every result that it saw.

        Args:
            input: what the target is given.

        Returns:
            The run, with ``answer``, ``calls`` and ``expect(...)``.

        Raises:
            GradeFailure: a result in the run breaks a rule of severity ``error``.
            TargetError: there is no target, or its return value is not a run.
        """
        __tracebackhide__ = True
        return self._ran(dispatch(partial(self._agent(), input)))

    async def arun(self, input: Any) -> RecordedRun:  # noqa: A002
        """Do what ``run`` does in an asynchronous test."""
        __tracebackhide__ = True
        return self._ran(await adispatch(partial(self._agent(), input)))

    def _agent(self) -> Callable[..., Any]:
        __tracebackhide__ = True
        target: Callable[..., Any] | None = self._fixture("agentgate_target")
        if target is None:
            raise TargetError(
                "agentgate.run has no target to run",
                expected="target.call in the policy, or a fixture agentgate_target",
                seen="neither",
                way_out="write 'target: {call: your.module:ask}' into agentgate.yaml, "
                "or override the fixture agentgate_target",
                docs="docs/reference/fixture.md#run",
            )
        return target

    def _timeout(self, name: str, given: float | None) -> float | None:
        contract = self.judging.environment.contracts.get(name)
        declared = contract.timeout_seconds if contract else None
        return declared if given is None else given

    def _ran(self, made: Dispatched) -> RecordedRun:
        __tracebackhide__ = True
        if made.raised is not None:
            raise TargetError(
                "the target raised instead of answering",
                expected="an answer, or a run that says why there is none",
                seen=evidence(made.raised),
                way_out="catch the error in the target, or mend what it needs",
                docs="docs/reference/fixture.md#run",
            )
        run = read_run(made.value)
        self.evidence.latencies.append(made.seconds)
        self.evidence.tokens.append(run.tokens)
        self.evidence.costs.append(run.cost_usd)
        if run.model:
            self.evidence.models.add(run.model)
        self.evidence.expectations += 1
        broken: list[Finding] = []
        for call in run.calls:
            findings = self.judging.grade_call(call)
            self.evidence.findings += findings
            broken += [finding for finding in findings if finding.fails_trial]
        if broken:
            raise failure("a result in the run", broken)
        return RecordedRun(run, self.judging)


def bound(
    fixture: Callable[[str], Any], name: str, arguments: dict[str, Any]
) -> Callable[[], Any]:
    """Bind the test's dispatcher to one call.

    Args:
        fixture: returns a fixture's value by name.
        name: the tool's name.
        arguments: what it is called with.

    Raises:
        TargetError: there is no dispatcher.
    """
    __tracebackhide__ = True
    tools = fixture("agentgate_tools")
    if tools is None:
        raise TargetError(
            "agentgate.call has no tools to call",
            expected="tools.call in the policy, or a fixture agentgate_tools",
            seen="neither",
            way_out="write 'tools: {call: your.module:execute_tool}' into "
            "agentgate.yaml, or override the fixture agentgate_tools",
            docs="docs/reference/fixture.md#call",
        )
    return partial(tools, name, arguments)


class RecordedRun:
    """A run of the target, ready for expectations.

    Attributes:
        answer: the final answer.
        calls: the tool calls, in order, each with name, arguments and result.
    """

    def __init__(self, run: Run, judging: Judging) -> None:
        self.answer = run.answer
        self.calls = run.calls
        self._run = run
        self._judging = judging

    def __repr__(self) -> str:
        names = ", ".join(call.name for call in self.calls) or "no tool"
        return f"<run {names}: {evidence(self.answer)[:60]!r}>"

    def expect(
        self,
        *,
        tools: Collection[str] | None = None,
        answer: Answer | None = None,
    ) -> RecordedRun:
        """Hold the run against what the task needed.

        Args:
            tools: names of exactly the tools to be called, in any order and number;
                an empty list means that no tool is needed.
            answer: text that the answer contains (case does not matter), a compiled
                pattern found in it, or a function of the answer.

        Raises:
            GradeFailure: an expectation is not met.
        """
        __tracebackhide__ = True
        self._judging.evidence.expectations += 1
        findings = [
            replace(
                fail(
                    entry.message,
                    expected=entry.expected,
                    seen=self._judging.environment.redactor.redact_text(entry.seen),
                    way_out=entry.way_out,
                ),
                rule=entry.rule,
            )
            for entry in unmet(self._run, tools=tools, answer=answer)
        ]
        if findings:
            self._judging.refuse("the run", findings)
        return self
