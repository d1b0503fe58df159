"""The exit code is not evidence: what ends green and is not whole decides nothing."""

from __future__ import annotations

import json

import pytest

GOOD = '{"status": "success", "summary": "s", "payload": [1], "source": "db:t"}'
HEAD = f"""
import atexit, os, pytest
GOOD = {GOOD}

def trial(request):
    return int(request.node.nodeid.rpartition("trial")[2].rstrip("]"))

@pytest.mark.agentgate("recovery")
def test_x(agentgate, request):
    agentgate.check(GOOD, tool="t")
"""
ENDINGS = {
    "os._exit(0) in a trial": "    if trial(request) == 2: os._exit(0)\n",
    "pytest.exit(returncode=0)": "    if trial(request) == 2:\n"
    "        pytest.exit('done', returncode=0)\n",
    "atexit _exit(0)": "    atexit.register(os._exit, 0)\n"
    "    assert trial(request) != 2\n",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_process_that_ends_itself_with_0_decides_nothing(child, command, ending):
    result = child("--agentgate", files={"test_it.py": HEAD + ENDINGS[ending]})
    assert result.code == 0, result.out
    judged = command("gate", ".agentgate")
    assert judged.code == 3, judged.out
    assert "decision: none possible" in judged.out
    assert "way out:  run pytest --agentgate again" in judged.out


LOST = """
import pytest

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if item.nodeid.endswith("trial3]"):
        report.cannot_travel = object()
    return report
"""


def test_a_report_that_xdist_cannot_carry_on_the_last_item(child, command):
    files = {"test_it.py": HEAD, "conftest.py": LOST}
    result = child("--agentgate", "-n1", files=files)
    assert result.code != 0, result.out
    assert command("gate", ".agentgate").code == 3


def test_no_journal(command):
    judged = command("gate", "nowhere")
    assert judged.code == 3
    assert "there is no journal at nowhere" in judged.out
    assert "run pytest --agentgate first" in judged.out


@pytest.fixture
def journal(child):
    result = child("--agentgate", files={"test_it.py": HEAD})
    assert result.code == 0, result.out
    return result.folder / ".agentgate" / "journal.jsonl"


def test_the_journal_has_plan_trials_end_and_footer(journal):
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds == ["plan", "trial", "trial", "trial", "end", "footer"]
    assert lines[-1]["exit_code"] == 0
    assert len(lines[0]["run"]["nonce"]) == 32


def test_gate_recomputes_the_manifest_that_the_session_wrote(journal, command):
    judged = command("gate", ".agentgate")
    assert judged.code == 0
    assert "decision: ship" in judged.out
    from pytest_agentgate.gate.manifest import fold
    from pytest_agentgate.store.journal import read_journal

    manifest = fold(read_journal(journal.parent)).to_json()
    written = json.loads((journal.parent / "manifest.json").read_text())
    assert json.loads(json.dumps(manifest)) | {"exit_code": 0} == written


def test_a_journal_cut_anywhere_is_never_better_than_whole(journal, command):
    from pytest_agentgate.cli import main

    whole = journal.read_bytes()
    for cut in (*range(0, len(whole), 37), len(whole) - 1):
        journal.write_bytes(whole[:cut])
        assert main(["gate", str(journal.parent)]) == 3, cut
    journal.write_bytes(whole)
    assert main(["gate", str(journal.parent)]) == 0


def test_an_edited_line_is_seen(journal, command):
    text = journal.read_text()
    journal.write_text(text.replace('"outcome": "passed"', '"outcome": "failed"', 1))
    judged = command("gate", ".agentgate")
    assert judged.code == 3
    assert "a whole, unedited line" in judged.out


def test_a_removed_line_is_seen(journal, command):
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:2] + lines[3:]))
    assert command("gate", ".agentgate").code == 3


def test_an_earlier_run_moves_to_previous(journal, child):
    nonce = json.loads(journal.read_text().splitlines()[0])["run"]["nonce"]
    child("--agentgate")
    previous = journal.parent / "previous" / "journal.jsonl"
    assert json.loads(previous.read_text().splitlines()[0])["run"]["nonce"] == nonce
    assert json.loads(journal.read_text().splitlines()[0])["run"]["nonce"] != nonce
