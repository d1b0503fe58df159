"""Call one tool through the owner's dispatcher, measured and within its time.

A tool that raises has returned nothing: the exception is kept as text and judged.
A tool over its declared time has failed; an asynchronous one is cancelled, a
synchronous one is left behind in a daemon thread, which is counted. A dispatcher
that cannot be used at all is the harness' fault and raises ``TargetError``.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import TargetError

Dispatcher = Callable[[str, Mapping[str, Any]], Any]


@dataclass(slots=True)
class Dispatched:
    """What came of one call.

    Attributes:
        value: what the tool returned.
        raised: the exception's text where it raised, or ran out of time.
        seconds: duration of the call.
        leaked: whether a thread is still running the call.
    """

    value: Any = None
    raised: str | None = None
    seconds: float = 0.0
    leaked: bool = False


def dispatch(function: Callable[[], Any], timeout: float | None = None) -> Dispatched:
    """Make a call from synchronous code.

    Args:
        function: the call, bound to its arguments.
        timeout: seconds; where given, a synchronous call runs in a daemon thread.

    Raises:
        TargetError: it is a coroutine function and a loop is already running, or a
            plain function that returned a coroutine, or the dispatcher cannot be made
            ready.
    """
    _prepare(function)
    if is_async(function):
        if _loop_is_running():
            raise TargetError(
                "an asynchronous tool was called from a running event loop",
                expected="agentgate.call in a plain test",
                seen="a running loop",
                way_out="use 'await agentgate.acall(...)' (or arun) in async tests",
                docs="docs/reference/fixture.md#call",
            )
        return asyncio.run(adispatch(function, timeout))
    made = _in_thread(function, timeout) if timeout else _measured(function)
    if inspect.iscoroutine(made.value):
        made.value.close()
        raise not_awaited()
    return made


async def adispatch(
    function: Callable[[], Any], timeout: float | None = None
) -> Dispatched:
    """Make a call from asynchronous code; a plain function is simply called.

    Args:
        function: the call, bound to its arguments.
        timeout: seconds; the call is cancelled after them.

    Raises:
        TargetError: the dispatcher cannot be made ready.
    """
    _prepare(function)
    start = time.perf_counter()
    made = Dispatched()
    try:
        value = function()
        if inspect.isawaitable(value):
            value = await _within(value, timeout)
        made.value = value
    except TimeoutError as error:
        made.raised = _over(timeout) if timeout else _text(error)
    except Exception as error:
        made.raised = _text(error)
    made.seconds = time.perf_counter() - start
    return made


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling the function makes a coroutine."""
    inner = getattr(function, "func", function)
    call = getattr(inner, "__call__", None)  # noqa: B004 - the bound method itself
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(call)


def not_awaited() -> TargetError:
    """Make the error for a coroutine that nobody awaited."""
    return TargetError(
        "the tool returned a coroutine that nobody awaited",
        expected="a result",
        seen="a coroutine",
        way_out="declare the dispatcher 'async def', or await it in the test with "
        "'await agentgate.acall(...)'",
        docs="docs/reference/fixture.md#call",
    )


def _prepare(function: Callable[[], Any]) -> None:
    """Let a dispatcher that has something to start do so, before the clock runs."""
    prepare = getattr(getattr(function, "func", function), "prepare", None)
    if callable(prepare):
        prepare()


async def _within(value: Awaitable[Any], timeout: float | None) -> Any:
    return await asyncio.wait_for(value, timeout)


def _measured(function: Callable[[], Any]) -> Dispatched:
    start = time.perf_counter()
    made = Dispatched()
    try:
        made.value = function()
    except (Exception, SystemExit) as error:
        made.raised = _text(error)
    made.seconds = time.perf_counter() - start
    return made


def _in_thread(function: Callable[[], Any], timeout: float) -> Dispatched:
    done: list[Dispatched] = []
    thread = threading.Thread(
        target=lambda: done.append(_measured(function)),
        name="agentgate-call",
        daemon=True,
    )
    thread.start()
    thread.join(timeout)
    if done:
        return done[0]
    return Dispatched(raised=_over(timeout), seconds=timeout, leaked=True)


def _over(timeout: float | None) -> str:
    return f"no result within its declared time-out of {timeout:g} s"


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
