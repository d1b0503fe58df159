"""One gate's figures and verdict.

A gate is evaluated on its scored trials, and twice more with every trial that was
not scored counted as passed, and as failed. Both pass: the gate passes. Both fail:
it blocks. They differ, or too little of the plan was scored: a person must look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .. import metrics
from .facts import Reason, RunFacts
from .outcome import OUTCOMES, TrialRecord, total
from .plan import Plan
from .rules.gate import gate_reasons
from .tally import TaskTally, tally
from .terms import GateTerms

GateVerdict = Literal["pass", "block", "needs_review", "fail (reported)"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """One gate's figures and verdict.

    Attributes:
        counts: planned trials by outcome, zeros included.
        estimate: over the tasks with enough scored trials; ``None`` where none has.
        interval: 95 % interval of the estimate, ``None`` where one task has none.
        pass_1: the plain pass rate, mean over tasks.
        proves: the rate that this budget could prove if every trial passed.
        rate_needed: the per-trial rate with which the gate holds 19 of 20 times.
        latency: 50th and 95th percentile, seconds.
    """

    name: str
    terms: GateTerms
    tasks: int
    counts: Mapping[str, int]
    estimate: float | None
    interval: metrics.Interval | None
    pass_1: float | None
    proves: float | None
    rate_needed: float | None
    latency: tuple[float, float] | None
    tokens: int | None
    cost_usd: float | None
    verdict: GateVerdict
    reasons: tuple[Reason, ...]

    @property
    def planned(self) -> int:
        """Trials the gate owes."""
        return sum(self.counts.values())


def judge_gate(
    name: str,
    plan: Plan,
    records: Mapping[tuple[str, int], TrialRecord],
    facts: RunFacts,
) -> GateResult:
    """Evaluate one gate.

    Args:
        name: the gate's name.
        plan: the run's plan.
        records: every trial record by (task id, trial).
        facts: thresholds and policy that bear on the verdict.
    """
    terms = plan.gates[name]
    tallies = [tally(task, records) for task in plan.tasks_of(name)]
    own = [record for record in records.values() if record.gate == name]
    enough = [t.measured for t in tallies if t.scored >= terms.k]
    reasons = gate_reasons(name, terms, tallies, own, plan, facts)
    return GateResult(
        name=name,
        terms=terms,
        tasks=len(tallies),
        counts={word: sum(t.counts[word] for t in tallies) for word in OUTCOMES},
        estimate=_over_tasks(enough, terms.k, terms.metric),
        interval=metrics.interval(enough, terms.k, terms.metric) if enough else None,
        pass_1=_over_tasks([t.measured for t in tallies if t.scored], 1, "pass^k"),
        proves=metrics.provable(_units(tallies)) if tallies else None,
        rate_needed=_rate_needed(terms, len(tallies)),
        latency=_latency(own),
        tokens=total([record.tokens for record in own]),
        cost_usd=total([record.cost_usd for record in own]),
        verdict=_verdict(terms, reasons),
        reasons=reasons,
    )


def _over_tasks(tasks: metrics.Tasks, k: int, metric: metrics.Metric) -> float | None:
    return metrics.mean_over_tasks(tasks, k, metric) if tasks else None


def _units(tallies: Sequence[TaskTally]) -> int:
    """Count the independent units: tasks, or the trials of a lone task."""
    return tallies[0].planned if len(tallies) == 1 else len(tallies)


def _rate_needed(terms: GateTerms, tasks: int) -> float | None:
    if not tasks or terms.trials != terms.k:
        return None
    return metrics.rate_needed(terms.metric, terms.k, tasks, terms.threshold)


def _latency(own: Sequence[TrialRecord]) -> tuple[float, float] | None:
    values = [seconds for record in own for seconds in record.latencies]
    if not values:
        return None
    return metrics.percentile(values, 50), metrics.percentile(values, 95)


def _verdict(terms: GateTerms, reasons: Sequence[Reason]) -> GateVerdict:
    effects = {reason.effect for reason in reasons}
    if "block" in effects:
        return "block"
    if "review" in effects:
        return "needs_review"
    below = any(reason.rule == "gate.threshold" for reason in reasons)
    return "fail (reported)" if below and terms.severity == "report" else "pass"
