"""What bears on a decision besides trials, and the reasons that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..grading.finding import Severity

Effect = Literal["block", "review", "note"]
EFFECTS: Mapping[Severity, Effect] = {
    "error": "block",
    "review": "review",
    "warning": "note",
}
"""What a rule about a run does to the decision, by its severity."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate or the decision is not better than it is.

    Attributes:
        rule: the rule id of the judgement (RULES: gate, theatre, report).
        text: one line with the figures.
        effect: what it does to the decision.
        gate: the gate it belongs to, empty for the run.
    """

    rule: str
    text: str
    effect: Effect
    gate: str = ""


@dataclass(frozen=True, slots=True)
class Duties:
    """What a whole run must have seen of one tool, besides a success.

    Attributes:
        modes: its declared failure modes.
        empty: whether it must have been seen to find nothing: its contract says that
            it can.
        error: whether it must have been seen to fail.
    """

    modes: tuple[str, ...] = ()
    empty: bool = False
    error: bool = True


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the session saw besides trials.

    Attributes:
        ended: ``complete``, or why the item loop ended early.
        ordinary_failed: ordinary tests that failed or errored.
        internal_errors: pytest's internal errors on the controller.
        tools: what must have been seen of each tool of the catalogue; ``None`` where
            the policy names no catalogue.
        ignored: ids of rules about a run that the policy switched off.
        severities: what the policy makes of rules about a run, by id.
        abstain: what an abstain of an error-level rule does.
        coverage: the share of planned trials that must be scored.
        report_only: gates are reported, not enforced.
        allow_review: needs_review exits 0.
        seconds: duration of the session.
        notes: judgements about the run made elsewhere, such as an expired waiver.
    """

    ended: str = "complete"
    ordinary_failed: int = 0
    internal_errors: tuple[str, ...] = ()
    tools: Mapping[str, Duties] | None = None
    ignored: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    abstain: str = "review"
    coverage: float = 0.95
    report_only: bool = False
    allow_review: bool = False
    seconds: float = 0.0
    notes: tuple[Reason, ...] = ()
