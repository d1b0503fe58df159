"""Known findings: reported, waived for a time, and seen when they are over."""

from __future__ import annotations

import datetime

import pytest

TESTS = """
import pytest

@pytest.mark.agentgate
@pytest.mark.parametrize("tool", ["t", "u"])
def test_x(agentgate, tool):
    agentgate.check({"status": "success", "summary": "s", "payload": [1]}, tool=tool)
"""
POLICY = "version: 1\nwaivers: waivers.yaml\n"


def waivers(*entries: str) -> str:
    return "version: 1\nwaivers:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries)


def test_report_then_waive_then_ship_with_the_findings_still_printed(child, command):
    files = {"test_it.py": TESTS}
    assert child("--agentgate", "--agentgate-report-only", files=files).code == 0
    written = command("waive", ".agentgate", "--owner", "search team")
    assert written.code == 0, written.out
    assert "waived envelope.source for t: search team until" in written.out
    assert "2 waivers in waivers.yaml" in written.out
    assert "add 'waivers: waivers.yaml' to agentgate.yaml" in written.out
    result = child("--agentgate", files={"agentgate.yaml": POLICY})
    assert result.code == 0, result.out
    assert result.manifest["health"]["waived"] == 2
    assert "waived by search team until" in result.out
    again = command("waive", ".agentgate", "--owner", "x")
    assert "nothing to waive" in again.out


def test_rule_and_tool_narrow_what_is_waived(child, command):
    child("--agentgate", "--agentgate-report-only", files={"test_it.py": TESTS})
    command("waive", ".agentgate", "--owner", "o", "--tool", "u", "--reason", "later")
    result = child("--agentgate", files={"agentgate.yaml": POLICY})
    assert result.code == 1
    assert result.outcomes == {"test_x[t] 1": "failed", "test_x[u] 1": "passed"}
    assert 'reason: "later"' in (result.folder / "waivers.yaml").read_text()


def test_an_expired_waiver_waives_nothing_and_asks_for_a_review(child):
    entry = "rule: envelope.source, tool: '*', owner: o, expires: 2020-01-31"
    files = {
        "test_it.py": TESTS,
        "agentgate.yaml": POLICY,
        "waivers.yaml": waivers(entry),
    }
    result = child("--agentgate", files=files)
    assert result.code == 1
    assert "waiver.expired: envelope.source for *: o until 2020-01-31" in result.out


def test_an_unused_waiver_is_said_in_a_whole_run_only(child):
    day = datetime.date.today() + datetime.timedelta(days=9)
    source = f"rule: envelope.source, tool: '*', owner: o, expires: {day}"
    unused = f"rule: envelope.summary, tool: t, owner: o, expires: {day}"
    files = {
        "test_it.py": TESTS,
        "agentgate.yaml": POLICY,
        "waivers.yaml": waivers(source, unused),
    }
    result = child("--agentgate", files=files)
    assert result.code == 0, result.out
    assert "waiver.unused: envelope.summary for t: nothing to waive" in result.out
    assert "waiver.unused" not in child("--agentgate", "-k", "t").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["waive", ".agentgate"], "--owner"),
        (["waive", ".agentgate", "--owner", "o", "--expires", "soon"], "'soon'"),
        (["waive", ".agentgate", "--owner", "o", "--expires", "2020-01-01"], "past"),
        (["waive", "nowhere", "--owner", "o"], "there is no journal at"),
        ([], "VERB"),
        (["frobnicate"], "frobnicate"),
    ],
)
def test_bad_use_of_the_command_is_4(command, arguments, message):
    result = command(*arguments)
    assert result.code == 4, result.out
    assert message in result.out
    assert "Traceback" not in result.out
