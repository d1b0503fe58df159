"""Four public MCP servers, started for real: what they list, and how they fail.

Their environments are made by ``make servers``; two speak of versions, since one of the
servers breaks with ``mcp`` 2.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

pytest.importorskip("mcp")

from pytest_agentgate import grade
from pytest_agentgate.contract.catalogue import complete, read_definitions
from pytest_agentgate.contract.mapping import ObservationMapping
from pytest_agentgate.contract.settings import ServerSettings
from pytest_agentgate.live import mcp

ENVIRONMENTS = ROOT / ".venv-servers"
TEXT = ObservationMapping(text=True)
REPOSITORY = "{folder}/repository"
ARGUMENTS = {
    "time": ("current", "--local-timezone UTC"),
    "git": ("current", f"--repository {REPOSITORY}"),
    "sqlite": ("mcp1", "--db-path {folder}/x.db"),
    "fetch": ("current", "--ignore-robots-txt"),
}
CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "time": [
        ("get_current_time", {"timezone": "Europe/Berlin"}),
        (
            "convert_time",
            {
                "source_timezone": "UTC",
                "time": "12:00",
                "target_timezone": "Asia/Tokyo",
            },
        ),
        ("get_current_time", {"timezone": "Mars/Base"}),
        (
            "convert_time",
            {"source_timezone": "UTC", "time": "25:99", "target_timezone": "UTC"},
        ),
        ("get_current_time", {}),
        ("get_current_time", {"timezone": 5}),
        ("no_such_tool", {}),
    ],
    "git": [
        ("git_status", {"repo_path": REPOSITORY}),
        ("git_diff_unstaged", {"repo_path": REPOSITORY}),
        ("git_log", {"repo_path": REPOSITORY, "max_count": 1}),
        ("git_status", {"repo_path": "/nonexistent"}),
        ("git_show", {"repo_path": REPOSITORY, "revision": "deadbeef"}),
        ("git_checkout", {"repo_path": REPOSITORY, "branch_name": "nope"}),
        ("git_add", {"repo_path": REPOSITORY, "files": ["missing.txt"]}),
        ("git_create_branch", {"repo_path": REPOSITORY, "branch_name": "b1"}),
        ("git_create_branch", {"repo_path": REPOSITORY, "branch_name": "b1"}),
        ("git_commit", {"repo_path": REPOSITORY, "message": "x"}),
        ("git_reset", {"repo_path": REPOSITORY}),
        ("git_status", {}),
        ("no_such_tool", {}),
    ],
    "sqlite": [
        ("create_table", {"query": "CREATE TABLE t(id int primary key, name text)"}),
        ("write_query", {"query": "INSERT INTO t VALUES (1,'a')"}),
        ("read_query", {"query": "SELECT * FROM t"}),
        ("list_tables", {}),
        ("describe_table", {"table_name": "t"}),
        ("write_query", {"query": "INSERT INTO t VALUES (1,'a')"}),
        ("read_query", {"query": "DROP TABLE t"}),
        ("read_query", {"query": "SELEC"}),
        ("read_query", {"query": "SELECT * FROM missing"}),
        ("write_query", {"query": "DROP TABLE t"}),
        ("read_query", {}),
        ("no_such_tool", {}),
    ],
    "fetch": [
        ("fetch", {"url": "http://127.0.0.1:9/"}),
        ("fetch", {"url": "not a url"}),
        ("fetch", {}),
    ],
}


@dataclass
class Seen:
    """What one server listed and answered.

    Attributes:
        tools: its listing.
        answers: by call, the result as it came, or the text of the protocol's error.
    """

    tools: list[dict[str, Any]]
    answers: list[tuple[str, dict[str, Any], dict[str, Any] | str]] = field(
        default_factory=list
    )

    @property
    def failures(self) -> dict[str, int]:
        """Failures by how they were delivered, errors as success among them."""
        kinds = {"flagged": 0, "protocol": 0, "as success": 0}
        for tool, arguments, answer in self.answers:
            if isinstance(answer, str):
                kinds["protocol"] += 1
            elif answer["isError"]:
                kinds["flagged"] += 1
            elif "honesty.status" in rules_broken(tool, arguments, answer):
                kinds["as success"] += 1
        return kinds


def rules_broken(tool: str, arguments: Mapping[str, Any], answer: Any) -> set[str]:
    graded = grade(answer, mapping=TEXT, tool=tool, arguments=arguments)
    assert not graded.errors
    return {f.rule for f in graded.findings if f.verdict == "fail"}


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict[str, Seen]:
    folder = tmp_path_factory.mktemp("servers")
    return {name: look(name, folder) for name in ARGUMENTS}


def look(name: str, folder: Path) -> Seen:
    environment, arguments = ARGUMENTS[name]
    program = ENVIRONMENTS / environment / "bin" / f"mcp-server-{name}"
    if not program.exists():
        pytest.skip(f"{program.relative_to(ROOT)} is not here: 'make servers' makes it")
    if name == "git":
        make_repository(folder / "repository")
    target = f"{shlex.quote(str(program))} {arguments.format(folder=folder)}"
    with mcp.Server(target, ServerSettings(timeout_seconds=60), folder) as server:
        found = Seen(server.list_tools())
        for tool, given in CALLS[name]:
            filled = json.loads(json.dumps(given).replace("{folder}", str(folder)))
            answer: dict[str, Any] | str
            try:
                answer = server.call(tool, filled)
            except mcp.ProtocolError as error:
                answer = str(error)
            found.answers.append((tool, filled, answer))
    return found


def make_repository(folder: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    folder.mkdir()
    (folder / "a.txt").write_text("hi\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    (folder / "a.txt").write_text("hi\nmore\n")


def test_what_they_list(seen):
    counts = {
        name: (
            len(found.tools),
            sum("annotations" in tool for tool in found.tools),
            sum("outputSchema" in tool for tool in found.tools),
        )
        for name, found in seen.items()
    }
    assert counts == {
        "time": (2, 2, 2),
        "git": (12, 12, 0),
        "sqlite": (6, 0, 0),
        "fetch": (1, 1, 0),
    }


def test_what_their_contracts_leave_out(seen):
    tools = [tool for found in seen.values() for tool in found.tools]
    definitions = read_definitions(tools)
    parameters = [
        parameter
        for definition in definitions
        for parameter in definition.input_schema.get("properties", {}).values()
    ]
    assert len(definitions) == 21
    assert len(parameters) == 41
    assert sum("description" in parameter for parameter in parameters) == 19
    assert not any("enum" in parameter for parameter in parameters)
    assert not any(
        d.input_schema.get("additionalProperties") is False for d in definitions
    )
    contracts = [complete(definition) for definition in definitions]
    for contract in contracts:
        assert contract.version is None
        assert contract.timeout_seconds is None
        assert contract.retry is None
        assert contract.failure_modes == ()
        assert contract.redaction is None
    assert sum(contract.side_effect is None for contract in contracts) == 6


def test_what_the_hints_of_git_amount_to(seen):
    definitions = read_definitions(seen["git"].tools)
    classes = {d.name: complete(d).side_effect for d in definitions}
    assert classes["git_status"] == "read_only"
    assert classes["git_commit"] == "reversible_mutation"
    assert classes["git_reset"] == "irreversible_mutation"


def test_five_of_twenty_two_failures_come_as_success(seen):
    assert {name: found.failures for name, found in seen.items()} == {
        "time": {"flagged": 4, "protocol": 1, "as success": 0},
        "git": {"flagged": 7, "protocol": 1, "as success": 0},
        "sqlite": {"flagged": 1, "protocol": 0, "as success": 5},
        "fetch": {"flagged": 3, "protocol": 0, "as success": 0},
    }
    texts = [
        answer["content"][0]["text"]
        for tool, arguments, answer in seen["sqlite"].answers
        if "honesty.status" in rules_broken(tool, arguments, answer)
    ]
    assert [text.split(":")[0] for text in texts] == [
        "Database error",
        "Error",
        "Error",
        "Database error",
        "Error",
    ]


def test_no_failure_says_when_to_stop(seen):
    for found in seen.values():
        for tool, arguments, answer in found.answers:
            if isinstance(answer, dict) and answer["isError"]:
                broken = rules_broken(tool, arguments, answer)
                assert "recovery.stop-condition" in broken, answer


def test_it_is_what_was_recorded(seen, shared):
    for name, found in seen.items():
        path = shared / "data" / "mcp_servers" / f"{name}.json"
        recorded = json.loads(path.read_text())
        assert read_definitions(recorded["tools_list"]) == read_definitions(found.tools)
        flags = [call.get("result", {}).get("isError") for call in recorded["calls"]]
        ours = [
            answer["isError"] if isinstance(answer, dict) else None
            for _, _, answer in found.answers
        ]
        assert ours == flags
