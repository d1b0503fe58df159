"""One run of a target as a plain list of tool calls and an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import TargetError


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the target made.

    Attributes:
        name: the tool's name.
        arguments: what was passed.
        result: what came back, untouched.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None


@dataclass(frozen=True, slots=True)
class Run:
    """What the target did with one input.

    Attributes:
        answer: the final answer.
        calls: tool calls, in order.
        tokens: input plus output tokens, ``None`` where unknown.
        cost_usd: ``None`` where unknown.
        model: the model that answered, empty where unknown.
    """

    answer: str
    calls: tuple[ToolCall, ...] = ()
    tokens: int | None = None
    cost_usd: float | None = None
    model: str = ""


def read_run(returned: Any) -> Run:
    """Read what a target returned.

    Args:
        returned: a ``Run``, or a mapping or object with ``answer`` and ``calls``
            (each with ``name``, ``arguments``, ``result``) and, where known,
            ``tokens`` (an integer, or input and output tokens as a mapping
            ``usage``), ``cost_usd`` and ``model``.

    Raises:
        TargetError: there is no answer or no list of calls in it.
    """
    if isinstance(returned, Run):
        return returned
    answer, calls = _part(returned, "answer"), _part(returned, "calls")
    if not isinstance(answer, str) or not isinstance(calls, Iterable):
        raise TargetError(
            "the target's return value cannot be read as a run",
            expected="a mapping or object with answer (text) and calls (a list)",
            seen=type(returned).__name__,
            way_out="return {'answer': text, 'calls': [{'name', 'arguments', "
            "'result'}]} from the target",
            docs="docs/reference/fixture.md#run",
        )
    return Run(
        answer=answer,
        calls=tuple(_call(call) for call in calls),
        tokens=_tokens(returned),
        cost_usd=_part(returned, "cost_usd"),
        model=str(_part(returned, "model") or ""),
    )


def _part(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(name)
    return getattr(value, name, None)


def _call(call: Any) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    name = _part(call, "name")
    if not isinstance(name, str):
        raise TargetError(
            "a call in the target's return value has no name",
            expected="name, arguments and result",
            seen=type(call).__name__,
            way_out="give each call its tool's name",
            docs="docs/reference/fixture.md#run",
        )
    return ToolCall(name, _part(call, "arguments") or {}, _part(call, "result"))


def _tokens(returned: Any) -> int | None:
    tokens = _part(returned, "tokens")
    if isinstance(tokens, int):
        return tokens
    usage = _part(returned, "usage")
    parts = [_part(usage, name) for name in ("input_tokens", "output_tokens")]
    return sum(parts) if all(isinstance(part, int) for part in parts) else None
