"""The terminal section of a gated run, as lines with a style each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..gate.evaluation import GateResult
from ..gate.manifest import FindingSummary, Manifest
from ..gate.tally import label

FINDING_LIMIT = 20
REASON_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, and what it means.

    Attributes:
        text: printable, without a line break.
        style: markup by name, such as ``{"red": True}``; empty for plain text.
    """

    text: str
    style: dict[str, bool] = field(default_factory=dict)


BAD = {"red": True, "bold": True}
DOUBT = {"yellow": True, "bold": True}
GOOD = {"green": True, "bold": True}
QUIET = {"light": True}
_VERDICT_STYLE = {"block": BAD, "needs_review": DOUBT, "pass": GOOD, "ship": GOOD}


def summary(manifest: Manifest, where: str) -> Iterator[Line]:
    """Lay out a run: gates, findings, health, what was not covered, the decision.

    Args:
        manifest: the run.
        where: where the manifest lies.
    """
    for gate in manifest.gates:
        yield from _gate(gate)
    yield from _findings(manifest.findings)
    yield from _health(manifest)
    yield from _not_covered(manifest)
    yield from _decision(manifest)
    yield Line(f"manifest: {where}")


def _gate(gate: GateResult) -> Iterator[Line]:
    terms = gate.terms
    severity = "" if terms.severity == "block" else f" ({terms.severity})"
    head = (
        f"gate {gate.name}{severity}: {gate.verdict}  {label(terms)} "
        f"{_rate(gate.estimate)}{_interval(gate)} >= {terms.threshold:g}"
    )
    yield Line(head, _VERDICT_STYLE.get(gate.verdict, DOUBT))
    counts = ", ".join(
        f"{count} {name.replace('_', ' ')}"
        for name, count in gate.counts.items()
        if count or name in ("passed", "failed", "errored")
    )
    yield Line(
        f"  {_many(gate.tasks, 'task')}, {_many(gate.planned, 'trial')}: {counts}"
    )
    yield Line(f"  {_proof(gate)}", QUIET)
    yield Line(f"  {_cost(gate)}", QUIET)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _rate(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _interval(gate: GateResult) -> str:
    if gate.interval is None:
        return " [no interval: one task]" if gate.tasks == 1 else ""
    return f" [{gate.interval.low:.2f}, {gate.interval.high:.2f}]"


def _proof(gate: GateResult) -> str:
    parts = [f"pass^1 {_rate(gate.pass_1)}"]
    if gate.proves is not None:
        unit = "trials of one task" if gate.tasks == 1 else "tasks"
        parts.append(f"all {unit} passing would prove {gate.proves:.2f}")
    if gate.rate_needed is not None:
        parts.append(f"holds 19 of 20 times from {gate.rate_needed:.4f} a trial")
    return "; ".join(parts)


def _cost(gate: GateResult) -> str:
    latency = "latency unknown"
    if gate.latency is not None:
        p50, p95 = (f"{seconds * 1000:.1f} ms" for seconds in gate.latency)
        latency = f"latency p50 {p50}, p95 {p95}"
    tokens = "unknown" if gate.tokens is None else f"{gate.tokens:,}"
    cost = "unknown" if gate.cost_usd is None else f"${gate.cost_usd:.4f}"
    return f"{latency}; tokens {tokens}; cost {cost}"


def _findings(findings: Sequence[FindingSummary]) -> Iterator[Line]:
    if findings:
        yield Line("findings, by rule and tool")
    for entry in findings[:FINDING_LIMIT]:
        yield from _finding(entry)
    if len(findings) > FINDING_LIMIT:
        yield Line(f"  and {len(findings) - FINDING_LIMIT} more in the manifest")


def _finding(entry: FindingSummary) -> Iterator[Line]:
    group = entry.group
    word = "abstain" if group.verdict == "abstain" else group.severity
    word = f"waived by {group.waived}" if group.waived else word
    results = _many(entry.count, "result")
    style = BAD if word == "error" else DOUBT
    tool = f" {group.tool}" if group.tool else ""
    yield Line(f"  {word}  {group.rule}{tool}  ({results}): {group.message}", style)
    if group.seen:
        yield Line(f"      seen: {group.seen}")
    if group.way_out and not group.waived:
        yield Line(f"      way out: {group.way_out}")
    yield Line(f"      first in {entry.example}", QUIET)


def _health(manifest: Manifest) -> Iterator[Line]:
    counts = manifest.health
    text = ", ".join(
        f"{count} {key.replace('_', ' ')}" for key, count in counts.items()
    )
    yield Line(f"health: {text}")
    notes = [note for record in manifest.records for note in record.notes]
    for note in dict.fromkeys(notes):
        yield Line(f"  {note}")


def _not_covered(manifest: Manifest) -> Iterator[Line]:
    coverage = manifest.coverage
    observed = ", ".join(
        f"{tool} {count}" for tool, count in coverage["observations"].items()
    )
    yield Line(f"observations: {observed or 'none'}")
    if coverage["models"]:
        yield Line(f"models: {', '.join(coverage['models'])}")
    idle = coverage["idle_rules"]
    if idle:
        yield Line(
            f"not covered: {_many(len(idle), 'rule')} had no input: {', '.join(idle)}"
        )
    if manifest.facts.tools is None:
        yield Line(
            "not covered: tools without a test, as the policy names no tools.catalogue"
        )


def _decision(manifest: Manifest) -> Iterator[Line]:
    decision = manifest.decision
    reasons = decision.reasons
    for reason in reasons[:REASON_LIMIT]:
        gate = f"{reason.gate}: " if reason.gate else ""
        style = {"block": BAD, "review": DOUBT}.get(reason.effect, {})
        yield Line(f"{reason.effect}  {gate}{reason.rule}: {reason.text}", style)
    if len(reasons) > REASON_LIMIT:
        yield Line(f"and {len(reasons) - REASON_LIMIT} more reasons in the manifest")
    enforced = "" if decision.enforced else " (report only: not enforced)"
    style = _VERDICT_STYLE[decision.word]
    yield Line(f"decision: {decision.word}{enforced}", style)
    failed = manifest.facts.ordinary_failed
    if failed:
        yield Line(f"besides, {_many(failed, 'ordinary test')} failed", BAD)
