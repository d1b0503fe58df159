"""Arguments held against a tool's schema, and what to do about those that break it."""

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from agent.observation import Problem, shown


def check(tool: str, schema: Mapping[str, Any], arguments: object) -> dict[str, Any]:
    """Return the arguments, proven against the tool's input schema.

    Raises:
        Problem: an argument is missing, unknown, of another type or out of bounds.
    """
    if not isinstance(arguments, dict):
        raise _bad(tool, "the arguments are not a JSON object", "one JSON object")
    errors = Draft202012Validator(schema).iter_errors(arguments)
    if error := min(errors, key=lambda error: error.json_path, default=None):
        raise _bad(tool, *_explained(error, list(schema["properties"])))
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _bad(
            tool, "an argument holds half a character", "valid Unicode"
        ) from None
    return arguments


def _explained(error: ValidationError, known: list[str]) -> tuple[str, str]:
    """Say what is wrong, and what would be right; the value itself is not repeated."""
    name = ".".join(str(part) for part in error.absolute_path)
    limit: Any = error.validator_value
    match error.validator:
        case "required":
            given: Any = error.instance
            missing = next(key for key in limit if key not in given)
            return f"argument {missing!r} is missing", f"{missing!r} given"
        case "additionalProperties":
            stranger = next(key for key in error.instance if key not in known)
            wanted = f"these arguments only: {', '.join(known) or 'none'}"
            return f"argument {shown(str(stranger))} is unknown", wanted
        case "type":
            return f"argument {name!r} has the wrong type", f"{name!r} of type {limit}"
        case "enum":
            choices = ", ".join(limit)
            return (
                f"argument {name!r} is not a known value",
                f"{name!r} one of {choices}",
            )
        case "minimum" | "minLength":
            return f"argument {name!r} is too small", f"{name!r} of at least {limit}"
        case "maximum" | "maxLength":
            return f"argument {name!r} is too large", f"{name!r} of at most {limit}"
        case _:
            rule = f"{error.validator} {limit}"
            return f"argument {name!r} has the wrong form", f"{name!r} matching {rule}"


def _bad(tool: str, cause: str, wanted: str) -> Problem:
    return Problem(
        f"{tool} was called with bad arguments: {cause}.",
        cause=f"{cause}.",
        remedy=f"Call {tool} once more with {wanted}.",
        stop="If that call is refused too, stop and tell the user.",
    )
