"""Validating values against a declared JSON Schema, compiled once per schema.

``jsonschema_rs``, where installed, validates some 300 times faster; ``jsonschema``
is the reference. Neither is imported before the first validation, and neither may
fetch a remote ``$ref``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

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
        reference = _reference(schema)
    except Exception as error:  # a schema error of either library, or a broken regex
        return _always(Violation(evidence(str(error)), unusable=True))
    fast = _fast(schema)
    if fast is None:
        return reference

    def validate(value: Any) -> Violation | None:
        try:
            if fast(value):
                return None
        except (ValueError, TypeError):  # a value that is no JSON: let the other say
            return reference(value)
        return reference(value)

    return validate


def _always(violation: Violation) -> Validate:
    return lambda _value: violation


def _fast(schema: Mapping[str, Any]) -> Callable[[Any], bool] | None:
    try:
        import jsonschema_rs
    except ImportError:
        return None

    def refuse(uri: str) -> Any:
        raise ValueError(f"remote $ref {uri} is not fetched")

    try:
        check = jsonschema_rs.validator_for(dict(schema), retriever=refuse).is_valid
    except Exception:  # the reference decides what it does not understand
        return None
    return lambda value: bool(check(value))


def _reference(schema: Mapping[str, Any]) -> Validate:
    import jsonschema
    from jsonschema.validators import validator_for
    from referencing import Registry

    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    plain = dict(schema)
    kind.check_schema(plain)
    validator = kind(plain, registry=Registry())

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
