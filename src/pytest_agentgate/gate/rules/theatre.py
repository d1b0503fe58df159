"""The family theatre: a gate that cannot fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...contract.tool import ToolContract
from ...grading.finding import evidence, shortened
from ...grading.registry import Rule
from ...grading.schemas import first_violation
from ..facts import Duties, Reason, RunFacts
from ..leaks import Leak, Told, find_leaks
from ..outcome import Kind, TrialRecord, seen_of
from ..plan import Plan

RULES = (
    Rule(
        id="theatre.happy-path",
        subject="run",
        fails_when="no trial saw a tool of the catalogue succeed, or fail, or find "
        "nothing where its contract says that it can; or a declared failure mode was "
        "never exercised",
        why="Tools are judged where they fail; a suite of successes shows nothing of "
        "it (SYS-003, Consequences).",
        way_out="write a test that provokes it, with mode= for a declared failure "
        "mode; an output schema with minItems: 1 says that a result is never empty",
    ),
    Rule(
        id="theatre.prompt-leak",
        subject="run",
        fails_when="a description, system prompt or literal of the tools shares five "
        "content words in a row, or 60 % of its content words, with an eval prompt; or "
        "three phrases of a table stand in eval prompts word for word",
        why="An agent that was told the questions passes any test, and its users ask "
        "others (SYS-003, Consequences).",
        way_out="write the text from what the tool does; where the prompt came from "
        "the text, ask as a user would",
    ),
)
SHOWN = 80
"""Characters of a text and of a prompt that a reason quotes."""


def duties(contract: ToolContract) -> Duties:
    """Say what a whole run must have seen of a tool.

    A tool is known to find nothing at times where a declared failure mode is a
    warning, or where its output schema admits an empty value and is no open one. One
    that fails in warnings alone, as declared, owes no error.
    """
    modes = contract.failure_modes
    statuses = {mode.status for mode in modes}
    empty = "warning" in statuses or _admits_empty(contract.output_schema)
    return Duties(
        modes=tuple(mode.name for mode in modes),
        empty=empty and not contract.mutates,
        error=statuses != {"warning"},
    )


def _admits_empty(schema: Mapping[str, object] | None) -> bool:
    if schema is None:
        return False
    empties: tuple[object, ...] = ([], "", {})
    admitted = [first_violation(schema, value) is None for value in empties]
    # What admits a number, too, is open: it says nothing of what comes back.
    return any(admitted) and first_violation(schema, 0) is not None


def unexercised(records: Iterable[TrialRecord], facts: RunFacts) -> Iterator[Reason]:
    """Find what a whole run should have seen of the catalogue's tools and did not."""
    if facts.tools is None:
        return
    records = list(records)
    called = {tool for record in records for tool in record.observations}
    kinds = seen_of(records)
    modes = {mode for record in records for mode in record.modes}
    for tool, owed in facts.tools.items():
        if tool not in called:
            yield _unseen(f"{tool}: no trial ever called it")
            continue
        for text in _unmet(owed, kinds.get(tool, {})):
            yield _unseen(f"{tool}: no trial ever saw it {text}")
        for mode in owed.modes:
            if f"{tool}/{mode}" not in modes:
                text = f"declared failure mode {mode!r} was never exercised"
                yield _unseen(f"{tool}: {text}")


def _unmet(owed: Duties, seen: Mapping[Kind, int]) -> Iterator[str]:
    # A write may well succeed with an empty payload.
    if "success" not in seen and (owed.empty or "empty" not in seen):
        yield "succeed"
    if owed.empty and "empty" not in seen:
        yield "find nothing, as its contract says that it can"
    if owed.error and "error" not in seen:
        yield "fail"


def _unseen(text: str) -> Reason:
    return Reason("theatre.happy-path", text, "block")


def prompt_leaks(told: Iterable[Told], plan: Plan) -> Iterator[Reason]:
    """Find what the agent was told of the prompts that it is tested with.

    Args:
        told: descriptions, system prompt, literals of the tools.
        plan: the tasks, with the input of those that name one.
    """
    prompts = {task.id: task.input for task in plan.tasks if task.input}
    if not prompts:
        return
    for leak in find_leaks(told, prompts):
        yield Reason("theatre.prompt-leak", _described(leak), "block")


def _described(leak: Leak) -> str:
    more = len(leak.tasks) - 1
    others = f" and {more} more" if more else ""
    texts = [leak.told.text, leak.quoted] if leak.told.text else [leak.quoted]
    shown = " and ".join(repr(shortened(evidence(text), SHOWN)) for text in texts)
    return f"{leak.told.where} {leak.how} of {leak.tasks[0]}{others}: {shown}"
