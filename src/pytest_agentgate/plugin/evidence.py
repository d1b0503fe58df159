"""What one test's grading found: kept raw in memory, written redacted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..contract.observation import Observation
from ..gate.outcome import Kind, Outcome, TrialRecord, group, kind_of, total
from ..grading.finding import Finding
from ..grading.grader import Grades
from .trials import Trial

LATENCY_LIMIT = 200
"""Latencies kept of one trial: a record must stay a few KB."""


@dataclass
class Evidence:
    """Everything that was graded in one test.

    Attributes:
        findings: complaints, except those a test said it expects.
        errors: rules that raised, as ``rule: message``.
        observations: results graded, by tool.
        kinds: results by tool and kind.
        modes: declared failure modes exercised.
        latencies: seconds of each call and run.
        idle: rules that could judge no result so far.
        tokens: tokens of each run; ``None`` is unknown.
        costs: US dollars of each run; ``None`` is unknown.
        models: models that answered.
        leaked: calls left running in a thread.
        expectations: expectations that were checked.
    """

    findings: list[Finding] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    observations: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[Kind]] = field(default_factory=dict)
    modes: set[str] = field(default_factory=set)
    latencies: list[float] = field(default_factory=list)
    idle: frozenset[str] | None = None
    tokens: list[int | None] = field(default_factory=list)
    costs: list[float | None] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    leaked: int = 0
    expectations: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing was graded."""
        return not (self.observations or self.expectations)

    @property
    def failing(self) -> list[Finding]:
        """What fails the test."""
        return [finding for finding in self.findings if finding.fails_trial]

    def add(
        self, tool: str, observation: Observation | None, mode: str | None, g: Grades
    ) -> None:
        """Count one graded result."""
        self.observations[tool] += 1
        kind = kind_of(observation) if observation is not None else None
        if kind is not None:
            self.kinds.setdefault(tool, Counter())[kind] += 1
        if mode:
            self.modes.add(f"{tool}/{mode}")
        idle = frozenset(g.idle)
        self.idle = idle if self.idle is None else self.idle & idle
        self.errors += [f"{error.rule}: {error.message}" for error in g.errors]

    def record(
        self,
        trial: Trial,
        outcome: Outcome,
        *,
        reason: str = "",
        phase: str = "call",
        seconds: float = 0.0,
        worker: str = "",
    ) -> TrialRecord:
        """Make the trial's record."""
        return TrialRecord(
            task=trial.task,
            trial=trial.number,
            gate=trial.mark.gate,
            outcome=outcome,
            reason=reason,
            phase=phase,
            seconds=round(seconds, 6),
            latencies=tuple(round(s, 6) for s in self.latencies[:LATENCY_LIMIT]),
            findings=group(self.findings),
            grader_errors=tuple(dict.fromkeys(self.errors)),
            observations=dict(self.observations),
            kinds={tool: dict(counts) for tool, counts in self.kinds.items()},
            modes=tuple(sorted(self.modes)),
            idle_rules=tuple(sorted(self.idle or ())),
            tokens=total(self.tokens),
            cost_usd=total(self.costs),
            models=tuple(sorted(self.models)),
            leaked_threads=self.leaked,
            worker=worker,
        )
