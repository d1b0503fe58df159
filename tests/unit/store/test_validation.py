"""Regular expressions from files, and the keys that a model takes."""

from __future__ import annotations

import pytest

from pytest_agentgate.store.policy import Policy
from pytest_agentgate.store.validation import dotted, keys_at, pattern_problem


@pytest.mark.parametrize(
    "pattern",
    [
        *("", "make serve", r"a+b*c{2,}", r"(ab)+", r"(a+){2}", r"\(a+\)+", "[(a+)]+"),
        *(r"(?i)start .* with", r"(a|b)*", r"(?:x+y)?z", "[]+]+", "(a)(b+)c*"),
    ],
)
def test_patterns_that_may_be_used(pattern: str) -> None:
    assert pattern_problem(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a*)*b", "(?:a+|b)*", "((a+)b)+", "(a{2,})+", "(x(a+)?y)*", "([a-z]+)*"],
)
def test_repeated_repetitions(pattern: str) -> None:
    assert pattern_problem(pattern) == "it repeats a repetition, such as (a+)+"


@pytest.mark.parametrize("pattern", ["(", "a{2", "*a", "(?P<x", "[a", "\\", "(" * 500])
def test_patterns_that_do_not_compile(pattern: str) -> None:
    problem = pattern_problem(pattern)
    assert problem is None or problem.startswith("it does not compile: ")
    assert problem is not None or pattern == "a{2"


def test_long_patterns() -> None:
    assert pattern_problem("a" * 1_001) == "it is longer than 1,000 characters"


def test_paths_as_people_spell_them() -> None:
    assert dotted(("waivers", 0, "rule")) == "waivers[0].rule"
    assert dotted(()) == ""


def test_keys_at() -> None:
    assert keys_at(Policy, ("rules", "tools", "any")) == ["ignore", "severity"]
    assert keys_at(Policy, ("observation", "status")) == ["from", "when"]
    assert keys_at(Policy, ("rules", "severity")) == []
    assert "gates" in keys_at(Policy, ())
