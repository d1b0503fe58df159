"""What a call changes, how long it may take, how it fails, what it must not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ....contract.schema.walk import places
from ....contract.tool import NATURAL, FailureMode, Redaction, RetryPolicy, ToolContract
from ....redaction.names import is_secret_name, name_words
from ...context import Context
from ...finding import Finding, fail
from ...registry import Example, rule
from .examples import PLAIN, changed

_PAYMENT = {
    "type": "object",
    "properties": {
        "cents": {"type": "integer", "minimum": 1, "maximum": 100_000},
        "request_id": {
            "type": "string",
            "maxLength": 64,
            "description": "One for each payment; the same again on a retry.",
        },
    },
    "required": ["cents", "request_id"],
    "additionalProperties": False,
}
_PAY = changed(
    name="pay",
    input_schema=_PAYMENT,
    side_effect="irreversible_mutation",
    idempotency="request_id",
    approval="human",
    permissions=("payments:write",),
    failure_modes=(FailureMode(name="declined", stop="do not try again"),),
)


def _pay(**fields: Any) -> ToolContract:
    return _PAY.model_copy(update=fields)


@rule(
    "contract.side-effect",
    subject="contract",
    strict="error",
    fails_when="no side-effect class",
    way_out="declare side_effect: read_only, reversible_mutation or "
    "irreversible_mutation, in the contracts file or as MCP's hints",
    bad=Example(changed(side_effect=None)),
    good=Example(PLAIN),
)
def side_effect(contract: ToolContract, context: Context) -> Finding | None:
    """Approval, retries and keys all follow from the class (ADR-016)."""
    if contract.side_effect is not None:
        return None
    return fail("no side-effect class, and no hint of one", seen=dict(contract.hints))


@rule(
    "contract.side-effect-agrees",
    subject="contract",
    strict="error",
    fails_when="the class contradicts hints or observed behaviour",
    way_out="mend the class, or the hint; of a server that is not yours, waive it",
    bad=Example(changed(hints={"readOnlyHint": False, "destructiveHint": True})),
    good=Example(changed(hints={"readOnlyHint": True})),
)
def side_effect_agrees(contract: ToolContract, context: Context) -> Finding | None:
    """Hosts go by the hints: nobody is asked about a write that is marked read-only.

    What a call really changes is judged by probing, where a state is declared.
    """
    declared, hints = contract.side_effect, contract.hints
    read_only, destructive = hints.get("readOnlyHint"), hints.get("destructiveHint")
    if declared is None:
        return None
    if read_only:
        wrong = declared != "read_only"
    elif declared == "read_only":
        wrong = read_only is False or destructive is True
    elif declared == "reversible_mutation":
        wrong = destructive is True
    else:
        wrong = destructive is False
    if wrong:
        return fail(
            f"declared {declared}, hinted otherwise",
            expected=f"hints of a {declared} tool",
            seen=dict(hints),
        )
    natural = contract.mutates and contract.idempotency == NATURAL
    if natural and hints.get("idempotentHint") is False:
        return fail(
            "declared idempotent by nature, hinted otherwise",
            expected="idempotentHint true, or no such hint",
            seen=dict(hints),
        )
    return None


@rule(
    "contract.idempotency",
    subject="contract",
    strict="error",
    fails_when="a mutating tool without an idempotency key or statement",
    way_out="take a key as an argument and name it under 'idempotency', or say "
    "'idempotency: natural' where calling twice is like calling once",
    bad=Example(_pay(idempotency=None)),
    good=Example(_PAY),
)
def idempotency(contract: ToolContract, context: Context) -> Finding | None:
    """A caller whose reply was lost must be able to ask again (ADR-016)."""
    if not contract.mutates:
        return None
    key = contract.idempotency
    if key is None:
        if contract.hints.get("idempotentHint"):
            return None
        return fail("a mutating tool without an idempotency key or statement")
    known = _arguments(contract)
    if key == NATURAL or key in known:
        return None
    return fail(
        f"the idempotency key {key!r} is no argument of the tool",
        expected=f"an argument {key!r}",
        seen=list(known),
    )


def _arguments(contract: ToolContract) -> dict[str, Any]:
    """Return the schemas of a tool's arguments by name.

    Where the root is put together of others, every property below it counts: which of
    them are arguments is not worked out here.
    """
    properties = contract.input_schema.get("properties")
    if isinstance(properties, Mapping):
        return dict(properties)
    inner = [one for one in places(contract.input_schema) if one.role == "property"]
    return {place.name: place.schema for place in inner}


_SAME = re.compile(
    r"\b(?:same|re-?us\w+|again|identical|unchanged|repeat\w*|resend\w*)\b"
    r"|\bstable (?:across|over)\b",
    re.IGNORECASE,
)
_ELSEWHERE = (
    r"\b(?![^.;]{0,40}?\b(?:other|another|different|new|two)\s"
    r"(?!\w*(?:call|attempt|tr(?:y|ies)|request|invocation)))"
)
"""What follows where a key is kept to one thing, and so may be sent again for it."""
_FRESH = re.compile(
    r"\b(?:different|new|fresh|another|unique|random|distinct|changed?)\b[^.;]{0,40}?"
    r"\b(?:each|every|per)\s(?:\S+\s){0,3}?(?:calls?|attempts?|tr(?:y|ies)|retr(?:y|ies)"
    r"|invocations?|time)\b"
    r"|\b(?:each|every)\s(?:\S+\s){0,3}?(?:call|attempt|try|retry|invocation|time)\b"
    r"[^.;]{0,40}?\b(?:different|new|fresh|another|random|distinct)\b"
    r"|\b(?:different|new|fresh|random)\b[^.;]{0,40}?\b(?:for|on|with|per)\s(?:each|every)"
    r"\s(?:\S+\s){0,2}?requests?\b"
    r"|\bnever\s(?:\w+\s){0,2}?(?:re-?use|repeat|send)\w*"
    + _ELSEWHERE
    + r"|\b(?:do not|don't|must not)\s(?:\w+\s){0,2}?(?:re-?use|repeat)\w*"
    + _ELSEWHERE
    + r"|\b(?:the )?current (?:unix )?(?:time|timestamp|date)\b"
    r"|\btime(?:stamp)?\s(?:\w+\s){0,3}?(?:at|of) (?:the |each |every )?call\b"
    r"|\bnow\(\)",
    re.IGNORECASE,
)
_NEVER_AGAIN = re.compile(
    r"\b(?:never|do not|don't|must not|not be)\s(?:\w+\s){0,2}?"
    r"(?:re-?us|repeat|the same)\w*",
    re.IGNORECASE,
)


@rule(
    "contract.idempotency-sound",
    subject="contract",
    strict="error",
    fails_when="a key exists, and its description or the tool's behaviour defeats it",
    way_out="say that a retry sends the same key, and act once for each key",
    bad=Example(
        _pay(
            input_schema={
                **_PAYMENT,
                "properties": {
                    "request_id": {
                        "type": "string",
                        "description": "Must be new for every call.",
                    }
                },
            }
        )
    ),
    good=Example(_PAY),
)
def idempotency_sound(contract: ToolContract, context: Context) -> Finding | None:
    """A key that is new in every call tells a retry from nothing.

    Whether two calls with one key act once is judged by probing.
    """
    if contract.idempotency is None:
        return None
    key = contract.idempotency
    schema = _arguments(contract).get(key)
    said = schema.get("description") if isinstance(schema, Mapping) else None
    if not isinstance(said, str) or not _FRESH.search(said):
        return None
    if _SAME.search(said) and not _NEVER_AGAIN.search(said):
        return None
    return fail(
        f"the key {key!r} is described as new in every call",
        expected="the same key again when a call is repeated",
        seen=said,
    )


@rule(
    "contract.approval",
    subject="contract",
    strict="error",
    fails_when="an irreversible tool without an approval requirement",
    way_out="declare approval: human, and let the agent's loop ask for it",
    bad=Example(_pay(approval="none")),
    good=Example(_PAY),
)
def approval(contract: ToolContract, context: Context) -> Finding | None:
    """What cannot be taken back needs a person's yes before it (ADR-016)."""
    if contract.side_effect != "irreversible_mutation" or contract.approval == "human":
        return None
    return fail("an irreversible tool without approval", seen=contract.approval)


@rule(
    "contract.timeout",
    subject="contract",
    strict="error",
    fails_when="no timeout, or no retry policy where it crosses the network",
    way_out="declare timeout_seconds; with network: true also retry: {attempts: …}",
    bad=Example(changed(timeout_seconds=None)),
    good=Example(changed(network=True, retry=RetryPolicy(attempts=2))),
)
def timeout(contract: ToolContract, context: Context) -> Finding | None:
    """A call without an end holds the whole agent up (ADR-016)."""
    if contract.timeout_seconds is None:
        return fail("no timeout", expected="timeout_seconds in the contract")
    if contract.network and contract.retry is None:
        return fail(
            "a tool that crosses the network has no retry policy",
            expected="retry: {attempts: 1} where a call is never repeated",
        )
    return None


@rule(
    "contract.permissions",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="no permission or scope requirement on a mutating tool",
    way_out="name the scopes that a caller needs under 'permissions'",
    bad=Example(_pay(permissions=())),
    good=Example(_PAY),
)
def permissions(contract: ToolContract, context: Context) -> Finding | None:
    """Who may change what is part of the promise (ADR-016)."""
    if not contract.mutates or contract.permissions:
        return None
    return fail("a mutating tool that anybody may call")


@rule(
    "contract.failure-modes",
    subject="contract",
    strict="error",
    fails_when="no failure modes declared where the tool crosses the network or "
    "mutates",
    way_out="declare each way to fail, what provokes it, and what it must say",
    bad=Example(_pay(failure_modes=())),
    good=Example(_PAY),
)
def failure_modes(contract: ToolContract, context: Context) -> Finding | None:
    """A failure that was thought of is tested; the others are met (SYS-003 §3)."""
    if contract.failure_modes or not (contract.network or contract.mutates):
        return None
    what = "mutates" if contract.mutates else "crosses the network"
    return fail(f"a tool that {what} declares no way to fail")


@rule(
    "contract.redaction",
    subject="contract",
    strict="error",
    fails_when="a secret-bearing argument or result without a redaction entry",
    way_out="name it under 'redaction', or take the secret from the environment",
    bad=Example(
        changed(
            input_schema={
                "type": "object",
                "properties": {"password": {"type": "string", "maxLength": 80}},
                "additionalProperties": False,
            }
        )
    ),
    good=Example(
        changed(
            input_schema={
                "type": "object",
                "properties": {"password": {"type": "string", "maxLength": 80}},
                "additionalProperties": False,
            },
            redaction=Redaction(inputs=("password",)),
        )
    ),
)
def redaction(contract: ToolContract, context: Context) -> Finding | None:
    """Arguments and results are logged, traced and shown to people (ADR-016)."""
    declared = contract.redaction or Redaction()
    sides = (
        ("argument", contract.input_schema, declared.inputs),
        ("result field", contract.output_schema or {}, declared.outputs),
    )
    missing = [
        f"{what} {pointer}"
        for what, schema, entries in sides
        for pointer in _uncovered(schema, {_plain(entry) for entry in entries})
    ]
    if not missing:
        return None
    return fail(
        "a secret by its name without a redaction entry",
        expected="each under 'redaction'",
        seen=", ".join(missing),
    )


_CONNECTIONS = ("connection string", "conn string", "conn str", "dsn")


def _uncovered(schema: Any, covered: set[str]) -> Iterator[str]:
    """Yield pointers of properties that hold a secret which no entry covers."""
    for place in places(schema):
        if place.role != "property" or not _holds_secret(place.name, place.schema):
            continue
        parts = {_plain(part) for part in place.pointer.split("/")[1:]}
        if not parts & covered:
            yield place.pointer


def _holds_secret(name: str, schema: Any) -> bool:
    fields = schema if isinstance(schema, Mapping) else {}
    if fields.get("type") == "boolean" or {"enum", "const"} & fields.keys():
        return False
    if fields.get("format") == "password":
        return True
    spelt = " ".join(name_words(name))
    return is_secret_name(name) or spelt.endswith(_CONNECTIONS)


def _plain(name: str) -> str:
    return "_".join(name_words(name)) or name.lower()


RULES = (
    side_effect,
    side_effect_agrees,
    idempotency,
    idempotency_sound,
    approval,
    timeout,
    permissions,
    failure_modes,
    redaction,
)
