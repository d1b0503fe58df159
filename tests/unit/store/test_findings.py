"""A report of findings is read again as it was written."""

from __future__ import annotations

import pytest

from pytest_agentgate.errors import AgentGateError
from pytest_agentgate.grading.finding import Finding
from pytest_agentgate.reports.findings import FindingReport
from pytest_agentgate.reports.json import document
from pytest_agentgate.store.findings import read_findings


def test_what_a_waiver_needs_comes_back(tmp_path):
    path = tmp_path / "lint.json"
    found = Finding("no version", rule="contract.version", tool="search")
    path.write_text(document(FindingReport("lint", "s", ("search",), (found,))))
    assert read_findings(path) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "no",
        '{"version": 2, "findings": []}',
        '{"version": 1, "findings": [1]}',
        '{"version": 1, "findings": [{"rule": 1}]}',
    ],
)
def test_anything_else_is_refused_with_the_way_out(tmp_path, text):
    path = tmp_path / "lint.json"
    path.write_text(text)
    with pytest.raises(AgentGateError, match="lint --format json"):
        read_findings(path)
