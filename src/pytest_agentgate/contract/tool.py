"""What a tool promises, as far as its results are judged by it (ADR-016)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SideEffect = Literal["read_only", "reversible_mutation", "irreversible_mutation"]


class FailureMode(BaseModel):
    """One way a tool is known to fail, and what its observation must say then.

    Attributes:
        name: how tests name the mode (``agentgate.call(..., mode="unreachable")``).
        says: regular expressions; each must be found in the observation's text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    says: tuple[str, ...] = ()


class ToolContract(BaseModel):
    """A tool's typed contract (ADR-016, Tool Contract).

    Attributes:
        name: the tool's name.
        description: when to call the tool.
        input_schema: JSON Schema of the arguments.
        output_schema: JSON Schema of the payload of a result that is no error.
        side_effect: the side-effect class, ``None`` where nobody declared it.
        timeout_seconds: how long a call may take; a call over it has failed.
        failure_modes: the declared ways to fail.
        redaction: names of arguments and result fields whose values are never shown.
        output_trust: whether what the tool returns may be obeyed; ``None`` where
            nobody declared it, which is read as untrusted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = ""
    input_schema: dict[str, Any] = Field(default_factory=dict)
    output_schema: dict[str, Any] | None = None
    side_effect: SideEffect | None = None
    timeout_seconds: float | None = Field(default=None, gt=0)
    failure_modes: tuple[FailureMode, ...] = ()
    redaction: tuple[str, ...] = ()
    output_trust: Literal["trusted", "untrusted"] | None = None

    def mode(self, name: str) -> FailureMode | None:
        """Return the declared failure mode of that name, if there is one."""
        return next((mode for mode in self.failure_modes if mode.name == name), None)
