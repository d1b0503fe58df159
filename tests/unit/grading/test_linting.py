"""A whole catalogue, linted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_agentgate.contract.catalogue import Catalogue, Definition
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Caps
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.linting import lint
from pytest_agentgate.grading.registry import Registry, rule
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.grading.settings import RuleSettings

GRADER = Grader(built_in())
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


def test_findings_come_by_tool_and_then_of_the_listing():
    two = (Definition("a b", "Call it.", SCHEMA), Definition("c", "", SCHEMA))
    linted = lint(Catalogue((*two, two[0])), GRADER, only=GRADER.select(["contract"]))
    order = [one.tool for one in linted.findings]
    assert list(dict.fromkeys(order)) == ["a b", "c"]
    assert order[order.index("c") :].count("a b") > 1  # a b again, then the listing
    assert linted.findings[-1].rule == "contract.unique-name"
    assert set(linted.by_tool) == {"a b", "c"}
    assert "contract.description" in {one.rule for one in linted.by_tool["c"]}
    assert all(one.tool == "c" for one in linted.by_tool["c"])


def test_the_other_transport_is_what_is_served():
    wide = {**SCHEMA, "additionalProperties": True}
    listed = Catalogue((Definition("a", "Call it.", SCHEMA),))
    only = GRADER.select(["contract.fidelity"])
    assert lint(listed, GRADER, only=only).findings == ()
    served = replace(listed, served=(Definition("a", "Call it.", wide),))
    (found,) = lint(served, GRADER, only=only).findings
    assert (found.tool, found.rule) == ("a", "contract.fidelity")


@pytest.mark.parametrize("garbage", [[], "object", True, None, 7])
def test_a_listing_without_a_schema_is_not_hidden_by_the_other_transport(garbage):
    listed = Definition("a", "Call it.", garbage)
    both = Catalogue((listed,), served=(Definition("a", "Call it.", SCHEMA),))
    only = GRADER.select(["contract.schema", "contract.fidelity"])
    (found,) = lint(both, GRADER, only=only).findings
    assert found.rule == "contract.schema"


def test_a_person_declares_more_than_the_listing():
    listed = Definition("a", "Call it.", {"type": "object"})
    declared = {"a": ToolContract(name="a", input_schema=SCHEMA)}
    only = GRADER.select(["contract.fidelity"])
    (found,) = lint(Catalogue((listed,), declared), GRADER, only=only).findings
    assert found.rule == "contract.fidelity"


def test_the_window_is_weighed():
    big = Catalogue((Definition("a", "word " * 100, SCHEMA),))
    caps = Caps(tool_definitions_tokens=10)
    (found,) = lint(big, GRADER, caps=caps, only=GRADER.select(["context"])).findings
    assert found.rule == "context.tool-definitions"


def test_severities_are_the_policys_by_tool():
    settings = RuleSettings.model_validate(
        {"profile": "strict", "tools": {"a": {"severity": {"contract": "warning"}}}}
    )
    listed = Catalogue((Definition("a", "x", SCHEMA), Definition("b", "x", SCHEMA)))
    linted = lint(listed, Grader(built_in(), settings))
    severities = {
        tool: {one.severity for one in found} for tool, found in linted.by_tool.items()
    }
    assert severities == {"a": {"warning"}, "b": {"error"}}


def test_a_tool_of_the_provider_is_not_ours_to_judge():
    hosted = Definition("web_search", hosted=True)
    assert lint(Catalogue((hosted,)), GRADER).findings == ()


def test_a_rule_that_raises_is_an_error():
    @rule("house.broken", subject="contract", fails_when="never")
    def broken(contract, context):
        raise ZeroDivisionError

    linted = lint(Catalogue((Definition("a"),)), Grader(Registry([broken])))
    assert [error.rule for error in linted.errors] == ["house.broken"]
