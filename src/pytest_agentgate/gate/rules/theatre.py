"""The family theatre: a gate that cannot fail."""

from __future__ import annotations

from collections.abc import Iterable

from ...grading.registry import Rule
from ..facts import Reason, RunFacts
from ..outcome import TrialRecord

RULES = (
    Rule(
        id="theatre.happy-path",
        subject="run",
        fails_when="a tool of the catalogue has no error-path trial, or a declared "
        "failure mode was never exercised",
        why="Tools are judged where they fail; a suite of successes shows nothing of "
        "it (SYS-003, Consequences).",
        way_out="write a test that provokes the failure, with mode= for a declared one",
    ),
)


def unexercised(records: Iterable[TrialRecord], facts: RunFacts) -> Iterable[Reason]:
    """Find catalogue tools and failure modes that no trial of a whole run met."""
    rule = "theatre.happy-path"
    if facts.tools is None:
        return
    records = list(records)
    seen = {tool for record in records for tool in record.observations}
    failing = {tool for record in records for tool in record.failure_paths}
    modes = {mode for record in records for mode in record.modes}
    for tool, declared in facts.tools.items():
        if tool not in seen:
            yield Reason(rule, f"{tool}: no trial ever called it", "block")
            continue
        if tool not in failing:
            yield Reason(rule, f"{tool}: no trial ever saw it fail", "block")
        for mode in declared:
            if f"{tool}/{mode}" not in modes:
                text = f"{tool}: declared failure mode {mode!r} was never exercised"
                yield Reason(rule, text, "block")
