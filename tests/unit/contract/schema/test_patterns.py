"""Strings that match a pattern, and patterns that are never run on a long text."""

from __future__ import annotations

import re
import time
from itertools import islice
from random import Random

import pytest

from pytest_agentgate.contract.schema.patterns import (
    LONGEST,
    LONGEST_RISKY,
    longest,
    matches,
    matching,
)


@pytest.mark.parametrize(
    "pattern",
    [
        "^[a-z]+$",
        "^\\d{4}-\\d{2}-\\d{2}$",
        "^[A-Z]{3}-[0-9]{1,4}$",
        "^(red|green|blue)$",
        "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
        "^(a|b)\\1$",
        "^(?:x{2}|y{3})?z$",
        "^\\S+\\s\\w\\W\\D$",
        "a.c",
        "^(?=.*\\d).+$",
        "^[^a]$",
        "é",
    ],
)
def test_each_matches(pattern: str) -> None:
    made = list(islice(matching(pattern, Random(1)), 8))
    assert made
    assert len(set(made)) == len(made)
    assert all(re.search(pattern, text) for text in made)


def test_a_length_is_kept() -> None:
    assert {len(text) for text in matching("^[a-z]+$", Random(1), 7, 9)} <= {7, 8, 9}
    assert all(len(text) == 30 for text in matching("a", Random(1), 30, 30))
    assert list(matching("^[a-z]{3}$", Random(1), 4)) == []


@pytest.mark.parametrize("pattern", ["(", "^\\p{Lu}$", "[", "(?<n>a)"])
def test_what_is_no_python_pattern_matches_nothing(pattern: str) -> None:
    assert list(matching(pattern, Random(1))) == []
    assert matches(pattern, "a") is None


@pytest.mark.parametrize(
    ("pattern", "limit"),
    [
        ("^[a-z]+$", LONGEST),
        ("^[^@]+@[^@]+\\.[^@]+$", LONGEST),
        ("^(a+)+$", LONGEST_RISKY),
        ("^(a|a)*$", LONGEST_RISKY),
        ("^(\\d{1,3}\\.){3}\\d{1,3}$", LONGEST_RISKY),
        ("a*a*a*a*b", LONGEST_RISKY),
        ("(.*a){25}", 0),
        ("^(a?){50}b$", 0),
    ],
)
def test_how_long_a_text_may_be(pattern: str, limit: int) -> None:
    assert longest(pattern) == limit
    assert matches(pattern, "a" * (limit + 1)) is None
    start = time.perf_counter()
    matches(pattern, "a" * limit)
    list(matching(pattern, Random(0)))
    assert time.perf_counter() - start < 1
