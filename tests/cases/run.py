"""Grade a file of cases through the public API: one JSON line a case.

    python tests/cases/run.py FILE

A case is a JSON object with ``id``, ``theme`` and ``input``; the input holds tool
results, trials, or tool definitions, and what is known besides. Each line printed has
``id``, ``verdict`` (``fail`` blocks, ``warn`` needs a review, ``pass``) and ``fired``
(ids of the rules that failed it, whatever their severity), or ``unsupported`` with the
reason. What a case expects is read for one thing only: to name the rules of families
that are not built yet.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from case_contracts import contract_of, is_contract_case, lint_case
from case_file import Case, read_cases
from case_trials import reasons_of

from pytest_agentgate import Caps, Context, ObservationMapping, grade
from pytest_agentgate.gate.facts import Reason
from pytest_agentgate.grading.finding import Finding
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.grading import grade_window
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.trajectory.run import ToolCall

PLAIN = ObservationMapping.model_validate("text")
LATER = {
    "trajectory": "the trajectory family comes with the recorder",
    "safety": "the safety family comes with the recorder",
    "budget": "the budget family comes with the recorder",
    "cost": "the cost family comes with the recorder",
    "drift": "the drift family comes with baselines",
    "theatre": "shown by the plugin's own tests: a session with nothing but successes",
    "report": "shown by the plugin's own tests: a crashed worker, a strict reader",
}
"""Families that are not built yet, or not judged here, and why."""

RESULTS = ("tool_result", "mcp_result", "result", "message_result")
TRIALS = ("runs", "tasks", "trials", "scores")


def main(arguments: list[str]) -> int:
    """Print a line for each case of the file."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python tests/cases/run.py FILE\n")
        return 2
    for case in read_cases(Path(arguments[0])):
        sys.stdout.write(json.dumps(judge(case), ensure_ascii=True) + "\n")
    return 0


@dataclass
class Verdict:
    """What was said of one case."""

    fired: set[str] = field(default_factory=set)
    blocks: bool = False
    reviews: bool = False
    errors: list[str] = field(default_factory=list)

    def add(self, findings: Iterable[Finding]) -> None:
        for one in findings:
            if one.verdict == "fail":
                self.fired.add(one.rule)
                self.blocks |= one.severity == "error"
                self.reviews |= one.severity == "review"
            else:
                self.reviews |= one.severity == "error"

    def weigh(self, reasons: Iterable[Reason]) -> None:
        """Take in what a gate says of its trials."""
        for reason in reasons:
            self.fired.add(reason.rule)
            self.blocks |= reason.effect == "block"
            self.reviews |= reason.effect == "review"

    def line(self, case: Case) -> dict[str, Any]:
        word = "fail" if self.blocks else "warn" if self.reviews else "pass"
        if self.errors:
            word = "error"
        said: dict[str, Any] = {"id": case["id"], "verdict": word}
        said["fired"] = sorted(self.fired)
        if self.errors:
            said["errors"] = self.errors
        if later := not_built(case):
            said["unsupported_rules"] = later
        return said


def judge(case: Case) -> dict[str, Any]:
    """Grade one case and return its line."""
    given = case["input"]
    reason = unsupported(case)
    if reason:
        return {"id": case["id"], "unsupported": reason}
    verdict = Verdict()
    if any(name in given for name in TRIALS):
        verdict.weigh(reasons_of(given))
    elif is_window(case):
        judge_window(given, verdict)
    elif is_contract_case(case):
        linted = lint_case(given)
        verdict.add(linted.findings)
        verdict.errors += [f"{one.rule}: {one.message}" for one in linted.errors]
    else:
        for result in results(given):
            judge_result(result, given, verdict)
    return verdict.line(case)


def unsupported(case: Case) -> str:
    """Say why a case cannot be graded, ``""`` where it can."""
    given, theme = case["input"], case.get("theme", "")
    family = theme.partition(":")[0].strip()
    family = {"reporting": "report"}.get(family, family)
    if family in LATER:
        return LATER[family]
    if is_contract_case(case):
        return ""
    if "trajectory" in given:
        return LATER["trajectory"]
    if any(name in given for name in ("baseline", "current")):
        return LATER["drift"]
    if "usage" in given:
        return LATER["cost"]
    if any(name in given for name in TRIALS) or is_window(case):
        return ""
    if any(True for _ in results(given)):
        return ""
    return f"nothing to grade in an input of {', '.join(sorted(given)) or 'no parts'}"


def not_built(case: Case) -> list[str]:
    """Return the expected rules whose families are not built yet."""
    expected = case.get("expected", {}).get("must_fire", ())
    built = built_in()
    return sorted(
        rule
        for rule in expected
        if rule.partition(".")[0] in LATER and rule not in built
    )


# --- results -------------------------------------------------------------------------


def results(given: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the tool results of an input, protocol messages included."""
    for name in RESULTS:
        if name in given:
            yield given[name]
        yield from given.get(name + "s", ())
    found = any(name in given or name + "s" in given for name in RESULTS)
    if not found and "handler_return" in given:
        yield given["handler_return"]
    for message in given.get("messages", ()):
        yield from _results_of(message)


def _results_of(message: Mapping[str, Any]) -> Iterator[Any]:
    kind = message.get("type")
    if message.get("role") == "tool" or kind in ("tool", "function_call_output"):
        yield message
    elif isinstance(message.get("content"), list):
        for block in message["content"]:
            if isinstance(block, Mapping) and block.get("type") == "tool_result":
                yield block


def judge_result(result: Any, given: Mapping[str, Any], verdict: Verdict) -> None:
    """Grade one result; plain text also as an owner of plain-text tools would."""
    context = context_of(given)
    graded = grade(result, raised=given.get("raised"), **context)
    readings = [graded]
    if any(one.rule == "envelope.parse" for one in graded.findings):
        readings.append(grade(result, mapping=PLAIN, **context))
    verdict.add(call_findings(given, context))
    for reading in readings:
        verdict.add(reading.findings)
        verdict.errors += [f"{one.rule}: {one.message}" for one in reading.errors]


def call_findings(
    given: Mapping[str, Any], context: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Grade the call itself, where a case expects a rule about it."""
    expected = given.get("call") and context["contract"]
    if not expected:
        return ()
    call = ToolCall(str(context["tool"]), context["arguments"] or {})
    made = Grader(built_in()).grade(call, Context(**context), kind="trajectory")
    return made.findings


def context_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what rules may look at besides the result."""
    call = given.get("call") or {}
    contract = given.get("tool_contract")
    context: dict[str, Any] = {
        "tool": call.get("name") or (contract or {}).get("name"),
        "arguments": call.get("args", call.get("arguments")),
        "contract": contract_of(contract) if contract else None,
        "caps": caps_of(given.get("caps") or {}),
        "transport": transport_of(given.get("evidence")),
        "handler_return": given.get("handler_return"),
        "logs": lines_of(given.get("logs")),
    }
    if "tools_available" in given:
        context["known_tools"] = frozenset(given["tools_available"])
    return context


CAPS = {
    "result_chars": ("max_result_chars", "result_chars"),
    "chunks": ("max_chunks", "chunks"),
    "chunk_chars": ("max_chunk_chars", "chunk_chars"),
    "tool_definitions_tokens": ("max_tool_defs_tokens", "max_tool_definitions_tokens"),
    "instructions_tokens": ("max_instructions_tokens", "max_system_prompt_tokens"),
}


def caps_of(fields: Mapping[str, Any]) -> Caps:
    """Read caps in the spelling of the cases; a token is four characters."""
    made = {
        ours: fields[theirs]
        for ours, names in CAPS.items()
        for theirs in names
        if isinstance(fields.get(theirs), int)
    }
    for ours, theirs in (("result", "max_result"), ("chunk", "max_chunk")):
        if isinstance(fields.get(f"{theirs}_tokens"), int):
            made[f"{ours}_chars"] = 4 * fields[f"{theirs}_tokens"]
    return Caps(**made)


def transport_of(evidence: Any) -> Mapping[str, Any] | None:
    """Return the last record where there are several."""
    if isinstance(evidence, list):
        evidence = evidence[-1] if evidence else None
    return evidence if isinstance(evidence, Mapping) else None


def lines_of(logs: Any) -> tuple[str, ...]:
    """Return log lines as texts."""
    if logs is None:
        return ()
    lines = [logs] if isinstance(logs, str | Mapping) else list(logs)
    return tuple(one if isinstance(one, str) else json.dumps(one) for one in lines)


# --- what stands in the window -------------------------------------------------------


def is_window(case: Case) -> bool:
    """Whether tool definitions or instructions are to be weighed."""
    given = case["input"]
    if "instructions" in given or "system_prompt" in given:
        return True
    caps = given.get("caps") or {}
    names = CAPS["tool_definitions_tokens"]
    listed = "tool_contracts" in given or "tool_definitions" in given
    return listed and any(name in caps for name in names)


def judge_window(given: Mapping[str, Any], verdict: Verdict) -> None:
    tools = given.get("tool_definitions")
    if "tool_contracts" in given:
        tools = [contract_of(fields) for fields in given["tool_contracts"]]
    text = given.get("instructions", given.get("system_prompt"))
    caps = caps_of(given.get("caps") or {})
    graded = grade_window(tools=tools, instructions=text, caps=caps)
    verdict.add(graded.findings)
    verdict.errors += [f"{one.rule}: {one.message}" for one in graded.errors]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
