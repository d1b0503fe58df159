"""How a house's own field names are read as the contract's fields.

The policy's ``observation:`` block says it, ours from yours. A field that the block
leaves out keeps its own name. Null and absent are the same thing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ..errors import nearest
from .observation import EMPTY, Observation

Status = Literal["success", "warning", "error"]
Reader = Callable[[Mapping[str, Any]], Observation]

RECOVERY = (
    "root_cause",
    "remediation",
    "stop_condition",
    "retryable",
    "retry_after",
)
"""Fields that stand under ``error`` or at the top (SYS-003 §3)."""

_RECOVERY = frozenset({*RECOVERY, "error"})

LOOKUP = (
    "expected a path such as 'error.message', a list of such paths, "
    "or {from: path, when: {value: status}}"
)


def _spell(value: Any) -> str:
    """Spell a value as JSON does; a string stands for itself."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, default=repr)
    except ValueError:  # an integer too long to be spelt
        return ""


class Lookup(BaseModel):
    """Where one field of the contract is found; written short as a path or paths.

    Attributes:
        paths: dotted paths (``error.message``, ``items.0.text``); the first that is
            present and not null wins. Written ``from``.
        when: for ``status`` alone: which status a found value means. Keys are the
            value's JSON spelling, or ``present``, ``absent``, ``default``. A value
            that no key names is kept as it is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    paths: tuple[str, ...] = Field(alias="from", min_length=1)
    when: dict[str, Status] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _read_short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"from": (value,)}
        if isinstance(value, list | tuple):
            return {"from": value}
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict) or not {"from"} <= set(value) <= {
            "from",
            "when",
        }:
            raise ValueError(LOOKUP)
        return value

    @field_validator("paths", mode="before")
    @classmethod
    def _read_paths(cls, value: Any) -> Any:
        paths = (value,) if isinstance(value, str) else value
        if not isinstance(paths, list | tuple) or not all(
            isinstance(path, str) and path.strip() for path in paths
        ):
            raise ValueError(LOOKUP)
        return tuple(paths)

    @field_validator("when", mode="before")
    @classmethod
    def _spell_keys(cls, value: Any) -> Any:
        # YAML reads an unquoted true or 200 as a value; its JSON spelling is meant.
        if not isinstance(value, Mapping):
            raise ValueError("expected value: status pairs, such as {'true': success}")
        return {_spell(key): status for key, status in value.items()}

    def compiled(self) -> Callable[[Mapping[str, Any]], Any]:
        """Return the reading of this field as one call."""
        if self.when:
            return partial(_translate, self.paths, self.when)
        return partial(_first, self.paths)


class ObservationMapping(BaseModel):
    """The policy's ``observation:`` block (DESIGN §3): ours from yours.

    Each field is a path, a list of alternative paths, or, for ``status``,
    ``{from: path, when: {...}}``. The whole block may be the word ``text`` instead:
    results are plain text, the payload is the text, the status comes from the
    protocol's error flag.

    Attributes:
        text: whether results are plain text; the word ``text`` sets it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Lookup | None = None
    summary: Lookup | None = None
    payload: Lookup | None = None
    source: Lookup | None = None
    next_actions: Lookup | None = None
    root_cause: Lookup | None = None
    remediation: Lookup | None = None
    stop_condition: Lookup | None = None
    retryable: Lookup | None = None
    retry_after: Lookup | None = None
    text: bool = False

    @model_validator(mode="before")
    @classmethod
    def _read_block(cls, value: Any) -> Any:
        if value == "text":
            return {"text": True}
        if value is None:
            return {}
        if not isinstance(value, dict | cls):
            raise ValueError("expected the word 'text', or field: path pairs")
        if isinstance(value, dict):
            for name in value:
                if name not in cls.model_fields:
                    hint = nearest(name, cls.model_fields)
                    raise ValueError(f"the contract has no field {name!r}: {hint}")
        return value

    @model_validator(mode="after")
    def _check_whole(self) -> ObservationMapping:
        mapped = self._lookups()
        for name, lookup in mapped.items():
            if lookup.when and name != "status":
                raise ValueError(f"'when' makes a status; {name!r} takes paths only")
        if self.text and mapped:
            raise ValueError("'text' stands alone: no field can be mapped beside it")
        return self

    def _lookups(self) -> dict[str, Lookup]:
        named = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: value for name, value in named if isinstance(value, Lookup)}

    def compiled(self) -> Reader:
        """Return the mapping as one function from fields to an observation."""
        return self._reader

    @cached_property
    def _reader(self) -> Reader:
        lookups = self._lookups()
        if not lookups:
            return read_own_names
        return partial(
            _read_mapped,
            tuple((name, lookup.compiled()) for name, lookup in lookups.items()),
        )


def read_own_names(fields: Mapping[str, Any]) -> Observation:
    """Read fields that carry the contract's own names.

    The recovery fields may stand under ``error``; there they win.
    """
    get = fields.get
    actions = get("next_actions")
    observation = Observation(
        get("status"),
        get("summary"),
        get("payload"),
        get("source"),
        () if actions is None else as_actions(actions),
        fields=fields,
    )
    if not _RECOVERY.isdisjoint(fields):
        error = get("error")
        nested = error if isinstance(error, Mapping) else EMPTY
        for name in RECOVERY:
            value = nested.get(name)
            setattr(observation, name, get(name) if value is None else value)
    return observation


def as_actions(value: Any) -> tuple[Any, ...]:
    """Return next actions as a tuple; a lone value, such as a string, is one action."""
    if isinstance(value, list | tuple):
        return tuple(value)
    return () if value is None else (value,)


def resolve(fields: Any, path: str) -> Any:
    """Follow a dotted path; ``None`` where it leads nowhere.

    At every level the rest of the path is tried as one literal key first, so that
    keys with dots in them can be reached.
    """
    node, rest = fields, path
    while node is not None:
        value = _step(node, rest)
        head, dot, rest = rest.partition(".")
        if value is not None or not dot:
            return value
        node = _step(node, head)
    return None


def _step(node: Any, key: str) -> Any:
    if type(node) is dict or isinstance(node, Mapping):
        return node.get(key)
    if isinstance(node, list | tuple) and key.isdecimal() and len(key) < 10:
        return node[int(key)] if int(key) < len(node) else None
    return None


def _first(paths: tuple[str, ...], fields: Mapping[str, Any]) -> Any:
    for path in paths:
        value = resolve(fields, path)
        if value is not None:
            return value
    return None


def _translate(
    paths: tuple[str, ...], when: Mapping[str, Status], fields: Mapping[str, Any]
) -> Any:
    value = _first(paths, fields)
    kind = "absent" if value is None else "present"
    plain = value is None or isinstance(value, str | int | float)
    for key in (_spell(value) if plain else kind, kind, "default"):
        if key in when:
            return when[key]
    return value


def _read_mapped(
    getters: tuple[tuple[str, Callable[[Mapping[str, Any]], Any]], ...],
    fields: Mapping[str, Any],
) -> Observation:
    observation = read_own_names(fields)
    for name, get in getters:
        value = get(fields)
        setattr(
            observation, name, as_actions(value) if name == "next_actions" else value
        )
    return observation


DEFAULT_MAPPING = ObservationMapping()
"""The contract's own names."""
