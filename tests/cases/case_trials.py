"""Read the trials of a case as one gate's plan, records and reported figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_agentgate.gate.evaluation import judge_gate
from pytest_agentgate.gate.facts import Reason, RunFacts
from pytest_agentgate.gate.outcome import TrialRecord
from pytest_agentgate.gate.plan import Plan, PlannedTask
from pytest_agentgate.gate.rules.gate import reported_figures
from pytest_agentgate.gate.terms import GateTerms

PASSED = {True, "pass", "passed", "ok", "success"}
FAILED = {False, "fail", "failed", "wrong"}


def reasons_of(given: Mapping[str, Any]) -> Iterator[Reason]:
    """Judge each run of an input as one gate, and what was reported of it."""
    for run in given.get("runs") or [given]:
        gate = run.get("gate") or given.get("gate") or {}
        outcomes = {name: list(map(outcome, one)) for name, one in tasks_of(run)}
        terms = terms_of(gate)
        plan, records = planned(outcomes, terms)
        yield from judge_gate("gate", plan, records, RunFacts()).reasons
        counts = [
            (sum(o in ("passed", "failed") for o in one), one.count("passed"))
            for one in outcomes.values()
        ]
        told = figures(run.get("reported", given.get("reported")), gate)
        yield from reported_figures("gate", terms, counts, told)


def tasks_of(run: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield each task's name and trials, however they are written down."""
    if "scores" in run:
        scores, least = run["scores"], run.get("threshold", 0.5)
        named = scores if isinstance(scores, Mapping) else {"task": scores}
        for name, values in named.items():
            yield name, [None if one is None else one >= least for one in values]
        return
    trials = run.get("tasks", run.get("trials", []))
    if isinstance(trials, Mapping) and not _is_count(trials):
        yield from ((name, list(_counted(one))) for name, one in trials.items())
    elif _all_have(trials, "trials"):
        for number, one in enumerate(trials):
            names = (one[key] for key in ("id", "task", "name") if key in one)
            yield str(next(names, number)), list(_counted(one["trials"]))
    elif _all_have(trials, "task"):
        grouped: dict[str, list[Any]] = {}
        for one in trials:
            grouped.setdefault(str(one["task"]), []).append(one)
        yield from grouped.items()
    elif trials and all(isinstance(one, list) for one in trials):
        yield from ((str(number), inner) for number, inner in enumerate(trials))
    else:
        yield "task", list(_counted(trials))


def _all_have(trials: Any, name: str) -> bool:
    if not isinstance(trials, list) or not trials:
        return False
    return all(isinstance(one, Mapping) and name in one for one in trials)


def _is_count(trials: Mapping[str, Any]) -> bool:
    return isinstance(trials.get("n", trials.get("total")), int)


def _counted(trials: Any) -> Iterable[Any]:
    """Read one task's trials: a list, such a list by name, or counts."""
    if not isinstance(trials, Mapping):
        return trials
    if not _is_count(trials):
        return trials.get("trials", ())
    total = trials.get("n", trials.get("total", 0))
    passed = trials.get("c", trials.get("passed", 0))
    return [True] * passed + [False] * (total - passed)


def outcome(trial: Any) -> str:
    """Translate one trial's word into an outcome."""
    if isinstance(trial, Mapping):
        names = ("outcome", "passed", "pass", "result", "status", "ok")
        trial = next((trial[name] for name in names if name in trial), None)
    if isinstance(trial, str):
        trial = trial.lower()
    if trial is None or not isinstance(trial, bool | int | str):
        return "not_run"
    if trial in PASSED:
        return "passed"
    if trial in FAILED:
        return "failed"
    return "errored" if str(trial).startswith(("err", "crash", "time")) else "not_run"


def terms_of(gate: Mapping[str, Any]) -> GateTerms:
    """Read a gate's terms; ``pass_rate`` is pass^1."""
    metric = str(gate.get("metric", "pass^k"))
    match = re.fullmatch(r"pass[_ ]?(@|\^|at_|hat_)[_ ]?(k|\d+)", metric)
    least = next((gate[n] for n in ("min", "threshold", "at_least") if n in gate), 1.0)
    if match is None:
        return GateTerms(metric="pass^k", k=1, threshold=least)
    k = gate.get("k", 1) if match[2] == "k" else int(match[2])
    kind = "pass@k" if match[1] in ("@", "at_") else "pass^k"
    return GateTerms(metric=kind, k=k, threshold=least)


def planned(
    outcomes: Mapping[str, list[str]], terms: GateTerms
) -> tuple[Plan, dict[tuple[str, int], TrialRecord]]:
    """Make the plan that the outcomes answer, and their records."""
    most = max([terms.k, *map(len, outcomes.values())])
    tasks = tuple(
        PlannedTask(name, "gate", max(len(one), terms.k), "")
        for name, one in outcomes.items()
    )
    records = {
        (name, number): TrialRecord(name, number, "gate", word)
        for name, one in outcomes.items()
        for number, word in enumerate(one, 1)
        if word != "not_run"
    }
    full = terms.model_copy(update={"trials": most})
    return Plan({"gate": full}, tasks), records


def figures(reported: Any, gate: Mapping[str, Any]) -> dict[str, float]:
    """Return the reported figures by name; a bare value is the gate's own metric."""
    metric = str(gate.get("metric", "pass^k"))
    if isinstance(reported, int | float) and not isinstance(reported, bool):
        reported = {metric: reported}
    found = {}
    for name, value in (reported or {}).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        plain = name.replace("pass_at_", "pass@").replace("pass_hat_", "pass^")
        found[
            metric if plain in ("value", "score", "estimate", "metric") else plain
        ] = float(value)
    return found
