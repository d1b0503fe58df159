"""Validating values against a declared JSON Schema, and what a violation shows.

Validators are compiled once per schema; ``contract.schema.validation`` makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..contract.schema.validation import check_schema, fast, reference
from .finding import evidence

if TYPE_CHECKING:
    from jsonschema import ValidationError

CACHE_LIMIT = 256


class Violation(NamedTuple):
    """Where and how a value breaks a schema.

    Attributes:
        message: what is wrong.
        path: JSON pointer into the value.
        expected: the schema's keyword and its value.
        unusable: whether it is the schema that is wrong.
    """

    message: str
    path: str = ""
    expected: str = ""
    unusable: bool = False


Validate = Callable[[Any], Violation | None]

# The schema is kept beside its validator, so that its id cannot be given away.
_compiled: dict[int, tuple[Mapping[str, Any], Validate]] = {}


def first_violation(schema: Mapping[str, Any], value: Any) -> Violation | None:
    """Return the first way a value breaks a schema, ``None`` where it keeps it."""
    held = _compiled.get(id(schema))
    if held is None or held[0] is not schema:
        if len(_compiled) >= CACHE_LIMIT:
            _compiled.clear()
        held = _compiled[id(schema)] = (schema, _compile(schema))
    return held[1](value)


def _compile(schema: Mapping[str, Any]) -> Validate:
    try:
        slow = _reference(schema)
    except Exception as error:  # a schema error of either library, or a broken regex
        return _always(Violation(evidence(str(error)), unusable=True))
    check = fast(dict(schema))
    if check is None:
        return slow

    def validate(value: Any) -> Violation | None:
        try:
            if check(value):
                return None
        except (ValueError, TypeError):  # a value that is no JSON: let the other say
            return slow(value)
        return slow(value)

    return validate


def _always(violation: Violation) -> Validate:
    return lambda _value: violation


def _reference(schema: Mapping[str, Any]) -> Validate:
    plain = dict(schema)
    check_schema(plain)
    validator = reference(plain)

    def validate(value: Any) -> Violation | None:
        try:
            errors = list(islice(validator.iter_errors(value), 1))
        except Exception as error:  # an unresolvable $ref, or one without end
            seen = evidence(f"{type(error).__name__}: {error}")
            return Violation(seen, unusable=True)
        return _described(errors[0]) if errors else None

    return validate


def _described(error: ValidationError) -> Violation:
    path = "".join(f"/{part}" for part in error.absolute_path)
    wanted = evidence(f"{error.validator}: {error.validator_value!r}")
    return Violation(evidence(error.message), path, wanted)
