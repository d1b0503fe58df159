"""The policy's rules block as values."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pytest_agentgate.grading.settings import RuleSettings


def test_defaults() -> None:
    settings = RuleSettings()
    assert (settings.profile, settings.abstain) == ("adopt", "review")
    assert settings.ignore == settings.extra == ()
    assert settings.severity == settings.tools == {}


def test_a_tool_has_its_own() -> None:
    settings = RuleSettings.model_validate(
        {"tools": {"search": {"ignore": ["envelope"], "severity": {"a.b": "warning"}}}}
    )
    assert settings.tools["search"].ignore == ("envelope",)
    assert settings.tools["search"].severity == {"a.b": "warning"}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"profile": "lax"}, ("profile",)),
        ({"abstain": "pass"}, ("abstain",)),
        ({"severity": {"a.b": "fatal"}}, ("severity", "a.b")),
        ({"tools": {"t": {"profile": "strict"}}}, ("tools", "t", "profile")),
    ],
)
def test_refused(given: dict[str, Any], place: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        RuleSettings.model_validate(given)
    assert [problem["loc"] for problem in caught.value.errors()] == [place]
