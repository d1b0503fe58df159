"""What a task needed of a run, and where the run fell short."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from .run import Run

Answer = str | re.Pattern[str] | Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Unmet:
    """One expectation that the run did not meet.

    Attributes:
        rule: the rule id it belongs to (RULES: trajectory).
        message: one line.
        expected: what the task needed.
        seen: what the run did.
        way_out: where to look.
    """

    rule: str
    message: str
    expected: str
    seen: str
    way_out: str


def unmet(
    run: Run, *, tools: Collection[str] | None = None, answer: Answer | None = None
) -> tuple[Unmet, ...]:
    """List the expectations that a run does not meet.

    Args:
        run: the recorded run.
        tools: names of exactly the tools to be called, in any order and number;
            empty means none.
        answer: text that the answer contains (case does not matter), a compiled
            pattern found in it, or a function of the answer.
    """
    found: list[Unmet] = []
    if tools is not None:
        found += _tools(run, {tools} if isinstance(tools, str) else set(tools))
    if answer is not None and not _answers(run.answer, answer):
        found.append(
            Unmet(
                "trajectory.ending",
                "the answer is not the expected one",
                expected=_describe(answer),
                seen=run.answer,
                way_out="compare the answer with the results the tools returned",
            )
        )
    return tuple(found)


def _tools(run: Run, wanted: set[str]) -> list[Unmet]:
    called = [call.name for call in run.calls]
    expected = ", ".join(sorted(wanted)) or "no tool"
    seen = ", ".join(called) or "no tool"
    found = []
    if missing := sorted(wanted - set(called)):
        found.append(
            Unmet(
                "trajectory.required-calls",
                f"the run never called {', '.join(missing)}",
                expected=expected,
                seen=seen,
                way_out="say in the tool's description when to call it",
            )
        )
    if extra := sorted(set(called) - wanted):
        found.append(
            Unmet(
                "trajectory.tools",
                f"the run called {', '.join(extra)}, which the task does not need",
                expected=expected,
                seen=seen,
                way_out="say in that tool's description when not to call it",
            )
        )
    return found


def _answers(text: str, answer: Answer) -> bool:
    if isinstance(answer, str):
        return answer.casefold() in text.casefold()
    if isinstance(answer, re.Pattern):
        return answer.search(text) is not None
    return bool(answer(text))


def _describe(answer: Answer) -> str:
    if isinstance(answer, str):
        return f"an answer that contains {answer!r}"
    if isinstance(answer, re.Pattern):
        return f"an answer that matches {answer.pattern!r}"
    return f"an answer that {getattr(answer, '__name__', 'the function')} accepts"
