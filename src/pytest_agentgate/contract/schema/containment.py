"""Whether one schema admits all that another one does, proved by ``jsonschema_rs``."""

from __future__ import annotations

from typing import Any

DRAFT = 20


def contains(declared: Any, served: Any) -> bool | None:
    """Whether a schema admits every value that another one admits.

    Args:
        declared: the schema that should admit all, of draft 2020-12.
        served: the schema whose values are asked for, of draft 2020-12.

    Returns:
        What is proved; ``None`` where nothing is, as without ``jsonschema_rs``.
    """
    try:
        strict, loose = _canonical(declared), _canonical(served)
        answer = str(strict.covers(loose))
    except Exception:  # not installed, or not understood: it is experimental
        return None
    return {"yes": True, "no": False}.get(answer)


def beyond(declared: Any, served: Any) -> Any:
    """Return a schema of what is served and not declared, ``None`` if not known."""
    try:
        strict, loose = _canonical(declared), _canonical(served)
        return loose.subtract(strict).to_json_schema()
    except Exception:  # as above
        return None


def _canonical(schema: Any) -> Any:
    from jsonschema_rs import canonicalize

    return canonicalize(schema, draft=DRAFT, validate_formats=True)
