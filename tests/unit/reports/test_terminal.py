"""The terminal section: every figure that a release manager needs, on plain lines."""

from __future__ import annotations

from pytest_agentgate.gate.facts import Duties, RunFacts
from pytest_agentgate.gate.manifest import conclude
from pytest_agentgate.gate.outcome import FindingGroup, TrialRecord
from pytest_agentgate.gate.plan import Plan, PlannedTask
from pytest_agentgate.gate.terms import GateTerms
from pytest_agentgate.reports.terminal import FINDING_LIMIT, summary


def lines(records, **facts) -> str:
    tasks = tuple(dict.fromkeys(record.task for record in records))
    plan = Plan(
        {"recovery": GateTerms(k=1)},
        tuple(PlannedTask(task, "recovery", 1, "d") for task in tasks),
    )
    trials = {(record.task, record.trial): record for record in records}
    manifest = conclude({}, plan, trials, RunFacts(**facts))
    return "\n".join(line.text for line in summary(manifest, "out/manifest.json"))


def record(task: str, outcome: str = "passed", **more) -> TrialRecord:
    return TrialRecord(task, 1, "recovery", outcome, observations={"t": 1}, **more)


def test_a_gate_line_and_what_stands_under_it():
    text = lines([record("a", latencies=(0.1, 0.2)), record("b", latencies=(0.3,))])
    assert "gate recovery: pass  pass^1 1.000 [0.16, 1.00] >= 1" in text
    assert "  2 tasks, 2 trials: 2 passed, 0 failed, 0 errored" in text
    assert "pass^1 1.000; all tasks passing would prove 0.16" in text
    assert "latency p50 200.0 ms, p95 300.0 ms; tokens unknown; cost unknown" in text
    assert "health: 2 planned, 2 passed, 0 failed, 0 errored, 0 not run" in text
    assert "no tools.catalogue" in text
    assert text.endswith("decision: ship\nmanifest: out/manifest.json")


def test_known_tokens_and_cost_are_summed():
    text = lines(
        [record("a", tokens=1200, cost_usd=0.5), record("b", tokens=300, cost_usd=0.25)]
    )
    assert "tokens 1,500; cost $0.7500" in text


def finding(rule: str, **more) -> FindingGroup:
    fields = {"tool": "t", "verdict": "fail", "severity": "error", "message": "m"}
    return FindingGroup(rule=rule, **(fields | more))


def test_findings_are_folded_by_rule_and_tool_with_the_worst_evidence():
    mild = finding("a.b", severity="warning", seen="mild")
    text = lines(
        [
            record("a", findings=(mild,)),
            record("b", "failed", findings=(finding("a.b", seen="bad", count=2),)),
            record("c", findings=(finding("c.d", waived="ops until 2030-01-01"),)),
        ]
    )
    assert "  error  a.b t  (3 results): m" in text
    assert "seen: bad" in text
    assert "seen: mild" not in text
    assert "waived by ops until 2030-01-01  c.d t  (1 result)" in text


def test_a_long_list_is_cut_and_says_so():
    found = tuple(finding(f"a.r{number:02}") for number in range(FINDING_LIMIT + 5))
    text = lines([record("a", "failed", findings=found)])
    assert "and 5 more in the manifest" in text


def test_tools_that_nothing_called_and_idle_rules_are_named():
    idle = record("a", idle_rules=("x.y",))
    text = lines([idle], tools={"t": Duties(), "u": Duties()}, ignored=frozenset())
    assert "observations: t 1, u 0" in text
    assert "not covered: 1 rule had no input: x.y" in text
    assert "block  theatre.happy-path: u: no trial ever called it" in text


def test_report_only_and_ordinary_failures_are_said():
    text = lines([record("a", "failed")], report_only=True, ordinary_failed=2)
    assert "decision: block (report only: not enforced)" in text
    assert "besides, 2 ordinary tests failed" in text
