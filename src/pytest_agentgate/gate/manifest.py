"""The run as one versioned document: a fold of journal records.

The same fold runs in the session and again from the journal in another process
(``pytest-agentgate gate``), so the two can be compared. Records, in order: one
``plan``, a ``trial`` each, one ``end`` (the item loop is over), one ``footer`` (the
process came to its end by itself).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..errors import JournalError
from .decision import Decision, decide
from .evaluation import GateResult, judge_gate
from .facts import Duties, Reason, RunFacts
from .outcome import OUTCOMES, FindingGroup, TrialRecord, seen_of
from .plan import Plan

MANIFEST_VERSION = 1
_SEVERITY_RANK = {"error": 0, "review": 1, "warning": 2}


@dataclass(frozen=True, slots=True)
class FindingSummary:
    """One rule's complaints about one tool over the whole run.

    Attributes:
        group: the worst of them, with its evidence.
        count: results that met it.
        trials: trials that met it.
        example: the first trial that met it, as ``task trial n``.
    """

    group: FindingGroup
    count: int
    trials: int
    example: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one run was and what is concluded from it.

    Attributes:
        run: nonce, times, versions, revision, target, policy and rule origins.
        plan: what must have run.
        records: every trial record, in order of arrival.
        facts: what bears on the decision besides.
        gates: figures and verdict, in order of the plan.
        decision: the one conclusion.
    """

    run: Mapping[str, Any]
    plan: Plan
    records: tuple[TrialRecord, ...]
    facts: RunFacts
    gates: tuple[GateResult, ...]
    decision: Decision

    @property
    def findings(self) -> tuple[FindingSummary, ...]:
        """Complaints by rule and tool, worst first."""
        return summarise(self.records)

    @property
    def health(self) -> dict[str, int]:
        """Counts of what happened to trials and graders, zeros included."""
        counts: dict[str, int] = dict.fromkeys(OUTCOMES, 0)
        for record in self.records:
            counts[record.outcome] += 1
        planned = sum(1 for _ in self.plan.expected)
        return {
            "planned": planned,
            **counts,
            "lost": planned - len(self.records),
            "grader_errors": sum(len(r.grader_errors) for r in self.records),
            "observations": sum(sum(r.observations.values()) for r in self.records),
            "leaked_threads": sum(r.leaked_threads for r in self.records),
            "waived": sum(s.count for s in self.findings if s.group.waived),
        }

    @property
    def coverage(self) -> dict[str, Any]:
        """What was graded and seen by tool, and the rules that could judge nothing."""
        tools: dict[str, int] = dict.fromkeys(self.facts.tools or (), 0)
        idle: set[str] | None = None
        for record in self.records:
            for tool, count in record.observations.items():
                tools[tool] = tools.get(tool, 0) + count
            if record.observations:
                own = set(record.idle_rules)
                idle = own if idle is None else idle & own
        return {
            "observations": dict(sorted(tools.items())),
            "kinds": seen_of(self.records),
            "models": sorted({model for r in self.records for model in r.models}),
            "modes": sorted({mode for r in self.records for mode in r.modes}),
            "idle_rules": sorted(idle or ()),
        }

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as plain data."""
        return {
            "manifest_version": MANIFEST_VERSION,
            "run": dict(self.run),
            "decision": asdict(self.decision),
            "gates": [asdict(gate) | _terms(gate) for gate in self.gates],
            "findings": [asdict(summary) for summary in self.findings],
            "health": self.health,
            "coverage": self.coverage,
            "facts": facts_to_json(self.facts),
            "plan": self.plan.to_json(),
            "trials": [record.to_json() for record in self.records],
        }


def _terms(gate: GateResult) -> dict[str, Any]:
    return {"terms": gate.terms.model_dump(mode="json")}


def fold(records: Iterable[Mapping[str, Any]]) -> Manifest:
    """Fold journal records into the manifest.

    Args:
        records: plain data as the journal holds it, the plan first.

    Raises:
        JournalError: no plan, no end, two records of one trial, or a record that
            is not one.
    """
    plan: Plan | None = None
    facts: RunFacts | None = None
    run: dict[str, Any] = {}
    trials: dict[tuple[str, int], TrialRecord] = {}
    for number, record in enumerate(records, start=1):
        kind = record.get("type")
        try:
            if kind == "plan":
                plan, run = Plan.from_json(record["plan"]), dict(record["run"])
            elif kind == "trial":
                _add(trials, TrialRecord.from_json(record["trial"]))
            elif kind == "end":
                facts = facts_from_json(record["facts"])
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(
                f"record {number} of the journal cannot be read",
                expected=f"a whole {kind} record",
                seen=str(error),
                way_out="run the gate again with the version that judges it",
            ) from None
    if plan is None or facts is None:
        raise _not_whole("plan" if plan is None else "end")
    return conclude(run, plan, trials, facts)


def conclude(
    run: Mapping[str, Any],
    plan: Plan,
    trials: Mapping[tuple[str, int], TrialRecord],
    facts: RunFacts,
) -> Manifest:
    """Judge every gate of the plan and decide."""
    gates = tuple(judge_gate(name, plan, trials, facts) for name in plan.gates)
    return Manifest(
        run=run,
        plan=plan,
        records=tuple(trials.values()),
        facts=facts,
        gates=gates,
        decision=decide(plan, gates, trials, facts),
    )


def _add(trials: dict[tuple[str, int], TrialRecord], record: TrialRecord) -> None:
    key = (record.task, record.trial)
    if key in trials:
        raise ValueError(f"{record.task} trial {record.trial} is recorded twice")
    trials[key] = record


def _not_whole(missing: str) -> JournalError:
    return JournalError(
        f"the journal has no {missing} record",
        expected="plan, trials, end and footer",
        seen="a run that did not come to its end",
        way_out="run pytest --agentgate again; a run that was cut off decides nothing",
        docs="docs/reference/exit-codes.md",
    )


def facts_to_json(facts: RunFacts) -> dict[str, Any]:
    """Return run facts as plain data."""
    data = asdict(facts)
    data["ignored"] = sorted(facts.ignored)
    data["severities"] = dict(facts.severities)
    return data


def facts_from_json(data: Mapping[str, Any]) -> RunFacts:
    """Rebuild run facts from plain data."""
    notes = tuple(Reason(**note) for note in data["notes"])
    tools = data["tools"]
    if tools is not None:
        tools = {name: _duties(owed) for name, owed in tools.items()}
    return RunFacts(
        **{
            **data,
            "ignored": frozenset(data["ignored"]),
            "internal_errors": tuple(data["internal_errors"]),
            "notes": notes,
            "tools": tools,
        }
    )


def _duties(data: Mapping[str, Any]) -> Duties:
    return Duties(**{**data, "modes": tuple(data["modes"])})


def summarise(records: Iterable[TrialRecord]) -> tuple[FindingSummary, ...]:
    """Fold the complaints of all trials by rule, tool, verdict and waiver."""
    found: dict[tuple[str, ...], FindingSummary] = {}
    for record in records:
        for entry in record.findings:
            key = (entry.rule, entry.tool, entry.verdict, entry.waived)
            example = f"{record.task} trial {record.trial}"
            new = FindingSummary(entry, entry.count, 1, example)
            known = found.get(key)
            found[key] = new if known is None else _joined(known, new)
    return tuple(
        sorted(
            found.values(),
            key=lambda s: (
                bool(s.group.waived),
                s.group.verdict,
                _SEVERITY_RANK.get(s.group.severity, 3),
                -s.count,
                s.group.rule,
                s.group.tool,
            ),
        )
    )


def _joined(known: FindingSummary, new: FindingSummary) -> FindingSummary:
    worse = _rank(new) < _rank(known)
    base = new if worse else known
    return replace(
        base, count=known.count + new.count, trials=known.trials + new.trials
    )


def _rank(summary: FindingSummary) -> int:
    return _SEVERITY_RANK.get(summary.group.severity, 3)
