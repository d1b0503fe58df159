"""A call is measured, ends in time, and what it raises is kept."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest

from pytest_agentgate.errors import TargetError
from pytest_agentgate.live.dispatch import adispatch, dispatch, is_async


def good(name, arguments):
    return {"name": name, **arguments}


async def good_async(name, arguments):
    await asyncio.sleep(0)
    return good(name, arguments)


class AsyncCallable:
    async def __call__(self, name, arguments):
        return good(name, arguments)


CALL = ("t", {"x": 1})
GOOD = {"name": "t", "x": 1}


@pytest.mark.parametrize("tool", [good, good_async, AsyncCallable()])
def test_value_and_duration(tool):
    made = dispatch(partial(tool, *CALL))
    assert (made.value, made.raised, made.leaked) == (GOOD, None, False)
    assert made.seconds > 0


@pytest.mark.parametrize("tool", [good, good_async, AsyncCallable()])
def test_asynchronous_twin(tool):
    assert asyncio.run(adispatch(partial(tool, *CALL), 5)).value == GOOD


def raising(name, arguments):
    raise SystemExit(3) if name == "exit" else KeyError("x")


@pytest.mark.parametrize(
    ("name", "text"), [("t", "KeyError: 'x'"), ("exit", "SystemExit: 3")]
)
@pytest.mark.parametrize("timeout", [None, 5])
def test_a_raise_is_text(name, text, timeout):
    made = dispatch(partial(raising, name, {}), timeout)
    assert (made.value, made.raised) == (None, text)


def test_an_interrupt_is_not_swallowed():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dispatch(interrupted)


def test_a_synchronous_hang_is_left_in_a_daemon_thread():
    made = dispatch(partial(time.sleep, 5), 0.05)
    assert made.leaked
    assert made.raised == "no result within its declared time-out of 0.05 s"


def test_an_asynchronous_hang_is_cancelled():
    ended = []

    async def hang():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    made = dispatch(hang, 0.05)
    assert ended == [True]
    assert not made.leaked
    assert made.raised == "no result within its declared time-out of 0.05 s"


def test_a_tools_own_timeout_error_is_its_own():
    async def gave_up():
        raise TimeoutError("upstream")

    assert dispatch(gave_up).raised == "TimeoutError: upstream"


def test_a_forgotten_coroutine_is_closed_and_named():
    def forgot(name, arguments):
        return good_async(name, arguments)

    with pytest.raises(TargetError, match="nobody awaited") as raised:
        dispatch(partial(forgot, *CALL))
    assert "agentgate.acall" in raised.value.way_out


def test_an_asynchronous_tool_in_a_running_loop_is_refused():
    async def test():
        return dispatch(partial(good_async, *CALL))

    with pytest.raises(TargetError, match="from a running event loop"):
        asyncio.run(test())


def test_is_async_sees_through_partial_and_call():
    assert is_async(partial(good_async, "t"))
    assert is_async(AsyncCallable())
    assert not is_async(partial(good, "t"))
