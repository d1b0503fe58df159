"""Probing real servers: what was planted is found, and nothing in the clean twin."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_agentgate.cli import main
from pytest_agentgate.live.mcp import close_servers

SERVERS = Path(__file__).parents[1] / "servers"
DISPATCHER = """
import sys
sys.path.insert(0, {servers!r})
from clean import TOOLS as tools, make_database

make_database()
TOOLS = [tool.listed() for tool in tools]
BY_NAME = {{tool.name: tool for tool in tools}}

def call(name, arguments):
    return BY_NAME[name].call(arguments)
"""


def policy(server: str, *more: str) -> str:
    command = f"mcp:{sys.executable} {SERVERS / server}"
    lines = [
        "version: 1",
        "rules: {profile: strict}",
        f'tools: {{call: "{command}", catalogue: "{command}"}}',
        "probe: {state: {sqlite: stock.db}}",
        *more,
    ]
    return "\n".join(lines)


def found(out: str) -> set[tuple[str, str]]:
    """Return tool and rule of every finding in a JSON report."""
    findings = json.loads(out[out.index("{") :])["findings"]
    return {(one["tool"], one["rule"]) for one in findings}


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Callable[..., tuple[int, str]]]:
    """Return a function that runs the command in this process, which is quicker."""
    monkeypatch.chdir(tmp_path)

    def verb(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        return code, capsys.readouterr().out

    yield verb
    close_servers()


def point_at(folder: Path, text: str) -> None:
    (folder / "agentgate.yaml").write_text(text)


PROBED = {
    ("deliveries_on", "contract.undeclared"),
    ("count_stock", "honesty.status"),
    ("price_of_item", "honesty.status"),
    ("list_stock", "envelope.raised"),
    ("describe_item", "contract.side-effect-agrees"),
}
LINTED = {
    ("find_supplier", "contract.output-schema"),
    ("opening_hours", "contract.description"),
}


def test_what_was_planted_is_found_and_kept_as_tests(
    tmp_path: Path, run: Any, child: Any
) -> None:
    point_at(tmp_path, policy("planted.py"))
    code, out = run("probe", "--format", "json", "--write-tests", "test_found.py")
    assert (code, found(out)) == (1, PROBED)
    code, out = run("lint", "--format", "json")
    assert (code, found(out)) == (1, LINTED)
    failing = child("--agentgate", "test_found.py")
    assert failing.code == 1
    assert list(failing.outcomes.values()) == ["failed"] * 5, failing.out
    rules = {finding["group"]["rule"] for finding in failing.manifest["findings"]}
    assert rules >= {rule for _, rule in PROBED}
    point_at(tmp_path, policy("clean.py"))
    assert child("test_found.py").code == 0


def test_the_clean_twin_is_silent(tmp_path: Path, run: Any) -> None:
    point_at(tmp_path, policy("clean.py"))
    code, out = run("probe")
    assert code == 0, out
    assert out.endswith("7 tools: 0 errors, 0 warnings, 0 waived\n")
    code, out = run("lint")
    assert code == 0, out
    assert out.endswith("7 tools: 0 errors, 0 warnings, 0 waived\n")


def test_one_call_is_replayed(tmp_path: Path, run: Any) -> None:
    source = f"mcp:{sys.executable} {SERVERS / 'planted.py'}"
    _, out = run("probe", source, "--tool", "list_stock", "--random", "0")
    line = out.partition("replay: pytest-agentgate ")[2].splitlines()[0]
    arguments = shlex.split(line)
    assert arguments[:2] == ["probe", source]
    _, again = run(*arguments)
    assert "envelope.raised" in again
    assert "\n1 call\n" in again
    _, given = run(*arguments[:4], "--arguments", '{"limit": 50}')
    assert "envelope.raised" in given
    assert run(*arguments[:4], "--arguments", '{"limit": 49}')[0] == 0


def test_two_transports(tmp_path: Path, run: Any) -> None:
    (tmp_path / "local_stock.py").write_text(DISPATCHER.format(servers=str(SERVERS)))
    gate = (
        "version: 1\ntools: {{call: 'local_stock:call', "
        "catalogue: 'local_stock:TOOLS', served: 'mcp:{} {}'}}\n"
    )
    point_at(tmp_path, gate.format(sys.executable, SERVERS / "clean.py"))
    assert run("probe", "--random", "0")[0] == 0
    point_at(tmp_path, gate.format(sys.executable, SERVERS / "planted.py"))
    code, out = run("probe", "--random", "0", "--format", "json")
    assert code == 1
    # The one that writes says the same to whom it answers.
    different = {tool for tool, _ in PROBED | LINTED} - {"describe_item"}
    assert found(out) == {(tool, "contract.fidelity") for tool in different}


TESTS = """
import pytest
from local import TOOLS

@pytest.mark.agentgate
@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_probe(agentgate, tool):
    agentgate.probe(tool)
"""


def test_in_a_test(child: Any) -> None:
    local = DISPATCHER.format(servers=str(SERVERS))
    broken = local + "\n_call = call\n\ndef call(name, arguments):\n"
    broken += "    arguments.pop('extra', None)\n"
    broken += "    arguments = {k: v for k, v in arguments.items() if k in ARGUMENTS}\n"
    broken += "    return _call(name, arguments)\n"
    broken += "\nARGUMENTS = {'item', 'day', 'limit', 'weekday'}\n"
    gate = "version: 1\ntools: {call: 'local:call', catalogue: 'local:TOOLS'}\n"
    files = {"agentgate.yaml": gate, "test_tools.py": TESTS}
    made = child(files={**files, "local.py": local})
    assert made.code == 0, made.out
    made = child("--agentgate", files={"local.py": broken})
    assert made.code == 1
    assert {f["group"]["rule"] for f in made.manifest["findings"]} == {
        "contract.undeclared"
    }
    assert set(made.outcomes.values()) == {"failed"}
    assert made.manifest["trials"][0]["observations"]["count_stock"] > 10
