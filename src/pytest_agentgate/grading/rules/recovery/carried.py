"""What every failure path carries: cause, remedy, stop, and the declared wording."""

from __future__ import annotations

from typing import Any

from ....contract.observation import Observation, ToolResult
from ....contract.tool import FailureMode, ToolContract
from ...context import Context
from ...failure_path import advice, all_texts, error_texts, failed
from ...finding import Finding, abstain, fail
from ...registry import Example, rule
from ...wording import Evidence, read, read_cause
from ...wording.patterns import is_found
from ...wording.presence import is_usable, texts_of
from .examples import DOWN, down


def _answer(evidence: Evidence, what: str, expected: str, seen: Any) -> Finding | None:
    if evidence == "found":
        return None
    if evidence == "unknown":
        return abstain(
            f"the wording does not show {what}, nor that none is there", seen=seen
        )
    return fail(f"a failure path without {what}", expected=expected, seen=seen)


@rule(
    "recovery.root-cause",
    fails_when="no usable root-cause hint on a failure path",
    way_out="say in the summary, or in error.root_cause, what failed and why",
    bad=Example(down(summary="Something went wrong.")),
    good=Example(DOWN),
)
def root_cause(result: ToolResult, context: Context) -> Finding | None:
    """Without a cause the agent cannot tell a typing error from a dead service.

    "Error" and "something went wrong" are no cause, nor is a traceback. A thin one,
    such as "HTTP 429", passes.
    """
    observation = failed(result)
    if observation is None:
        return None
    tool = context.tool or ""
    field = observation.root_cause
    if is_usable(field) and read_cause(tuple(texts_of(field))[:5], tool) != "missing":
        return None
    texts = error_texts(result, observation)
    return _answer(
        read_cause(texts, tool),
        "a root cause",
        "what failed and why",
        texts[0] if field is None and texts else field,
    )


@rule(
    "recovery.remediation",
    fails_when="no safe retry or remedy on a failure path",
    way_out="say what the caller can do: a command, a value, a filter to drop, a "
    "waiting time, one bounded retry, or whom to hand over to",
    bad=Example(down(next_actions=["Please try again."])),
    good=Example(DOWN),
)
def remediation(result: ToolResult, context: Context) -> Finding | None:
    """An error that says no way on ends in a loop or in an invented answer.

    "Stop and report it" counts: where no repair is in the caller's hands, handing
    over is the safe step. A bare "try again" does not; "retry once" does. What a
    service said is never a remedy.
    """
    observation = failed(result)
    if observation is None or is_usable(observation.remediation):
        return None
    texts = advice(result, observation)
    return _answer(
        read(texts).remedy if texts else "missing",
        "a remedy",
        "an instruction that the caller can carry out",
        list(texts) if texts else "no next action",
    )


@rule(
    "recovery.stop-condition",
    fails_when="no explicit end on a failure path: when to give up rather than loop",
    way_out="say how often, or if it fails again, and then what: 'Retry once; if it "
    "fails again, stop and tell the user.'",
    bad=Example(down(next_actions=["Start it with 'make serve', then retry."])),
    good=Example(DOWN),
)
def stop_condition(result: ToolResult, context: Context) -> Finding | None:
    """Agents obey a stated end and loop without one (SYS-003 §3).

    "Retry once" alone says nothing of the second failure and is no stop; "at most
    twice", "do not retry unchanged" and "if it fails again, tell the user" are.
    """
    observation = failed(result)
    if observation is None or is_usable(observation.stop_condition):
        return None
    texts = advice(result, observation)
    if is_usable(observation.remediation):
        texts = (*texts_of(observation.remediation)[:5], *texts)
    return _answer(
        read(texts).stop if texts else "missing",
        "a stop condition",
        "a bounded or conditional end: how often, or if it fails again, and then what",
        list(texts) if texts else "no next action",
    )


@rule(
    "recovery.expected",
    needs=("contract", "mode"),
    fails_when="a declared failure mode's status or wording is not in the result",
    way_out="put the start command, the filter to drop, … into the next action, or "
    "correct the failure mode in the contract",
    bad=Example(
        down(next_actions=["Start it, then retry once; if it fails again, stop."]),
        {
            "mode": "unreachable",
            "contract": ToolContract(
                name="search",
                failure_modes=(FailureMode(name="unreachable", says=("make serve",)),),
            ),
        },
    ),
    good=Example(
        DOWN,
        {
            "mode": "unreachable",
            "contract": ToolContract(
                name="search",
                failure_modes=(FailureMode(name="unreachable", says=("make serve",)),),
            ),
        },
    ),
)
def expected(result: ToolResult, context: Context) -> list[Finding] | Finding | None:
    """A release-critical message must appear and be right, every time (SYS-003 §5).

    Patterns are searched with a linear-time engine over 4,000 characters, so no
    pattern can hang a run.
    """
    observation = result.observation
    contract = context.contract
    if observation is None or result.raised is not None or contract is None:
        return None
    mode = contract.mode(context.mode or "")
    if mode is None:
        names = [one.name for one in contract.failure_modes]
        return fail(
            f"failure mode {context.mode!r} is not declared",
            expected="one of: " + ", ".join(names) if names else "a declared mode",
            seen=context.mode,
        )
    said = "\n".join(all_texts(observation))
    missing = [
        fail(
            f"failure mode {mode.name!r}: {_WORDING[field]} is not there",
            expected=f"text matching {pattern!r}",
            seen=said,
        )
        for field, pattern in mode.patterns
        if not is_found(pattern, said)
    ]
    if _is_other_status(mode, observation):
        missing.insert(0, _other_status(mode, observation))
    return missing or None


_WORDING = {
    "says": "required wording",
    "cause": "the declared cause",
    "remedy": "the declared remedy",
    "stop": "the declared stop condition",
}


def _is_other_status(mode: FailureMode, observation: Observation) -> bool:
    if mode.status is not None:
        return bool(observation.status != mode.status)
    # A mode that declares wording alone may be an empty success that says so.
    return observation.status == "success" and not mode.patterns


def _other_status(mode: FailureMode, observation: Observation) -> Finding:
    return fail(
        f"failure mode {mode.name!r}: the status is not the declared one",
        expected=f"status {mode.status!r}" if mode.status else "warning or error",
        seen=observation.status,
    )
