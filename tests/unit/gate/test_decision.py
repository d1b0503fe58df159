"""Gates and the decision, from raw outcomes (DESIGN 5.6 to 5.8)."""

from __future__ import annotations

import pytest

from pytest_agentgate.gate.decision import decide, exit_code
from pytest_agentgate.gate.evaluation import judge_gate
from pytest_agentgate.gate.facts import Duties, Reason, RunFacts
from pytest_agentgate.gate.outcome import FindingGroup, TrialRecord
from pytest_agentgate.gate.plan import Plan, PlannedTask
from pytest_agentgate.gate.terms import GateTerms

WORDS = {"p": "passed", "f": "failed", "e": "errored", "s": "not_run", "c": "curtailed"}
ALL_3 = GateTerms(metric="pass^k", k=3, threshold=1.0)
ANY_3 = GateTerms(metric="pass@k", k=3, threshold=0.9)


def judged(terms: GateTerms, outcomes: dict[str, str], **facts):
    """Judge one gate; outcomes as letters, one task a key, ``-`` for no record."""
    partial = facts.pop("partial", ())
    tasks = tuple(PlannedTask(t, "g", len(o), "d") for t, o in outcomes.items())
    plan = Plan({"g": terms}, tasks, partial)
    records = {
        (task, number): TrialRecord(task, number, "g", WORDS[letter])
        for task, letters in outcomes.items()
        for number, letter in enumerate(letters, start=1)
        if letter != "-"
    }
    records |= facts.pop("records", {})
    run = RunFacts(**facts)
    gate = judge_gate("g", plan, records, run)
    return gate, decide(plan, (gate,), records, run)


@pytest.mark.parametrize(
    ("terms", "outcomes", "verdict", "rules"),
    [
        (ALL_3, {"a": "ppp", "b": "ppp"}, "pass", []),
        (ALL_3, {"a": "ppf"}, "block", ["gate.threshold", "gate.flaky"]),
        (ALL_3, {"a": "fff"}, "block", ["gate.threshold"]),
        (ALL_3, {"a": "ppe"}, "needs_review", ["gate.too-few-trials"]),
        (ALL_3, {"a": "pps"}, "needs_review", ["gate.too-few-trials"]),
        (ALL_3, {"a": "pfe"}, "block", ["gate.threshold", "gate.flaky"]),
        (ALL_3, {"a": "ppp", "b": "eee"}, "needs_review", ["gate.too-few-trials"]),
        (ALL_3, {"a": "eee"}, "block", ["gate.nothing-measured"]),
        (ALL_3, {"a": "sss"}, "block", ["gate.nothing-measured"]),
        (ANY_3, {"a": "fpf"}, "pass", []),
        (ANY_3, {"a": "fff"}, "block", ["gate.threshold"]),
        # Enough passes whatever the error was, but too little was scored.
        (ANY_3, {"a": "pee"}, "needs_review", ["gate.too-few-trials"]),
        (ANY_3, {"a": "ffe"}, "needs_review", ["gate.too-few-trials"]),
        # One of twenty errored: 59 of 60 scored, and both readings hold.
        (ANY_3, {f"t{i}": "ppp" for i in range(19)} | {"u": "ppe"}, "pass", []),
        (
            GateTerms(metric="pass^k", k=1, threshold=0.9),
            {f"t{i}": "p" for i in range(9)} | {"u": "f"},
            "pass",
            [],
        ),
        (
            GateTerms(metric="pass^k", k=3, threshold=1.0, severity="review"),
            {"a": "fff"},
            "needs_review",
            ["gate.threshold"],
        ),
        (
            GateTerms(metric="pass^k", k=3, threshold=1.0, severity="report"),
            {"a": "fff"},
            "fail (reported)",
            ["gate.threshold"],
        ),
    ],
)
def test_verdict_of_a_gate(terms, outcomes, verdict, rules):
    gate, _ = judged(terms, outcomes)
    assert gate.verdict == verdict
    assert [reason.rule for reason in gate.reasons] == rules


def test_figures_are_unbiased_and_over_tasks():
    terms = GateTerms(metric="pass@k", k=2, trials=4, threshold=0.5)
    gate, _ = judged(terms, {"a": "pfff", "b": "pppp", "c": "ffff"})
    assert gate.estimate == pytest.approx((0.5 + 1 + 0) / 3)
    assert gate.pass_1 == pytest.approx((0.25 + 1 + 0) / 3)
    assert gate.interval is not None
    assert gate.interval.method == "t"


def test_one_task_has_no_interval_and_says_what_its_trials_prove():
    gate, _ = judged(ALL_3, {"a": "ppp"})
    assert gate.interval is None
    assert gate.proves == pytest.approx(0.2924, abs=1e-4)


def test_a_task_with_too_few_scored_trials_is_left_out_of_the_shown_estimate():
    gate, _ = judged(ALL_3, {"a": "ppp", "b": "ppe"})
    assert gate.estimate == 1.0
    assert gate.counts["errored"] == 1


def test_unknown_cost_stays_unknown():
    known = TrialRecord("a", 1, "g", "passed", tokens=10, cost_usd=0.1)
    gate, _ = judged(GateTerms(), {"a": "p", "b": "p"}, records={("a", 1): known})
    assert (gate.tokens, gate.cost_usd) == (None, None)


def test_lost_records_block():
    _, decision = judged(ALL_3, {"a": "pp-", "b": "ppp"})
    assert decision.word == "block"
    lost = next(r for r in decision.reasons if r.rule == "report.results-lost")
    assert "1 planned trials are in no record: a trial 3" in lost.text


def test_internal_errors_block():
    _, decision = judged(ALL_3, {"a": "ppp"}, internal_errors=("KeyError",))
    assert (decision.word, decision.exit_code) == ("block", 1)


def test_no_tasks_block():
    _, decision = judged(ALL_3, {})
    assert decision.word == "block"
    assert any("nothing was gated" in reason.text for reason in decision.reasons)


def test_partial_runs_are_reviewed_and_their_absentees_are_not_lost():
    plan_task = PlannedTask("a", "g", 3, "d", deselected=(2, 3))
    plan = Plan({"g": ALL_3}, (plan_task,), ("-k",))
    records = {("a", 1): TrialRecord("a", 1, "g", "passed")}
    gate = judge_gate("g", plan, records, RunFacts())
    decision = decide(plan, (gate,), records, RunFacts())
    assert decision.word == "needs_review"
    assert "report.results-lost" not in {r.rule for r in decision.reasons}


def observed(*modes: str, **kinds: dict[str, int]):
    """Two trials, as two shards would have them: one saw each kind that is given."""
    first, *others = kinds.items() or [("u", {"success": 1})]
    tools = dict.fromkeys(kinds, 1)
    return {
        ("a", 1): TrialRecord(
            *("a", 1, "g", "passed"),
            observations=tools,
            kinds=dict([first]),
            modes=modes,
        ),
        ("b", 1): TrialRecord(*("b", 1, "g", "passed"), kinds=dict(others)),
    }


ALL = {"success": 2, "empty": 1, "error": 3}
NEVER = "t: declared failure mode 'down' was never exercised"
NOTHING = "t: no trial ever saw it find nothing, as its contract says that it can"
DOWN = Duties(modes=("down",), empty=True)


@pytest.mark.parametrize(
    ("owed", "records", "texts"),
    [
        (DOWN, observed("t/down", t=ALL), []),
        (DOWN, observed(u=ALL), ["t: no trial ever called it"]),
        (
            DOWN,
            observed(t=ALL),
            ["t: declared failure mode 'down' was never exercised"],
        ),
        (
            DOWN,
            observed("t/down", t={"success": 1}),
            [NOTHING, "t: no trial ever saw it fail"],
        ),
        (
            DOWN,
            observed("t/down", t={"error": 1, "empty": 1}),
            ["t: no trial ever saw it succeed"],
        ),
        # What owes no empty result may well succeed with one.
        (Duties(), observed(t={"error": 1, "empty": 1}), []),
        (Duties(), observed(t={"error": 1}), ["t: no trial ever saw it succeed"]),
        (Duties(), observed(t={"success": 1}), ["t: no trial ever saw it fail"]),
        (Duties(error=False), observed(t={"success": 1}), []),
    ],
)
def test_what_no_trial_saw_of_a_tool_blocks(owed, records, texts):
    facts = {"tools": {"t": owed}, "records": records}
    _, decision = judged(GateTerms(), {"a": "p", "b": "p"}, **facts)
    assert [r.text for r in decision.reasons if r.rule == "theatre.happy-path"] == texts
    assert decision.word == ("block" if texts else "ship")
    ignored = frozenset({"theatre.happy-path"})
    _, lenient = judged(GateTerms(), {"a": "p", "b": "p"}, ignored=ignored, **facts)
    assert lenient.word == "ship"


def test_a_partial_run_owes_nothing():
    _, decision = judged(
        GateTerms(), {"a": "p"}, tools={"t": Duties()}, partial=("-k",)
    )
    assert "theatre.happy-path" not in {r.rule for r in decision.reasons}


def abstaining(verdict: str = "abstain", severity: str = "error", waived: str = ""):
    group = FindingGroup(
        "recovery.remediation", "t", verdict, severity, "m", waived=waived
    )
    return {("a", 1): TrialRecord("a", 1, "g", "passed", findings=(group,))}


@pytest.mark.parametrize(
    ("records", "abstain", "word"),
    [
        (abstaining(), "review", "needs_review"),
        (abstaining(), "error", "block"),
        (abstaining(), "warning", "ship"),
        (abstaining(severity="warning"), "review", "ship"),
        (abstaining("fail", "review"), "review", "needs_review"),
        (abstaining("fail", "review", waived="ops"), "review", "ship"),
        (abstaining("fail", "warning"), "review", "ship"),
    ],
)
def test_what_findings_that_fail_no_trial_do(records, abstain, word):
    _, decision = judged(GateTerms(), {"a": "p"}, records=records, abstain=abstain)
    assert decision.word == word


def test_reasons_are_worst_first():
    note = Reason("waiver.unused", "x", "note")
    _, decision = judged(ALL_3, {"a": "ppf"}, notes=(note,))
    assert [r.effect for r in decision.reasons] == ["block", "note", "note"]


@pytest.mark.parametrize(
    ("word", "facts", "code"),
    [
        ("ship", {}, 0),
        ("block", {}, 1),
        ("needs_review", {}, 10),
        ("needs_review", {"allow_review": True}, 0),
        ("needs_review", {"ordinary_failed": 1, "allow_review": True}, 1),
        ("block", {"report_only": True}, 0),
        ("block", {"report_only": True, "ordinary_failed": 2}, 1),
        ("ship", {"ordinary_failed": 1}, 1),
        ("ship", {"internal_errors": ("x",)}, 1),
    ],
)
def test_exit_code(word, facts, code):
    assert exit_code(word, RunFacts(**facts)) == code


def test_confidence_asks_for_proof():
    terms = GateTerms(metric="pass^k", k=1, threshold=0.8, confidence=0.95)
    few, _ = judged(terms, {f"t{i}": "p" for i in range(10)})
    many, _ = judged(terms, {f"t{i}": "p" for i in range(20)})
    assert (few.verdict, many.verdict) == ("block", "pass")
    assert "10 of 10 tasks passing proves 0.69" in few.reasons[0].text
