"""Turn pytest's reports of a trial into its outcome, in the process that ran it.

A failed or errored trial is reported as ``skipped`` with ``wasxfail``: the only
choice under which exit code, ``-x``, JUnit, the cache and xdist's controller all
leave the verdict to the gate. The record rides on the report of the last phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from ..gate.outcome import REASON_LIMIT, Outcome, TrialRecord, encode
from ..grading.failure import failure
from ..grading.finding import printable
from .environment import environment
from .evidence import Evidence
from .marks import MARK
from .trials import TRIAL, Trial, task_id, trial_number

EVIDENCE = pytest.StashKey[Evidence]()
"""What an item graded; absent where it graded nothing."""
_STATE = pytest.StashKey["State"]()
RECORD = "agentgate"
"""The report's attribute that carries the trial's record, as one string."""
WORD = "agentgate_word"
"""The report's attribute that says what it stands for besides its outcome."""
TEXT_LIMIT = 20_000
NOTHING_GRADED = (
    "this test is marked agentgate and graded nothing\n"
    "  expected: at least one agentgate.check, call, run or grade\n"
    "  seen:     none\n"
    "  way out:  pass what the tool returned to agentgate.check, or drop the mark\n"
    "  docs:     docs/reference/marker.md"
)
_NOT_THE_SUBJECT = ("Timeout (", "async def functions are not natively supported")
"""How messages of pytest.fail start that pytest-timeout and pytest itself make."""


@dataclass
class State:
    """How a trial stands after the phases reported so far."""

    outcome: Outcome = "passed"
    reason: str = ""
    phase: str = "call"
    seconds: float = 0.0

    def worsen(self, outcome: Outcome, reason: str, phase: str) -> None:
        """Take over a phase's outcome; an error outranks what came before."""
        if self.outcome in ("passed", "not_run") or outcome == "errored":
            self.outcome, self.phase = outcome, phase
            self.reason = reason[:REASON_LIMIT]


def settle(
    item: pytest.Item, call: pytest.CallInfo[Any], report: pytest.TestReport
) -> None:
    """Settle one phase's report of a marked test, or of one that graded.

    Args:
        item: the test.
        call: the phase as pytest ran it.
        report: changed in place.
    """
    evidence = item.stash.get(EVIDENCE, None)
    marked = item.get_closest_marker(MARK) is not None
    if evidence is None and not marked:
        return
    if call.when == "call" and report.passed:
        _hold_to_account(report, evidence or Evidence(), marked=marked)
    _redact(item, report)
    trial = item.stash.get(TRIAL, None)
    if trial is not None:
        _settle_trial(item, call, report, trial)
    if report.when == "teardown":
        # Pytest keeps every item to the end; what was graded need not stay with it.
        if EVIDENCE in item.stash:
            del item.stash[EVIDENCE]
        if _STATE in item.stash:
            del item.stash[_STATE]


def _hold_to_account(
    report: pytest.TestReport, evidence: Evidence, *, marked: bool
) -> None:
    if evidence.failing:
        report.outcome = "failed"
        text = str(
            failure("a check whose failure the test swallowed", evidence.failing)
        )
        report.longrepr = text
    elif evidence.errors:
        report.outcome = "failed"
        report.longrepr = "a rule raised: " + "; ".join(dict.fromkeys(evidence.errors))
    elif marked and evidence.empty:
        report.outcome = "failed"
        report.longrepr = NOTHING_GRADED


def _redact(item: pytest.Item, report: pytest.TestReport) -> None:
    clean = environment(item.config).redactor.redact_text
    report.sections = [(name, clean(text)) for name, text in report.sections]
    if report.failed and report.longrepr is not None:
        text = str(report.longrepr)
        cleaned = clean(text)
        if cleaned != text or item.stash.get(TRIAL, None) is not None:
            report.longrepr = cleaned[:TEXT_LIMIT]


def _settle_trial(
    item: pytest.Item,
    call: pytest.CallInfo[Any],
    report: pytest.TestReport,
    trial: Trial,
) -> None:
    state = item.stash.setdefault(_STATE, State())
    evidence = item.stash.get(EVIDENCE, None) or Evidence()
    if call.when == "call":
        state.seconds = call.duration
    if report.failed:
        outcome = _blame(call, report, evidence)
        state.worsen(outcome, _reason(report), report.when)
        _shelve(report, outcome)
    elif report.skipped and report.when != "teardown":
        state.worsen("not_run", f"skipped: {_skip_reason(report)}", report.when)
    if report.when == "teardown":
        record = evidence.record(
            trial,
            state.outcome,
            reason=state.reason,
            phase=state.phase,
            seconds=state.seconds,
            worker=getattr(item.config, "workerinput", {}).get("workerid", ""),
        )
        attach(report, record)


def _blame(
    call: pytest.CallInfo[Any], report: pytest.TestReport, evidence: Evidence
) -> Outcome:
    """Tell whether the subject was wrong, or the harness, a grader or a time-out."""
    if report.when != "call" or evidence.errors:
        return "errored"
    if call.excinfo is None:
        return "failed"
    return "failed" if _blames_subject(call.excinfo.value) else "errored"


def _blames_subject(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(map(_blames_subject, error.exceptions))
    if isinstance(error, pytest.fail.Exception):
        return not str(error).startswith(_NOT_THE_SUBJECT)
    return isinstance(error, AssertionError)


def _shelve(report: pytest.TestReport, outcome: Outcome) -> None:
    report.outcome = "skipped"
    # Pytest prints it as it is under -vv: one line, so that none starts with "::".
    reason = _reason(report).partition("\n")[0]
    report.wasxfail = f"trial {outcome}: {reason[:REASON_LIMIT]}"
    setattr(report, WORD, outcome)


def attach(report: pytest.TestReport, record: TrialRecord) -> None:
    """Let a trial's record ride on its last report."""
    setattr(report, RECORD, encode(record))


def _reason(report: pytest.TestReport) -> str:
    """Return the failure's own message: the lines that pytest marks with E."""
    text = _text(report)
    lines = text.splitlines()
    marked = [
        line[1:].strip().removeprefix("pytest_agentgate.errors.GradeFailure: ")
        for line in lines
        if line.startswith("E  ")
    ]
    return "\n".join(map(printable, marked or lines[-12:]))


def _text(report: pytest.TestReport) -> str:
    return "" if report.longrepr is None else str(report.longrepr)


def _skip_reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return printable(report.longrepr[2].removeprefix("Skipped: "))
    return printable(_text(report))


def crashed(report: pytest.TestReport, gates: dict[str, str]) -> None:
    """Settle the report that xdist makes for a trial whose worker died.

    Args:
        report: changed in place; nothing of the trial but its id has survived.
        gates: gate by task id, from the plan.
    """
    task = task_id(report.nodeid)
    number = trial_number(report.nodeid)
    if task not in gates or not number:
        return
    text = printable(str(report.longrepr))
    _shelve(report, "errored")
    attach(
        report,
        TrialRecord(
            task=task,
            trial=number,
            gate=gates[task],
            outcome="errored",
            reason=text[:REASON_LIMIT],
            phase="crash",
        ),
    )


def status(report: pytest.TestReport) -> tuple[str, str, Any] | None:
    """Give trials that did not pass words of their own."""
    word = getattr(report, WORD, None)
    if word == "failed":
        return "trials failed", "f", ("TRIAL-FAILED", {"yellow": True})
    if word == "errored":
        return "trials errored", "e", ("TRIAL-ERRORED", {"yellow": True})
    return None


def gate_status(report: pytest.TestReport, *, silent: bool) -> tuple[str, str, str]:
    """Give a gate's report its place among the others.

    Args:
        report: a report that ``GateSession`` made.
        silent: keep it out of the progress display: a gate is not an item.
    """
    if report.outcome == "failed":
        category = "error" if report.when == "setup" else "failed"
    else:
        category = "skipped" if report.skipped else ""
    words = {"error": "ERROR", "failed": "FAILED", "skipped": "SKIPPED", "": "PASSED"}
    return category, "", "" if silent else words[category]
