"""What a rule may look at besides its subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..contract.catalogue import Definition
from ..contract.tool import ToolContract
from ..redaction import Redactor


class Caps(BaseModel):
    """Limits on what may enter the model's window (SYS-003 §4).

    Attributes:
        result_chars: characters of one whole result.
        chunks: chunks in one result.
        chunk_chars: characters of one chunk.
        tool_definitions_tokens: tokens of all tool definitions (characters / 4).
        instructions_tokens: tokens of a system prompt (characters / 4).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    result_chars: int = Field(default=100_000, gt=0)
    chunks: int = Field(default=25, gt=0)
    chunk_chars: int = Field(default=1_200, gt=0)
    tool_definitions_tokens: int = Field(default=20_000, gt=0)
    instructions_tokens: int = Field(default=8_000, gt=0)


DEFAULT_CAPS = Caps()


@dataclass(slots=True)
class Context:
    """The inputs of a rule; one that is ``None`` makes the rules that need it idle.

    Attributes:
        tool: the tool's name.
        arguments: the call's arguments.
        contract: the tool's contract.
        caps: the limits in force.
        known_tools: names of the tools that exist.
        mode: the declared failure mode that the call provoked.
        transport: what is known of the call's transport: ``http_status``, ``rows``,
            ``error``, ``timed_out`` and the like, and ``canary``, a text that the
            service answered.
        handler_return: what the tool's function returned before it was encoded.
        served: the tool as the model, or another transport, is really given it.
        pinned: the definitions that were agreed on, by name (``agentgate.lock``).
        logs: lines that the call wrote to a log.
        redactor: knows the secrets of one environment and policy; where it is
            ``None``, secrets are known by name and shape alone.
    """

    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    contract: ToolContract | None = None
    caps: Caps = field(default=DEFAULT_CAPS)
    known_tools: frozenset[str] | None = None
    mode: str | None = None
    transport: Mapping[str, Any] | None = None
    handler_return: Any = None
    served: Definition | None = None
    pinned: Mapping[str, Definition] | None = None
    logs: Sequence[str] = ()
    redactor: Redactor | None = None

    @property
    def given(self) -> tuple[bool, ...]:
        """Whether each of ``INPUTS`` was given, in their order."""
        return (
            self.tool is not None,
            self.arguments is not None,
            self.contract is not None,
            self.known_tools is not None,
            self.mode is not None,
            self.transport is not None,
            self.handler_return is not None,
            self.served is not None,
            self.pinned is not None,
        )


INPUTS = (
    "tool",
    "arguments",
    "contract",
    "known_tools",
    "mode",
    "transport",
    "handler_return",
    "served",
    "pinned",
)
