"""Print a gated session: the policy at the head, failures and verdict at the end."""

from __future__ import annotations

import os

import pytest

from ..grading.finding import printable
from ..reports.terminal import summary
from ..store.journal import MANIFEST
from .session import GateSession

MARGIN = "| "
"""Before every line of a failure's text: CI systems obey lines that start with ::"""


class Summary:
    """What the session says in the terminal.

    Args:
        session: the run to be told about.
    """

    def __init__(self, session: GateSession) -> None:
        self._session = session

    def pytest_report_header(self) -> str:
        """Name the policy and its hash."""
        loaded = self._session.environment.loaded
        if loaded is None:
            return "agentgate: no policy: built-in gates"
        return f"agentgate: policy {loaded.path.name} sha256 {loaded.sha256[:12]}"

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> None:
        """Print failed trials, then the gates and the decision."""
        session = self._session
        self._failures(terminalreporter)
        if session.manifest is not None:
            where = session.environment.settings.out / MANIFEST
            terminalreporter.write_sep("=", "agentgate")
            for line in summary(session.manifest, os.path.relpath(where)):
                terminalreporter.write_line(printable(line.text), **line.style)
        elif session.not_judged:
            terminalreporter.write_sep("=", "agentgate")
            terminalreporter.write_line(
                f"gates not judged: {session.not_judged}", yellow=True
            )

    def _failures(self, terminalreporter: pytest.TerminalReporter) -> None:
        failures = self._session.failures
        if not failures:
            return
        terminalreporter.write_sep("=", "TRIALS NOT PASSED")
        for failure in failures.values():
            where = failure.when.replace("???", "a worker that crashed")
            title = f"{failure.nodeid} {failure.word} in {where}"
            terminalreporter.write_sep("_", printable(title))
            for line in failure.text.splitlines():
                terminalreporter.write_line(MARGIN + printable(line))
            if failure.more:
                more = f"{failure.more} more trials of this task did not pass"
                terminalreporter.write_line(MARGIN + more)
