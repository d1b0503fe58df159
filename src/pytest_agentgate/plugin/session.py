"""A gated session in progress: plan, records, verdict, exit code.

``GateSession`` runs where reports arrive (the only process, or xdist's controller):
it keeps the journal, judges the gates once the item loop is over, and settles the
exit code.
"""

from __future__ import annotations

import datetime
import platform
import secrets
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import pytest

from ..gate.evaluation import GateResult
from ..gate.facts import EFFECTS, Effect, Reason, RunFacts
from ..gate.manifest import Manifest, conclude, facts_to_json
from ..gate.outcome import TrialRecord, decode
from ..gate.plan import Plan
from ..gate.rules import RUN_RULES
from ..gate.rules.theatre import prompt_leaks
from ..grading.context import Context
from ..grading.finding import printable
from ..grading.registry import source_hash
from ..store.files import write_document
from ..store.journal import MANIFEST, Journal
from ..store.lock import locked
from ..store.revision import revision
from .environment import Environment
from .outcomes import RECORD, WORD, crashed, gate_status
from .told import told
from .trials import task_id

RUN_IDS = frozenset(entry.id for entry in RUN_RULES)
FAILURE_TEXTS = 20
"""Tasks whose failure text is kept for the terminal; the journal has every reason."""


@dataclass
class Failure:
    """The first trial of a task that did not pass, for the terminal.

    Attributes:
        nodeid: the trial.
        when: the phase it ended in.
        word: ``failed`` or ``errored``.
        text: pytest's own account of it.
        more: further trials of the task that did not pass.
    """

    nodeid: str
    when: str
    word: str
    text: str
    more: int = 0


class GateSession:
    """The run where its reports arrive.

    Args:
        config: pytest's configuration.
        environment: what the session judges by.
    """

    def __init__(self, config: pytest.Config, environment: Environment) -> None:
        self.config = config
        self.environment = environment
        self.journal: Journal | None = None
        self.manifest: Manifest | None = None
        self.failures: dict[str, Failure] = {}
        self.not_judged = ""
        self._plan: Plan | None = None
        self._run: dict[str, Any] = {}
        self._records: dict[tuple[str, int], TrialRecord] = {}
        self._internal_errors: list[str] = []
        self._verdict_reports = 0
        self._started = time.monotonic()
        self._logging = False

    def begin(self, plan: Plan) -> None:
        """Open the journal with the plan; the same plan from another worker is one."""
        if self._plan is not None or self.config.option.collectonly:
            return
        self._plan = plan
        self.journal = Journal(self.environment.settings.out)
        self._run = self._describe()
        record = {"type": "plan", "run": self._run, "plan": plan.to_json()}
        self.journal.write(record, sync=True)

    def distrust(self, problem: str) -> None:
        """Note, once, why the records of this run cannot be trusted."""
        if problem not in self._internal_errors:
            self._internal_errors.append(problem)

    def _describe(self) -> dict[str, Any]:
        env = self.environment
        root = self.config.rootpath
        commit = revision(root)
        target = env.policy.target
        return {
            "nonce": secrets.token_hex(16),
            "started": datetime.datetime.now(datetime.UTC).isoformat(),
            "target": {
                "id": target.id,
                "version": commit if target.version == "git" else target.version,
            },
            "revision": commit,
            "policy": {
                "file": env.loaded.path.name if env.loaded else None,
                "sha256": env.loaded.sha256 if env.loaded else None,
            },
            "rules": [
                {
                    "id": r.id,
                    "origin": r.origin,
                    "severity": env.grader.severity(r),
                    "hash": source_hash(r),
                }
                for r in env.grader.registry
            ],
            "tools": [
                locked(definition, env.redactor)
                for definition in (env.catalogue.definitions if env.catalogue else ())
            ],
            "waivers": [w.model_dump(mode="json") for w in env.waivers],
            "versions": {
                "pytest-agentgate": version("pytest-agentgate"),
                "pytest": pytest.__version__,
                "python": platform.python_version(),
            },
        }

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the record off a report and write it down."""
        if word := getattr(report, WORD, None):
            self._keep_failure(report, word)
        text = getattr(report, RECORD, None)
        if text is None:
            return
        # The terminal reporter keeps every report until the end.
        setattr(report, RECORD, None)
        record = decode(text)
        key = (record.task, record.trial)
        if key in self._records:
            self.distrust(f"{record.task}: two records of one trial")
            return
        self._records[key] = record
        if self.journal is not None:
            self.journal.write_trial(text)

    def _keep_failure(self, report: pytest.TestReport, word: str) -> None:
        if word not in ("failed", "errored"):
            return
        task = task_id(report.nodeid)
        if known := self.failures.get(task):
            known.more += 1
        elif len(self.failures) < FAILURE_TEXTS:
            text = "" if report.longrepr is None else str(report.longrepr)
            self.failures[task] = Failure(report.nodeid, report.when, word, text)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, Any]:
        """Judge the gates once the loop is over; a loop cut short judges nothing."""
        try:
            result = yield
        except BaseException as error:
            self._cut_short(session, error)
            raise
        if not self.config.option.collectonly:
            self._judge(session)
        return result

    def _cut_short(self, session: pytest.Session, error: BaseException) -> None:
        name = type(error).__name__
        self.not_judged = printable(f"{name}: {error}" if str(error) else name)
        if self.journal is not None:
            facts = self._facts(session, ended=self.not_judged)
            self.journal.write({"type": "end", "facts": facts_to_json(facts)})

    def _facts(self, session: pytest.Session, ended: str = "complete") -> RunFacts:
        env = self.environment
        return RunFacts(
            ended=ended,
            ordinary_failed=session.testsfailed,
            internal_errors=tuple(self._internal_errors),
            tools=env.tools,
            ignored=env.grader.registry.select(env.policy.rules.ignore) & RUN_IDS,
            severities={
                rule: env.grader.severity(env.grader.registry[rule])
                for rule in env.grader.overridden & RUN_IDS
            },
            abstain=env.policy.rules.abstain,
            coverage=env.policy.health.coverage,
            report_only=env.settings.report_only,
            allow_review=env.settings.allow_review,
            notes=self._notes() if ended == "complete" else (),
            seconds=round(time.monotonic() - self._started, 3),
        )

    def _notes(self) -> tuple[Reason, ...]:
        leaks = prompt_leaks(told(self.environment), self._plan) if self._plan else ()
        return (*self._waiver_notes(), *self._window_notes(), *leaks)

    def _window_notes(self) -> Iterator[Reason]:
        """Judge what stands in every window: definitions, prompt (SYS-003 §4)."""
        env = self.environment
        tools = tuple(env.contracts.values()) if env.known_tools is not None else None
        subjects: dict[str, Any] = {
            "context.tool-definitions": tools,
            "context.instructions": env.instructions,
        }
        context = Context(caps=env.policy.caps)
        for rule, subject in subjects.items():
            if subject is None:
                continue
            only = frozenset({rule})
            grades = env.grader.grade(subject, context, kind="run", only=only)
            for found in grades.findings:
                text = f"{found.message}: {found.seen}"
                yield Reason(found.rule, text, EFFECTS[found.severity])

    def _waiver_notes(self) -> tuple[Reason, ...]:
        env = self.environment
        used = {
            (group.rule, group.tool)
            for record in self._records.values()
            for group in record.findings
            if group.waived
        }
        notes = [
            Reason(
                "waiver.expired",
                f"{w.rule} for {w.tool}: {w.owner} until {w.expires}",
                "review",
            )
            for w in env.waivers.expired(env.today)
        ]
        if self._plan is not None and not self._plan.partial:
            notes += [
                Reason(
                    "waiver.unused",
                    f"{w.rule} for {w.tool}: nothing to waive any more, delete it",
                    "note",
                )
                for w in env.waivers.unused(used, env.today)
            ]
        return tuple(notes)

    def _judge(self, session: pytest.Session) -> None:
        plan = self._plan or Plan(gates={}, tasks=())
        if self._plan is None:
            self.begin(plan)
        facts = self._facts(session)
        self.manifest = conclude(self._run, plan, self._records, facts)
        for gate in self.manifest.gates:
            self._log(gate.name, *_gate_line(gate))
        self._log_run(self.manifest)
        assert self.journal is not None
        self.journal.write({"type": "end", "facts": facts_to_json(facts)}, sync=True)

    def _log_run(self, manifest: Manifest) -> None:
        own = [reason for reason in manifest.decision.reasons if not reason.gate]
        # Reasons stand worst first.
        worst: Effect = own[0].effect if own else "note"
        if worst != "note":
            text = "\n".join(f"{r.rule}: {r.text}" for r in own if r.effect == worst)
            self._log("run", worst, text)

    def _log(self, name: str, effect: Effect, text: str) -> None:
        """Log one synthetic report, so that every report of pytest's shows it."""
        settings = self.environment.settings
        lenient = settings.report_only or (effect == "review" and settings.allow_review)
        outcome = "passed" if effect == "note" else "failed"
        longrepr: Any = text if effect != "note" else None
        if effect != "note" and lenient:
            outcome, longrepr = "skipped", ("agentgate", 0, f"Skipped: {text}")
        report = pytest.TestReport(
            nodeid=f"agentgate::{name}",
            location=("agentgate", None, name),
            keywords={},
            outcome=outcome,  # type: ignore[arg-type]
            longrepr=longrepr,
            when="setup" if effect == "review" and not lenient else "call",
        )
        setattr(report, WORD, "gate")
        self._logging = self.config.get_verbosity() <= 0
        self._verdict_reports += outcome == "failed"
        self.config.hook.pytest_runtest_logreport(report=report)
        self._logging = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> Any:
        """Keep gates out of the progress display, and in the summaries."""
        if getattr(report, WORD, None) != "gate":
            return None
        return gate_status(report, silent=self._logging)

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        """Settle the exit code where pytest's own says no more than "failed"."""
        try:
            return (yield)
        finally:
            if self.manifest is not None and session.exitstatus in (0, 1):
                others = session.testsfailed - self._verdict_reports
                code = self.manifest.decision.exit_code
                session.exitstatus = 1 if others or self._internal_errors else code
            self._write(int(session.exitstatus))

    def _write(self, exit_code: int) -> None:
        if self.journal is None:
            return
        if self.manifest is not None:
            document = self.manifest.to_json() | {"exit_code": exit_code}
            write_document(self.environment.settings.out / MANIFEST, document)
        self.journal.finish(exit_code)

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excrepr: object) -> None:
        """Note an internal error: reports may be lost with it."""
        self.distrust(printable(str(excrepr).splitlines()[-1]))

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, report: pytest.TestReport) -> None:
        """Settle a trial whose xdist worker died."""
        tasks = self._plan.tasks if self._plan else ()
        crashed(report, {task.id: task.gate for task in tasks})


def _gate_line(gate: GateResult) -> tuple[Effect, str]:
    if gate.verdict == "block":
        effect: Effect = "block"
    elif gate.verdict == "needs_review":
        effect = "review"
    else:
        effect = "note"
    text = "\n".join(f"{r.rule}: {r.text}" for r in gate.reasons if r.effect == effect)
    return effect, f"gate {gate.name}: {gate.verdict}\n{text}"
