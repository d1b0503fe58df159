"""What must have run: every marked item as it was collected, before deselection."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

from .terms import GateTerms


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """One task: a test id without its trial part, and the trials it owes.

    Attributes:
        id: the test's node id less its trial part.
        gate: the gate that the task counts for.
        trials: how many trials its gate asks for.
        digest: hash of id, input and expectations; tells a changed task from an
            equal one.
        deselected: trial numbers that the selection left out of the run.
        input: the words that the agent is given, redacted and cut; empty where the
            mark names no input.
    """

    id: str
    gate: str
    trials: int
    digest: str
    deselected: tuple[int, ...] = ()
    input: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks and gates of one run.

    Attributes:
        gates: terms by gate name, for every gate in force.
        tasks: in collection order.
        partial: the options that narrowed the run; empty for a whole run.
    """

    gates: dict[str, GateTerms]
    tasks: tuple[PlannedTask, ...]
    partial: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "gates": {
                name: t.model_dump(mode="json") for name, t in self.gates.items()
            },
            "tasks": [
                {key: list(v) if isinstance(v, tuple) else v for key, v in task.items()}
                for task in map(asdict, self.tasks)
            ],
            "partial": list(self.partial),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Plan:
        """Rebuild a plan from plain data."""
        return cls(
            gates={name: GateTerms(**terms) for name, terms in data["gates"].items()},
            tasks=tuple(
                PlannedTask(
                    id=task["id"],
                    gate=task["gate"],
                    trials=task["trials"],
                    digest=task["digest"],
                    deselected=tuple(task["deselected"]),
                    input=task["input"],
                )
                for task in data["tasks"]
            ),
            partial=tuple(data["partial"]),
        )

    def tasks_of(self, gate: str) -> tuple[PlannedTask, ...]:
        """Return a gate's tasks, in collection order."""
        return tuple(task for task in self.tasks if task.gate == gate)

    @property
    def expected(self) -> Iterator[tuple[str, int]]:
        """Every (task id, trial) that this run set out to execute."""
        return (
            (task.id, trial)
            for task in self.tasks
            for trial in range(1, task.trials + 1)
            if trial not in task.deselected
        )


def digest(*parts: object) -> str:
    """Hash a task's content into 16 hex digits, stable across runs and machines."""
    text = json.dumps(_canonical(parts), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _canonical(value: object, depth: int = 20) -> object:
    """Return plain data that is the same in every process.

    An object without content that is known here is its type alone: a repr may hold
    an address, and the order of a set differs from process to process.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if depth and isinstance(value, Mapping):
        return [
            [_canonical(k, depth - 1), _canonical(v, depth - 1)]
            for k, v in sorted(value.items(), key=lambda item: str(item[0]))
        ]
    if depth and isinstance(value, list | tuple):
        return [_canonical(item, depth - 1) for item in value]
    if depth and isinstance(value, set | frozenset):
        return sorted(json.dumps(_canonical(item, depth - 1)) for item in value)
    if depth and is_dataclass(value) and not isinstance(value, type):
        content = {f.name: getattr(value, f.name) for f in fields(value)}
        return [type(value).__qualname__, _canonical(content, depth - 1)]
    if isinstance(value, PurePath | Enum):
        return str(value)
    return getattr(value, "__qualname__", type(value).__qualname__)
