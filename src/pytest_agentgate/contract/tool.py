"""What a tool promises (ADR-016, Tool Contract)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

SideEffect = Literal["read_only", "reversible_mutation", "irreversible_mutation"]
NATURAL = "natural"
"""``ToolContract.idempotency`` of a tool that may be called twice as it is."""


class Provocation(BaseModel):
    """How a failure mode is brought about; what is given is applied together.

    Attributes:
        fault: a network fault by name, such as ``refused`` or ``status-503``, served
            at the tool's endpoint.
        arguments: what the tool is called with; merged over the test's own call.
        environment: variables set for the call; ``null`` removes one. ``{tmp}``
            stands for an empty folder of the call's own.
        files: text by path; each is written below ``{tmp}`` before the call.
        fixture: a pytest fixture that brings it about.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    fault: str | None = None
    arguments: dict[str, Any] | None = None
    environment: dict[str, str | None] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)
    fixture: str | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> Provocation:
        if not self.model_fields_set:
            raise ValueError("says nothing; give fault, arguments, environment, ...")
        return self


class FailureMode(BaseModel):
    """One way a tool is known to fail, and what its observation must say then.

    Attributes:
        name: how tests name the mode (``agentgate.call(..., mode="unreachable")``).
        provoked_by: how it is brought about, ``None`` where only a test knows.
        status: the status that the observation must have.
        says: regular expressions; each must be found in the observation's text.
        cause: regular expression of the root cause.
        remedy: regular expression of the remedy.
        stop: regular expression of the stop condition.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    provoked_by: Provocation | None = None
    status: Literal["warning", "error"] | None = None
    says: tuple[str, ...] = ()
    cause: str | None = None
    remedy: str | None = None
    stop: str | None = None

    @property
    def patterns(self) -> tuple[tuple[str, str], ...]:
        """Every pattern with the name of its field, in the order of a message."""
        named = (("cause", self.cause), ("remedy", self.remedy), ("stop", self.stop))
        return (
            *(("says", pattern) for pattern in self.says),
            *((field, pattern) for field, pattern in named if pattern is not None),
        )


class RetryPolicy(BaseModel):
    """How often a caller may try.

    Attributes:
        attempts: calls in all; 1 is "never again".
        wait_seconds: how long to wait before the next one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    attempts: int = Field(ge=1)
    wait_seconds: float | None = Field(default=None, ge=0)


class Redaction(BaseModel):
    """What of a call is never shown; a bare list of names is for both sides.

    Attributes:
        inputs: names of arguments.
        outputs: names of fields of the result.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_a_list(cls, value: Any) -> Any:
        if isinstance(value, list | tuple):
            value = {"inputs": value, "outputs": value}
        if not isinstance(value, Mapping):
            return value
        # Read strictly, what Python hands on is no longer JSON: a list is no tuple.
        return {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}

    @property
    def names(self) -> frozenset[str]:
        """The names of either side."""
        return frozenset(self.inputs) | frozenset(self.outputs)


class Polling(BaseModel):
    """That equal calls in a row are meant: the tool is asked until something is done.

    Attributes:
        max_polls: how many.
        min_interval_seconds: how long to wait between two.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_polls: int = Field(ge=1)
    min_interval_seconds: float = Field(default=0, ge=0)


class ToolContract(BaseModel):
    """A tool's typed contract (ADR-016, Tool Contract).

    Attributes:
        name: the tool's name.
        version: the version of the tool's promise.
        description: when to call the tool, as the model reads it.
        intended_use: what it is for, as its owner means it.
        input_schema: JSON Schema of the arguments.
        output_schema: JSON Schema of the payload of a result that is no error.
        side_effect: the side-effect class, ``None`` where nobody declared it.
        hints: MCP's annotations (``readOnlyHint`` and the like) that were given.
        network: whether a call crosses the network, ``None`` where nobody said.
        timeout_seconds: how long a call may take; a call over it has failed.
        retry: how often a caller may try, ``None`` where nobody said.
        idempotency: ``natural`` where calling twice is like calling once, else the
            argument that carries the idempotency key.
        approval: whether a person must agree before each call.
        permissions: scopes that a caller needs.
        audit_event: the event that a mutation leaves behind.
        failure_modes: the declared ways to fail.
        redaction: arguments and result fields whose values are never shown.
        polling: that it may be asked again and again, ``None`` where it may not.
        open_maps: JSON pointers into ``input_schema`` (``""`` is its root) of
            objects that are open on purpose.
        volatile: JSON pointers into an observation of what differs between equal
            calls, such as a time.
        output_trust: whether what the tool returns may be obeyed; ``None`` where
            nobody declared it, which is read as untrusted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    version: str | None = None
    description: str = ""
    intended_use: str = ""
    input_schema: dict[str, Any] = Field(default_factory=dict)
    output_schema: dict[str, Any] | None = None
    side_effect: SideEffect | None = None
    hints: Mapping[str, bool] = Field(default_factory=dict)
    network: bool | None = None
    timeout_seconds: float | None = Field(default=None, gt=0)
    retry: RetryPolicy | None = None
    idempotency: str | None = None
    approval: Literal["none", "human"] | None = None
    permissions: tuple[str, ...] = ()
    audit_event: str | None = None
    failure_modes: tuple[FailureMode, ...] = ()
    redaction: Redaction | None = None
    polling: Polling | None = None
    open_maps: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()
    output_trust: Literal["trusted", "untrusted"] | None = None

    @property
    def mutates(self) -> bool:
        """Whether it is declared to change something."""
        return self.side_effect not in (None, "read_only")

    def mode(self, name: str) -> FailureMode | None:
        """Return the declared failure mode of that name, if there is one."""
        return next((mode for mode in self.failure_modes if mode.name == name), None)
