"""The family report: what was planned and is in no record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..facts import Reason, RunFacts
from ..outcome import TrialRecord
from ..plan import Plan


def results_lost(
    plan: Plan, records: Mapping[tuple[str, int], TrialRecord], facts: RunFacts
) -> Iterable[Reason]:
    """Find planned trials without a record, and errors that may have lost some."""
    lost = [key for key in plan.expected if key not in records]
    if lost:
        names = ", ".join(f"{task} trial {trial}" for task, trial in lost[:3])
        text = f"{len(lost)} planned trials are in no record: {names}"
        yield Reason("report.results-lost", text, "block")
    for error in facts.internal_errors:
        text = f"pytest met an internal error, results may be lost: {error}"
        yield Reason("report.results-lost", text, "block")
