"""The family report: what was planned and is in no record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...grading.registry import Rule
from ..facts import Reason, RunFacts
from ..outcome import TrialRecord
from ..plan import Plan

RULES = (
    Rule(
        id="report.results-lost",
        subject="run",
        fails_when="a planned trial is in no record, or pytest met an internal error",
        why="xdist can lose a report and still end with 0.",
        way_out="find what ended the process or could not be sent, and run again",
    ),
)


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
        text = f"results may be lost or wrong: {error}"
        yield Reason("report.results-lost", text, "block")
