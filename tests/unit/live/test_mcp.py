"""A client for live MCP servers, against servers that are real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from tests.conftest import ROOT

pytest.importorskip("mcp")

from pytest_agentgate.contract.settings import ServerSettings
from pytest_agentgate.errors import PolicyError, TargetError
from pytest_agentgate.live import mcp
from pytest_agentgate.live.dispatch import dispatch

SERVERS = ROOT / "tests" / "servers"
SETTINGS = ServerSettings(timeout_seconds=10)
HASTY = ServerSettings(timeout_seconds=0.7)


def command(name: str, *arguments: str) -> str:
    return shlex.join([sys.executable, str(SERVERS / name), *arguments])


def wire(mode: str = "", settings: ServerSettings = SETTINGS) -> mcp.Server:
    return mcp.Server(command("wire.py", mode), settings, ROOT)


@pytest.fixture(autouse=True)
def none_left():
    """Whatever a test starts must have ended when it is over."""
    before = children()
    yield
    mcp.close_servers()
    assert children() <= before


def children() -> set[str]:
    """Process ids of this process' children, as far as the system tells."""
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for task in Path("/proc/self/task").iterdir():
            found |= set((task / "children").read_text().split())
    return found


def seen(result) -> dict:
    return json.loads(result["content"][0]["text"])


def test_a_listing_comes_whole_and_as_it_is():
    with wire() as server:
        look, fail = server.list_tools()
    assert look["_meta"] == {"agentgate/version": "3"}
    assert look["annotations"] == {"readOnlyHint": True}
    assert look["houseField"] == [1]
    assert "title" not in look
    assert fail == {"name": "fail", "inputSchema": {"type": "object"}}


def test_a_listing_that_the_client_refuses_is_kept_for_the_rules():
    with wire("odd") as server:
        assert server.list_tools() == [{"name": "odd", "inputSchema": True}]


def test_results_come_as_they_are():
    with wire() as server:
        result = server.call("look", {})
        assert (result["isError"], result["extra"]) == (False, 1)
        failed = server.call("fail", {})
    assert failed == {"content": [{"type": "text", "text": "fail"}], "isError": True}


@pytest.mark.parametrize(
    ("mode", "problem", "said"),
    [
        ("dies", "ended before it had answered", "ends: no DATABASE_URL, [REDACTED"),
        ("hangs", "did not answer within 0.7 s", "no answer; still running"),
        ("refuses", "does not speak MCP", "MCPError -32603: licence expired"),
        ("sloppy", "does not speak MCP", "capabilities: Field required"),
    ],
)
def test_a_server_that_does_not_start(mode, problem, said, monkeypatch):
    monkeypatch.setenv("HOUSE_TOKEN", "hunter2hunter2")
    settings = HASTY.model_copy(update={"environment": ("HOUSE_TOKEN",)})
    before = time.monotonic()
    with pytest.raises(TargetError) as caught:
        wire(mode, settings).start()
    assert time.monotonic() - before < 6
    assert problem in caught.value.problem
    assert said in caught.value.seen
    assert "run the command by hand" in caught.value.way_out
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("unlisted", "MCPError -32603: the index is locked"),
        ("listless", "the answer to tools/list has no list: {'tools': None}"),
        ("endless", "the listing has no end"),
    ],
)
def test_a_server_that_does_not_list(mode, said):
    with wire(mode) as server, pytest.raises(TargetError) as caught:
        server.list_tools()
    assert "does not list its tools" in caught.value.problem
    assert said in caught.value.seen


@pytest.mark.parametrize(
    ("target", "problem", "said"),
    [
        ("no-such-program --x", "cannot be started", "No such file"),
        (str(ROOT), "cannot be started", "Permission denied"),
        ("http://u:hunter2hunter2@127.0.0.1:9/mcp", "cannot be reached", "ConnectErr"),
    ],
)
def test_what_cannot_be_started_or_reached(target, problem, said):
    with pytest.raises(TargetError) as caught:
        mcp.Server(target, SETTINGS, ROOT).start()
    assert problem in caught.value.problem
    assert said in caught.value.seen
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("target", ["", "   ", "python 'server.py"])
def test_what_is_no_command_line(target):
    with pytest.raises(PolicyError, match="names no server"):
        mcp.Server(target, SETTINGS, ROOT)


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(TargetError) as caught:
        wire().start()
    assert caught.value.way_out == "pip install 'pytest-agentgate[mcp]'"


def test_lines_on_stdout_that_are_no_protocol_are_counted_and_overlooked():
    with wire("noisy") as server:
        assert server.call("noise", {})["isError"] is False
        assert server.noise == (3, "INFO starting up")


def test_a_server_gets_few_variables_and_those_that_are_named(monkeypatch):
    monkeypatch.setenv("CLASSIFIER_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HOUSE_TOKEN", "hunter2hunter2")
    monkeypatch.setenv("LC_TIME", "C")
    with wire() as server:
        variables = seen(server.call("look", {}))["variables"]
    assert {"PATH", "LC_TIME"} <= set(variables)
    assert not {"CLASSIFIER_URL", "HOUSE_TOKEN", "PYTEST_CURRENT_TEST"} & set(variables)
    named = SETTINGS.model_copy(update={"environment": ("CLASSIFIER_URL",)})
    with wire(settings=named) as server:
        variables = seen(server.call("look", {}))["variables"]
    assert "CLASSIFIER_URL" in variables
    assert "HOUSE_TOKEN" not in variables


def test_the_protocols_own_error_is_a_tool_that_raised():
    wrong = mcp.dispatcher(command("wire.py"), SETTINGS, ROOT)
    made = dispatch(lambda: wrong("malformed", {}))
    assert made.raised == (
        "ProtocolError: the answer is no tool result: "
        "content.0.TextContent.text: Field required"
    )
    made = dispatch(lambda: wrong("refused", {}))
    assert made.raised == "ProtocolError: MCPError -32602: Unknown tool: refused"


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, "\ud800"])
def test_arguments_that_json_cannot_carry_are_said_to_be_so(value):
    with wire() as server:
        with pytest.raises(mcp.ProtocolError, match="cannot be sent as JSON"):
            server.call("look", {"x": value})
        assert server.is_up


def test_a_crash_is_that_calls_failure_and_the_next_has_a_new_server():
    call = mcp.dispatcher(command("wire.py"), SETTINGS, ROOT)
    first = seen(call("look", {}))["pid"]
    assert seen(call("look", {}))["pid"] == first
    with pytest.raises(ConnectionError) as caught:
        call("crash", {})
    assert "lost during the call" in str(caught.value)
    assert "exit code 3; its standard error ends: segfault" in str(caught.value)
    assert seen(call("look", {}))["pid"] != first


def test_a_call_over_time_fails_and_the_next_has_a_new_server():
    call = mcp.dispatcher(command("wire.py"), HASTY, ROOT)
    first = seen(call("look", {}))["pid"]
    with pytest.raises(TimeoutError, match=r"no answer from the MCP server within 0.7"):
        call("sleep", {})
    assert seen(call("look", {}))["pid"] != first


def test_a_call_may_have_a_time_of_its_own():
    with wire() as server, pytest.raises(TimeoutError, match=r"within 0\.2 s"):
        server.call("sleep", {}, timeout=0.2)


def test_a_changed_variable_means_a_new_server(monkeypatch):
    settings = SETTINGS.model_copy(update={"environment": ("CLASSIFIER_URL",)})
    call = mcp.dispatcher(command("wire.py"), settings, ROOT)
    first = seen(call("look", {}))
    monkeypatch.setenv("HOUSE_TOKEN", "is not passed")
    assert seen(call("look", {})) == first
    monkeypatch.setenv("CLASSIFIER_URL", "http://127.0.0.1:9")
    second = seen(call("look", {}))
    assert second["pid"] != first["pid"]
    assert "CLASSIFIER_URL" in second["variables"]


def test_listing_and_calls_share_one_server():
    target = command("wire.py")
    assert len(mcp.list_tools(target, SETTINGS, ROOT)) == 2
    before = children()
    call = mcp.dispatcher(target, SETTINGS, ROOT)
    call("look", {})
    assert mcp.dispatcher(target, SETTINGS, ROOT) is call
    assert children() == before


def test_a_start_is_not_counted_as_the_calls_time():
    call = mcp.dispatcher(command("wire.py", "slow"), SETTINGS, ROOT)
    made = dispatch(partial(call, "look", {}), timeout=0.4)
    assert made.raised is None
    assert made.seconds < 0.4


def test_a_server_that_does_not_start_is_no_tools_failure():
    call = mcp.dispatcher(command("wire.py", "dies"), SETTINGS, ROOT)
    with pytest.raises(TargetError, match="ended before it had answered"):
        dispatch(partial(call, "look", {}), timeout=5)


def test_it_works_under_a_running_loop():
    call = mcp.dispatcher(command("wire.py"), SETTINGS, ROOT)

    async def test() -> dict:
        return call("look", {})

    assert asyncio.run(test())["isError"] is False


def test_calls_from_many_threads_do_not_wait_for_each_other():
    call = mcp.dispatcher(command("stock.py"), SETTINGS, ROOT)
    call.prepare()
    results: list[int] = []

    def work() -> None:
        results.append(seen(call("process_number", {}))["payload"])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert len(set(results)) == 1


def test_a_large_argument_and_a_server_that_does_not_read():
    large = {"text": "x" * 2_000_000}
    with wire() as server:
        for _ in range(2):  # it has read the first, and never reads the second
            with pytest.raises(TimeoutError):
                server.call("sleep", large, timeout=0.3)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell and process groups")
def test_what_a_server_has_started_ends_with_it(tmp_path):
    script = f"sleep 60 & echo $! > child; exec {command('wire.py')}"
    with mcp.Server(shlex.join(["sh", "-c", script]), SETTINGS, tmp_path) as server:
        server.list_tools()
        child = int((tmp_path / "child").read_text())
        os.kill(child, 0)
    for _ in range(50):
        if not _runs(child):
            break
        time.sleep(0.05)
    assert not _runs(child)


def _runs(process: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False
