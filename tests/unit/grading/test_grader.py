"""What the grader makes of rules and settings."""

from __future__ import annotations

from pytest_agentgate.contract.catalogue import Catalogue, Definition
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.grading.settings import RuleSettings


def test_a_rule_about_a_catalogue_obeys_the_settings_of_the_tool_it_names():
    catalogue = Catalogue((Definition("a"), Definition("b")), served=())
    only = frozenset({"contract.served"})
    settings = RuleSettings.model_validate(
        {"tools": {"a": {"ignore": ["contract.served"]}}}
    )
    found = {
        name: Grader(built_in(), chosen)
        .grade(catalogue, Context(), kind="catalogue", only=only)
        .findings
        for name, chosen in {"all": RuleSettings(), "less": settings}.items()
    }
    assert [one.tool for one in found["all"]] == ["a", "b"]
    assert [one.tool for one in found["less"]] == ["b"]
