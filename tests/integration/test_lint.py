"""``pytest-agentgate lint``: any list of tools, in every form, with exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pytest_agentgate.cli import main

POLICY = """\
version: 1
rules: {ignore: [context], extra: [house:titled, house:short, house:gone, house:served]}
"""
HOUSE = """
from dataclasses import replace

from pytest_agentgate import rule
from pytest_agentgate.grading.finding import abstain, fail

@rule("house.titled", subject="contract", fails_when="no description", way_out="add it",
      severity="review", strict="error")
def titled(contract, context):
    if contract.description == "?":
        return abstain("a question", seen="?")
    if not contract.description:
        return fail("no description", seen=contract.name)

@rule("house.short", subject="contract", severity="warning", fails_when="it is short")
def short(contract, context):
    if contract.version == "raise":
        raise KeyError("version")
    if contract.version is None:
        return fail("no version", seen="a key correct-horse-battery of ours")

@rule("house.gone", subject="catalogue", needs=["pinned"], fails_when="a tool is gone")
def gone(catalogue, context):
    gone = set(context.pinned) - set(catalogue.contracts)
    return [replace(fail("it is gone"), tool=name) for name in sorted(gone)]

@rule("house.served", subject="catalogue", fails_when="a tool is not served")
def served(catalogue, context):
    if catalogue.served is not None:
        gone = set(catalogue.contracts) - {entry.name for entry in catalogue.served}
        return [replace(fail("not served"), tool=name) for name in sorted(gone)]
"""
TOOLS = [{"name": "search", "description": ""}, {"name": "buy", "description": "Buys."}]
RULES = ("--rule", "house")


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Return a function that lints in a folder with files and gives code and text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("API_TOKEN", "correct-horse-battery")
    for name in ("house", "shop"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "house.py").write_text(HOUSE)
    (tmp_path / "agentgate.yaml").write_text(POLICY)
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS, indent=1))

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["lint", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    yield run
    for name in ("house", "shop"):
        sys.modules.pop(name, None)


def policy(more: str) -> None:
    Path("agentgate.yaml").write_text(POLICY + more)


def test_findings_stand_by_tool_and_warnings_and_reviews_exit_0(lint):
    code, out, _ = lint("tools.json", *RULES)
    assert (code, out.splitlines()) == (
        0,
        [
            "search",
            "  review  house.titled: no description",
            "    seen:    search",
            "    way out: add it",
            "    docs:    docs/rules/house.titled.md",
            "  warning  house.short: no version",
            "    seen:    a key [REDACTED:environment] of ours",
            "    docs:    docs/rules/house.short.md",
            "buy",
            "  warning  house.short: no version",
            "    seen:    a key [REDACTED:environment] of ours",
            "    docs:    docs/rules/house.short.md",
            "2 tools: 0 errors, 1 for review, 2 warnings, 0 waived",
        ],
    )


def test_an_error_exits_1_in_every_form(lint):
    for form, start in {
        "text": "search\n  error  house.titled",
        "json": "{",
        "github": "::error file=tools.json,line=3,title=house.titled search::",
        "gitlab": "[",
    }.items():
        code, out, _ = lint(
            "tools.json", *RULES, "--profile", "strict", "--format", form
        )
        assert (code, out[: len(start)]) == (1, start)


def test_rule_and_tool_narrow(lint):
    code, out, _ = lint("tools.json", "--rule", "house.short", "--tool", "buy")
    assert code == 0
    assert out.splitlines()[0] == "buy"
    assert out.splitlines()[-1] == "1 tool: 0 errors, 1 warning, 0 waived"


def test_the_policys_catalogue_contracts_and_transport_are_the_default(lint):
    policy("tools: {catalogue: tools.json, contracts: c.yaml, served: s.json}\n")
    Path("c.yaml").write_text("version: 1\ntools: {search: {version: '1'}}\n")
    Path("s.json").write_text(json.dumps(TOOLS[:1]))
    code, out, _ = lint(*RULES)
    assert code == 1
    assert "buy\n  warning  house.short" in out
    assert "error  house.served: not served" in out
    assert out.count("no version") == 1


def test_contracts_and_the_other_transport_can_be_named(lint):
    Path("c.yaml").write_text(
        "version: 1\ntools: {search: {version: '1'}, buy: {version: '1'}}\n"
    )
    Path("s.json").write_text(json.dumps(TOOLS[:1]))
    arguments = ("tools.json", *RULES, "--contracts", "c.yaml", "--against", "s.json")
    code, out, _ = lint(*arguments, "--format", "json")
    report = json.loads(out)
    assert code == 1
    assert [(f["rule"], f["tool"]) for f in report["findings"]] == [
        ("house.titled", "search"),
        ("house.served", "buy"),
    ]
    assert report["findings"][1]["file"] == "c.yaml"


def test_a_module_is_imported_from_the_policys_folder_and_may_print(lint):
    Path("gate").mkdir()
    for name in ("agentgate.yaml", "house.py"):
        Path(name).rename(Path("gate") / name)
    Path("gate/shop.py").write_text(f"print('hello')\nTOOLS = {TOOLS!r}\n")
    code, out, err = lint(
        "shop:TOOLS", *RULES, "--policy", "gate/agentgate.yaml", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["findings"][0]["file"] == "gate/shop.py"
    assert "hello" in err


def test_waived_findings_are_shown_and_fail_nothing(lint):
    policy("waivers: w.yaml\n")
    entry = "{rule: house.titled, tool: search, owner: ann, expires: 2099-12-31}"
    Path("w.yaml").write_text(f"version: 1\nwaivers:\n  - {entry}\n")
    code, out, _ = lint("tools.json", *RULES, "--profile", "strict")
    assert code == 0
    assert "waived by ann until 2099-12-31  house.titled: no description" in out
    assert out.endswith("0 errors, 2 warnings, 1 waived\n")


def test_a_rule_that_raised_exits_3_unless_something_fails(lint):
    tools = [{**TOOLS[1], "_meta": {"agentgate/version": "raise"}}]
    Path("odd.json").write_text(json.dumps(tools))
    code, out, _ = lint("odd.json", *RULES)
    assert (code, out.splitlines()[0]) == (
        3,
        "rule house.short raised on buy: KeyError: 'version'",
    )
    Path("odd.json").write_text(json.dumps([*tools, TOOLS[0]]))
    assert lint("odd.json", *RULES, "--profile", "strict")[0] == 1


def test_an_abstain_fails_where_the_policy_says_so(lint):
    Path("odd.json").write_text(json.dumps([{"name": "a", "description": "?"}]))
    arguments = ("odd.json", "--rule", "house.titled")
    code, out, _ = lint(*arguments)
    assert (code, "abstain  house.titled: a question" in out) == (0, True)
    Path("agentgate.yaml").write_text(
        POLICY.replace("rules: {", "rules: {abstain: error, ")
    )
    assert lint(*arguments)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is no list of tools to lint"),
        (["nowhere.json"], "nowhere.json does not exist"),
        (["shop"], "'shop' is no reference"),
        (["nowhere:TOOLS"], "no module 'nowhere'"),
        (["agentgate.yaml"], "is no reference"),
        (["tools.json", "--rule", "house.shrt"], "did you mean 'house.short'?"),
        (["tools.json", *RULES, "--tool", "serch"], "did you mean 'search'?"),
        (["tools.json", "--contracts", "no.yaml"], "no.yaml does not exist"),
        (["tools.json", "--policy", "no.yaml"], "no.yaml does not exist"),
        (["tools.json", "--check"], "there is no lock at"),
        (["tools.json", "--lock", "tools.json"], "is no lock that this version reads"),
        (["tools.json", "--format", "xml"], "invalid choice: 'xml'"),
        (["tools.json", "--profile", "lax"], "invalid choice: 'lax'"),
    ],
)
def test_bad_input_is_4_with_a_message(lint, arguments, message):
    code, out, err = lint(*arguments)
    assert (code, out) == (4, "")
    assert message in err
    assert "Traceback" not in err


def test_a_server_that_dies_is_4_as_a_command(command):
    result = command("lint", f"mcp:{sys.executable} -c pass")
    assert result.code == 4, result.out
    assert result.out.startswith("pytest-agentgate lint: ")
    assert "way out:" in result.out
    assert "Traceback" not in result.out


def test_what_lint_printed_can_be_waived(lint, tmp_path, capsys):
    strict = ("--profile", "strict")
    _, out, _ = lint("tools.json", *RULES, *strict, "--format", "json")
    Path("lint.json").write_text(out)
    assert main(["waive", "lint.json", "--owner", "ann"]) == 0
    assert "waived house.titled for search: ann until" in capsys.readouterr().out
    policy("waivers: waivers.yaml\n")
    code, out, _ = lint("tools.json", *RULES, *strict)
    assert (code, "1 waived" in out) == (0, True)
    Path("lint.json").write_text("{}")
    assert main(["waive", "lint.json", "--owner", "ann"]) == 4
    assert "lint.json holds no findings" in capsys.readouterr().err
