"""Our answers against those of jsonsubschema, where it can answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_agentgate.contract.schema.walk import places

from .pairs import PAIRS, Pair

pytest.importorskip("jsonsubschema")

#: It knows draft 4 alone: of these keywords it knows nothing, or another meaning.
NOT_ASKED = {
    "$id",
    "$schema",
    "contains",
    "dependentRequired",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "nullable",
    "prefixItems",
    "propertyNames",
    "unevaluatedProperties",
}
#: What it gets wrong: of two patterns and lengths that hold together it drops one.
WRONG = {"allOf branch dropped", "tuple without a draft"}


def asked(pair: Pair) -> bool:
    keywords = {
        keyword
        for schema in (pair.declared, pair.served)
        for place in places(schema)
        if isinstance(place.schema, dict)
        for keyword in place.schema
    }
    return (
        pair.direction == "input"
        and keywords.isdisjoint(NOT_ASKED)
        and pair.name not in WRONG
    )


def test_it_agrees_where_it_can_answer() -> None:
    pairs = [pair for pair in PAIRS if asked(pair)]
    lines = "".join(json.dumps([pair.declared, pair.served]) + "\n" for pair in pairs)
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("oracle.py")],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answered = 0
    for pair, line in zip(pairs, done.stdout.splitlines(), strict=True):
        no_weaker, no_narrower = json.loads(line)
        kinds = {kind for kind, _, _ in pair.said}
        if no_weaker is not None:
            answered += 1
            assert no_weaker is ("weakened" not in kinds), pair.name
        if no_narrower is not None:
            assert no_narrower is ("breaking" not in kinds), pair.name
    assert answered >= 75
