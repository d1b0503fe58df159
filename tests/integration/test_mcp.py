"""A policy that names a live MCP server, over stdio and over streamable HTTP."""

from __future__ import annotations

import contextlib
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.conftest import MODES, ROOT, child_environment

pytest.importorskip("mcp")
pytest.importorskip("uvicorn")

SERVERS = ROOT / "tests" / "servers"
POLICY = """
version: 1
tools:
  call: "mcp:{server}"
  catalogue: "mcp:{server}"
  server: {{timeout_seconds: {limit}}}
rules: {{severity: {{theatre.happy-path: warning, envelope.lean: warning}}}}
"""
TESTS = """
import os
import pytest

def note(agentgate):
    number = agentgate.call("process_number").payload
    with open("processes", "a") as file:
        file.write(f"{os.getpid()} {number}\\n")

@pytest.mark.agentgate
@pytest.mark.parametrize("round", range(3))
def test_count(agentgate, round):
    assert agentgate.call("count_stock", {"item": "bolt"}).payload == 12
    note(agentgate)

@pytest.mark.agentgate("recovery")
def test_unknown(agentgate):
    assert agentgate.call("count_stock", {"item": "nut"}).status == "error"
    note(agentgate)
"""


def command(name: str, *arguments: str) -> str:
    return shlex.join([sys.executable, str(SERVERS / name), *arguments])


def policy(server: str, limit: float = 20) -> str:
    return POLICY.format(server=server, limit=limit)


def runs(process: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False


def pairs(folder: Path) -> set[tuple[int, int]]:
    """Process numbers of pytest and of the server that answered it."""
    lines = (folder / "processes").read_text().splitlines()
    return {(int(line.split()[0]), int(line.split()[1])) for line in lines}


@pytest.mark.parametrize("mode", ["plain", "n2"])
def test_over_stdio_there_is_one_server_in_a_process(child, mode):
    files = {"agentgate.yaml": policy(command("stock.py")), "test_it.py": TESTS}
    result = child("--agentgate", *MODES[mode], files=files)
    assert result.code == 0, result.out
    result.agrees()
    found = pairs(result.folder)
    assert len(found) == len({ours for ours, _ in found})
    assert len({server for _, server in found}) == len(found)
    for _ in range(60):  # a worker of xdist ends without ado; its server notices
        if not any(runs(server) for _, server in found):
            break
        time.sleep(0.05)
    assert not any(runs(server) for _, server in found)


@pytest.fixture
def url():
    """The URL of a server that runs as a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with subprocess.Popen(
        shlex.split(command("stock.py", str(port))),
        env=child_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        for _ in range(200):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        server.terminate()


@pytest.mark.parametrize("mode", ["plain", "n2"])
def test_over_http(child, mode, url):
    files = {"agentgate.yaml": policy(url), "test_it.py": TESTS}
    result = child("--agentgate", *MODES[mode], files=files)
    assert result.code == 0, result.out
    result.agrees()
    assert len({server for _, server in pairs(result.folder)}) == 1


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (command("wire.py", "hangs"), "did not answer within 1 s"),
        (command("wire.py", "dies"), "ended before it had answered"),
        ("no-such-program", "cannot be started"),
        ("http://127.0.0.1:9/mcp", "cannot be reached"),
    ],
    ids=["hangs", "dies", "missing", "unreachable"],
)
def test_a_catalogue_that_cannot_be_had_is_4(child, server, said):
    files = {"agentgate.yaml": policy(server, limit=1), "test_it.py": TESTS}
    result = child("--agentgate", files=files)
    assert result.code == 4
    assert said in result.out
    assert "Traceback" not in result.out
    assert not (result.folder / ".agentgate").exists()


def test_a_server_that_cannot_be_started_for_a_call_makes_the_trial_errored(child):
    named = f'version: 1\ntools: {{call: "mcp:{command("wire.py", "dies")}"}}\n'
    files = {"agentgate.yaml": named, "test_it.py": TESTS}
    result = child("--agentgate", "-k", "test_unknown", files=files)
    assert set(result.outcomes.values()) == {"errored"}, result.out
    assert "ended before it had answered" in result.out


FAILURES = """
import pytest
pytestmark = pytest.mark.agentgate("recovery", rules="envelope.raised")

def test_crash(agentgate): agentgate.call("crash")
def test_sleep(agentgate): agentgate.call("sleep")
def test_refused(agentgate): agentgate.call("refused")
def test_noise(agentgate): agentgate.call("noise")
"""


def test_a_call_that_is_not_answered_is_the_tools_failure(child):
    files = {
        "agentgate.yaml": policy(command("wire.py", "noisy"), limit=1)
        + "gates: {recovery: {k: 1}}\n",
        "test_it.py": FAILURES,
    }
    result = child("--agentgate", files=files)
    assert result.outcomes == {
        "test_crash 1": "failed",
        "test_sleep 1": "failed",
        "test_refused 1": "failed",
        "test_noise 1": "passed",
    }
    assert "the MCP server was lost during the call" in result.out
    assert "exit code 3; 2 lines of its standard output no JSON-RPC" in result.out
    assert "its standard error ends: segfault" in result.out
    assert "no answer from the MCP server within 1 s" in result.out
    assert "MCPError -32602: Unknown tool: refused" in result.out
