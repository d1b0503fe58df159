"""``agentgate.lock``: what was agreed, committed, and compared against.

It is written from the journal of a whole run and read by ``lint --check`` and by every
gated session beside whose policy it lies. Equal runs write equal bytes: nothing in it
tells when, where or by whom.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..contract.catalogue import Definition
from ..errors import AgentGateError
from ..gate.manifest import Manifest
from ..redaction import Redactor
from .files import read_regular, write_document

LOCK = "agentgate.lock"
LOCK_VERSION = 1
LOCK_BYTES = 50_000_000
DOCS = "docs/reference/lock.md"
_LISTS = ("tasks", "rules", "tools", "waivers")


@dataclass(frozen=True)
class Lock:
    """A lock, read.

    Attributes:
        tools: the agreed definitions, by name.
    """

    tools: Mapping[str, Definition]


def lock_document(manifest: Manifest) -> dict[str, Any]:
    """Say what a run has shown to hold, as the lock keeps it.

    Args:
        manifest: a whole run.

    Raises:
        AgentGateError: the run was partial, or its decision is block; a definition
            is no plain data.
    """
    _refuse_unfit(manifest)
    run = manifest.run
    tools = run.get("tools", [])
    for entry in tools:
        if set(entry) == {"name"}:
            raise _refused(
                f"the definition of tool {entry['name']!r} is no plain data",
                expected="a definition that can be written as JSON",
                seen="objects, NaN, or nesting without end",
                way_out="mend its schema: contract.schema says what is wrong with it",
            )
    return {
        "version": LOCK_VERSION,
        "pytest-agentgate": run["versions"]["pytest-agentgate"],
        "tasks": sorted(_tasks(manifest), key=lambda task: task["id"]),
        "rules": sorted(
            (
                {"id": r["id"], "origin": r["origin"], "hash": r["hash"]}
                for r in run["rules"]
            ),
            key=lambda rule: rule["id"],
        ),
        "tools": sorted(tools, key=lambda tool: tool["name"]),
        "waivers": list(run.get("waivers", [])),
    }


def _refuse_unfit(manifest: Manifest) -> None:
    if manifest.plan.partial:
        raise _refused(
            "this run was partial",
            expected="a run of every marked test",
            seen=", ".join(manifest.plan.partial),
            way_out="run pytest --agentgate without what narrows it",
        )
    if manifest.decision.word == "block":
        reasons = [r.text for r in manifest.decision.reasons if r.effect == "block"]
        raise _refused(
            "the decision of this run is block",
            expected="a run that ships, or waits for a review",
            seen=reasons[0] if reasons else "block",
            way_out="mend what blocks, or waive it; a lock says what holds",
        )


def _tasks(manifest: Manifest) -> Iterable[dict[str, Any]]:
    for task in manifest.plan.tasks:
        terms = manifest.plan.gates[task.gate]
        yield {
            "id": task.id,
            "gate": task.gate,
            "metric": terms.metric,
            "k": terms.k,
            "trials": task.trials,
            "threshold": terms.threshold,
            "digest": task.digest,
        }


def write_lock(path: Path, document: Mapping[str, Any]) -> None:
    """Write a lock over an earlier one.

    Raises:
        AgentGateError: what is there is no lock, or it cannot be written.
    """
    if path.exists() or path.is_symlink():
        read_lock(path)
    write_document(path, document)


def read_lock(path: Path) -> Lock:
    """Read a lock.

    Raises:
        AgentGateError: there is none, or it is no lock of this version.
    """
    if not path.exists():
        raise _refused(
            f"there is no lock at {path}",
            expected="what pytest-agentgate lock wrote, committed",
            seen="no such file",
            way_out="run pytest --agentgate whole, then pytest-agentgate lock",
        )
    try:
        content = json.loads(read_regular(path, LOCK_BYTES, follow=True))
    except (ValueError, RecursionError) as error:
        raise _no_lock(path, f"no JSON: {error}") from None
    if not isinstance(content, dict) or content.get("version") != LOCK_VERSION:
        version = content.get("version") if isinstance(content, dict) else content
        raise _no_lock(path, f"version {str(version)[:40]!r}")
    for name in _LISTS:
        if not isinstance(content.get(name), list):
            raise _no_lock(path, f"no list {name!r}")
    return Lock({tool.name: tool for tool in map(_definition(path), content["tools"])})


def _definition(path: Path) -> Any:
    def read(entry: Any) -> Definition:
        fields = entry if isinstance(entry, dict) else {}
        maps = (fields.get("hints"), fields.get("contract"))
        texts = (fields.get("name"), fields.get("description"))
        if not all(isinstance(text, str) for text in texts) or not all(
            isinstance(value, dict) for value in maps
        ):
            raise _no_lock(path, f"a tool {str(entry)[:60]!r}")
        return Definition(
            name=fields["name"],
            description=fields["description"],
            input_schema=fields.get("input_schema"),
            output_schema=fields.get("output_schema"),
            hints=fields["hints"],
            carried=fields["contract"],
        )

    return read


def locked(definition: Definition, redactor: Redactor) -> dict[str, Any]:
    """Return a definition as journal and lock keep it: plain, secrets taken out.

    One that cannot be written as JSON is its name alone.
    """
    try:
        content = json.loads(json.dumps(definition.to_json(), allow_nan=False))
        clean: dict[str, Any] = _redacted(content, redactor)
    except (TypeError, ValueError, RecursionError):
        return {"name": redactor.redact_text(definition.name)}
    return clean


def _redacted(value: Any, redactor: Redactor) -> Any:
    """Take secrets out of the texts; a property *called* password is no secret."""
    if isinstance(value, str):
        return redactor.redact_text(value)
    if isinstance(value, list):
        return [_redacted(entry, redactor) for entry in value]
    if isinstance(value, dict):
        return {key: _redacted(entry, redactor) for key, entry in value.items()}
    return value


def agreed_definitions(
    lock: Lock, current: Iterable[Definition], redactor: Redactor
) -> dict[str, Definition]:
    """Return the agreed definitions, to be compared with the current ones.

    Where a current one differs from what was agreed in redacted text alone, it is
    what was agreed.
    """
    agreed = dict(lock.tools)
    for definition in current:
        known = agreed.get(definition.name)
        if known is not None and known.to_json() == locked(definition, redactor):
            agreed[definition.name] = definition
    return agreed


def _refused(problem: str, *, expected: str, seen: str, way_out: str) -> AgentGateError:
    return AgentGateError(
        problem, expected=expected, seen=seen, way_out=way_out, docs=DOCS
    )


def _no_lock(path: Path, seen: str) -> AgentGateError:
    return _refused(
        f"{path} is no lock that this version reads",
        expected=f"what pytest-agentgate lock wrote, version {LOCK_VERSION}",
        seen=seen,
        way_out="write it anew from a whole run with pytest-agentgate lock; if it is "
        "something else, move it away first",
    )
