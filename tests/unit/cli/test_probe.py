"""What the verb refuses, and what it says of nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_agentgate.cli import main

GATE = "version: 1\ntools: {call: 'shop_probed:call', catalogue: tools.json}\n"
SHOP = "def call(name, arguments):\n    print('noise')\n    return {}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gated(folder: Path) -> Path:
    (folder / "agentgate.yaml").write_text(GATE)
    (folder / "shop_probed.py").write_text(SHOP)
    listed = '[{"name": "find", "input_schema": {"type": "object"}}]'
    (folder / "tools.json").write_text(listed)
    return folder


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "there is nothing to probe"),
        (("shop_probed:call",), "there is no list of tools, so none can be probed"),
        (("mcp:no-such-program-here",), "cannot be started"),
        (("--case", "3"), "it is not said of which tool"),
        (("--case", "3", "--arguments", "{}"), "not allowed with argument"),
        (("--tool", "a", "--arguments", "{"), "--arguments is no JSON object"),
        (("--tool", "a", "--arguments", "[1]"), "seen:     a list"),
    ],
)
def test_bad_input_is_refused(
    arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe", *arguments]) == 4
    assert problem in capsys.readouterr().err


def test_an_unknown_tool(gated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--tool", "fund"]) == 4
    assert "did you mean 'find'?" in capsys.readouterr().err


def test_nothing_that_may_be_called_is_no_verdict(
    gated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["probe"]) == 3
    out = capsys.readouterr().out
    assert "find: not probed: no side-effect class says that it only reads" in out
    assert "0 calls" in out


def test_what_a_tool_prints_does_not_get_into_the_report(
    gated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (gated / "agentgate.yaml").write_text(
        GATE.replace("tools.json", "tools.json, contracts: c.yaml")
    )
    (gated / "c.yaml").write_text("version: 1\ntools: {find: {side_effect: read_only}}")
    assert main(["probe", "--format", "json"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("{")
    assert "noise" in told.err
