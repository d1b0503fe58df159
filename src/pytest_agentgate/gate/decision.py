"""The one decision over gates: ship, needs_review or block, and every reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .evaluation import GateResult
from .facts import EFFECTS, Effect, Reason, RunFacts
from .outcome import TrialRecord
from .plan import Plan
from .rules.report import results_lost
from .rules.theatre import unexercised

DecisionWord = Literal["ship", "needs_review", "block"]
RANK: Mapping[Effect, int] = {"block": 0, "review": 1, "note": 2}
"""Worst first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The gate's answer: ship, needs_review or block, and every reason."""

    word: DecisionWord
    reasons: tuple[Reason, ...]
    exit_code: int
    enforced: bool


def decide(
    plan: Plan,
    gates: Sequence[GateResult],
    records: Mapping[tuple[str, int], TrialRecord],
    facts: RunFacts,
) -> Decision:
    """Conclude from gates and run facts; the reasons are ordered worst first."""
    reasons = [reason for gate in gates for reason in gate.reasons]
    reasons += _run_reasons(plan, records, facts)
    reasons.sort(key=lambda reason: RANK[reason.effect])
    worst = reasons[0].effect if reasons else "note"
    words: dict[Effect, DecisionWord] = {
        "block": "block",
        "review": "needs_review",
        "note": "ship",
    }
    word = words[worst]
    return Decision(
        word=word,
        reasons=tuple(reasons),
        exit_code=exit_code(word, facts),
        enforced=not facts.report_only,
    )


def exit_code(word: DecisionWord, facts: RunFacts) -> int:
    """Map a decision and the ordinary tests onto pytest's exit status."""
    if facts.ordinary_failed or facts.internal_errors:
        return 1
    if facts.report_only or word == "ship":
        return 0
    if word == "block":
        return 1
    return 0 if facts.allow_review else 10


def _run_reasons(
    plan: Plan, records: Mapping[tuple[str, int], TrialRecord], facts: RunFacts
) -> list[Reason]:
    reasons = list(facts.notes)
    if not plan.tasks:
        text = "no test marked agentgate was collected: nothing was gated"
        reasons.append(Reason("gate.nothing-measured", text, "block"))
    reasons += results_lost(plan, records, facts)
    if not plan.partial and plan.tasks:
        reasons += unexercised(records.values(), facts)
    return [
        replace(reason, effect=EFFECTS[facts.severities[reason.rule]])
        if reason.rule in facts.severities
        else reason
        for reason in reasons
        if reason.rule not in facts.ignored
    ]
