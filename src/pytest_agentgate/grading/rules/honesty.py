"""Family honesty: the status is true.

Judged by values, never by names of keys: ``error: null``, ``failed: 0``, ``[]`` and
``false`` are good values. What a payload tells of the world (a failed build, a log, a
page about errors) is data; what contradicts a status is what the tool says of its own
call: its summary and error fields, a payload that is nothing but an error, a text that
is nothing but one, and the record of the transport.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...contract.observation import ToolResult
from ..context import Context
from ..finding import Finding, fail
from ..registry import Example, rule
from ..signs.batch import (
    Failed,
    beside_payload,
    failed_counts,
    failed_in_words,
    failed_items,
    is_reading,
)
from ..signs.cut import broken_off, has_notice, is_announced, shortfall
from ..signs.glance import topics
from ..signs.refusal import (
    cut_off,
    failed_record,
    lost_rows,
    own_failure,
    rows_on_record,
)
from ..signs.scope import (
    effect_on_record,
    is_empty_result,
    is_write,
    says_nothing_found,
    tells_effect,
    tells_scope,
)
from ..signs.walk import claims_error, claims_success, delivered, is_empty, plain_text

SENT = {
    "status": "success",
    "summary": "3 of 3 messages archived.",
    "payload": {"done": 3, "failed": 0},
    "source": "mail:batch/17",
}


def _sent(**fields: Any) -> dict[str, Any]:
    return {**SENT, **fields}


@rule(
    "honesty.status",
    fails_when="status contradicts the content: a nested error flag, a failed "
    "transport record, an error sentence as the whole result, a cut-off run",
    way_out="return status error with cause, remedy and stop, or warning where a part "
    "was delivered",
    bad=Example(
        _sent(summary="Done.", payload={"ok": False, "error": "quota used up"})
    ),
    good=Example(_sent(payload={"ok": True, "error": None})),
)
def status(result: ToolResult, context: Context) -> Finding | None:
    """The agent acts on the status: an error called success becomes an answer.

    Payloads that tell of failed things are data, as the record of a failed build is;
    one that is nothing but an error is the call's own.
    """
    if context.transport is None and "failure" not in topics(result, context.redactor):
        return None
    if not claims_success(result):
        return _undue_error(result, context)
    observation = result.observation
    told = (
        failed_record(context.transport, delivered(observation))
        or lost_rows(context.transport, delivered(observation))
        or own_failure(result, context)
        or cut_off(result, context)
    )
    if told is None:
        return None
    return fail(
        f"success, but {told.what}",
        expected="status error, or warning where a part was delivered",
        seen=told.seen,
        path=told.path,
    )


def _undue_error(result: ToolResult, context: Context) -> Finding | None:
    """Find an error that delivers all that the transport has on record."""
    observation = result.observation
    if observation is None or observation.status != "error":
        return None
    rows = rows_on_record(context.transport)
    if not rows or is_empty_result(observation.payload) or not observation.delivered:
        return None
    return fail(
        f"error, but the transport succeeded and {rows} rows were delivered",
        expected="status success",
        seen=observation.summary,
        path="/status",
    )


@rule(
    "honesty.protocol-flag",
    fails_when="the protocol's isError / is_error disagrees with the envelope's status",
    way_out="set the protocol's flag from the status: true for error, false otherwise",
    bad=Example(
        {
            "isError": False,
            "structuredContent": {"status": "error", "summary": "Index missing."},
        }
    ),
    good=Example(
        {
            "isError": True,
            "structuredContent": {"status": "error", "summary": "Index missing."},
        }
    ),
)
def protocol_flag(result: ToolResult, context: Context) -> Finding | None:
    """Hosts read the flag, models read the text: they must be told the same.

    A warning goes with either value, and a flag that is not given disagrees with
    nothing.
    """
    flag = result.protocol_error
    observation = result.observation
    if flag is None:
        return _odd_flag(result)
    status = None if observation is None else observation.status
    if status not in ("success", "error") or (status == "error") is flag:
        return None
    return fail(
        f"the protocol's error flag is {str(flag).lower()}, the status is {status}",
        expected=f"isError {str(status == 'error').lower()}",
        seen=f"isError {str(flag).lower()}",
        path="/isError",
    )


def _odd_flag(result: ToolResult) -> Finding | None:
    """Find a flag that is no boolean, which hosts read either way."""
    if result.form not in ("mcp result", "anthropic tool_result"):
        return None
    raw = result.raw
    for name in ("isError", "is_error"):
        flag = raw.get(name) if isinstance(raw, Mapping) else getattr(raw, name, None)
        if flag is not None and not isinstance(flag, bool):
            return fail(
                "the protocol's error flag is no boolean",
                expected="true or false",
                seen=flag,
                path=f"/{name}",
            )
    return None


@rule(
    "honesty.partial",
    fails_when="some items failed but the status is success",
    way_out="return status warning, name the items that failed, and say in "
    "next_actions what to do about them",
    bad=Example(_sent(summary="Archived.", payload={"done": 3, "failed": 47})),
    good=Example(SENT),
)
def partial(result: ToolResult, context: Context) -> Finding | None:
    """An agent that hears success does not go back for the items that failed.

    Failures are data where the call only read: counts in the statistics of a queue,
    tests that failed.
    """
    if "failure" not in topics(result, context.redactor) or not claims_success(result):
        return None
    observation = result.observation
    if observation is None:
        return None
    payload = delivered(observation)
    reading = is_reading(context, observation.summary)
    beside = beside_payload(observation)
    found = failed_counts(payload, reading) or failed_items(payload, reading)
    found = found or failed_counts(beside, reading) or _errors_beside(payload, beside)
    words = "" if found else failed_in_words(observation.summary, reading)
    if not found and not words:
        return None
    return fail(
        "some items failed, and the status is success",
        expected="status warning, with next actions for what failed",
        seen=found.seen if found else words,
        path=("/payload" + found.path) if found else "/summary",
    )


def _errors_beside(payload: Any, beside: Mapping[str, Any]) -> Failed | None:
    for place in (payload, beside):
        if not isinstance(place, Mapping):
            continue
        errors, data = place.get("errors"), place.get("data", payload)
        if not isinstance(errors, list | tuple) or not errors or is_empty(data):
            continue
        if place is beside or "data" in place:
            return Failed("/errors", f"{len(errors)} errors beside the data")
    return None


@rule(
    "honesty.empty-scope",
    severity="warning",
    fails_when="an empty result does not say what was searched, or what a write "
    "changed",
    way_out="say in the summary what was looked through and by which filter, or how "
    "many rows the write changed",
    bad=Example({**SENT, "summary": "No results.", "payload": [], "source": "kb"}),
    good=Example(
        {
            **SENT,
            "summary": "0 of 4,210 rows match dept='R&D'.",
            "payload": [],
            "source": "file:staff.csv",
        }
    ),
)
def empty_scope(result: ToolResult, context: Context) -> Finding | None:
    """Finding nothing is an answer only about a place that was searched.

    For a write an empty list says nothing at all: the effect is what matters.
    """
    observation = result.observation
    if observation is None or observation.status != "success":
        return None
    payload = observation.payload
    if payload and not isinstance(payload, Mapping):
        return None
    if not is_empty_result(payload):
        return None
    changed = effect_on_record(context.transport)
    if changed or is_write(context):
        told = f"{observation.summary} {payload}"
        if str(changed) in told if changed else tells_effect(observation):
            return None
        expected = "what the write changed, such as '42 rows updated'"
        message = "an empty result of a write that does not say what was changed"
    elif tells_scope(observation, context):
        return None
    else:
        message = "an empty result that does not say what was searched"
        expected = "what was looked through, and by which filter"
    return fail(message, expected=expected, seen=observation.summary, path="/summary")


@rule(
    "honesty.empty-error",
    fails_when="a valid empty result is presented as an error",
    way_out="return status success with an empty payload and say what was searched",
    bad=Example({"status": "error", "summary": "No results found.", "payload": []}),
    good=Example({"status": "error", "summary": "No index at data/kb.sqlite."}),
)
def empty_error(result: ToolResult, context: Context) -> Finding | None:
    """Told that an empty answer is a failure, the agent retries what cannot change."""
    if not claims_error(result):
        return None
    observation = result.observation
    payload = None if observation is None else observation.payload
    if payload is not None and not is_empty_result(payload):
        return None
    summary = observation.summary if observation is not None else plain_text(result)
    summary = summary if isinstance(summary, str) else ""
    on_record = rows_on_record(context.transport) == 0
    failed = failed_record(context.transport, None) is not None
    if failed or not (on_record or says_nothing_found(summary)):
        return None
    return fail(
        "a valid empty result is presented as an error",
        expected="status success with an empty payload",
        seen=summary,
        path="/status",
    )


@rule(
    "honesty.truncation",
    fails_when="a cut result with no notice and no cursor",
    way_out="say 'first 25 of 212', and pass a cursor, an offset or a file to read on",
    bad=Example(
        {
            "status": "success",
            "summary": "Orders.",
            "payload": {"orders": [{"id": 1}, {"id": 2}], "total_count": 212},
            "source": "db:orders",
        }
    ),
    good=Example(
        {
            "status": "success",
            "summary": "First 2 of 212 orders.",
            "payload": {"orders": [{"id": 1}, {"id": 2}], "next_start": 2},
            "source": "db:orders",
        }
    ),
)
def truncation(result: ToolResult, context: Context) -> Finding | None:
    """A part taken for the whole gives a wrong answer that looks complete."""
    observation = result.observation
    payload = None if observation is None else observation.payload
    if payload and not context.transport and not isinstance(payload, str | Mapping):
        return None
    if result.raised is not None or claims_error(result):
        return None
    if observation is None:
        cut = broken_off(result.text) if result.text else ""
        announced = has_notice(result.text or "")
    else:
        cut = shortfall(observation, context.transport)
        cut = cut or broken_off(observation.payload)
        announced = bool(cut) and is_announced(observation)
    if not cut or announced:
        return None
    return fail(
        f"a cut result without notice: {cut}",
        expected="a word that it is cut, or a cursor",
        seen=None if observation is None else observation.summary,
        path="/payload",
    )


RULES = (status, protocol_flag, partial, empty_scope, empty_error, truncation)
