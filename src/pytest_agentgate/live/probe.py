"""Probe a tool: send made-up calls, judge every answer, and look at the effects.

The calls come from the tool's input schema, boundaries before violations and those
before random ones, the same for the same seed. Only tools that read are called;
others where the policy names them and says how their state is brought back.
"""

from __future__ import annotations

import copy
import json
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..contract.catalogue import Definition
from ..contract.formats import parse
from ..contract.mapping import ObservationMapping
from ..contract.observation import ToolResult
from ..contract.schema.samples import Sample, samples, unsupported
from ..contract.settings import ProbeSettings
from ..contract.tool import NATURAL, ToolContract
from ..errors import AgentGateError, TargetError
from ..grading import probing
from ..grading.context import Context
from ..grading.finding import Finding, evidence
from ..grading.grader import Grader, GraderError, Grades
from ..grading.schemas import first_violation
from .dispatch import Dispatcher, dispatch
from .effects import State

TIMEOUTS_LIMIT = 3
"""Calls of one tool that may run out of time before it is left alone."""
REPEATED = 3
"""Accepted calls of one tool that are sent a second time, to compare the answers."""


def _uncounted(tool: str, result: ToolResult, grades: Grades) -> None:
    """Take notice of nothing."""


@dataclass(frozen=True)
class Bench:
    """What answers are judged by.

    Attributes:
        grader: the rules.
        mapping: how results are read as observations.
        context: gathers what rules may look at, given tool and arguments.
        command: what a finding is replayed by, less the options.
        only: rule ids that judging is narrowed to; ``None`` for all.
        counted: is told of every graded result.
    """

    grader: Grader
    mapping: ObservationMapping
    context: Callable[[str, Mapping[str, Any]], Context]
    command: str = "pytest-agentgate probe"
    only: frozenset[str] | None = None
    counted: Callable[[str, ToolResult, Grades], None] = _uncounted

    def grade(self, result: ToolResult, context: Context) -> Grades:
        """Apply the result rules."""
        return self.grader.grade(result, context, only=self.only)

    def settle(self, findings: Iterable[Finding], tool: str) -> tuple[Finding, ...]:
        """Apply the policy to what probing itself found."""
        named = [replace(finding, tool=tool) for finding in findings]
        settled = self.grader.settle(named)
        return tuple(f for f in settled if self.only is None or f.rule in self.only)


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and how it came about.

    Attributes:
        finding: what is wrong, with the line that replays it.
        arguments: the call that showed it first; ``None`` where no single call did.
        times: calls that showed it.
    """

    finding: Finding
    arguments: Mapping[str, Any] | None = None
    times: int = 1


@dataclass(frozen=True, slots=True)
class Probed:
    """What probing one tool came to.

    Attributes:
        tool: the tool's name.
        calls: calls that were judged.
        found: what is wrong, equal findings folded into one.
        notes: what was not probed, and why.
        errors: rules that raised.
    """

    tool: str
    calls: int = 0
    found: tuple[Found, ...] = ()
    notes: tuple[str, ...] = ()
    errors: tuple[GraderError, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone."""
        return tuple(one.finding for one in self.found)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The one call that is probed instead of all: by number, or as it is.

    Attributes:
        case: its number in the sequence of calls, from 1.
        arguments: what to send.
    """

    case: int | None = None
    arguments: Mapping[str, Any] | None = None


ALL = Chosen()


def why_not(
    contract: ToolContract, settings: ProbeSettings, state: State | None
) -> str:
    """Say why a tool is not probed, ``""`` where it is."""
    if contract.side_effect is None:
        return "not probed: no side-effect class says that it only reads"
    if not contract.mutates:
        return ""
    allowed = settings.mutating
    if allowed != "all" and contract.name not in allowed:
        return "not probed: it changes something; 'probe: {mutating: [...]}' allows it"
    if state is None or state.reset is None:
        return "not probed: it changes something, and probe.state declares no reset"
    return ""


def probe(
    contract: ToolContract,
    call: Dispatcher,
    bench: Bench,
    settings: ProbeSettings,
    *,
    state: State | None = None,
    timeout: float | None = None,
    chosen: Chosen = ALL,
) -> Probed:
    """Probe one tool by its contract.

    Args:
        contract: the tool's contract; its input schema is what calls are made from.
        call: the dispatcher.
        bench: what answers are judged by.
        settings: the policy's ``probe``.
        state: what calls may not change, or change once; verified by the caller.
        timeout: seconds of one call where the contract declares none.
        chosen: one call instead of all.

    Raises:
        TargetError: the dispatcher cannot be used, or the state cannot be read or
            brought back.
        AgentGateError: no call has the chosen number.
    """
    if reason := why_not(contract, settings, state):
        return Probed(contract.name, notes=(reason,))
    run = _Run(contract, call, bench, settings, state, timeout, chosen)
    run.send_all()
    if chosen == ALL:
        run.repeat_write()
    if contract.mutates and state is not None:
        state.bring_back(run.base)
    return run.probed()


def sample_of(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Sample:
    """Say of a given call what a made-up one knows of itself."""
    violation = first_violation(schema, arguments)
    if violation is None:
        return Sample(arguments, True, "", "", "given")
    keyword, _, wanted = violation.expected.partition(": ")
    about = violation.path
    if not about:
        quoted = violation.message.split("'")
        about = f"/{quoted[1]}" if len(quoted) > 2 and wanted else ""
    return Sample(arguments, False, about, keyword, "given")


@dataclass
class _Run:
    """One tool, being probed."""

    contract: ToolContract
    call: Dispatcher
    bench: Bench
    settings: ProbeSettings
    state: State | None
    timeout: float | None
    chosen: Chosen
    calls: int = 0
    timed_out: int = 0
    repeated: int = 0
    works: Mapping[str, Any] | None = None
    refusals: set[str] = field(default_factory=set)
    base: Any = None
    folded: dict[tuple[str, ...], Found] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    errors: dict[GraderError, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.timeout = self.contract.timeout_seconds or self.timeout
        if self.state is not None:
            self.base = self.state.fresh()

    @property
    def reconnect(self) -> Callable[[], Any] | None:
        """Ends the dispatcher's connection; the next call makes a new one."""
        close = getattr(self.call, "close", None)
        return close if callable(close) else None

    def probed(self) -> Probed:
        """Return what it came to so far."""
        return Probed(
            self.contract.name,
            self.calls,
            tuple(self.folded.values()),
            tuple(self.notes),
            tuple(self.errors),
        )

    def send_all(self) -> None:
        """Send the calls one after the other, as long as the tool has time left."""
        end = time.monotonic() + self.settings.seconds
        valid = False
        for number, sample in self._cases(self.chosen):
            if time.monotonic() > end:
                self.notes.append(
                    f"stopped after {self.calls} calls: its {self.settings.seconds:g} "
                    "s were over"
                )
                return
            if self.timed_out >= TIMEOUTS_LIMIT:
                self.notes.append(
                    f"stopped after {self.calls} calls: {self.timed_out} ran out of "
                    "time"
                )
                return
            valid = valid or sample.valid
            self._judge(number, sample)
        if self.chosen != ALL:
            return
        if not valid:
            given = self.settings.calls.get(self.contract.name)
            why = unsupported(self.contract.input_schema, given=given)
            self.notes.append(
                f"no allowed call can be made from its schema ({why}): give one under "
                "probe.calls"
            )
        elif self.works is None:
            self.notes.append("no call succeeded: give one that does under probe.calls")

    def _cases(self, chosen: Chosen) -> Iterator[tuple[int | None, Sample]]:
        schema = self.contract.input_schema
        if chosen.arguments is not None:
            yield None, sample_of(schema, chosen.arguments)
            return
        settings = self.settings
        made = samples(
            schema,
            seed=settings.seed,
            # A random call has a number above all others.
            random=max(settings.random, chosen.case or 0),
            given=settings.calls.get(self.contract.name),
        )
        number = 0
        for number, sample in enumerate(made, 1):
            # No protocol can carry arguments that are not an object.
            if chosen.case in (None, number) and isinstance(sample.arguments, Mapping):
                yield number, sample
            if number == chosen.case:
                return
        if chosen.case is not None:
            raise AgentGateError(
                f"{self.contract.name} has no call number {chosen.case}",
                expected=f"1 to {number}",
                seen=str(chosen.case),
                way_out="give --seed and --random as the finding has them",
                docs="docs/reference/probe.md#replay",
            )

    def _judge(self, number: int | None, sample: Sample) -> None:
        if self.contract.mutates and self.state is not None:
            self.state.bring_back(self.base)
        arguments = sample.arguments
        result = self._send(arguments, told=sample.valid)
        context = self.bench.context(self.contract.name, arguments)
        grades = self.bench.grade(result, context)
        self.bench.counted(self.contract.name, result, grades)
        self.calls += 1
        self.errors.update(dict.fromkeys(grades.errors))
        own = [
            finding
            for finding in probing.judge(sample, result, context)
            if finding.rule != "recovery.root-cause"
            or self._is_about_it(result, grades)
        ]
        came = probing.outcome(result, context) if sample.valid else ""
        if came == "accepted":
            self.works = self.works or arguments
            own += self._again(arguments, result)
        elif came == "refused":
            self.refusals.add(repr(probing.comparable(result)))
        own += self._effect()
        settled = self.bench.settle(own, self.contract.name)
        self._keep([*grades.findings, *settled], number, arguments)

    def _is_about_it(self, result: ToolResult, grades: Grades) -> bool:
        """Whether a refusal is about the argument under test, as far as can be seen.

        Where no allowed call succeeds, or one was refused in the same words, it may
        be about another one. A cause that is missing is the rule's own finding.
        """
        if any(finding.rule == "recovery.root-cause" for finding in grades.findings):
            return False
        if self.chosen != ALL:
            return True
        return self.works is not None and (
            repr(probing.comparable(result)) not in self.refusals
        )

    def _send(self, arguments: Mapping[str, Any], *, told: bool = True) -> ToolResult:
        """Send one call; a crash that a server words as an answer counts as raised."""
        copied = copy.deepcopy(dict(arguments))
        made = dispatch(partial(self.call, self.contract.name, copied), self.timeout)
        if made.raised and self.timeout and made.seconds >= self.timeout:
            self.timed_out += 1
            # What is stuck in this call would not answer the next one.
            if self.reconnect is not None:
                self.reconnect()
        result = parse(made.value, self.bench.mapping, raised=made.raised)
        crash = probing.crash_text(result) if told else ""
        return parse(made.value, self.bench.mapping, raised=crash) if crash else result

    def _again(
        self, arguments: Mapping[str, Any], first: ToolResult
    ) -> Iterator[Finding]:
        """Send a call that only reads a second time, and compare the answers."""
        contract = self.contract
        if contract.mutates or contract.polling or self.repeated >= REPEATED:
            return
        self.repeated += 1
        second = self._send(arguments)
        differs = probing.not_equal(first, second, contract.volatile)
        if differs is not None:
            yield differs

    def _effect(self) -> Iterator[Finding]:
        """Look at the state after a call of a tool that only reads."""
        if self.state is None or self.contract.mutates:
            return
        after = self.state.look()
        differs = probing.difference(self.base, after)
        self.base = after
        if differs is not None:
            yield probing.wrote(differs)

    def repeat_write(self) -> None:
        """Repeat a write: at once, and over a new connection as after a lost reply."""
        contract, state = self.contract, self.state
        if not contract.mutates or contract.idempotency is None or state is None:
            return
        self._keep(
            self.bench.settle(
                self._acts_twice(state, contract.idempotency), contract.name
            ),
            None,
            None,
        )

    def _acts_twice(self, state: State, key: str) -> Iterator[Finding]:
        call = self.works
        if call is None or (key != NATURAL and key not in call):
            reason = "no call with the key succeeded; give one under probe.calls"
            yield probing.not_proven(reason)
            return
        ways: dict[str, Callable[[], Any] | None] = {
            "when it is repeated, as after a lost reply": None
        }
        if self.reconnect is not None:
            when = "when its reply was lost and the connection is made anew"
            ways[when] = self.reconnect
        for when, between in ways.items():
            state.bring_back(self.base)
            self._send(call)
            once = state.look()
            if probing.difference(self.base, once) is None:
                shown = f"a successful call changed nothing that {state.name} shows"
                yield probing.not_proven(shown)
                return
            if between is not None:
                between()
            self._send(call)
            differs = probing.difference(once, state.look())
            if differs is not None:
                yield probing.acted_twice(differs, when)

    def _keep(
        self,
        findings: Iterable[Finding],
        number: int | None,
        arguments: Mapping[str, Any] | None,
    ) -> None:
        for finding in findings:
            key = (finding.rule, finding.message, finding.path, finding.verdict)
            held = self.folded.get(key)
            if held is None:
                line = self._replay(number, arguments)
                way_out = f"{finding.way_out}; replay: {line}"
                made = replace(finding, way_out=way_out)
                self.folded[key] = Found(made, arguments)
            else:
                self.folded[key] = Found(
                    _joined(held.finding, finding.seen), held.arguments, held.times + 1
                )

    def _replay(self, number: int | None, arguments: Mapping[str, Any] | None) -> str:
        parts = [self.bench.command, "--tool", shlex.quote(self.contract.name)]
        if number is not None:
            parts += ["--seed", str(self.settings.seed), "--case", str(number)]
        elif arguments is not None:
            spelt = evidence(json.dumps(arguments, ensure_ascii=True))
            parts += ["--arguments", shlex.quote(spelt)]
        return " ".join(parts)


def _joined(finding: Finding, seen: str) -> Finding:
    """Add by which other keyword the schema was broken, too."""
    keyword, is_short = seen.partition(": ")[0], len(seen) <= 80
    known = {part.partition(": ")[0] for part in finding.seen.split("; ")}
    if finding.rule != "contract.undeclared" or keyword in known or not is_short:
        return finding
    return replace(finding, seen=f"{finding.seen}; {seen}")


def listed_twice(
    first: tuple[Definition, ...],
    second: Callable[[], tuple[Definition, ...]],
    bench: Bench,
) -> Iterator[Probed]:
    """Compare what a server listed with what it lists after all the calls.

    Args:
        first: what it listed.
        second: lists its tools again.
        bench: what findings are settled by.
    """
    try:
        listed = second()
    except TargetError as error:
        told = probing.Difference("", "a listing", f"none: {error.seen}")
        yield _listed("", told, bench)
        return
    before = {entry.name: entry.to_json() for entry in first}
    after = {entry.name: entry.to_json() for entry in listed}
    for name in dict.fromkeys([*before, *after]):
        differs = probing.difference(before.get(name), after.get(name))
        if differs is not None:
            yield _listed(name, differs, bench)
    if list(before) != list(after) and before.keys() == after.keys():
        order = probing.Difference("", ", ".join(before), ", ".join(after))
        yield _listed("", order, bench)


def _listed(tool: str, differs: probing.Difference, bench: Bench) -> Probed:
    found = bench.settle([probing.listed_differently(differs)], tool)
    return Probed(tool, found=tuple(map(Found, found)))
