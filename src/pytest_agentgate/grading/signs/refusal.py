"""What shows that a call failed: its transport, its own words, a payload of errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...contract.observation import ToolResult
from ..context import Context
from ..wording.table import words
from .batch import is_reading
from .error_text import is_error_sentence
from .markup import is_error_page
from .scope import ROW_NAMES, is_empty_result
from .walk import delivered, is_empty, is_set, mappings_by_wrapper, plain_text


class Told(NamedTuple):
    """What contradicts a success.

    Attributes:
        what: the end of a sentence that begins "success, but".
        seen: the evidence.
        path: JSON pointer.
    """

    what: str
    seen: Any
    path: str


WRAPPERS = words("result response data body output structuredContent")
_STATUS = ("http_status", "status_code", "statusCode", "httpStatus", "http_code")
_ENDS = words(
    "length max_tokens max_output_tokens model_length max_steps max_turns "
    "max_iterations "
    "max_tool_calls content_filter refusal pause_turn timeout timed_out cancelled "
    "canceled "
    "aborted error failed incomplete interrupted killed budget_exceeded "
    "recursion_limit "
    "model_context_window_exceeded"
)
_END_KEYS = ("finish_reason", "stop_reason", "finishReason", "stopReason")
_TIMED_OUT = ("timed_out", "timedOut", "timeout_reached")
_FAILED_WORDS = words("error failed failure timeout timed_out unreachable")
_ABOUT = words(
    "ok success error errors message msg code status reason detail details type title "
    "request_id trace_id correlation_id timestamp time retryable retry_after hint "
    "is_error iserror exit_code exitcode returncode return_code stderr http_status "
    "status_code statuscode duration_ms elapsed_ms elapsed"
)
_REASONS = ("message", "reason", "detail")
_EXITS = ("exit_code", "exitCode", "returncode", "return_code")
_RECORDS = words(
    "log logs file line lines page mail email message messages ticket issue comment "
    "note "
    "transcript history doc document text snippet read article post entry chat"
)


def failed_record(transport: Mapping[str, Any] | None, payload: Any) -> Told | None:
    """Read a transport record for a failure; one that was got over is none.

    Args:
        transport: what is known of the transport.
        payload: what was delivered: 404 with nothing delivered may be an answer.
    """
    if transport is None:
        return None
    inner = transport.get("response")
    record = {**(inner if isinstance(inner, Mapping) else {}), **transport}
    code = _code(record)
    if code >= 400 and not (code in (404, 410) and is_empty_result(payload)):
        return Told(f"the transport answered {code}", f"HTTP {code}", "")
    if record.get("timed_out") is True:
        return Told("the call timed out", "timed_out: true", "")
    if is_set(record.get("error")):
        return Told("the transport failed", record["error"], "")
    for name in _EXITS:
        ended = record.get(name)
        if type(ended) is int and ended != 0:
            return Told(f"the process ended with {ended}", f"{name}: {ended}", "")
    word = record.get("outcome", record.get("status"))
    if isinstance(word, str) and word.lower() in _FAILED_WORDS:
        return Told("the transport failed", word, "")
    return None


def _code(record: Mapping[str, Any]) -> int:
    for name in (*_STATUS, "status"):
        code = record.get(name)
        if isinstance(code, str) and code.isdecimal() and len(code) == 3:
            code = int(code)
        if type(code) is int:
            return code
    return 0


def rows_on_record(transport: Mapping[str, Any] | None) -> int | None:
    """Return how many rows a transport that worked has on record, if it says."""
    if transport is None or failed_record(transport, None) is not None:
        return None
    if _code(transport) == 204:
        return 0
    for name in ROW_NAMES:
        rows = transport.get(name)
        if isinstance(rows, list | tuple):
            return len(rows)
        if type(rows) is int:
            return rows
    return None


def lost_rows(transport: Mapping[str, Any] | None, payload: Any) -> Told | None:
    """Find rows that the transport brought and the result does not deliver."""
    rows = rows_on_record(transport)
    if not rows or payload is None or not is_empty_result(payload):
        return None
    return Told(
        f"{rows} rows are on record and none was delivered", payload, "/payload"
    )


def own_failure(result: ToolResult, context: Context) -> Told | None:
    """Read what a result says of its own call."""
    text = plain_text(result)
    if text is not None:
        return _failure_in_text(text)
    observation = result.observation
    if observation is None:
        return _failure_in_payload(result.structured, context, None)
    if is_set(observation.fields.get("error")):
        return Told("its error field is set", observation.fields["error"], "/error")
    summary = observation.summary
    if isinstance(summary, str) and is_error_sentence(summary):
        return Told("the summary tells of an error", summary, "/summary")
    payload = observation.payload
    if payload is None and observation.status is None:
        payload = observation.fields
    return _failure_in_payload(payload, context, summary)


def _failure_in_text(text: str) -> Told | None:
    if is_error_page(text):
        return Told("the whole result is an error page", text, "")
    if is_error_sentence(text):
        return Told("the whole result is an error sentence", text, "")
    return None


def _failure_in_payload(payload: Any, context: Context, summary: Any) -> Told | None:
    if isinstance(payload, str):
        return _failure_in_string(payload, context, summary, "/payload")
    for path, node in mappings_by_wrapper(payload, WRAPPERS):
        told = _flagged(node, context, summary)
        if told is not None:
            return told._replace(path=f"/payload{path}{told.path}")
        if len(node) == 1:
            ((key, only),) = node.items()
            if isinstance(only, str) and key in (
                *WRAPPERS,
                "text",
                "content",
                "message",
            ):
                told = _failure_in_string(
                    only, context, summary, f"/payload{path}/{key}"
                )
                if told is not None:
                    return told
    return None


def _failure_in_string(
    text: str, context: Context, summary: Any, path: str
) -> Told | None:
    """Read a payload that is one error sentence; one of a log or a mail is data."""
    if is_error_page(text):
        return Told("the payload is an error page", text, path)
    if "\n" in text.strip() or len(text) > 400 or not is_error_sentence(text):
        return None
    about = (
        f"{context.tool or ''} {summary if isinstance(summary, str) else ''}".lower()
    )
    words = about.replace("_", " ").replace(".", " ").replace(",", " ").split()
    if not _RECORDS.isdisjoint(words):
        return None
    return Told("the payload is an error sentence", text, path)


def _flagged(node: Mapping[str, Any], context: Context, summary: Any) -> Told | None:
    """Find a flag by which a payload calls itself an error."""
    for name in ("isError", "is_error"):
        if node.get(name) is True:
            return Told(f"{name} is true inside it", f"{name}: true", f"/{name}")
    rest = {k: v for k, v in node.items() if str(k).lower() not in _ABOUT}
    bare = all(is_empty(value) or value == 0 for value in rest.values())
    told = is_set(node.get("error")) or (bare and is_set(node.get("errors")))
    if bare and told:
        seen = node.get("error") or node.get("errors")
        return Told("the payload is nothing but an error", seen, "/error")
    code = _code({k: v for k, v in node.items() if k != "status" or type(v) is int})
    if 400 <= code <= 599 and (bare or is_set(node.get("error")) or "body" in node):
        return Told(f"the payload reports HTTP {code}", f"HTTP {code}", "")
    if bare and any(type(node.get(n)) is int and node[n] != 0 for n in _EXITS):
        return Told("the process failed and gave no output", node, "")
    reading = is_reading(context, summary) is True
    told = told or any(is_set(node.get(key)) for key in _REASONS)
    for name in ("ok", "success"):
        if node.get(name) is False and (bare or (told and not reading)):
            return Told(f"{name} is false inside it", f"{name}: false", f"/{name}")
    if bare and not reading and _is_failed_word(node):
        return Told("the payload calls itself failed", node.get("status"), "/status")
    return None


def _is_failed_word(node: Mapping[str, Any]) -> bool:
    word = node.get("status")
    says = any(is_set(node.get(key)) for key in (*_REASONS, "code"))
    return isinstance(word, str) and word.lower() in _FAILED_WORDS and says


def cut_off(result: ToolResult, context: Context) -> Told | None:
    """Find a run that was cut off before its end, on record or in the payload.

    What only reads about runs tells of others that were cut off.
    """
    observation = result.observation
    summary = None if observation is None else observation.summary
    places: list[tuple[str, Any]] = [("", context.transport)]
    if is_reading(context, summary) is not True:
        places.append(("/payload", delivered(observation)))
    for path, place in places:
        for inner, node in mappings_by_wrapper(place, WRAPPERS):
            told = _end_of(node)
            if told is not None:
                return told._replace(path=f"{path}{inner}{told.path}" if path else "")
    return None


def _end_of(node: Mapping[str, Any]) -> Told | None:
    for key in _END_KEYS:
        end = node.get(key)
        if isinstance(end, str) and end.lower() in _ENDS:
            return Told(f"the run was cut off: {key} is {end}", end, f"/{key}")
    for key in _TIMED_OUT:
        if node.get(key) is True:
            return Told("the run timed out", f"{key}: true", f"/{key}")
    return None
