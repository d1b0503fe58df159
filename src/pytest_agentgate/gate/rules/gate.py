"""The family gate: from trials to a verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ... import metrics
from ...grading.registry import Rule
from ..facts import Effect, Reason, RunFacts
from ..outcome import TrialRecord
from ..plan import Plan
from ..tally import TaskTally, holds, label, mean
from ..terms import GateTerms, unreachable

RULES = (
    Rule(
        id="gate.threshold",
        subject="run",
        fails_when="the metric is below the gate's threshold",
        why="A release that is worse than what was agreed must not ship unseen.",
        way_out="mend what the failed trials show; the threshold is the last resort",
    ),
    Rule(
        id="gate.too-few-trials",
        subject="run",
        fails_when="fewer trials were scored than the gate or the policy needs",
        why="A trial that errored, was skipped or deselected says nothing. Where the "
        "verdict hangs on how it would have ended, a person must look.",
        way_out="run the gate whole, and mend what kept trials from ending",
    ),
    Rule(
        id="gate.nothing-measured",
        subject="run",
        fails_when="no trial was scored, or no test is marked",
        why="Empty, skipped or deselected is not passed.",
        way_out="mark tests, and let them run",
    ),
    Rule(
        id="gate.flaky",
        subject="run",
        severity="warning",
        fails_when="equal trials of a task in a pass^k gate differ",
        why="A message that appears two times in three fails every third user.",
        way_out="find what differs between the trials; more trials show how often",
    ),
    Rule(
        id="gate.pass-at-k",
        subject="run",
        fails_when="a reported pass@k differs from the unbiased estimate",
        why="1 - (1 - c/n)^k is biased, and so is a pooled rate.",
        way_out="report 1 - C(n-c,k)/C(n,k), averaged over tasks",
    ),
    Rule(
        id="gate.pass-hat-k",
        subject="run",
        fails_when="a reported pass^k differs from the unbiased estimate",
        why="(c/n)^k is biased upwards, and so is a pooled rate.",
        way_out="report C(c,k)/C(n,k), averaged over tasks",
    ),
)


def gate_reasons(
    name: str,
    terms: GateTerms,
    tallies: Sequence[TaskTally],
    own: Sequence[TrialRecord],
    plan: Plan,
    facts: RunFacts,
) -> tuple[Reason, ...]:
    """Say why a gate does not simply pass, in terms of its trials.

    Args:
        name: the gate's name.
        terms: its terms.
        tallies: how its tasks ended.
        own: its trial records.
        plan: the run's plan.
        facts: thresholds and policy that bear on the verdict.
    """
    planned = sum(tally.planned for tally in tallies)
    scored = sum(tally.scored for tally in tallies)
    reasons: list[Reason] = []
    if beyond := unreachable(terms, len(tallies)):
        reasons.append(Reason("gate.too-few-trials", beyond, "block", name))
    elif not scored:
        reasons.append(_nothing_measured(name, planned, plan))
    elif not holds(terms, tallies, unscored_pass=True):
        reasons.append(_below(name, terms, tallies, scored == planned))
    elif not holds(terms, tallies, unscored_pass=False):
        reasons.append(_undecided(name, planned, scored))
    elif scored < facts.coverage * planned and not plan.partial:
        reasons.append(_thin(name, planned, scored, facts.coverage))
    if terms.metric == "pass^k":
        reasons += _flaky(name, tallies)
    reasons += _review_findings(name, own, facts)
    if plan.partial:
        text = f"partial run ({', '.join(plan.partial)}): the gate was not run whole"
        reasons.append(Reason("gate.too-few-trials", text, "review", name))
    return tuple(_soften(reason, terms) for reason in reasons)


def _soften(reason: Reason, terms: GateTerms) -> Reason:
    """Keep a gate of severity review or report from doing more than that."""
    limit: dict[str, Effect] = {"review": "review", "report": "note"}
    weaker = limit.get(terms.severity)
    if weaker is None or reason.effect == "note":
        return reason
    return Reason(reason.rule, reason.text, weaker, reason.gate)


def _nothing_measured(name: str, planned: int, plan: Plan) -> Reason:
    if plan.partial:
        text = f"none of {planned} trials was selected or scored in this partial run"
        return Reason("gate.nothing-measured", text, "review", name)
    text = f"nothing was measured: 0 of {planned} planned trials were scored"
    return Reason("gate.nothing-measured", text, "block", name)


def _below(
    name: str, terms: GateTerms, tallies: Sequence[TaskTally], whole: bool
) -> Reason:
    best = mean(terms, tallies, unscored_pass=True)
    failing = [t.task.id for t in tallies if t.counts["failed"]]
    hedge = "" if whole else ", even with every unscored trial counted as passed"
    bound = f" at confidence {terms.confidence}" if terms.confidence else ""
    text = (
        f"{label(terms)} is {best:.3f}, below {terms.threshold:g}{bound}{hedge}; "
        f"{len(failing)} of {len(tallies)} tasks had failed trials: "
        + ", ".join(failing[:3])
        + (f" and {len(failing) - 3} more" if len(failing) > 3 else "")
    )
    return Reason("gate.threshold", text, "block", name)


def _undecided(name: str, planned: int, scored: int) -> Reason:
    text = (
        f"{planned - scored} of {planned} trials were not scored: the gate holds with "
        "them counted as passed and not with them counted as failed"
    )
    return Reason("gate.too-few-trials", text, "review", name)


def _thin(name: str, planned: int, scored: int, coverage: float) -> Reason:
    text = (
        f"{scored} of {planned} trials were scored ({scored / planned:.0%}), "
        f"less than health.coverage {coverage:.0%}"
    )
    return Reason("gate.too-few-trials", text, "review", name)


def _flaky(name: str, tallies: Sequence[TaskTally]) -> Iterable[Reason]:
    flipping = [t for t in tallies if t.counts["passed"] and t.counts["failed"]]
    if flipping:
        worst = min(flipping, key=lambda t: t.counts["passed"])
        yield Reason(
            "gate.flaky",
            f"equal trials differ in {len(flipping)} tasks, "
            f"{worst.counts['passed']} of {worst.scored} passed in {worst.task.id}",
            "note",
            name,
        )


def _review_findings(
    name: str, own: Sequence[TrialRecord], facts: RunFacts
) -> Iterable[Reason]:
    seen: Counter[tuple[str, str, str]] = Counter()
    for record in own:
        for group in record.findings:
            if group.waived or group.severity == "warning":
                continue
            if group.verdict == "abstain" and facts.abstain == "warning":
                continue
            if group.verdict == "abstain" or group.severity == "review":
                seen[(group.rule, group.tool, group.verdict)] += group.count
    for (rule, tool, verdict), count in sorted(seen.items()):
        word = "could not tell" if verdict == "abstain" else "asks for a review"
        effect: Effect = (
            "block" if verdict == "abstain" and facts.abstain == "error" else "review"
        )
        text = f"{rule} {word} for {tool or 'a result'} ({count} results)"
        yield Reason(rule, text, effect, name)


def reported_figures(
    name: str, terms: GateTerms, tasks: metrics.Tasks, reported: Mapping[str, float]
) -> Iterable[Reason]:
    """Find a reported run of too few trials, and figures that its trials do not give.

    Args:
        name: the gate's name.
        terms: its terms; a figure called ``pass@k`` or ``pass^k`` is of its k.
        tasks: for each task its scored trials and the passed ones.
        reported: figures by name, such as ``pass@3``. They may be rounded, to two
            decimals at least.
    """
    fewest = min((n for n, _ in tasks), default=0)
    if fewest < terms.k:
        text = (
            f"{label(terms)} over {fewest} scored trials: it takes at least {terms.k}"
        )
        yield Reason("gate.too-few-trials", text, "block", name)
    for figure, value in reported.items():
        match = re.fullmatch(r"pass([@^])(k|\d{1,4})", figure)
        if match is None:
            continue
        metric: metrics.Metric = "pass@k" if match[1] == "@" else "pass^k"
        k = terms.k if match[2] == "k" else int(match[2])
        if not 1 <= k <= fewest:
            text = f"{figure} is reported over {fewest} trials: it takes at least {k}"
            yield Reason("gate.too-few-trials", text, "block", name)
            continue
        right = metrics.mean_over_tasks(tasks, k, metric)
        if abs(value - right) > _rounding(value):
            rule = "gate.pass-at-k" if metric == "pass@k" else "gate.pass-hat-k"
            text = f"{figure} is reported as {value:g}, the trials give {right:.6g}"
            yield Reason(rule, text, "block", name)


def _rounding(value: float) -> float:
    """Return half a unit of a figure's last decimal, of its second at most."""
    decimals = len(repr(float(value)).partition(".")[2])
    return 0.5 * 10.0 ** -min(max(decimals, 2), 9) + 1e-12
