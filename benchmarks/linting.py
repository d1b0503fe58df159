"""A catalogue linted: time per tool, and whether it stays the same for many."""

from __future__ import annotations

import time

from benchmarks.schemas import PROVER, absent, respelt, schema
from pytest_agentgate.contract.catalogue import Catalogue, Definition
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.linting import lint
from pytest_agentgate.grading.rules import built_in

COUNTS = (100, 1_000)


def catalogue(count: int) -> Catalogue:
    """Return tools that another transport serves with their schemas spelt otherwise."""
    listed, served = [], []
    for number in range(count):
        name, one = f"tool_{number}", schema(number)
        words = f"Call this when the user asks for report number {number}."
        listed.append(Definition(name, words, one))
        served.append(Definition(name, words, respelt(one)))
    return Catalogue(tuple(listed), served=tuple(served))


def per_tool(count: int) -> float:
    """Return the milliseconds that a tool takes, nothing kept from before."""
    tools, grader = catalogue(count), Grader(built_in())
    start = time.perf_counter()
    lint(tools, grader)
    return (time.perf_counter() - start) * 1_000 / count


def main() -> None:
    """Print milliseconds a tool, in turn with and without jsonschema-rs."""
    per_tool(2)
    for count in COUNTS:
        fast = per_tool(count)
        with absent(PROVER):
            slow = per_tool(count)
        print(
            f"  {count:6,} tools   with {PROVER} {fast:6.2f} ms a tool"
            f"   without {slow:6.2f} ms"
        )
