"""Formats of strings: what has one, what has none, and one of each kind made."""

from __future__ import annotations

from random import Random

import pytest

from pytest_agentgate.contract.schema.formats import (
    BROKEN,
    checker,
    has,
    known,
    sample,
)

NAMES = ["date", "time", "date-time", "duration", "email", "uri", "uuid"]
NAMES += ["hostname", "ipv4", "ipv6"]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_made_has_its_format_and_plain_words_have_none(name: str) -> None:
    assert known(name)
    for seed in range(30):
        assert has(name, sample(name, Random(seed)))
    assert not has(name, BROKEN)
    assert not has(name, "")
    assert checker().conforms(7, name)
    assert not checker().conforms(BROKEN, name)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("time", "23:59:60Z", "24:00:00Z"),
        ("date-time", "2024-02-29T10:00:00.5+02:00", "2024-02-29 10:00:00Z"),
        ("duration", "P1DT2H", "P"),
        ("email", "a@b", "a@@b"),
        ("uri", "urn:isbn:1", "//host/path"),
        ("uuid", "12345678-1234-1234-1234-123456789ABC", "1234567812341234"),
        ("hostname", "a-b.example", "-a.example"),
        ("ipv4", "127.0.0.1", "256.0.0.1"),
        ("ipv6", "::1", "1::2::3"),
    ],
)
def test_right_and_wrong(name: str, right: str, wrong: str) -> None:
    assert has(name, right)
    assert not has(name, wrong)


def test_the_fast_validator_agrees() -> None:
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    for name in NAMES:
        schema = {"type": "string", "format": name}
        fast = jsonschema_rs.validator_for(schema, validate_formats=True)
        assert all(fast.is_valid(sample(name, Random(seed))) for seed in range(30))
        assert not fast.is_valid(BROKEN)


def test_a_format_that_nobody_checks_is_not_known() -> None:
    assert not known("colour")
    assert not known(["date"])
    assert checker().conforms("anything", "colour")
