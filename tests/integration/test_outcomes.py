"""What a run says, by what happened in it, without xdist, with -n0 and with -n2."""

from __future__ import annotations

import pytest
from tests.conftest import MODES

HEAD = """
import os, time, pytest
GOOD = {"status": "success", "summary": "found", "payload": [1], "source": "db:t"}
BAD = {"status": "success", "summary": "found", "payload": [1]}
recovery = pytest.mark.agentgate("recovery")

def trial(request):
    return int(request.node.nodeid.rpartition("trial")[2].rstrip("]"))
"""

HOLDS_WITH_FAILED = """
@pytest.mark.agentgate("capability")
@pytest.mark.parametrize("case", ["a", "b"])
def test_x(agentgate, request, case):
    agentgate.check(GOOD if trial(request) == 2 else BAD, tool="t")
"""
BELOW = """
@recovery
def test_x(agentgate, request):
    agentgate.check(BAD if trial(request) == 2 else GOOD, tool="t")
"""
SETUP_ERROR = """
@pytest.fixture
def service(request):
    if trial(request) == 2: raise RuntimeError("no service")
@recovery
def test_x(service, agentgate):
    agentgate.check(GOOD, tool="t")
"""
TEARDOWN_ERROR = """
@pytest.fixture
def service(request):
    yield
    if trial(request) == 2: raise RuntimeError("cannot stop")
@recovery
def test_x(service, agentgate):
    agentgate.check(GOOD, tool="t")
"""
CONNECTION = """
@recovery
def test_x(agentgate, request):
    if trial(request) == 2: raise ConnectionError("refused")
    agentgate.check(GOOD, tool="t")
"""
TIMEOUT = """
@recovery
@pytest.mark.timeout(0.5, method="signal")
def test_x(agentgate, request):
    if trial(request) == 2: time.sleep(30)
    agentgate.check(GOOD, tool="t")
"""
SKIPPED = """
@recovery
def test_x(agentgate, request):
    if trial(request) == 2: pytest.skip("not today")
    agentgate.check(GOOD, tool="t")
"""
GRADER_RAISED = """
@recovery
def test_x(agentgate, request):
    agentgate.check(GOOD, tool="raise" if trial(request) == 2 else "t")
"""
HOLDS = """
@recovery
def test_x(agentgate):
    agentgate.check(GOOD, tool="t")
"""
ORDINARY_FAILS = """
def test_plain():
    assert 0
"""
CONFTEST = """
from pytest_agentgate import rule

@rule("house.raises", fails_when="never")
def raises(result, context):
    if context.tool == "raise":
        raise ZeroDivisionError("a broken rule")

def pytest_agentgate_rules(config):
    return [raises]
"""

CASES = {
    "holds, failed trials 0": (HOLDS, 0, "ship"),
    "holds with failed trials": (HOLDS_WITH_FAILED, 0, "ship"),
    "below": (BELOW, 1, "block"),
    "set-up error": (SETUP_ERROR, 10, "needs_review"),
    "teardown error": (TEARDOWN_ERROR, 10, "needs_review"),
    "ConnectionError": (CONNECTION, 10, "needs_review"),
    "test time-out": (TIMEOUT, 10, "needs_review"),
    "skipped trial": (SKIPPED, 10, "needs_review"),
    "grader raised": (GRADER_RAISED, 10, "needs_review"),
    "ordinary failure beside ship": (HOLDS + ORDINARY_FAILS, 1, "ship"),
    "ordinary failure beside review": (SKIPPED + ORDINARY_FAILS, 1, "needs_review"),
    "ordinary failure beside block": (BELOW + ORDINARY_FAILS, 1, "block"),
    "nothing marked": ("def test_plain(): pass", 1, "block"),
    "no tests at all": ("", 1, "block"),
}


NEEDS_PLUGINS = {"test time-out"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES)
def test_exit_code_terminal_junit_and_manifest_agree(child, case, mode):
    body, code, decision = CASES[case]
    files = {"test_it.py": HEAD + body, "conftest.py": CONFTEST}
    plugins = case in NEEDS_PLUGINS
    result = child("--agentgate", *MODES[mode], files=files, plugins=plugins)
    assert result.code == code, result.out
    assert result.decision == decision
    result.agrees()


@pytest.mark.parametrize("mode", ["plain", "n2"])
@pytest.mark.parametrize("case", CASES)
def test_the_same_holds_beside_all_other_plugins(child, case, mode):
    body, code, decision = CASES[case]
    files = {"test_it.py": HEAD + body, "conftest.py": CONFTEST}
    options = ["--agentgate", "--html=report.html", "--cov=.", *MODES[mode]]
    result = child(*options, files=files, plugins=True)
    for name in ("asyncio", "anyio", "randomly", "rerunfailures", "timeout"):
        assert f" {name}-" in result.out
    assert result.code == code, result.out
    assert result.decision == decision
    result.agrees()


UNSCORED = {
    "set-up error": (SETUP_ERROR, "errored", "no service"),
    "teardown error": (TEARDOWN_ERROR, "errored", "cannot stop"),
    "ConnectionError": (CONNECTION, "errored", "ConnectionError: refused"),
    "test time-out": (TIMEOUT, "errored", "Timeout (>0.5s)"),
    "skipped trial": (SKIPPED, "not_run", "skipped: not today"),
    "grader raised": (GRADER_RAISED, "errored", "a rule raised: house.raises"),
    "failed": (BELOW, "failed", "t breaks 1 rule"),
}


@pytest.mark.parametrize("mode", ["plain", "n2"])
@pytest.mark.parametrize("case", UNSCORED)
def test_outcome_and_reason_of_a_trial_that_did_not_pass(child, case, mode):
    body, outcome, reason = UNSCORED[case]
    files = {"test_it.py": HEAD + body, "conftest.py": CONFTEST}
    plugins = case in NEEDS_PLUGINS
    result = child("--agentgate", *MODES[mode], files=files, plugins=plugins)
    assert result.outcomes == {
        "test_x 1": "passed",
        "test_x 2": outcome,
        "test_x 3": "passed",
    }
    second = next(t for t in result.manifest["trials"] if t["trial"] == 2)
    assert reason in second["reason"]


CRASH = """
@recovery
def test_x(agentgate, request):
    if trial(request) == 2: os._exit(9)
    agentgate.check(GOOD, tool="t")
"""


def test_worker_crash_is_an_errored_trial(child):
    result = child("--agentgate", "-n2", files={"test_it.py": HEAD + CRASH})
    assert result.code == 10, result.out
    assert result.outcomes["test_x 2"] == "errored"
    result.agrees()


def test_a_report_is_counted_once_with_the_words_of_its_outcome(child):
    result = child("--agentgate", files={"test_it.py": HEAD + BELOW + CONNECTION})
    assert "2 trials failed" not in result.out
    assert "TRIALS NOT PASSED" in result.out
    assert "1 trials errored" in result.out


def test_ctrl_c_is_2_and_judges_nothing(child):
    body = HEAD + HOLDS + "\ndef test_z(): raise KeyboardInterrupt\n"
    result = child("--agentgate", files={"test_it.py": body})
    assert result.code == 2
    assert "gates not judged: KeyboardInterrupt" in result.out


@pytest.mark.parametrize("mode", MODES)
def test_collect_only_is_0_and_writes_nothing(child, mode):
    files = {"test_it.py": HEAD + BELOW}
    result = child("--agentgate", "--collect-only", *MODES[mode], files=files)
    assert result.code == 0, result.out
    assert not (result.folder / ".agentgate").exists()


TWO = HOLDS + HOLDS.replace("test_x", "test_y")
PARTIAL = {
    "-k": ["-k", "test_x"],
    "-k one trial": ["-k", "test_x and trial2"],
    "-m": ["-m", "agentgate and not slow"],
    "--deselect": ["--deselect", "test_it.py::test_y[trial1]"],
    "test id": ["test_it.py::test_x"],
    "trial id": ["test_it.py::test_x[trial2]"],
    "--lf": ["--lf"],
    "--ff": ["--ff"],
    "--sw": ["--sw"],
}


@pytest.mark.parametrize("mode", ["plain", "n2"])
@pytest.mark.parametrize("option", PARTIAL)
def test_a_partial_run_is_never_better_than_needs_review(child, option, mode):
    files = {"test_it.py": HEAD + TWO, "pytest.ini": "[pytest]\nmarkers = slow\n"}
    result = child("--agentgate", *PARTIAL[option], *MODES[mode], files=files)
    assert result.code == 10, result.out
    assert "partial run" in result.out
    result.agrees()


def test_a_partial_run_that_fails_whatever_the_rest_does_is_blocked(child):
    files = {"test_it.py": HEAD + BELOW + TWO.replace("test_x", "test_w")}
    result = child("--agentgate", "-k", "test_x", files=files)
    assert (result.code, result.decision) == (1, "block")


@pytest.mark.parametrize("mode", MODES)
def test_a_plain_path_is_a_whole_run(child, mode):
    files = {"tests/test_it.py": HEAD + TWO}
    result = child("--agentgate", "tests", *MODES[mode], files=files)
    assert result.code == 0, result.out
    result.agrees()


CASES_OF = """
@recovery
@pytest.mark.parametrize("case", ["a", "b"])
def test_x(agentgate, case):
    agentgate.check(GOOD, tool="t")
"""


@pytest.mark.parametrize("mode", ["plain", "n2"])
def test_a_task_id_names_all_its_trials(child, mode):
    files = {"test_it.py": HEAD + CASES_OF}
    result = child("--agentgate", "test_it.py::test_x[a]", *MODES[mode], files=files)
    assert result.code == 10, result.out
    assert sorted(result.outcomes) == ["test_x[a] 1", "test_x[a] 2", "test_x[a] 3"]


def test_a_task_id_that_names_nothing_is_a_usage_error(child):
    files = {"test_it.py": HEAD + CASES_OF}
    result = child("--agentgate", "test_it.py::test_x[zzz]", files=files)
    assert result.code == 4
    assert "no test test_x[zzz]" in result.out


@pytest.mark.parametrize("mode", MODES)
def test_report_only_lets_ordinary_tests_decide(child, mode):
    files = {"test_it.py": HEAD + BELOW}
    options = ["--agentgate", "--agentgate-report-only", *MODES[mode]]
    result = child(*options, files=files)
    assert result.code == 0, result.out
    assert result.manifest["decision"] | {"reasons": []} == {
        "word": "block",
        "reasons": [],
        "exit_code": 0,
        "enforced": False,
    }
    assert result.junit == {"recovery": "skipped"}
    files = {"test_it.py": HEAD + BELOW + ORDINARY_FAILS}
    assert child(*options, files=files).code == 1


def test_allow_review_turns_10_into_0(child):
    files = {"test_it.py": HEAD + SKIPPED}
    result = child("--agentgate", "--agentgate-allow-review", files=files)
    assert (result.code, result.decision) == (0, "needs_review")


@pytest.mark.parametrize("mode", MODES)
def test_without_agentgate_marked_tests_run_once_and_still_grade(child, mode):
    body = BELOW.replace("trial(request) == 2", "True")
    result = child(
        *MODES[mode],
        files={"test_it.py": HEAD + HOLDS + body.replace("test_x", "test_y")},
    )
    assert result.code == 1
    assert "1 failed, 1 passed" in result.out
    assert "envelope.source" in result.out
    assert not (result.folder / ".agentgate").exists()


def test_rerunfailures_does_not_rerun_a_trial(child):
    files = {"test_it.py": HEAD + BELOW}
    result = child("--agentgate", "--reruns", "2", files=files, plugins=True)
    assert (result.code, result.decision) == (1, "block")
    assert "rerun" not in result.out.splitlines()[-1]


def test_cov_fail_under_still_fails_a_session_that_ships(child):
    files = {"test_it.py": HEAD + HOLDS, "lib.py": "x = 1\n\ndef f():\n    return 1\n"}
    options = ["--cov=lib", "--cov-fail-under=99"]
    result = child("--agentgate", *options, files=files, plugins=True)
    assert result.code == 1
    assert "decision: ship" in result.out


def test_html_report_beside_the_gate(child):
    files = {"test_it.py": HEAD + BELOW}
    result = child("--agentgate", "--html=report.html", files=files, plugins=True)
    assert result.code == 1
    assert (result.folder / "report.html").exists()
