"""One bounded request to a service of ours, and what to do when it goes wrong.

Nothing that a service sends reaches a summary or a next action: its words are data.
Time, size and place are bounded: ``KB_TIMEOUT_SECONDS`` (5, at most 60), one megabyte,
no redirects, no proxies.
"""

import json
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from agent.observation import Problem
from agent.projects import Endpoint, endpoint

MAX_BYTES = 1_000_000
DEFAULT_SECONDS = 5.0
MAX_SECONDS = 60.0
READS = "it only reads, so repeating it is safe"

# One for all calls, because making one loads the certificates; no connection is kept,
# because a service may have been restarted since.
CLIENT = httpx.Client(trust_env=False, limits=httpx.Limits(max_keepalive_connections=0))


def fetch(
    service: str,
    method: str,
    path: str,
    *,
    answer: Mapping[str, Any],
    safe: str = READS,
    conflict: Problem | None = None,
    **request: Any,
) -> tuple[Any, str]:
    """Ask a service and return its answer with the URL that it came from.

    Args:
        service: the project's name in ``projects.yaml``.
        method: the HTTP method.
        path: the path below the endpoint.
        answer: JSON Schema of what the service promised to answer.
        safe: why the call may be repeated although nobody knows how it ended.
        conflict: what a status of 409 means.
        request: ``params`` or ``json``, as httpx takes them.

    Raises:
        Problem: anything but a 200 that keeps the promise.
    """
    place = endpoint(service)
    url = f"{place.url}{path}"
    try:
        response, body = _exchange(method, url, **request)
    except httpx.TimeoutException:
        raise _timed_out(place, safe) from None
    except httpx.ConnectError:
        raise _unreachable(place) from None
    except httpx.HTTPError:
        raise _dropped(place, safe) from None
    if response.status_code == httpx.codes.CONFLICT and conflict is not None:
        raise conflict
    if response.status_code != httpx.codes.OK:
        raise _refusal(place, response, safe)
    return _parsed(place, body, answer), url


def seconds() -> float:
    """Return how long a request may take: 5 where the setting is no such time."""
    try:
        chosen = float(os.environ.get("KB_TIMEOUT_SECONDS", DEFAULT_SECONDS))
    except ValueError:
        return DEFAULT_SECONDS
    return chosen if 0 < chosen <= MAX_SECONDS else DEFAULT_SECONDS


def _exchange(method: str, url: str, **request: Any) -> tuple[httpx.Response, bytes]:
    # httpx bounds each read; a body that comes in drips needs a bound on the whole.
    limit = seconds()
    deadline = time.monotonic() + limit
    body = b""
    with CLIENT.stream(method, url, timeout=limit, **request) as response:
        for part in response.iter_bytes():
            body += part
            if time.monotonic() > deadline:
                raise httpx.ReadTimeout("the answer takes too long")
            if len(body) > MAX_BYTES:
                break
    return response, body


def _parsed(place: Endpoint, body: bytes, answer: Mapping[str, Any]) -> Any:
    if len(body) > MAX_BYTES:
        raise _broken(place, f"it is larger than {MAX_BYTES:,} bytes")
    try:
        value = json.loads(body, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()  # lone surrogates end here
    except (ValueError, RecursionError):
        raise _broken(place, "it is not valid JSON") from None
    if error := next(Draft202012Validator(answer).iter_errors(value), None):
        where = error.json_path.removeprefix("$.").replace("$", "the whole answer")
        raise _broken(place, f"{where} breaks the agreed rule {error.validator!r}")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unreachable(place: Endpoint) -> Problem:
    return Problem(
        f"The {place.service} service is unreachable at {place.address}.",
        cause=f"nothing accepts connections at {place.address}.",
        remedy=f"Ask the user to start it with `{place.start_command}`; "
        "then make this call once more.",
        stop="If it is still unreachable then, stop and tell the user that the "
        f"{place.service} service is down.",
    )


def _timed_out(place: Endpoint, safe: str) -> Problem:
    return Problem(
        f"The {place.service} service did not answer in time.",
        cause=f"no complete answer from {place.address} within {seconds():g} seconds; "
        "the service is overloaded or hangs.",
        remedy=f"Make this call once more; {safe}.",
        stop="If it times out again, stop and tell the user to restart the service "
        f"with `{place.start_command}`.",
    )


def _dropped(place: Endpoint, safe: str) -> Problem:
    return Problem(
        f"The {place.service} service broke off its answer.",
        cause=f"{place.address} closed the connection before a complete HTTP answer "
        "was there; the service crashed, or something else listens on that port.",
        remedy=f"Make this call once more; {safe}.",
        stop="If it breaks off again, stop and tell the user to restart the service "
        f"with `{place.start_command}`.",
    )


def _broken(place: Endpoint, reason: str) -> Problem:
    return Problem(
        f"The {place.service} service answered something it never promised.",
        cause=f"the answer of {place.address} came with status 200, but {reason}; "
        "the service and the agent are of different versions, or something else "
        "listens on that port.",
        remedy="Do not use the answer. Ask the user to restart the service with "
        f"`{place.start_command}`; then make this call once more.",
        stop="If the answer is broken again, stop and tell the user.",
    )


def _refusal(place: Endpoint, response: httpx.Response, safe: str) -> Problem:
    """Say what a status other than 200 means; the body is not looked at."""
    match response.status_code:
        case 400 | 422:
            return _rejected(place, response.status_code)
        case 404:
            return _not_found(place)
        case 429:
            return _rate_limited(place, _wait(response))
        case 500 | 502 | 503 | 504:
            return _failing(place, response.status_code, _wait(response), safe)
        case status:
            return _unexpected(place, status)


def _rejected(place: Endpoint, status: int) -> Problem:
    return Problem(
        f"The {place.service} service rejected the arguments (status {status}).",
        cause=f"the {place.service} service does not accept these values, although "
        "the tool's schema does.",
        remedy="Make this call once more with shorter, plainer values.",
        stop="If that is rejected too, stop and tell the user.",
    )


def _not_found(place: Endpoint) -> Problem:
    return Problem(
        f"The {place.service} service does not know the requested path (status 404).",
        cause=f"something else than the {place.service} service listens at "
        f"{place.address}, or another version of it.",
        remedy=f"Ask the user to start the right one with `{place.start_command}`; "
        "then make this call once more.",
        stop="If the path is still unknown then, stop and tell the user.",
    )


def _rate_limited(place: Endpoint, wait: str) -> Problem:
    return Problem(
        f"The {place.service} service is rate limiting (status 429).",
        cause=f"too many requests reached the {place.service} service.",
        remedy=f"Wait {wait}, then make this call once more.",
        stop="If it is limited again, stop and tell the user to try later.",
    )


def _failing(place: Endpoint, status: int, wait: str, safe: str) -> Problem:
    return Problem(
        f"The {place.service} service failed (status {status}).",
        cause=f"the {place.service} service, or one that it depends on, has a fault "
        "of its own; the arguments are fine.",
        remedy=f"Wait {wait}, then make this call once more; {safe}.",
        stop="If it fails again, stop and tell the user to look into the log of the "
        f"{place.service} service.",
    )


def _unexpected(place: Endpoint, status: int) -> Problem:
    return Problem(
        f"The {place.service} service answered with status {status}.",
        cause=f"the agent expects status 200 from {place.address}, without redirects "
        "or logins; another program probably listens there.",
        remedy=f"Ask the user to start the service with `{place.start_command}`; "
        "then make this call once more.",
        stop="If the same status comes back, stop and tell the user.",
    )


def _wait(response: httpx.Response) -> str:
    """Read Retry-After (RFC 9110: seconds or a date) as a waiting time in words."""
    header = response.headers.get("retry-after", "")
    if header.isascii() and header.isdigit() and len(header) <= 5:
        return f"{int(header)} seconds"
    try:
        due = parsedate_to_datetime(header) - datetime.now(UTC)
    except (TypeError, ValueError):
        return "a few seconds"
    return f"{max(0, round(due.total_seconds()))} seconds"
