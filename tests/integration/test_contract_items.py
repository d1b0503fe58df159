"""Contracts as tasks: ``tools.lint: true`` makes every tool's contract an item."""

from __future__ import annotations

import pytest
from tests.conftest import MODES

POLICY = """\
version: 1
tools: {catalogue: "shop:TOOLS", lint: true}
rules:
  ignore: [contract, context]
  extra: [house:titled, house:short, house:gone]
  severity: {theatre.happy-path: warning}
"""
SHOP = """
def tool(name, description="Finds."):
    return {"name": name, "description": description, "input_schema": {}}

TOOLS = [tool("search"), tool("buy"), tool("buy"), tool("we[ird]::é", "")]
"""
HOUSE = """
from dataclasses import replace

from pytest_agentgate import rule
from pytest_agentgate.grading.finding import fail

@rule("house.titled", subject="contract", fails_when="no description", way_out="add it")
def titled(contract, context):
    if not contract.description:
        return fail("no description", seen=contract.name)

@rule("house.short", subject="contract", severity="warning", fails_when="it is short")
def short(contract, context):
    if contract.name == "buy":
        return fail("a short name")

@rule("house.gone", subject="catalogue", fails_when="no tool is called sell")
def gone(catalogue, context):
    if "refund" in str(catalogue.definitions):
        raise KeyError("refund")
    if "sell" not in catalogue.contracts and "buy" not in catalogue.contracts:
        return replace(fail("a tool is gone"), tool="sell")
"""
TEST = """
import pytest

@pytest.mark.agentgate("recovery")
def test_x(agentgate):
    agentgate.check(
        {"status": "success", "summary": "s", "payload": [1], "source": "x"}, tool="t"
    )

def test_ordinary():
    pass
"""
FILES = {
    "agentgate.yaml": POLICY,
    "shop.py": SHOP,
    "house.py": HOUSE,
    "test_it.py": TEST,
}
ODD = r"contract[we\x5bird\x5d\x3a\x3a\xe9]"


def shop(*calls: str) -> dict[str, str]:
    return FILES | {
        "shop.py": SHOP.rpartition("TOOLS")[0] + f"TOOLS = [{', '.join(calls)}]\n"
    }


@pytest.mark.parametrize("mode", MODES)
def test_one_item_a_tool_and_one_for_the_catalogue(child, mode):
    result = child("--agentgate", "-v", *MODES[mode], files=FILES)
    assert result.code == 1, result.out
    result.agrees()
    assert result.outcomes == {
        "test_x 1": "passed",
        "test_x 2": "passed",
        "test_x 3": "passed",
        "contract[search] 1": "passed",
        "contract[buy] 1": "passed",
        f"{ODD.rpartition('::')[2]} 1": "failed",
        "catalogue 1": "passed",
    }
    gate = result.gates["contract"]
    assert (gate["verdict"], gate["tasks"]) == ("block", 4)
    assert [task["id"] for task in result.manifest["plan"]["tasks"]] == [
        "test_it.py::test_x",
        "agentgate.yaml::contract[search]",
        "agentgate.yaml::contract[buy]",
        f"agentgate.yaml::{ODD}",
        "agentgate.yaml::catalogue",
    ]
    (odd,) = [t for t in result.manifest["trials"] if t["outcome"] == "failed"]
    assert odd["reason"].startswith("we[ird]::é breaks 1 rule\nhouse.titled: no desc")
    assert "house.titled: no description" in result.out
    assert "warning  house.short buy  (2 results): a short name" in result.out
    junit = (result.folder / "junit.xml").read_text()
    assert 'classname="agentgate.yaml" name="contract[search-trial1]"' in junit


def test_what_belongs_to_no_tool_fails_the_catalogue(child):
    result = child("--agentgate", files=shop('tool("search")'))
    assert result.code == 1, result.out
    assert result.outcomes["catalogue 1"] == "failed"
    assert result.outcomes["contract[search] 1"] == "passed"
    assert "error  house.gone sell  (1 result): a tool is gone" in result.out


def test_what_a_provider_runs_has_no_item_and_its_findings_are_not_lost(child):
    hosted = '{"type": "web_search_20260209", "name": "sell"}'
    rule = 'if "sell" not in catalogue.contracts and'
    house = HOUSE.replace(rule, "if")
    files = shop('tool("search")', hosted) | {"house.py": house}
    result = child("--agentgate", "-k", "catalogue or contract[", files=files)
    assert result.outcomes == {"contract[search] 1": "passed", "catalogue 1": "failed"}


def test_a_rule_that_raises_makes_the_trial_that_it_judged_errored(child):
    result = child("--agentgate", files=shop('tool("buy", "refund")'))
    assert result.code == 10, result.out
    assert result.outcomes["contract[buy] 1"] == "passed"
    assert result.outcomes["catalogue 1"] == "errored"
    assert "a rule raised: house.gone: KeyError" in result.out


def test_waived_findings_pass_and_are_counted_and_trials_are_the_gates(child):
    files = shop('tool("buy", "")') | {
        "agentgate.yaml": POLICY + "waivers: waivers.yaml\ngates: {contract: {k: 2}}\n",
        "waivers.yaml": "version: 1\nwaivers:\n  - {rule: house.titled, tool: buy, "
        "owner: ann, expires: 2099-12-31}\n",
    }
    result = child("--agentgate", files=files)
    assert result.code == 0, result.out
    assert result.manifest["health"]["waived"] == 2
    assert "waived by ann until 2099-12-31  house.titled buy  (2 results)" in result.out
    assert result.outcomes["contract[buy] 2"] == "passed"
    assert "waiver.unused" not in result.out


def test_selection_works_as_on_any_item(child):
    listed = child("--agentgate", "--collect-only", "-q", files=FILES)
    assert "agentgate.yaml::contract[search-trial1]" in listed.out
    assert "8 tests collected" in listed.out
    assert not (listed.folder / ".agentgate").exists()
    some = child("--agentgate", "-k", "search or catalogue")
    assert set(some.outcomes) == {"contract[search] 1", "catalogue 1"}
    assert some.manifest["plan"]["partial"] == ["-k"]
    less = child("--agentgate", f"--deselect=agentgate.yaml::{ODD[:-1]}-trial1]")
    assert len(less.outcomes) == 6
    one = child("--agentgate", "test_it.py::test_x")
    assert set(one.outcomes) == {"test_x 1", "test_x 2", "test_x 3"}


def test_without_agentgate_or_the_line_there_are_none(child):
    plain = child("-q", files=FILES)
    assert "2 passed" in plain.out
    without = {"agentgate.yaml": POLICY.replace(", lint: true", "")}
    assert "contract" not in child("--agentgate", files=without).gates


def test_a_changed_contract_is_another_task_to_a_comparison(child):
    digests = []
    for version in ("1", "1", "2"):
        made = f'tool("search") | {{"_meta": {{"agentgate/version": "{version}"}}}}'
        result = child("--agentgate", "-k", "search", files=shop(made))
        tasks = {t["id"]: t["digest"] for t in result.manifest["plan"]["tasks"]}
        digests.append(tasks["agentgate.yaml::contract[search]"])
    assert digests[0] == digests[1] != digests[2]


def test_a_policy_elsewhere_names_the_items(child):
    files = {f"gate/{name}": text for name, text in shop('tool("search")').items()}
    del files["gate/test_it.py"]
    result = child(
        "--agentgate",
        "--agentgate-policy=gate/agentgate.yaml",
        "--agentgate-report-only",
        files=files | {"test_it.py": TEST},
    )
    assert "gate/agentgate.yaml::contract[search]" in [
        task["id"] for task in result.manifest["plan"]["tasks"]
    ]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("tools: {lint: true}", "there is no list of tools"),
        ('tools: {lint: true, catalogue: "nowhere:TOOLS"}', "no module 'nowhere'"),
    ],
)
def test_what_cannot_be_linted_is_4(child, policy, message):
    files = {"agentgate.yaml": f"version: 1\n{policy}\n", "test_it.py": TEST}
    result = child("--agentgate", files=files)
    assert result.code == 4, result.out
    assert message in result.out
    assert "Traceback" not in result.out
