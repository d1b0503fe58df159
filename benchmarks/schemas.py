"""Schemas compared, with and without a prover, and inputs made from them."""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytest_agentgate.contract.schema.samples import samples
from pytest_agentgate.contract.schema.weakening import compare

COUNTS = (100, 1_000)
PROVER = "jsonschema_rs"
Pair = tuple[dict[str, Any], dict[str, Any]]


def schema(number: int) -> dict[str, Any]:
    """Return the input schema of a tool: six arguments, one of them nested."""
    return {
        "type": "object",
        "properties": {
            f"query_{number}": {"type": "string", "minLength": 1, "maxLength": 200},
            "kind": {"type": "string", "enum": ["military", "trade", f"k{number}"]},
            "n_results": {"type": "integer", "minimum": 1, "maximum": 25},
            "day": {"type": "string", "format": "date"},
            "project": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)?$"},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}, "maxItems": 5},
        },
        "required": [f"query_{number}"],
        "additionalProperties": False,
        "$defs": {
            "Tag": {
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 20}},
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    }


def respelt(one: dict[str, Any]) -> dict[str, Any]:
    """Write a schema otherwise: inlined, titled, an ``allOf`` around a member."""
    made = copy.deepcopy(one)
    tag = made.pop("$defs")["Tag"]
    made["title"] = "Arguments"
    made["properties"]["tags"]["items"] = {"allOf": [tag], "title": "Tag"}
    return made


def weaker(one: dict[str, Any]) -> dict[str, Any]:
    """Lose three keywords, one of them below a ``$ref``."""
    made = copy.deepcopy(one)
    del made["properties"]["kind"]["enum"]
    del made["properties"]["n_results"]["maximum"]
    del made["$defs"]["Tag"]["additionalProperties"]
    return made


@contextmanager
def absent(name: str) -> Iterator[None]:
    """Make an import fail."""
    held = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if held is not None:
            sys.modules[name] = held


def per_pair(work: Callable[[Pair], object], pairs: list[Pair]) -> float:
    """Return the milliseconds that a pair takes."""
    start = time.perf_counter()
    for pair in pairs:
        work(pair)
    return (time.perf_counter() - start) * 1_000 / len(pairs)


def compared(pair: Pair) -> object:
    """Compare both."""
    return compare(*pair)


def sampled(pair: Pair) -> object:
    """Make inputs of the first."""
    return list(samples(pair[0], seed=0, random=10))


def main() -> None:
    """Print milliseconds a pair, in turn with and without the prover."""
    largest = [schema(number) for number in range(max(COUNTS))]
    kinds: dict[str, tuple[Callable[[Pair], object], list[Pair]]] = {
        "the same": (compared, [(one, copy.deepcopy(one)) for one in largest]),
        "written otherwise": (compared, [(one, respelt(one)) for one in largest]),
        "weaker": (compared, [(one, weaker(one)) for one in largest]),
    }
    for work, pairs in kinds.values():
        work(pairs[0])
    for kind, (work, pairs) in kinds.items():
        for count in COUNTS:
            with_prover = per_pair(work, pairs[:count])
            with absent(PROVER):
                without = per_pair(work, pairs[:count])
            print(
                f"  {kind:<18}{count:6,}   with {PROVER} {with_prover:8.2f} ms"
                f"   without {without:8.2f} ms"
            )
    for count in (10, 100):
        taken = per_pair(sampled, [(one, one) for one in largest[:count]])
        print(f"  {'inputs made':<18}{count:6,}   {taken:.2f} ms a schema")
