"""An MCP session with one server, kept by an event loop in a thread of its own.

The client of the package ``mcp`` speaks the protocol. What is handed on is what the
server sent, not the client's reading of it: a watched transport keeps each answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from mcp import Client

MAX_PAGES = 1_000
T = TypeVar("T")
_asked: ContextVar[Answer] = ContextVar("agentgate_mcp_answer")

# Without any handler Python prints a library's warnings on standard error.
logging.getLogger("mcp").addHandler(logging.NullHandler())


class Answer:
    """What a server answered to one request.

    Attributes:
        result: the result as it came; ``None`` where there was none.
    """

    result: dict[str, Any] | None = None


class Session:
    """A session, from its handshake to its close, usable from any thread.

    Args:
        transport: what ``mcp.Client`` talks through.
        seconds: for the handshake.
    """

    def __init__(
        self, transport: AbstractAsyncContextManager[Any], seconds: float
    ) -> None:
        self._transport = transport
        self._seconds = seconds
        self._opened: Future[None] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._keep()),
            name="agentgate-mcp",
            daemon=True,
        )
        self._loop: asyncio.AbstractEventLoop
        self._client: Client
        self._over: asyncio.Event

    def open(self) -> None:
        """Shake hands.

        Raises:
            TimeoutError: the server did not answer in time.
            Exception: what the client made of a server that cannot be talked to.
        """
        self._thread.start()
        self._opened.result()

    def close(self, seconds: float) -> None:
        """Take leave of the server, for as long as that may take."""
        if self._opened.done():
            with contextlib.suppress(RuntimeError):  # the loop is closed already
                self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(seconds)

    def list_tools(self, seconds: float) -> list[Any]:
        """Return every page of the server's listing, as it came.

        Raises:
            TimeoutError: it took longer.
            ValueError: what the server lists is no list, or has no end.
        """
        return self._wait(self._listed, seconds)

    def call(self, name: str, arguments: dict[str, Any], seconds: float) -> Any:
        """Call a tool and return the result as it came.

        Raises:
            TimeoutError: it took longer.
            Exception: what the client made of an answer that is no result.
        """
        return self._wait(lambda: self._called(name, arguments), seconds)

    def _wait(self, work: Callable[[], Awaitable[T]], seconds: float) -> T:
        if not self._thread.is_alive():
            raise ConnectionError("the session has ended")
        future = asyncio.run_coroutine_threadsafe(_within(work, seconds), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _keep(self) -> None:
        import anyio
        from mcp import Client

        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        try:
            with anyio.fail_after(self._seconds) as clock:
                async with Client(_watched(self._transport)) as self._client:
                    clock.deadline = math.inf
                    self._opened.set_result(None)
                    await self._over.wait()
        except BaseException as error:
            # After the handshake nobody waits here: each request fails by itself.
            if not self._opened.done():
                self._opened.set_exception(cause_of(error))

    async def _listed(self) -> list[Any]:
        tools: list[Any] = []
        cursor = None
        for _ in range(MAX_PAGES):
            page = await self._page(cursor)
            if not isinstance(page.get("tools"), list):
                raise ValueError(f"the answer to tools/list has no list: {page!r:.200}")
            tools += page["tools"]
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str):
                return tools
        raise ValueError(f"the listing has no end: more than {MAX_PAGES} pages")

    async def _page(self, cursor: str | None) -> dict[str, Any]:
        from mcp.types import PaginatedRequestParams
        from pydantic import ValidationError

        answer = Answer()
        _asked.set(answer)
        # The client refuses a listing for one bad tool; that tool is what is judged.
        with contextlib.suppress(ValidationError):
            await self._client.session.list_tools(
                params=PaginatedRequestParams(cursor=cursor)
            )
        return answer.result or {}

    async def _called(self, name: str, arguments: dict[str, Any]) -> Any:
        from mcp import MCPError
        from mcp.types import HEADER_MISMATCH

        try:
            return await self._asked_once(name, arguments)
        except MCPError as error:
            if error.code != HEADER_MISMATCH:
                raise
            # The client must know a tool's schema to send some arguments as headers.
            await self._listed()
            return await self._asked_once(name, arguments)

    async def _asked_once(self, name: str, arguments: dict[str, Any]) -> Any:
        from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

        answer = Answer()
        _asked.set(answer)
        # Not the client's own call_tool: it hides results that break the output schema.
        params = CallToolRequestParams(name=name, arguments=arguments)
        await self._client.session.send_request(
            CallToolRequest(params=params), CallToolResult
        )
        return answer.result


def cause_of(error: BaseException) -> BaseException:
    """Return the first real exception in a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _within(work: Callable[[], Awaitable[T]], seconds: float) -> T:
    import anyio

    with anyio.fail_after(seconds):
        return await work()


@contextlib.asynccontextmanager
async def _watched(transport: AbstractAsyncContextManager[Any]) -> AsyncIterator[Any]:
    """Keep what the server answers to each request, on its way to the client."""
    answers: dict[Any, Answer] = {}
    async with transport as (incoming, outgoing):
        yield _Incoming(incoming, answers), _Outgoing(outgoing, answers)


class _Stream:
    def __init__(self, inner: Any, answers: dict[Any, Answer]) -> None:
        self._inner = inner
        self._answers = answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def __aenter__(self) -> _Stream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._inner.aclose()


class _Incoming(_Stream):
    def __aiter__(self) -> _Incoming:
        return self

    async def __anext__(self) -> Any:
        item = await self._inner.__anext__()
        message = getattr(item, "message", None)
        answer = self._answers.pop(getattr(message, "id", None), None)
        if answer is not None and (result := getattr(message, "result", None)):
            answer.result = dict(result)
        return item


class _Outgoing(_Stream):
    async def send(self, item: Any) -> None:
        answer = _asked.get(None)
        if answer is not None and getattr(item.message, "method", None):
            self._answers[getattr(item.message, "id", None)] = answer
        await self._inner.send(item)
