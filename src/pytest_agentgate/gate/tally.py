"""How a task's planned trials ended, and its metric under three readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import metrics
from .outcome import OUTCOMES, TrialRecord
from .plan import PlannedTask
from .terms import GateTerms


@dataclass(frozen=True, slots=True)
class TaskTally:
    """How one task's planned trials ended."""

    task: PlannedTask
    counts: Mapping[str, int]

    @property
    def planned(self) -> int:
        """Trials that the task owes."""
        return self.task.trials

    @property
    def scored(self) -> int:
        """Trials that say something: passed, failed, or not needed any more."""
        return self.counts["passed"] + self.counts["failed"] + self.counts["curtailed"]

    @property
    def measured(self) -> tuple[int, int]:
        """Scored trials and passed ones, as ``(n, c)``."""
        return self.scored, self.counts["passed"]

    def imputed(self, *, unscored_pass: bool) -> tuple[int, int]:
        """Planned trials and passed ones, the unscored counted one way."""
        unscored = self.planned - self.scored if unscored_pass else 0
        return self.planned, self.counts["passed"] + unscored


def label(terms: GateTerms) -> str:
    """Write a gate's metric with its k, such as ``pass^3``."""
    return terms.metric.replace("k", str(terms.k))


def tally(
    task: PlannedTask, records: Mapping[tuple[str, int], TrialRecord]
) -> TaskTally:
    """Count a task's planned trials by outcome; one without a record was not run."""
    counts: Counter[str] = Counter(dict.fromkeys(OUTCOMES, 0))
    for trial in range(1, task.trials + 1):
        record = records.get((task.id, trial))
        counts[record.outcome if record else "not_run"] += 1
    return TaskTally(task, counts)


def mean(
    terms: GateTerms, tallies: Sequence[TaskTally], *, unscored_pass: bool
) -> float:
    """Return the mean over tasks, equal weight, unscored trials imputed."""
    readings = [tally.imputed(unscored_pass=unscored_pass) for tally in tallies]
    return metrics.mean_over_tasks(readings, terms.k, terms.metric)


def holds(
    terms: GateTerms, tallies: Sequence[TaskTally], *, unscored_pass: bool
) -> bool:
    """Tell whether the gate holds with its unscored trials imputed one way."""
    if terms.confidence is None:
        return mean(terms, tallies, unscored_pass=unscored_pass) >= terms.threshold
    readings = [tally.imputed(unscored_pass=unscored_pass) for tally in tallies]
    interval = metrics.interval(readings, terms.k, terms.metric, terms.confidence)
    return interval is not None and interval.low >= terms.threshold
