"""Make one marked test into its trials, and the trials into the plan.

Trials are items, made by a parametrization that is always the last one: an id ends
in ``trialN`` without k in it, so selection, ``--lf`` and every xdist mode work on a
single trial, and each has its own function-scoped fixtures and random state.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from ..errors import AgentGateError, MarkerError
from ..gate.plan import Plan, PlannedTask, digest
from ..grading.finding import evidence
from .environment import environment
from .marks import DOCS, MARK, GateMark, check_input, find_mark, read_mark
from .options import is_active

PARAMETER = "_agentgate_trial"
INPUT_LIMIT = 2_000
"""Characters kept of a task's input."""


@dataclass(frozen=True)
class Trial:
    """Which trial an item is.

    Attributes:
        task: the task's id.
        number: from 1.
        mark: the mark it was made by.
    """

    task: str
    number: int
    mark: GateMark


TRIAL = pytest.StashKey[Trial]()
CONTENT = pytest.StashKey[str]()
"""Hash of what a task asks that is no test function's."""


def expand(metafunc: pytest.Metafunc) -> None:
    """Give a marked test its trials; without ``--agentgate`` only check the mark.

    Raises:
        pytest.Collector.CollectError: the mark cannot be used.
    """
    try:
        mark = _mark_of(metafunc)
        if mark is None or not is_active(metafunc.config):
            return
    except AgentGateError as error:
        where = metafunc.definition.nodeid
        raise pytest.Collector.CollectError(f"{where}: {error}") from None
    numbers = range(1, mark.trials + 1)
    metafunc.fixturenames.append(PARAMETER)
    ids = [f"trial{number}" for number in numbers]
    metafunc.parametrize(PARAMETER, numbers, ids=ids, scope="function")


def _mark_of(metafunc: pytest.Metafunc) -> GateMark | None:
    # The only place where the marks of pytest.param can be seen during collection.
    calls = metafunc._calls
    on_params = {mark.name for call in calls for mark in call.marks}
    if MARK in on_params:
        raise MarkerError(
            "the agentgate mark does not work on pytest.param",
            expected="the mark on the function, class or module",
            seen="pytest.param(..., marks=pytest.mark.agentgate)",
            way_out="mark the function; for another gate write another function",
            docs=DOCS,
        )
    mark = find_mark(metafunc.definition)
    if mark is None:
        return None
    if "xfail" in on_params or metafunc.definition.get_closest_marker("xfail"):
        raise MarkerError(
            "xfail and agentgate on one test",
            expected="a test that counts, or one that is expected to fail",
            seen="both marks",
            way_out="drop one; a known failure is waived by rule and tool instead",
            docs=DOCS,
        )
    path = metafunc.definition.nodeid.partition("::")[0]
    read = read_mark(mark, path, environment(metafunc.config))
    check_input(read, metafunc.function)
    return read


def refuse_unittest(collector: pytest.Collector, found: type) -> None:
    """Refuse a mark on ``unittest.TestCase``, which pytest does not parametrize.

    Raises:
        pytest.Collector.CollectError: the class or one of its methods is marked.
    """
    methods = (value for name, value in vars(found).items() if name[:4] == "test")
    marks = [mark for part in (found, *methods) for mark in _own_marks(part)]
    if MARK in marks or collector.get_closest_marker(MARK):
        problem = MarkerError(
            f"{found.__name__} is a unittest.TestCase and is marked agentgate",
            expected="a plain function or class: pytest cannot repeat a TestCase",
            seen="unittest.TestCase",
            way_out="turn the marked methods into plain test functions",
            docs=DOCS,
        )
        raise pytest.Collector.CollectError(f"{collector.nodeid}: {problem}")


def _own_marks(part: object) -> list[str]:
    marks = getattr(part, "pytestmark", [])
    return [m.name for m in (marks if isinstance(marks, list) else [marks])]


def task_id(nodeid: str) -> str:
    """Return a node id less its trial part."""
    head, bracket, last = nodeid.rpartition("[")
    if not bracket:
        return nodeid
    rest, dash, _ = last.rpartition("-trial")
    return f"{head}[{rest}]" if dash else head


def trial_number(nodeid: str) -> int:
    """Return the trial number in a node id, 0 where there is none."""
    digits = nodeid.rpartition("trial")[2].rstrip("]")
    return int(digits) if digits.isdigit() else 0


def label_items(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Tell each trial item which trial it is.

    Raises:
        pytest.UsageError: an item was marked when it was too late to repeat it.
    """
    known: dict[tuple[int, str], GateMark] = {}
    for item in items:
        callspec = getattr(item, "callspec", None)
        number = callspec.params.get(PARAMETER) if callspec else None
        mark = item.get_closest_marker(MARK)
        if mark is None or not isinstance(item, pytest.Function):
            continue
        if number is None:
            raise _marked_too_late(item)
        key = (id(mark), item.nodeid.partition("::")[0])
        if key not in known:
            known[key] = read_mark(mark, key[1], environment(config))
        item.stash[TRIAL] = Trial(task_id(item.nodeid), number, known[key])


def _marked_too_late(item: pytest.Item) -> pytest.UsageError:
    return pytest.UsageError(
        f"{item.nodeid} was marked agentgate after it was collected, so it has no "
        "trials; put the mark on the function, its class or its module"
    )


def make_plan(
    collected: Iterable[pytest.Item], kept: Iterable[pytest.Item], partial: list[str]
) -> Plan:
    """Make the plan from the marked items, as collected and as kept.

    Args:
        collected: items before deselection.
        kept: items after it.
        partial: the options that narrowed the run.

    Raises:
        pytest.UsageError: an ``input=`` function raised.
    """
    marks: dict[str, GateMark] = {}
    contents: dict[str, str] = {}
    inputs: dict[str, str] = {}
    running: dict[str, set[int]] = {}
    sources: dict[Callable[..., Any], str] = {}
    for item in collected:
        trial = item.stash.get(TRIAL, None)
        if trial is not None and trial.task not in marks:
            marks[trial.task] = trial.mark
            contents[trial.task] = _content(item, sources)
            inputs[trial.task] = _input(item, trial.mark)
    for item in kept:
        if trial := item.stash.get(TRIAL, None):
            running.setdefault(trial.task, set()).add(trial.number)
    tasks = tuple(
        PlannedTask(
            id=task,
            gate=mark.gate,
            trials=mark.trials,
            digest=digest(task, mark.gate, contents[task]),
            input=inputs[task],
            deselected=tuple(
                number
                for number in range(1, mark.trials + 1)
                if number not in running.get(task, ())
            ),
        )
        for task, mark in marks.items()
    )
    terms = {mark.gate: mark.terms for mark in marks.values()}
    return Plan(gates=terms, tasks=tasks, partial=tuple(partial))


def _input(item: pytest.Item, mark: GateMark) -> str:
    """Return the words that the agent is given: a text, or the prompt of a task."""
    callspec: Any = getattr(item, "callspec", None)
    params: dict[str, Any] = dict(callspec.params) if callspec else {}
    params.pop(PARAMETER, None)
    try:
        if callable(mark.input):
            given = mark.input(**params)
        else:
            given = params.get(mark.input or "")
        if isinstance(given, Mapping):
            given = given.get("prompt")
        words = getattr(given, "prompt", given)
    except Exception as error:  # the mark's function is the user's code
        raise pytest.UsageError(
            f"{item.nodeid}: input= cannot be worked out: {evidence(repr(error))}"
        ) from None
    if not isinstance(words, str):
        return ""
    redactor = environment(item.config).redactor
    return redactor.redact_text(words[: 2 * INPUT_LIMIT])[:INPUT_LIMIT]


def _content(item: pytest.Item, sources: dict[Callable[..., Any], str]) -> str:
    """Hash what the task asks: its parameters, and the source that judges them."""
    if CONTENT in item.stash:
        return item.stash[CONTENT]
    function = getattr(item, "function", None)
    if function is None:
        return ""
    if function not in sources:
        try:
            text = inspect.getsource(function)
        except (OSError, TypeError):
            text = ""
        sources[function] = hashlib.sha256(text.encode()).hexdigest()
    callspec: Any = getattr(item, "callspec", None)
    params = {k: v for k, v in callspec.params.items() if k != PARAMETER}
    return digest(sources[function], params)
