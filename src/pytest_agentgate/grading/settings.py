"""How the policy sets the rules: profile, severities, what is left out."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .finding import Severity

Abstain = Literal["review", "warning", "error"]


class ToolRules(BaseModel):
    """What is different for one tool.

    Attributes:
        ignore: rule ids or families that are not applied to the tool.
        severity: rule id or family to severity, for the tool alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = Field(default_factory=dict)


class RuleSettings(BaseModel):
    """The policy's ``rules`` block; rule ids are checked by who knows the rules.

    Attributes:
        profile: ``adopt`` for a tool layer on its way, ``strict`` for ADR-016 in full.
        ignore: rule ids or families that are not applied.
        severity: rule id or family to severity; an id wins over its family.
        tools: what is different for single tools, by tool name.
        abstain: what it means that an error-level rule could not tell.
        extra: rules of the project's own, as ``module:attribute``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    profile: Literal["adopt", "strict"] = "adopt"
    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = Field(default_factory=dict)
    tools: dict[str, ToolRules] = Field(default_factory=dict)
    abstain: Abstain = "review"
    extra: tuple[str, ...] = ()
