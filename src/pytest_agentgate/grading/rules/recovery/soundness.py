"""Whether the advice can be followed, and safely."""

from __future__ import annotations

from ....contract.observation import ToolResult
from ....contract.tool import NATURAL, ToolContract
from ...context import Context
from ...failure_path import TEXT_LIMIT, cause_text, failed
from ...finding import Finding, fail
from ...registry import Example, rule
from ...wording.advice import unknown_parameters, unknown_tools
from ...wording.outcome import (
    advises_blind_repeat,
    is_outcome_unknown,
    kind_of_failure,
)
from ...wording.presence import says_something, texts_of
from ...wording.waiting import known_wait, passes_on
from .examples import DOWN, down

CHARGE = ToolContract(name="charge_card", side_effect="irreversible_mutation")


@rule(
    "recovery.actionable",
    needs=("known_tools",),
    fails_when="the remedy names a tool or parameter that does not exist",
    way_out="name a tool from the catalogue, or a parameter of its input schema",
    bad=Example(
        down(next_actions=["Call get_job to see whether it was queued."]),
        {"known_tools": frozenset({"search_kb"})},
    ),
    good=Example(
        down(next_actions=["Call get_job to see whether it was queued."]),
        {"known_tools": frozenset({"search_kb", "get_job"})},
    ),
)
def actionable(result: ToolResult, context: Context) -> Finding | None:
    """Advice that cannot be followed costs a call and teaches the agent to guess."""
    observation = failed(result)
    if observation is None or context.known_tools is None:
        return None
    known = context.known_tools | {context.tool or ""}
    texts = texts_of(list(observation.next_actions)) + texts_of(observation.remediation)
    schema = context.contract.input_schema if context.contract else {}
    for text in texts[:40]:
        tools = unknown_tools(text, known)
        if tools:
            return fail(
                f"the remedy calls for a tool that does not exist: {', '.join(tools)}",
                expected="one of: " + ", ".join(sorted(known - {""})[:20]),
                seen=text,
            )
        names = unknown_parameters(text, schema, known, context.tool or "")
        if names:
            return fail(
                f"the remedy names a parameter the tool lacks: {', '.join(names)}",
                expected="a parameter of the tool's input schema",
                seen=text,
            )
    return None


@rule(
    "recovery.unsafe-retry",
    needs=("contract",),
    fails_when="a mutation of unknown outcome is advised to be repeated without an "
    "idempotency key or a check",
    way_out="say to check first, or to resend with the same idempotency key",
    bad=Example(
        down(summary="The charge timed out.", next_actions=["Retry once, then stop."]),
        {"contract": CHARGE},
    ),
    good=Example(
        down(
            summary="The charge timed out.",
            next_actions=[
                "Resend once with the same key; then stop and tell the user."
            ],
        ),
        {"contract": CHARGE},
    ),
)
def unsafe_retry(result: ToolResult, context: Context) -> Finding | None:
    """After a time-out the first call may have worked; a blind repeat does it twice."""
    observation = failed(result)
    contract = context.contract
    if observation is None or contract is None:
        return None
    if not contract.mutates or contract.idempotency == NATURAL:
        return None
    advice = "\n".join(
        texts_of(observation.remediation) + texts_of(list(observation.next_actions))
    )[:TEXT_LIMIT]
    if not advises_blind_repeat(advice):
        return None
    said = cause_text(result, observation)
    if not is_outcome_unknown(context.transport, said):
        return None
    return fail(
        "the advice repeats a mutation whose outcome is unknown",
        expected="a check first, or the same idempotency key",
        seen=advice,
    )


_FLAGS = {
    True: True,
    False: False,
    "true": True,
    "false": False,
    "yes": True,
    "no": False,
}


@rule(
    "recovery.retry-class",
    fails_when="the retryable flag contradicts the cause",
    way_out="retryable is true for time-outs, rate limits and lost connections of "
    "reads, false for bad input and missing permission",
    bad=Example(down(summary="Permission denied.", retryable=True)),
    good=Example(down(summary="The search timed out.", retryable=True)),
)
def retry_class(result: ToolResult, context: Context) -> Finding | None:
    """Loops obey the flag before they read the text."""
    observation = failed(result)
    if observation is None or observation.retryable is None:
        return None
    flag = observation.retryable
    flag = flag.strip().lower() if isinstance(flag, str) else flag
    if not isinstance(flag, bool | str) or flag not in _FLAGS:
        return None
    retryable = _FLAGS[flag]
    said = cause_text(result, observation)
    kind = kind_of_failure(context.transport, said)
    if kind == "unclear" or retryable is (kind == "transient"):
        return None
    if not retryable and _may_have_happened(context, said):
        return None
    return fail(
        f"retryable is {str(retryable).lower()}, the cause is {kind}",
        expected=f"retryable {str(kind == 'transient').lower()}",
        seen=said,
        path="/retryable",
    )


def _may_have_happened(context: Context, said: str) -> bool:
    """Whether not retrying is right although the fault is transient: a write's is."""
    contract = context.contract
    mutates = contract is not None and contract.side_effect in (
        "reversible_mutation",
        "irreversible_mutation",
    )
    return mutates and is_outcome_unknown(context.transport, said)


@rule(
    "recovery.retry-after",
    severity="warning",
    fails_when="a known waiting time is not passed on",
    way_out="put the service's Retry-After into retry_after or the next action",
    bad=Example(
        down(summary="HTTP 429, Retry-After: 21", next_actions=["Wait, then retry."])
    ),
    good=Example(
        down(summary="HTTP 429.", next_actions=["Wait 21 s, then retry once."]),
        {"transport": {"retry_after": 21}},
    ),
)
def retry_after(result: ToolResult, context: Context) -> Finding | None:
    """Who is not told how long to wait asks again at once (RFC 9110 §10.2.3)."""
    observation = failed(result)
    if observation is None or says_something(observation.retry_after):
        return None
    wait = known_wait(
        context.transport, observation.fields, cause_text(result, observation)
    )
    advice = texts_of(list(observation.next_actions))
    advice += texts_of(observation.remediation) + texts_of(observation.stop_condition)
    if not wait or passes_on(wait, advice):
        return None
    return fail(
        "a known waiting time is not passed on",
        expected=f"{wait} in retry_after or a next action",
        seen=advice,
        path="/next_actions",
    )


@rule(
    "recovery.tainted",
    needs=("transport",),
    fails_when="a next action or remedy carries text that came from the service or "
    "from retrieved content",
    way_out="put the service's words into a field marked as data, never into advice",
    bad=Example(
        down(next_actions=["Service detail: canary-7f3a", "Retry once, then stop."]),
        {"transport": {"canary": "canary-7f3a"}},
    ),
    good=Example(DOWN, {"transport": {"canary": "canary-7f3a"}}),
)
def tainted(result: ToolResult, context: Context) -> Finding | None:
    """Next actions are followed as orders; who writes there commands the agent."""
    observation = result.observation
    if observation is None or result.raised is not None or context.transport is None:
        return None
    canary = context.transport.get("canary")
    if not canary:
        return None
    canaries = [one for one in texts_of(canary) if one.strip()]
    advice = texts_of(list(observation.next_actions))
    advice += texts_of(observation.remediation) + texts_of(observation.stop_condition)
    for text in advice:
        if any(one in text for one in canaries):
            return fail(
                "advice carries text that came from the service",
                expected="the tool's own words only",
                seen=text,
                path="/next_actions",
            )
    return None
