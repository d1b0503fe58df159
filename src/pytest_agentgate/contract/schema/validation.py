"""Compiled validators of a JSON Schema: the reference, and a fast one.

``jsonschema`` is the reference. ``jsonschema_rs``, where installed, validates some 300
times faster. Neither is imported before the first validation, and neither may fetch a
remote ``$ref``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from .formats import checker
from .patterns import longest

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


def fast(schema: Any) -> Callable[[Any], bool] | None:
    """Return a fast check, ``None`` where there is none for this schema.

    The check raises ``ValueError`` or ``TypeError`` for a value that is no JSON.
    """
    try:
        import jsonschema_rs
    except ImportError:
        return None

    def refuse(uri: str) -> Any:
        raise ValueError(f"remote $ref {uri} is not fetched")

    try:
        check = jsonschema_rs.validator_for(schema, retriever=refuse).is_valid
    except Exception:  # the reference decides what it does not understand
        return None
    return lambda value: bool(check(value))


def reference(schema: Any, *, formats: bool = False) -> Validator:
    """Return the reference validator, of the draft that the schema names.

    Args:
        schema: the schema; it is not held against its meta-schema.
        formats: whether ``format`` is demanded and not merely a remark, and a pattern
            that could take for ever is an error.
    """
    import jsonschema
    from jsonschema.validators import validator_for
    from referencing import Registry

    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    if formats:
        kind = _careful(kind)
    asserted = checker() if formats else None
    return kind(schema, registry=Registry(), format_checker=asserted)


@cache
def _careful(kind: Any) -> Any:
    """Return a validator that runs no pattern on a text that is too long for it."""
    from jsonschema.validators import extend

    def within(pattern: str, text: Any) -> None:
        if isinstance(text, str) and len(text) > longest(pattern):
            raise ValueError(f"the pattern {pattern!r} is not run on a text that long")

    def of_text(validator: Any, pattern: Any, value: Any, schema: Any) -> Any:
        within(pattern, value)
        return kind.VALIDATORS["pattern"](validator, pattern, value, schema)

    def of_names(keyword: str) -> Any:
        plain = kind.VALIDATORS[keyword]

        def check(validator: Any, said: Any, value: Any, schema: Any) -> Any:
            for pattern in schema.get("patternProperties", ()):
                for name in value if isinstance(value, dict) else ():
                    within(pattern, name)
            return plain(validator, said, value, schema)

        return check

    named = ("patternProperties", "additionalProperties", "unevaluatedProperties")
    held = {name: of_names(name) for name in named if name in kind.VALIDATORS}
    return extend(kind, {"pattern": of_text, **held})  # type: ignore[no-untyped-call]


def check_schema(schema: Any) -> None:
    """Hold a schema against the meta-schema of its draft.

    Raises:
        Exception: ``jsonschema``'s own, or one of ``re`` for a pattern it cannot read.
    """
    import jsonschema
    from jsonschema.validators import validator_for

    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    kind.check_schema(schema)


class Acceptance:
    """Whether a schema accepts a value, formats demanded, by the reference.

    Args:
        schema: the whole schema.
        part: the subschema that is asked, where it is not the whole.
    """

    def __init__(self, schema: Any, part: Any = None) -> None:
        self._schema = schema
        self._part = part
        self._validator: Validator | None = None

    def __call__(self, value: Any) -> bool | None:
        """Return whether it does; ``None`` where the schema cannot be used."""
        try:
            if self._validator is None:
                self._validator = reference(self._schema, formats=True)
                if self._part is not None:
                    self._validator = self._validator.evolve(schema=self._part)
            return bool(self._validator.is_valid(value))
        except Exception:  # an unresolvable $ref, one without end, a broken pattern
            return None
