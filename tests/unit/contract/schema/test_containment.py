"""What is proved, and what is not known."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from pytest_agentgate.contract.schema.containment import beyond, contains

SHORT, TEXT = {"type": "string", "maxLength": 3}, {"type": "string"}


@pytest.fixture
def prover() -> None:
    pytest.importorskip("jsonschema_rs")


@pytest.mark.usefixtures("prover")
@pytest.mark.parametrize(
    ("declared", "served", "answer"),
    [
        (TEXT, SHORT, True),
        (SHORT, TEXT, False),
        ({"format": "date"}, {}, False),
        (True, False, True),
        (False, True, False),
        ({"$ref": "#/$defs/Gone"}, TEXT, None),
        ({"$ref": "https://example.invalid/s"}, TEXT, None),
        ({"type": 7}, TEXT, None),
        ({1: 2}, TEXT, None),
        ([], TEXT, None),
    ],
)
def test_answers(declared: Any, served: Any, answer: bool | None) -> None:
    assert contains(declared, served) is answer


@pytest.mark.usefixtures("prover")
def test_what_is_beyond() -> None:
    assert beyond(SHORT, TEXT)["minLength"] == 4
    assert beyond({"$ref": "#/$defs/Gone"}, TEXT) is None


def test_nothing_is_known_without_the_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert contains(TEXT, SHORT) is None
    assert beyond(SHORT, TEXT) is None
