"""The same calls through two transports of one tool: same schema, same answers."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..contract.catalogue import Definition
from ..contract.formats import parse
from ..contract.observation import ToolResult
from ..contract.schema.samples import samples
from ..contract.schema.weakening import compare
from ..contract.settings import ProbeSettings
from ..contract.tool import ToolContract
from ..grading.finding import Finding
from ..grading.probing import Difference, comparable, difference, not_the_same
from .dispatch import Dispatcher, dispatch
from .probe import Bench, Found, Probed, why_not


@dataclass(frozen=True)
class Side:
    """One transport of a tool.

    Attributes:
        name: how messages name it.
        call: its dispatcher.
        definition: the tool as it is listed there; ``None`` where nothing lists it.
    """

    name: str
    call: Dispatcher
    definition: Definition | None = None


def parity(
    contract: ToolContract,
    here: Side,
    there: Side,
    bench: Bench,
    settings: ProbeSettings,
    *,
    timeout: float | None = None,
) -> Probed:
    """Compare two transports of a tool that only reads.

    Args:
        contract: the tool's contract.
        here: the one transport.
        there: the other.
        bench: what findings are settled by, and how results are read.
        settings: the policy's ``probe``.
        timeout: seconds of one call where the contract declares none.
    """
    sides = f"{here.name} and {there.name}"
    found = [Found(finding) for finding in _defined(here, there, sides)]
    reason = why_not(contract, settings, None)
    calls = 0
    if not reason and not contract.polling:
        limit = contract.timeout_seconds or timeout
        for number, arguments in _cases(contract, settings):
            calls += 1
            answered = _answered(contract, here, there, bench, limit, arguments)
            if answered is not None:
                line = f"{bench.command} --tool {shlex.quote(contract.name)}"
                replay = f"{line} --seed {settings.seed} --case {number}"
                made = not_the_same(f"call {number}", answered, sides)
                way_out = f"{made.way_out}; replay: {replay}"
                found.append(Found(replace(made, way_out=way_out), arguments))
                break
    settled = tuple(
        replace(one, finding=finding)
        for one in found
        for finding in bench.settle([one.finding], contract.name)
    )
    return Probed(contract.name, calls, settled, (reason,) if reason else ())


def _cases(
    contract: ToolContract, settings: ProbeSettings
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    made = samples(
        contract.input_schema,
        seed=settings.seed,
        random=settings.random,
        given=settings.calls.get(contract.name),
    )
    for number, sample in enumerate(made, 1):
        if isinstance(sample.arguments, Mapping):
            yield number, sample.arguments


def _answered(
    contract: ToolContract,
    here: Side,
    there: Side,
    bench: Bench,
    timeout: float | None,
    arguments: Mapping[str, Any],
) -> Difference | None:
    """Return how the answers differ; a tool that differs from itself says nothing."""

    def answer(side: Side) -> Any:
        copied = copy.deepcopy(dict(arguments))
        made = dispatch(partial(side.call, contract.name, copied), timeout)
        result: ToolResult = parse(made.value, bench.mapping, raised=made.raised)
        return comparable(result)

    first = answer(here)
    differs = difference(first, answer(there), contract.volatile)
    if differs is None or difference(first, answer(here), contract.volatile):
        return None
    return differs


def _defined(here: Side, there: Side, sides: str) -> Iterator[Finding]:
    one, other = here.definition, there.definition
    if one is None or other is None:
        return
    differs = difference(one.description, other.description)
    if differs is not None:
        yield not_the_same("description", differs, sides)
    for name in ("input_schema", "output_schema"):
        first, second = getattr(one, name), getattr(other, name)
        schema = _schemas(first, second)
        if schema is not None:
            yield not_the_same(name.replace("_", " "), schema, sides)
        told = difference(_described(first), _described(second))
        if told is not None:
            yield not_the_same("description of a parameter", told, sides)


def _schemas(one: Any, other: Any) -> Difference | None:
    if one is None or other is None:
        return difference(one, other)
    for found in compare(one, other).differences:
        if found.kind != "unproven":
            return Difference(
                found.pointer,
                f"{found.keyword} {found.declared!r}",
                f"{found.keyword} {found.served!r}",
            )
    return None


def _described(schema: Any) -> dict[str, Any]:
    """Return the descriptions of the arguments, by name."""
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(fields, Mapping):
        return {}
    return {
        name: field["description"]
        for name, field in fields.items()
        if isinstance(field, Mapping) and "description" in field
    }
