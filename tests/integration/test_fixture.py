"""What the fixture does with the tools and results it is given."""

from __future__ import annotations

import pytest

HEAD = """
import asyncio, time, pytest
GOOD = {"status": "success", "summary": "found", "payload": [1], "source": "db:t"}
BAD = {"status": "success", "summary": "found", "payload": [1]}

@pytest.fixture
def agentgate_tools():
    return tools
"""

CALLS = {
    "raises": (
        "def tools(name, arguments): raise KeyError('x')",
        "agentgate.call('t')",
        "failed",
        ["envelope.raised", "KeyError", "errors are returned, not raised"],
    ),
    "exits": (
        "def tools(name, arguments): raise SystemExit(3)",
        "agentgate.call('t')",
        "failed",
        ["envelope.raised", "SystemExit"],
    ),
    "returns None": (
        "def tools(name, arguments): return None",
        "agentgate.call('t')",
        "failed",
        ["envelope.parse"],
    ),
    "hangs, with a time-out": (
        "def tools(name, arguments): time.sleep(60)",
        "agentgate.call('t', timeout=0.2)",
        "failed",
        ["no result within its declared time-out of 0.2 s", "1 leaked threads"],
    ),
    "hangs, asynchronous": (
        "async def tools(name, arguments): await asyncio.sleep(60)",
        "agentgate.call('t', timeout=0.2)",
        "failed",
        ["no result within its declared time-out of 0.2 s", "0 leaked threads"],
    ),
    "returns a coroutine": (
        "async def inner(): return GOOD\ndef tools(name, arguments): return inner()",
        "agentgate.call('t')",
        "errored",
        ["returned a coroutine that nobody awaited", "await agentgate.acall"],
    ),
    "a coroutine is checked": (
        "async def inner(): return GOOD\ntools = None",
        "agentgate.check(inner())",
        "errored",
        ["returned a coroutine that nobody awaited"],
    ),
    "no dispatcher": (
        "tools = None",
        "agentgate.call('t')",
        "errored",
        ["agentgate.call has no tools to call", "tools: {call: your.module"],
    ),
    "no target": (
        "tools = None",
        "agentgate.run('hello')",
        "errored",
        ["agentgate.run has no target to run", "target: {call: your.module:ask}"],
    ),
    "swallowed": (
        "def tools(name, arguments): return BAD",
        "\n    try: agentgate.call('t')\n    except AssertionError: pass",
        "failed",
        ["a check whose failure the test swallowed", "envelope.source"],
    ),
    "nothing graded": (
        "tools = None",
        "pass",
        "failed",
        ["is marked agentgate and graded nothing", "or drop the mark"],
    ),
    "expected to fail, passed": (
        "def tools(name, arguments): return GOOD",
        "agentgate.call('t', expect_fail='envelope.source')",
        "failed",
        ["a rule that is expected to fail here did not", "drop expect_fail"],
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_bad_tool_or_use(child, case):
    tools, body, outcome, messages = CALLS[case]
    source = (
        f"{HEAD}\n{tools}\n@pytest.mark.agentgate\ndef test_x(agentgate):\n    {body}\n"
    )
    result = child("--agentgate", files={"test_it.py": source})
    assert result.code == 1, result.out
    assert list(result.outcomes.values()) == [outcome]
    for message in messages:
        assert message in result.out
    result.agrees()


def run(child, body: str, tools: str = "tools = None", *options: str, **more):
    source = f"{HEAD}\n{tools}\n{body}"
    return child("--agentgate", *options, files={"test_it.py": source}, **more)


def test_expect_fail_takes_a_failure_out_of_account(child):
    body = """
@pytest.mark.agentgate
def test_x(agentgate):
    agentgate.check(BAD, tool="t", expect_fail=["envelope.source"])
"""
    result = run(child, body)
    assert result.code == 0, result.out
    assert result.manifest["findings"] == []


def test_rules_narrow_by_call_and_by_mark(child):
    body = """
@pytest.mark.agentgate(rules=["envelope.status"])
def test_mark(agentgate):
    agentgate.check(BAD, tool="t")

@pytest.mark.agentgate
def test_call(agentgate):
    agentgate.check(BAD, tool="t", rules="envelope.status")
"""
    assert run(child, body).code == 0


def test_async_twins_under_asyncio_and_anyio(child):
    body = """
async def tools(name, arguments):
    await asyncio.sleep(0)
    return GOOD

@pytest.fixture
def agentgate_target():
    async def ask(text):
        calls = [{"name": "t", "arguments": {}, "result": GOOD}]
        return {"answer": text, "calls": calls}
    return ask

@pytest.mark.asyncio
@pytest.mark.agentgate
async def test_asyncio(agentgate):
    assert (await agentgate.acall("t")).status == "success"
    (await agentgate.arun("hello")).expect(tools=["t"], answer="HELLO")

@pytest.mark.anyio
@pytest.mark.agentgate
async def test_anyio(agentgate):
    assert (await agentgate.acall("t")).payload == [1]

@pytest.fixture
def anyio_backend(): return "asyncio"
"""
    result = run(child, body, plugins=True)
    assert result.code == 0, result.out
    assert result.manifest["health"]["observations"] == 3


def test_call_in_a_running_loop_names_acall(child):
    body = """
async def tools(name, arguments): return GOOD

@pytest.mark.asyncio
@pytest.mark.agentgate
async def test_x(agentgate):
    agentgate.call("t")
"""
    result = run(child, body, plugins=True)
    assert "use 'await agentgate.acall(...)'" in result.out
    assert list(result.outcomes.values()) == ["errored"]


EXPECTATIONS = {
    "tools=['t'], answer='found it'": None,
    "tools={'t'}": None,
    "answer=__import__('re').compile('f.und')": None,
    "answer=str.islower": None,
    "tools=[]": "the run called t, which the task does not need",
    "tools=['t', 'u']": "the run never called u",
    "answer='nothing'": "an answer that contains 'nothing'",
}


@pytest.mark.parametrize("expectation", EXPECTATIONS)
def test_expectations_of_a_run(child, expectation):
    body = f"""
@pytest.fixture
def agentgate_target():
    calls = [{{"name": "t", "arguments": {{}}, "result": GOOD}}]
    return lambda text: {{"answer": "found it", "calls": calls}}

@pytest.mark.agentgate
def test_x(agentgate):
    agentgate.run("where?").expect({expectation})
"""
    message = EXPECTATIONS[expectation]
    result = run(child, body)
    assert result.code == (1 if message else 0), result.out
    assert (message or "") in result.out


def test_closed_port_refuses_connections(child):
    body = """
import socket

@pytest.mark.agentgate
def test_x(agentgate, agentgate_closed_port):
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", agentgate_closed_port), 2)
    agentgate.check(GOOD, tool="t")
"""
    assert run(child, body).code == 0


def test_every_trial_has_its_own_function_scoped_fixtures(child):
    body = """
seen = []

@pytest.fixture(scope="module")
def shared(): return []

@pytest.mark.agentgate("recovery")
def test_x(agentgate, tmp_path, shared):
    assert tmp_path not in shared
    shared.append(tmp_path)
    agentgate.check(GOOD, tool="t")

@pytest.mark.agentgate("recovery")
class TestC:
    def test_y(self, agentgate):
        assert not hasattr(self, "seen")
        self.seen = True
        agentgate.check(GOOD, tool="t")
"""
    result = run(child, body)
    assert result.code == 0, result.out


def test_trials_differ_in_random_state_under_randomly(child):
    body = """
import random

@pytest.mark.agentgate("recovery")
def test_x(agentgate, record_property):
    print("drawn", random.random())
    agentgate.check(GOOD, tool="t")
"""
    result = run(child, body, "tools = None", "-s", plugins=True)
    drawn = {line for line in result.out.splitlines() if "drawn" in line}
    assert len(drawn) == 3


def test_trials_option_raises_and_never_lowers(child):
    body = """
@pytest.mark.agentgate("recovery")
def test_x(agentgate): agentgate.check(GOOD, tool="t")

@pytest.mark.agentgate
def test_y(agentgate): agentgate.check(GOOD, tool="t")
"""
    result = run(child, body, "tools = None", "--agentgate-trials=2")
    tasks = {
        t["id"].rpartition("::")[2]: t["trials"]
        for t in result.manifest["plan"]["tasks"]
    }
    assert tasks == {"test_x": 3, "test_y": 2}
