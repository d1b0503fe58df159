"""One finished trial as plain data: the record that rides on the test report.

What is counted here. A trial ``passed`` when the subject did what was asked;
``failed`` when the subject was wrong; ``errored`` when the harness, infrastructure
or a grader was; ``not_run`` when it was skipped, deselected or lost; ``curtailed``
when it was not needed any more. Only passed and failed trials are *scored*.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from ..contract.observation import Observation
from ..grading.finding import Finding
from ..grading.signs.scope import is_empty_result

Outcome = Literal["passed", "failed", "errored", "not_run", "curtailed"]
OUTCOMES: tuple[Outcome, ...] = ("passed", "failed", "errored", "not_run", "curtailed")
Kind = Literal["success", "empty", "error"]
REASON_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Equal complaints of a trial: one rule about one tool, with the first evidence.

    Attributes:
        count: how many results met the rule so.
    """

    rule: str
    tool: str
    verdict: str
    severity: str
    message: str
    expected: str = ""
    seen: str = ""
    way_out: str = ""
    waived: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """What is kept of one trial.

    Attributes:
        task: the task's id.
        trial: the trial's number, from 1.
        gate: the gate it counts for.
        outcome: see the module's first lines.
        reason: why it did not pass, redacted and cut; empty for a passed trial.
        phase: where it ended: ``setup``, ``call``, ``teardown``, ``crash``.
        seconds: duration of the test's call phase.
        latencies: seconds of each dispatched tool call and run.
        findings: complaints, grouped.
        grader_errors: rules that raised, as ``rule: message``.
        observations: results graded, by tool.
        kinds: by tool, how many results were a success, empty, an error.
        modes: declared failure modes exercised, as ``tool/mode``.
        idle_rules: rules that could judge none of the trial's subjects.
        tokens: input plus output tokens; ``None`` is unknown, never zero.
        cost_usd: ``None`` is unknown, never zero.
        models: models that answered, by name.
        leaked_threads: calls that ran over their timeout and could not be ended.
        notes: what else a reader must know.
        worker: the xdist worker, empty without.
    """

    task: str
    trial: int
    gate: str
    outcome: Outcome
    reason: str = ""
    phase: str = "call"
    seconds: float = 0.0
    latencies: tuple[float, ...] = ()
    findings: tuple[FindingGroup, ...] = ()
    grader_errors: tuple[str, ...] = ()
    observations: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, dict[Kind, int]] = field(default_factory=dict)
    modes: tuple[str, ...] = ()
    idle_rules: tuple[str, ...] = ()
    tokens: int | None = None
    cost_usd: float | None = None
    models: tuple[str, ...] = ()
    leaked_threads: int = 0
    notes: tuple[str, ...] = ()
    worker: str = ""

    @property
    def scored(self) -> bool:
        """Whether the trial says something about the subject."""
        return self.outcome in ("passed", "failed")

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data, small enough to ride on a report."""
        # Not asdict(), which copies every leaf and is a third of a trial's cost.
        data = {name: getattr(self, name) for name in _FIELDS}
        data["findings"] = [asdict(entry) for entry in self.findings]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TrialRecord:
        """Rebuild a record from plain data.

        Raises:
            ValueError: a field is missing, unknown or of the wrong kind.
        """
        if unknown := data.keys() - _FIELDS.keys():
            raise ValueError(f"unknown fields in a trial record: {sorted(unknown)}")
        if data.get("outcome") not in OUTCOMES:
            raise ValueError(f"unknown outcome {data.get('outcome')!r}")
        try:
            groups = tuple(FindingGroup(**group) for group in data.get("findings", ()))
            lists = {
                key: tuple(data.get(key, ()))
                for key in (
                    "models",
                    "latencies",
                    "grader_errors",
                    "modes",
                    "idle_rules",
                    "notes",
                )
            }
            return cls(**{**data, **lists, "findings": groups})
        except TypeError as error:
            raise ValueError(f"not a trial record: {error}") from None


_FIELDS = dict.fromkeys(entry.name for entry in fields(TrialRecord))


def group(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Fold equal complaints (rule, tool, verdict, severity, waiver) into one each."""
    groups: dict[tuple[str, ...], FindingGroup] = {}
    for f in findings:
        key = (f.rule, f.tool, f.verdict, f.severity, f.waived)
        known = groups.get(key)
        if known is None:
            groups[key] = FindingGroup(
                rule=f.rule,
                tool=f.tool,
                verdict=f.verdict,
                severity=f.severity,
                message=f.message,
                expected=f.expected,
                seen=f.seen,
                way_out=f.way_out,
                waived=f.waived,
            )
        else:
            groups[key] = _counted(known)
    return tuple(groups.values())


def kind_of(observation: Observation) -> Kind | None:
    """Tell what a result shows of its tool; ``None`` where its status tells nothing.

    Empty is what delivers no items, be it a success or a warning.
    """
    if observation.status == "error":
        return "error"
    if observation.status not in ("success", "warning"):
        return None
    if observation.delivered and not is_empty_result(observation.payload):
        return "success"
    return "empty" if observation.delivered or observation.is_failure_path else None


def seen_of(records: Iterable[TrialRecord]) -> dict[str, dict[Kind, int]]:
    """Add up the kinds of results that trials saw, by tool in order of the alphabet."""
    seen: dict[str, Counter[Kind]] = {}
    for record in records:
        for tool, counts in record.kinds.items():
            seen.setdefault(tool, Counter()).update(counts)
    return {tool: dict(counts) for tool, counts in sorted(seen.items())}


def _counted(known: FindingGroup) -> FindingGroup:
    return FindingGroup(**{**asdict(known), "count": known.count + 1})


def total(values: Sequence[Any]) -> Any:
    """Sum what is known; one unknown part makes the whole unknown, never zero."""
    if not values or any(value is None for value in values):
        return None
    return sum(values)


def encode(record: TrialRecord) -> str:
    """Encode a record as one ASCII JSON string: the only shape that always travels."""
    return json.dumps(record.to_json(), ensure_ascii=True, allow_nan=False)


def decode(text: str) -> TrialRecord:
    """Decode what ``encode`` made.

    Raises:
        ValueError: the text is not a trial record.
    """
    return TrialRecord.from_json(json.loads(text))
