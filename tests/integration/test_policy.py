"""What the policy, the ini file and other plugins settle."""

from __future__ import annotations

HEAD = """
import pytest
GOOD = {"status": "success", "summary": "found", "payload": [1], "source": "db:t"}
BAD = {"status": "success", "summary": "found", "payload": [1]}
"""
TEST = (
    HEAD
    + """
@pytest.mark.agentgate("mine")
def test_x(agentgate): agentgate.check(BAD, tool="t")
"""
)


def test_own_gates_severity_and_ignored_rules(child):
    policy = "version: 1\ngates:\n  mine: {metric: pass@k, k: 2, threshold: 0.5}\n"
    files = {"test_it.py": TEST, "agentgate.yaml": policy}
    result = child("--agentgate", files=files)
    assert result.code == 1
    assert "policy agentgate.yaml sha256 " in result.out
    assert len(result.manifest["trials"]) == 2
    for rules in (
        "rules: {ignore: [envelope.source]}\n",
        "rules: {severity: {envelope.source: warning}}\n",
        "rules: {severity: {envelope: warning}}\n",
        "rules: {tools: {t: {ignore: [envelope]}}}\n",
        "rules: {tools: {t: {severity: {envelope.source: warning}}}}\n",
    ):
        assert child("--agentgate", files={"agentgate.yaml": policy + rules}).code == 0
    review = "rules: {severity: {envelope.source: review}}\n"
    assert child("--agentgate", files={"agentgate.yaml": policy + review}).code == 10


def test_no_policy_is_said(child):
    result = child("--agentgate", files={"test_it.py": TEST.replace('("mine")', "")})
    assert "agentgate: no policy: built-in gates" in result.out


def test_every_option_has_an_ini_twin(child):
    files = {
        "test_it.py": TEST.replace('"mine"', '"recovery"'),
        "gate.yaml": "version: 1\ngates: {recovery: {severity: review}}\n",
        "pytest.ini": "[pytest]\nagentgate = true\nagentgate_policy = gate.yaml\n"
        "agentgate_trials = 4\nagentgate_out = out\nagentgate_allow_review = true\n",
    }
    result = child(files=files)
    assert result.code == 0, result.out
    assert "decision: needs_review" in result.out
    assert "1 task, 4 trials" in result.out
    assert (result.folder / "out" / "journal.jsonl").exists()
    ini = files["pytest.ini"].replace("allow_review", "report_only")
    result = child(files={"pytest.ini": ini})
    assert result.code == 0
    assert "report only: not enforced" in result.out


def test_an_output_folder_that_is_a_file_is_4(child):
    files = {"test_it.py": TEST.replace('("mine")', ""), "out": ""}
    result = child("--agentgate", "--agentgate-out=out", files=files)
    assert result.code == 4
    assert "--agentgate-out: expected a folder" in result.out


RULE = """
from pytest_agentgate import fail, rule

@rule("house.ticket", fails_when="no ticket is named", way_out="name the queue")
def ticket(result, context):
    '''People on call look for it.'''
    if "ticket" not in str(result.observation.summary):
        return fail("no ticket is named", seen=result.observation.summary)
"""
GOOD_TEST = (
    HEAD
    + """
@pytest.mark.agentgate
def test_x(agentgate): agentgate.check(GOOD, tool="t")
"""
)


def test_rules_from_a_hook_and_from_the_policy_judge_and_stand_in_the_manifest(child):
    hook = RULE + "\ndef pytest_agentgate_rules(config): return [ticket]\n"
    result = child("--agentgate", files={"test_it.py": GOOD_TEST, "conftest.py": hook})
    assert result.code == 1
    assert "house.ticket: no ticket is named" in result.out
    rules = {r["id"]: r["origin"] for r in result.manifest["run"]["rules"]}
    assert rules["house.ticket"] == "hook in conftest"
    assert rules["envelope.source"] == "built in"
    files = {
        "conftest.py": "",
        "house.py": RULE,
        "agentgate.yaml": "version: 1\nrules: {extra: ['house:ticket']}\n",
    }
    result = child("--agentgate", files=files)
    assert result.code == 1
    rules = {r["id"]: r["origin"] for r in result.manifest["run"]["rules"]}
    assert rules["house.ticket"] == "house:ticket"


def test_what_is_no_rule_and_a_taken_id_are_4(child):
    hook = "def pytest_agentgate_rules(config): return [len]\n"
    result = child("--agentgate", files={"test_it.py": GOOD_TEST, "conftest.py": hook})
    assert result.code == 4
    assert "this is not a rule" in result.out
    taken = RULE.replace("house.ticket", "envelope.source")
    hook = taken + "\ndef pytest_agentgate_rules(config): return [ticket]\n"
    result = child("--agentgate", files={"conftest.py": hook})
    assert result.code == 4
    assert "rule id 'envelope.source' is registered twice" in result.out


CATALOGUE = """
TOOLS = [{"name": "t", "description": "d", "input_schema": {"type": "object"}},
         {"name": "u", "description": "d", "input_schema": {"type": "object"}}]

def execute(name, arguments):
    if arguments:
        return {"status": "error", "summary": "No such argument: x.", "next_actions": [
            "Call it bare once; if it fails again, stop and tell the user."]}
    return {"status": "success", "summary": "found", "payload": [1], "source": "db:t"}
"""
CONTRACTS = """
version: 1
tools:
  t:
    timeout_seconds: 5
    failure_modes: [{name: arguments, says: ["No such argument"]}]
"""
POLICY = """
version: 1
tools: {call: "agent.tools:execute", catalogue: "agent.tools:TOOLS", contracts: c.yaml}
"""


def catalogue_files(body: str) -> dict[str, str]:
    return {
        "agent/__init__.py": "",
        "agent/tools.py": CATALOGUE,
        "c.yaml": CONTRACTS,
        "agentgate.yaml": POLICY,
        "test_it.py": HEAD + body,
    }


def test_a_tool_and_a_mode_that_nothing_exercised_block(child):
    body = """
@pytest.mark.agentgate
def test_x(agentgate): agentgate.call("t")
"""
    result = child("--agentgate", files=catalogue_files(body))
    assert result.code == 1
    assert "t: no trial ever saw it fail" in result.out
    assert "t: declared failure mode 'arguments' was never exercised" in result.out
    assert "u: no trial ever called it" in result.out
    assert result.junit["run"] == "failure"


def test_a_catalogue_that_is_exercised_ships(child):
    body = """
@pytest.mark.agentgate
@pytest.mark.parametrize("tool", ["t", "u"])
def test_x(agentgate, tool):
    agentgate.call(tool)
    agentgate.call(tool, {"x": 1}, mode="arguments" if tool == "t" else None)
"""
    for option in ([], ["-n2"]):
        result = child("--agentgate", *option, files=catalogue_files(body))
        assert result.code == 0, result.out
        result.agrees()


def test_a_mode_that_is_not_declared_is_named(child):
    body = """
@pytest.mark.agentgate
def test_x(agentgate): agentgate.call("t", {"x": 1}, mode="argument")
"""
    result = child("--agentgate", files=catalogue_files(body))
    assert "t declares no failure mode 'argument'" in result.out
    assert "did you mean 'arguments'?" in result.out


def test_the_policys_mapping_reads_another_envelope(child):
    policy = """
version: 1
observation:
  status: {from: ok, when: {"true": success, "false": error}}
  summary: [error.message, message]
  payload: data
  source: meta.origin
  next_actions: error.hint
"""
    body = """
@pytest.mark.agentgate
def test_x(agentgate):
    good = {"ok": True, "message": "3 rows", "data": [1], "meta": {"origin": "db:t"}}
    assert agentgate.check(good).status == "success"
    bad = {"ok": False, "error": {"message": "Table t does not exist.",
           "hint": "Create it once; if it still fails, stop and tell the user."}}
    assert agentgate.check(bad).status == "error"
"""
    files = {"agentgate.yaml": policy, "test_it.py": HEAD + body}
    assert child("--agentgate", files=files).code == 0


def test_rules_about_a_run_can_be_ignored_or_softened_theatre_ones_only(child):
    body = """
@pytest.mark.agentgate
def test_x(agentgate): agentgate.call("t")
"""
    files = catalogue_files(body)
    softer = {
        "ignore: [theatre]": 0,
        "severity: {theatre.happy-path: warning}": 0,
        "severity: {theatre.happy-path: review}": 10,
    }
    for rules, code in softer.items():
        files["agentgate.yaml"] = f"{POLICY}rules: {{{rules}}}\n"
        assert child("--agentgate", files=files).code == code, rules
    for rules in ("ignore: [gate.threshold]", "severity: {report: warning}"):
        files["agentgate.yaml"] = f"{POLICY}rules: {{{rules}}}\n"
        result = child("--agentgate", files=files)
        assert result.code == 4
        assert "is never ignored or softened" in result.out
        assert "severity: report" in result.out


def test_a_catalogue_in_a_json_file_and_its_size(child):
    import json

    tools = [
        {"name": name, "description": "d" * 400, "inputSchema": {"type": "object"}}
        for name in ("t", "u")
    ]
    body = """
@pytest.mark.agentgate
@pytest.mark.parametrize("tool", ["t", "u"])
def test_x(agentgate, tool):
    agentgate.call(tool)
    agentgate.call(tool, {"x": 1})
"""
    files = catalogue_files(body) | {"tools.json": json.dumps({"tools": tools})}
    files["agentgate.yaml"] = (
        'version: 1\ntools: {call: "agent.tools:execute", catalogue: tools.json}\n'
        "caps: {tool_definitions_tokens: 100}\n"
    )
    result = child("--agentgate", files=files)
    assert result.code == 0, result.out
    assert "note  context.tool-definitions" in result.out
    files["tools.json"] = "{"
    result = child("--agentgate", files=files)
    assert result.code == 4
    assert "tools.json is not JSON" in result.out


def test_arguments_that_the_agent_makes_up_in_a_run_fail_it(child):
    body = """
@pytest.fixture
def agentgate_target():
    call = {"name": "t", "arguments": {"made_up": 1}, "result": GOOD}
    return lambda text: {"answer": "done", "calls": [call]}

@pytest.mark.agentgate
def test_x(agentgate): agentgate.run("go")
"""
    files = catalogue_files(body)
    closed = '{"type": "object", "additionalProperties": False}'
    tools = CATALOGUE.replace('{"type": "object"}', closed)
    files["agent/tools.py"] = tools
    result = child("--agentgate", files=files)
    assert result.code == 1
    assert (
        "trajectory.arguments: the arguments of t break its input schema" in result.out
    )
