"""Objects that carry fields: models, dataclasses, named tuples, plain attributes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from .labelled import LABELS

_NAMES = (
    *LABELS,
    "error",
    "content",
    "is_error",
    "isError",
    "structuredContent",
)


def record_of(value: Any) -> Mapping[str, Any] | None:
    """Return a record's fields by name; ``None`` where the value is no record."""
    if type(value) is dict:
        return value
    if isinstance(value, Mapping):
        return value if isinstance(value, dict) else dict(value)
    if isinstance(value, type):
        return None
    if isinstance(value, BaseModel):
        return _model_fields(value)
    if dataclasses.is_dataclass(value):
        return _dataclass_fields(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return dict(value._asdict())
    return None


def attributes_of(value: Any) -> dict[str, Any]:
    """Return what an object of any other class carries as attributes."""
    if isinstance(value, type | str | bytes | int | float):
        return {}
    declared = getattr(type(value), "__attrs_attrs__", ())
    names = {attribute.name for attribute in declared}
    found = dict(getattr(value, "__dict__", {}))
    for name in (*names, *_NAMES):
        if name not in found and hasattr(value, name):
            found[name] = getattr(value, name)
    return found


def _model_fields(model: BaseModel) -> Mapping[str, Any] | None:
    try:
        dumped = model.model_dump(warnings=False)
    except Exception:  # a value that pydantic cannot dump: the fields themselves
        return dict(model)
    return dumped if isinstance(dumped, dict) else None


def _dataclass_fields(value: Any) -> dict[str, Any]:
    try:
        return dataclasses.asdict(value)
    except Exception:  # cyclic, or not to be copied: the fields themselves
        fields = dataclasses.fields(value)
        return {field.name: getattr(value, field.name) for field in fields}
