"""Bad input: each has one clear message with the way out, as early as can be."""

from __future__ import annotations

import pytest
from tests.conftest import MODES

GOOD = '{"status": "success", "summary": "s", "payload": [1], "source": "db:t"}'


def marked(mark: str, body: str = f"agentgate.check({GOOD}, tool='t')") -> str:
    return f"import pytest\n\n{mark}\ndef test_x(agentgate):\n    {body}\n"


MARKS = {
    "unknown gate": (
        '@pytest.mark.agentgate("recovry")',
        ["there is no gate 'recovry'", "did you mean 'recovery'?"],
    ),
    "unknown keyword": (
        "@pytest.mark.agentgate(treshold=1)",
        ["has no keyword 'treshold'", "did you mean 'threshold'?"],
    ),
    "two positional": (
        '@pytest.mark.agentgate("recovery", 3)',
        ["takes one positional argument", "2 positional arguments"],
    ),
    "unknown metric": (
        '@pytest.mark.agentgate(metric="mean")',
        ["metric cannot be used", "'pass^k' or 'pass@k'", "'mean'"],
    ),
    "k below 1": (
        "@pytest.mark.agentgate(k=0)",
        ["k cannot be used", "a whole number of at least 1", "k=0"],
    ),
    "k as text": (
        '@pytest.mark.agentgate(k="3")',
        ["k cannot be used", "a whole number of at least 1"],
    ),
    "trials below k": (
        "@pytest.mark.agentgate(k=3, trials=2)",
        ["trials cannot be used", "2 trials cannot answer", "at least k"],
    ),
    "trials below the gate's k": (
        '@pytest.mark.agentgate("recovery", trials=2)',
        ["trials cannot be used", "2 trials cannot answer"],
    ),
    "threshold out of range": (
        "@pytest.mark.agentgate(threshold=90)",
        ["threshold cannot be used", "a number from 0 to 1", "threshold=90"],
    ),
    "contradicts the gate": (
        '@pytest.mark.agentgate("recovery", k=5)',
        ["contradicts gate 'recovery'", "k=3, as the gate has it", "k=5"],
    ),
    "unknown rule": (
        '@pytest.mark.agentgate(rules=["recovery.stop"])',
        ["no rule or family is called 'recovery.stop'", "recovery.stop-condition"],
    ),
    "input that is no parameter": (
        '@pytest.mark.agentgate(input="task")',
        ["input='task' names no parameter of test_x", "agentgate"],
    ),
    "two marks": (
        '@pytest.mark.agentgate\n@pytest.mark.agentgate("recovery")',
        ["two agentgate marks on one test", "keep one"],
    ),
    "xfail with the mark": (
        "@pytest.mark.agentgate\n@pytest.mark.xfail",
        ["xfail and agentgate on one test", "waived by rule and tool"],
    ),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", MARKS)
def test_bad_mark_is_refused_at_collection(child, case, mode):
    mark, messages = MARKS[case]
    result = child("--agentgate", *MODES[mode], files={"test_it.py": marked(mark)})
    # Pytest's own codes for a collection error.
    assert result.code == (1 if mode == "n2" else 2), result.out
    for message in messages:
        assert message in result.out
    assert "docs/" in result.out


def test_bad_mark_is_refused_without_the_option_too(child):
    result = child(files={"test_it.py": marked('@pytest.mark.agentgate("recovry")')})
    assert result.code == 2
    assert "did you mean 'recovery'?" in result.out


TESTCASE = """
import unittest, pytest

@pytest.mark.agentgate
class TestX(unittest.TestCase):
    def test_x(self): pass
"""
TESTCASE_METHOD = """
import unittest, pytest

class TestX(unittest.TestCase):
    @pytest.mark.agentgate
    def test_x(self): pass
"""
TESTCASE_MODULE = """
import unittest, pytest
pytestmark = pytest.mark.agentgate

class TestX(unittest.TestCase):
    def test_x(self): pass
"""


@pytest.mark.parametrize("source", [TESTCASE, TESTCASE_METHOD, TESTCASE_MODULE])
def test_a_marked_testcase_is_refused(child, source):
    result = child("--agentgate", files={"test_it.py": source})
    assert result.code == 2
    assert "TestX is a unittest.TestCase and is marked agentgate" in result.out
    assert "turn the marked methods into plain test functions" in result.out


def test_the_mark_on_a_parameter_is_refused(child):
    source = """
import pytest
@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.agentgate)])
def test_x(agentgate, x): pass
"""
    result = child("--agentgate", files={"test_it.py": source})
    assert result.code == 2
    assert "the agentgate mark does not work on pytest.param" in result.out
    assert "mark the function; for another gate write another function" in result.out


def test_dist_each_is_a_usage_error(child):
    files = {"test_it.py": marked("@pytest.mark.agentgate")}
    result = child("--agentgate", "--dist", "each", "--tx", "2*popen", files=files)
    assert result.code == 4
    assert "--dist each runs every trial on every worker" in result.out
    assert "use --dist load" in result.out


def test_another_plugins_fixture_of_our_name_is_named(child):
    files = {
        "other_gate.py": "import pytest\n@pytest.fixture\ndef agentgate(): return 1\n",
        "test_it.py": marked("@pytest.mark.agentgate"),
    }
    result = child("--agentgate", "-p", "other_gate", files=files)
    assert result.code == 4
    assert "the plugin 'other_gate' has a fixture 'agentgate' too" in result.out
    assert "-p no:other_gate" in result.out


ALIAS_BOMB = "version: 1\na: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n"
POLICIES = {
    "empty": ("", ["agentgate.yaml", "empty"]),
    "a list": ("- version: 1\n", ["agentgate.yaml:1", "a list"]),
    "duplicate key": (
        "version: 1\nhealth: {coverage: 0.9, coverage: 0.5}\n",
        ["agentgate.yaml:2", "coverage"],
    ),
    "alias bomb": (ALIAS_BOMB, ["agentgate.yaml:2", "anchor"]),
    "2 MB": (
        "version: 1\n#" + "x" * 2_000_000,
        ["agentgate.yaml", "at most 1,000,000 bytes"],
    ),
    "unknown key": (
        "version: 1\ngates:\n  recovery: {treshold: 1.0}\n",
        ["agentgate.yaml:3", "treshold", "did you mean 'threshold'?"],
    ),
    "unknown metric": (
        "version: 1\ngates:\n  mine: {metric: mean}\n",
        ["agentgate.yaml:3", "mean", "pass@k"],
    ),
    "k below 1": ("version: 1\ngates:\n  mine: {k: 0}\n", ["agentgate.yaml:3", "k"]),
    "trials below k": (
        "version: 1\ngates:\n  mine: {k: 3, trials: 2}\n",
        ["agentgate.yaml:3", "2 trials"],
    ),
    "no such module": (
        "version: 1\ntools: {call: nowhere.tools:execute}\n",
        ["nowhere"],
    ),
    "no such contracts": (
        "version: 1\ntools: {contracts: none.yaml}\n",
        ["none.yaml"],
    ),
    "unknown rule": (
        "version: 1\nrules: {ignore: [envelop]}\n",
        ["envelop", "did you mean 'envelope'?"],
    ),
}


@pytest.mark.parametrize("mode", ["plain", "n2"])
@pytest.mark.parametrize("case", POLICIES)
def test_bad_policy_is_4_before_anything_runs(child, case, mode):
    text, messages = POLICIES[case]
    files = {"agentgate.yaml": text, "test_it.py": marked("@pytest.mark.agentgate")}
    result = child("--agentgate", *MODES[mode], files=files)
    assert result.code == 4, result.out
    for message in messages:
        assert message in result.out
    assert "INTERNALERROR" not in result.out
    assert "Traceback" not in result.out


def test_a_policy_that_was_named_and_is_not_there_is_4(child):
    files = {"test_it.py": marked("@pytest.mark.agentgate")}
    result = child("--agentgate", "--agentgate-policy=gate.yaml", files=files)
    assert result.code == 4
    assert "gate.yaml" in result.out


@pytest.mark.parametrize("value", ["0", "-1"])
def test_bad_number_of_trials_is_4(child, value):
    files = {"test_it.py": marked("@pytest.mark.agentgate")}
    result = child("--agentgate", f"--agentgate-trials={value}", files=files)
    assert result.code == 4
    assert "expected a whole number of at least 1" in result.out


def test_bad_ini_value_is_4(child):
    files = {
        "test_it.py": marked("@pytest.mark.agentgate"),
        "pytest.ini": "[pytest]\nagentgate = true\nagentgate_trials = many\n",
    }
    result = child(files=files)
    assert result.code == 4
    assert "agentgate_trials" in result.out
    assert "'many'" in result.out


def test_a_bad_policy_without_the_option_errors_the_test_that_needs_it(child):
    files = {"agentgate.yaml": "", "test_it.py": "def test_x(agentgate): pass"}
    result = child(files=files)
    assert result.code == 1
    assert "agentgate.yaml" in result.out
