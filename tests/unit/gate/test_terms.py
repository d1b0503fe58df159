"""What gates demand: defaults, built-ins, merging, and what cannot be proved."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pytest_agentgate.gate.terms import (
    BUILT_IN_GATES,
    GateTerms,
    HealthSettings,
    merge,
    unreachable,
)


def test_built_in_gates() -> None:
    shown = {
        name: (terms.metric, terms.k, terms.trials, terms.threshold, terms.severity)
        for name, terms in BUILT_IN_GATES.items()
    }
    assert shown == {
        "contract": ("pass^k", 1, 1, 1.0, "block"),
        "recovery": ("pass^k", 3, 3, 1.0, "block"),
        "capability": ("pass@k", 3, 3, 0.9, "block"),
    }


def test_trials_follow_k() -> None:
    assert GateTerms(k=5).trials == 5
    assert GateTerms(k=3, trials=7).trials == 7


def test_a_built_in_is_completed() -> None:
    assert merge("capability", {"threshold": 0.8}) == GateTerms(
        metric="pass@k", k=3, threshold=0.8
    )
    assert merge("recovery", {"k": 5}).trials == 5


def test_other_names_start_from_the_defaults() -> None:
    assert merge("smoke", {"k": 2}) == GateTerms(metric="pass^k", k=2, threshold=1.0)


def test_terms_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        GateTerms().k = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "place", "message"),
    [
        ({"k": 0}, "k", "greater than or equal to 1"),
        (
            {"k": 3, "trials": 2},
            "trials",
            "2 trials cannot answer a question about k = 3",
        ),
        ({"threshold": 1.1}, "threshold", "less than or equal to 1"),
        ({"threshold": float("nan")}, "threshold", "than or equal to"),
        ({"metric": "pass_k"}, "metric", "'pass^k' or 'pass@k'"),
        ({"severity": "warn"}, "severity", "'block', 'review' or 'report'"),
        ({"confidence": 1}, "confidence", "less than 1"),
        (
            {"confidence": 0.95},
            "confidence",
            "no number of tasks proves a threshold of",
        ),
        ({"treshold": 1}, "treshold", "Extra inputs are not permitted"),
    ],
)
def test_refused(given: dict[str, Any], place: str, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        GateTerms.model_validate(given)
    (problem,) = caught.value.errors()
    assert problem["loc"] == (place,)
    assert message in problem["msg"]


class TestUnreachable:
    terms = GateTerms(threshold=0.9, confidence=0.95)

    def test_without_confidence_everything_can_be_reached(self) -> None:
        assert unreachable(GateTerms(), 1) is None

    def test_too_few_tasks(self) -> None:
        assert unreachable(self.terms, 10) == (
            "10 of 10 tasks passing proves 0.69 at confidence 0.95, not 0.9: "
            "36 tasks are needed"
        )

    @pytest.mark.parametrize(("tasks", "can"), [(35, False), (36, True), (400, True)])
    def test_the_edge(self, tasks: int, can: bool) -> None:
        assert (unreachable(self.terms, tasks) is None) is can

    @pytest.mark.parametrize("tasks", [0, 1])
    def test_one_task_proves_nothing_about_others(self, tasks: int) -> None:
        low = GateTerms(threshold=0.01, confidence=0.95)
        message = unreachable(low, tasks)
        assert message is not None
        assert message.endswith("2 tasks are needed")


def test_health() -> None:
    assert HealthSettings().coverage == 0.95
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        HealthSettings(coverage=95)
