"""One tool call's result, as the fields of the observation contract.

What is measured here: an *observation* is what one tool call returned, read as
status, summary, payload, source and next_actions (SYS-003 §2). A *tool result* is
the observation together with how it arrived: the form it had, the protocol's own
error flag, and the defects met while reading it. Absent and null are the same
thing (``None``); falsy values (``[]``, ``0``, ``False``, ``""``) are values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..redaction import redact_text

EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(slots=True, repr=False)
class Observation:
    """What one tool call returned, as the contract's fields (SYS-003 §2 and §3).

    Attributes:
        status: ``success``, ``warning`` or ``error`` when the contract is kept.
        summary: one line, what happened.
        payload: the result itself; required on success.
        source: where the payload comes from; required on success.
        next_actions: what to do next; required on warning and error. A lone string
            has become one action.
        root_cause: structured recovery field, where the envelope carries one.
        remediation: structured recovery field.
        stop_condition: structured recovery field.
        retryable: the envelope's own word on whether a retry can help.
        retry_after: a waiting time the envelope passes on, as given.
        fields: the mapping that the observation was read from, with its own names.
    """

    status: Any = None
    summary: Any = None
    payload: Any = None
    source: Any = None
    next_actions: tuple[Any, ...] = ()
    root_cause: Any = None
    remediation: Any = None
    stop_condition: Any = None
    retryable: Any = None
    retry_after: Any = None
    fields: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    @property
    def delivered(self) -> bool:
        """Whether there is a payload: null and absent are not one."""
        return self.payload is not None

    @property
    def is_failure_path(self) -> bool:
        """Whether recovery is owed: an error, or a warning that delivered nothing."""
        return self.status == "error" or (
            self.status == "warning" and self.payload is None
        )

    def __repr__(self) -> str:
        # pytest prints this on a failed assert: it must be short and carry no secret.
        parts = [f"{self.status}", f"summary={_short(self.summary)}"]
        if self.delivered:
            parts.append(f"payload={type(self.payload).__name__}")
        if self.next_actions:
            parts.append(f"next_actions={_short(list(self.next_actions))}")
        return f"<Observation {' '.join(parts)}>"


@dataclass(slots=True, frozen=True)
class Defect:
    """Something met while reading a result that JSON cannot carry or hides.

    Attributes:
        kind: ``non-finite``, ``bytes``, ``date``, ``duplicate-key``, ``surrogate``,
            ``not-json`` (a value of a foreign type), ``too-deep`` or ``too-large``.
        path: JSON pointer of the place, ``""`` for the whole result.
        detail: what was there, in a few words.
    """

    kind: str
    path: str = ""
    detail: str = ""


@dataclass(slots=True, repr=False)
class ToolResult:
    """One call's result: its observation and how it arrived.

    Attributes:
        observation: the contract's fields, or ``None`` where no accepted form was
            recognised (``problem`` then says why).
        form: the form that was recognised, such as ``mapping``, ``json text``,
            ``labelled text``, ``model object``, ``anthropic tool_result``,
            ``mcp result``, ``openai tool message``, ``plain text``.
        raw: what the tool returned, untouched.
        text: the model-visible text where the form carries text, else ``None``.
        protocol_error: the protocol's own error flag; ``None`` where it has none.
        structured: MCP's ``structuredContent``, where given.
        defects: what JSON cannot carry, found on the way.
        problem: why no observation could be read.
        raised: the exception's text where the tool raised instead of returning.
        glance: kept by the graders: what a first look at all its texts showed.
    """

    observation: Observation | None
    form: str = ""
    raw: Any = None
    text: str | None = None
    protocol_error: bool | None = None
    structured: Any = None
    defects: tuple[Defect, ...] = ()
    problem: str = ""
    raised: str | None = None
    glance: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<ToolResult {self.form or 'unreadable'}: {self.observation!r}>"


def _short(value: Any, limit: int = 60) -> str:
    if not isinstance(value, str):
        try:
            value = json.dumps(value, default=str)
        except (TypeError, ValueError, RecursionError):
            value = type(value).__name__
    text = redact_text(value[: 4 * limit])
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
