"""The stand-in as a server: ``POST /v1/messages``.

``STAND_IN_SEED`` is the seed of its noise. A request with the header
``x-stand-in-trial`` slips if the hash of seed and header says so, one without never.
"""

import os

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from stand_in.choice import slips
from stand_in.reply import reply
from stand_in.request import Refusal

SEED = "4"  # the first one by which no task slips in its first trial
TRIAL_HEADER = "x-stand-in-trial"


def seed() -> str:
    """Return the seed in force."""
    return os.environ.get("STAND_IN_SEED") or SEED


async def messages(request: Request) -> Response:
    """Answer ``POST /v1/messages``."""
    if not ("x-api-key" in request.headers or "authorization" in request.headers):
        raise Refusal(401, "authentication_error", "x-api-key header is required")
    if "anthropic-version" not in request.headers:
        raise Refusal(400, "invalid_request_error", "anthropic-version: is required")
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        raise Refusal(400, "invalid_request_error", "The body is no JSON.") from None
    trial = request.headers.get(TRIAL_HEADER)
    return JSONResponse(reply(body, slips=trial is not None and slips(seed(), trial)))


def refused(_request: Request, error: Exception) -> Response:
    """Answer in the API's shape for errors."""
    match error:
        case Refusal():
            status, kind = error.status, error.kind
        case HTTPException(status_code=404):
            status, kind = 404, "not_found_error"
        case HTTPException():
            status, kind = error.status_code, "invalid_request_error"
        case _:
            status, kind = 500, "api_error"
    told = {"type": kind, "message": str(error) if status < 500 else "a defect"}
    return JSONResponse({"type": "error", "error": told}, status)


app = Starlette(
    routes=[Route("/v1/messages", messages, methods=["POST"])],
    exception_handlers={Refusal: refused, HTTPException: refused, Exception: refused},
)
