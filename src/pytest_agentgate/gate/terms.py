"""What a gate demands of its tasks: metric, k, trials, threshold, severity.

A gate holds when the mean of its tasks' estimates reaches the threshold. With
``confidence`` it holds when the lower end of the two-sided interval at that
confidence reaches it, which is a proof and takes many more tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from ..metrics import Metric, min_trials_all_pass, provable

GateSeverity = Literal["block", "review", "report"]


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


class GateTerms(BaseModel):
    """The terms of one gate.

    Attributes:
        metric: ``pass^k`` (all of k trials pass) or ``pass@k`` (at least one does).
        k: trials that the metric speaks of.
        trials: trials a task runs, at least k; k where not given.
        threshold: what the metric, averaged over the gate's tasks, must reach.
        severity: what a gate below its threshold does: ``block`` the release, ask
            for a ``review``, or only ``report``.
        confidence: demand that the threshold is proved at this confidence; where not
            given, the estimate alone must reach it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: Metric = "pass^k"
    k: int = Field(default=1, ge=1)
    trials: int = Field(
        default=None,
        validate_default=True,
        ge=1,
        json_schema_extra=_without_default,
    )
    threshold: float = Field(default=1.0, ge=0, le=1)
    severity: GateSeverity = "block"
    confidence: float | None = Field(default=None, gt=0, lt=1)

    @field_validator("trials", mode="before")
    @classmethod
    def _follow_k(cls, trials: Any, known: ValidationInfo) -> Any:
        return known.data.get("k", 1) if trials is None else trials

    @field_validator("trials")
    @classmethod
    def _enough_trials(cls, trials: int, known: ValidationInfo) -> int:
        k = known.data.get("k", 1)
        if trials < k:
            raise PydanticCustomError(
                "too_few_trials",
                "{trials} trials cannot answer a question about k = {k}",
                {"trials": trials, "k": k, "expected": f"trials of at least {k}"},
            )
        return trials

    @field_validator("confidence")
    @classmethod
    def _reachable(
        cls, confidence: float | None, known: ValidationInfo
    ) -> float | None:
        if confidence is not None and known.data.get("threshold") == 1:
            raise PydanticCustomError(
                "unreachable",
                "no number of tasks proves a threshold of 1.0",
                {"expected": "a threshold below 1, or no confidence"},
            )
        return confidence


class HealthSettings(BaseModel):
    """How complete a run must be.

    Attributes:
        coverage: share of the planned trials that must be scored for a gate to pass.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    coverage: float = Field(default=0.95, ge=0, le=1)


BUILT_IN_GATES: Mapping[str, GateTerms] = MappingProxyType(
    {
        "contract": GateTerms(metric="pass^k", k=1, threshold=1.0),
        "recovery": GateTerms(metric="pass^k", k=3, threshold=1.0),
        "capability": GateTerms(metric="pass@k", k=3, threshold=0.90),
    }
)
"""The gates that exist without a policy."""


def over_built_in(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given for a gate, the rest filled in from the built-in's terms.

    A gate that is not built in is returned as given. ``trials`` is never filled in:
    it follows k.
    """
    base = BUILT_IN_GATES.get(name)
    return {**(base.model_dump(exclude_unset=True) if base else {}), **given}


def merge(name: str, given: Mapping[str, Any]) -> GateTerms:
    """Make a gate's terms from some keys, over the built-in of that name if any.

    Raises:
        pydantic.ValidationError: a key is unknown or its value is out of range.
    """
    return GateTerms.model_validate(over_built_in(name, given))


def unreachable(terms: GateTerms, tasks: int) -> str | None:
    """Say why a gate with ``confidence`` cannot hold on this many tasks, or ``None``.

    The measure is the best run there is, in which every trial of every task passes.
    It is to be asked at collection, when the tasks are known.

    Args:
        terms: the gate's terms.
        tasks: planned tasks of the gate.
    """
    if terms.confidence is None:
        return None
    proved = provable(tasks, terms.confidence) if tasks > 1 else 0.0
    if proved >= terms.threshold:
        return None
    need = max(min_trials_all_pass(terms.threshold, terms.confidence), 2)
    return (
        f"{tasks} of {tasks} tasks passing proves {proved:.2f} at confidence "
        f"{terms.confidence:g}, not {terms.threshold:g}: {need} tasks are needed"
    )
