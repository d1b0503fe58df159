"""Observations graded in a second, beside a hand-written assert and jsonschema."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jsonschema
import jsonschema_rs

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.rules import built_in

SUCCESS = {
    "status": "success",
    "summary": "3 notes match 'fixture'.",
    "payload": [{"id": n, "title": "Fixtures", "score": 0.5} for n in range(3)],
    "source": "notes/pytest.md#fixtures",
}
ERROR = {
    "status": "error",
    "summary": "The notes service is unreachable at 127.0.0.1:8081.",
    "next_actions": [
        "Cause: nothing accepts connections at 127.0.0.1:8081.",
        "Ask the user to start it with `uvicorn notes:app`; then call once more.",
        "If it is still unreachable then, stop and tell the user.",
    ],
}
SCHEMA = {
    "type": "object",
    "properties": {
        "status": {"enum": ["success", "warning", "error"]},
        "summary": {"type": "string", "minLength": 1, "pattern": "^[^\\n]*$"},
        "source": {"type": "string", "minLength": 1},
        "next_actions": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["status", "summary"],
}


def by_hand(result: dict[str, Any]) -> None:
    """Assert the shape, as one would write it in a test suite."""
    assert result["status"] in ("success", "warning", "error")
    assert result["summary"].strip()
    assert "\n" not in result["summary"]
    if result["status"] == "success":
        assert result["payload"] is not None
        assert result["source"].strip()
    else:
        assert [action for action in result["next_actions"] if action.strip()]


def rate(function: Callable[[Any], Any], result: Any, seconds: float = 0.5) -> float:
    """Return calls a second, in batches until the time is over."""
    count, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        for _ in range(200):
            function(result)
        count += 200
    return count / elapsed


def main() -> None:
    """Print rates and ratios."""
    grader, context = Grader(built_in()), Context(tool="search_notes")
    reference = jsonschema.Draft202012Validator(SCHEMA)
    fast = jsonschema_rs.validator_for(SCHEMA)
    rules = sum(entry.subject == "result" for entry in built_in())
    variants: dict[str, Callable[[Any], Any]] = {
        f"agentgate, {rules} rules": lambda r: grader.grade(parse(r), context),
        "asserts by hand": by_hand,
        "jsonschema": reference.validate,
        "jsonschema-rs": fast.validate,
    }
    for name, result in (("success", SUCCESS), ("error", ERROR)):
        rates = {label: rate(function, result) for label, function in variants.items()}
        ours = next(iter(rates.values()))
        for label, value in rates.items():
            print(f"  {name:<8}{label:<22}{value:12,.0f} /s  ratio {ours / value:.4f}")
