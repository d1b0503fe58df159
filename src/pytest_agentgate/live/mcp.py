"""Talk to an MCP server, started by command or reached by URL, from plain code."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import threading
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from ..contract.settings import ServerSettings
from ..errors import PolicyError, TargetError
from ..grading.finding import evidence
from .mcp_process import STOP_SECONDS, TAIL_LINES, ServerProcess, passed_environment
from .mcp_session import Session, cause_of

INVALID_REQUEST = -32600
DOCS = "docs/reference/catalogues.md#a-live-mcp-server"


class ProtocolError(Exception):
    """A call was answered with an error of the protocol, or with no result at all.

    To the caller that is a tool that raised.
    """


class Server:
    """One running server and the session with it; usable from any thread.

    Args:
        target: a command line, or an ``http://`` or ``https://`` URL.
        settings: time limit, and what of the environment it is given.
        cwd: where a command runs.

    Attributes:
        is_spent: whether a call has shown that it is no use any more: it has ended,
            or is stuck in a call that ran out of time.
    """

    def __init__(self, target: str, settings: ServerSettings, cwd: Path) -> None:
        self.target = target
        self.is_spent = False
        self._settings = settings
        self._command = [] if _is_url(target) else _split(target)
        self._cwd = cwd
        self._process: ServerProcess | None = None
        self._session: Session | None = None
        self._environment = self._current_environment()

    @property
    def noise(self) -> tuple[int, str]:
        """How many lines on its output were no JSON-RPC, and the first of them."""
        process = self._process
        return (process.noise, process.first_noise) if process else (0, "")

    @property
    def is_up(self) -> bool:
        """Whether a call can be sent."""
        if self._session is None or self.is_spent:
            return False
        return self._process is None or self._process.exit_code is None

    @property
    def is_current(self) -> bool:
        """Whether it would be started with the same variables now."""
        return self._environment == self._current_environment()

    def start(self) -> Self:
        """Start it and shake hands.

        Raises:
            TargetError: it cannot be started, reached or talked to; no process is
                left behind.
        """
        _need_mcp()
        limit = self._settings.timeout_seconds
        try:
            self._session = Session(self._transport(), limit)
            self._session.open()
        except BaseException as error:
            failure = self._start_failure(error)
            self.close(patience=0)
            raise failure from None
        return self

    def close(self, patience: float = STOP_SECONDS) -> None:
        """End the session and the process, with all that it started.

        Args:
            patience: seconds for it to end by itself.
        """
        session, process = self._session, self._process
        self._session = None
        if session is not None:
            session.close(STOP_SECONDS)
        if process is not None:
            process.stop(0 if self.is_spent else patience)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def list_tools(self) -> list[Any]:
        """Return its tools, all pages, each as it came.

        Raises:
            TargetError: it does not list them, or not in time.
        """
        assert self._session is not None, "not started"
        limit = self._settings.timeout_seconds
        try:
            return self._session.list_tools(limit)
        except TimeoutError:
            self.is_spent = True
            seen = f"no answer within {limit:g} s{self._state()}"
        except Exception as error:
            seen = _spelt(error) + self._state()
        raise TargetError(
            f"the MCP server {self._shown} does not list its tools",
            expected="an answer to tools/list",
            seen=seen,
            way_out="list the tools with another MCP client and mend what it says",
            docs=DOCS,
        )

    def call(
        self, name: str, arguments: Mapping[str, Any], timeout: float | None = None
    ) -> Any:
        """Call a tool and return its result as MCP's JSON, as it came.

        Args:
            name: the tool.
            arguments: plain data.
            timeout: seconds; the settings' limit where not given.

        Raises:
            ProtocolError: it answered with an error, or with what is no result.
            TimeoutError: it did not answer in time.
            ConnectionError: it ended, or the connection did.
        """
        assert self._session is not None, "not started"
        limit = timeout or self._settings.timeout_seconds
        _must_be_json(arguments)
        try:
            return self._session.call(name, dict(arguments), limit)
        except TimeoutError:
            self.is_spent = True
            text = f"no answer from the MCP server within {limit:g} s{self._state(1)}"
            raise TimeoutError(text) from None
        except ValidationError as error:
            raise ProtocolError(
                f"the answer is no tool result: {_first(error)}"
            ) from None
        except Exception as error:
            if _is_answer(error):
                # A server that was restarted under its URL has forgotten the session.
                lost = getattr(error, "code", None) == INVALID_REQUEST
                self.is_spent = lost and not self._command
                raise ProtocolError(_spelt(error)) from None
            self.is_spent = True
            raise ConnectionError(
                f"the MCP server was lost during the call: {_spelt(error)}"
                f"{self._state(1)}"
            ) from None

    def _transport(self) -> AbstractAsyncContextManager[Any]:
        if not self._command:
            from mcp.client.streamable_http import streamable_http_client

            return streamable_http_client(self.target)
        program = shutil.which(self._command[0], path=self._environment.get("PATH"))
        command = [program or self._command[0], *self._command[1:]]
        self._process = ServerProcess(command, self._environment, self._cwd)
        return self._process.streams()

    def _current_environment(self) -> dict[str, str]:
        if not self._command:
            return {}
        return passed_environment(self._settings.environment, os.environ)

    @property
    def _shown(self) -> str:
        return evidence(self.target)

    def _state(self, lines: int = TAIL_LINES) -> str:
        return f"; {self._process.last_words(lines)}" if self._process else ""

    def _start_failure(self, error: BaseException) -> BaseException:
        """Say why it did not start; what is no failure of the server is left as is."""
        if not isinstance(error, Exception):
            return error
        limit = self._settings.timeout_seconds
        answer = "no answer" if isinstance(error, TimeoutError) else _spelt(error)
        expected, seen = "an MCP server", answer + self._state()
        way_out = "run the command by hand; standard output is for the protocol alone"
        if not self._command:
            problem = "cannot be reached"
            way_out = "start it before the session, and check the URL's port and path"
        elif self._process is None:
            problem = "cannot be started"
            expected = "a program on PATH, or a path from the policy's folder"
            way_out = "name the program by its path, or add it to PATH"
        elif self._process.exit_code is not None:
            problem = "ended before it had answered"
            seen = self._process.last_words()
            way_out = (
                "run the command by hand and mend what it says; of the environment it "
                "is given PATH and the like, and what tools.server.environment names"
            )
        elif isinstance(error, TimeoutError):
            problem = f"did not answer within {limit:g} s"
            way_out += ", or raise tools.server.timeout_seconds"
        else:
            problem = "does not speak MCP as the client demands"
        return TargetError(
            f"the MCP server {self._shown} {problem}",
            expected=expected,
            seen=seen,
            way_out=way_out,
            docs=DOCS,
        )


class SharedServer:
    """The one server of this process that a target stands for, as a dispatcher.

    It is started when it is first needed, and anew where it has ended, where a call
    got stuck in it, or where a variable that it is given has changed.

    Args:
        target: a command line or a URL.
        settings: how it is run.
        cwd: where a command runs.
    """

    def __init__(self, target: str, settings: ServerSettings, cwd: Path) -> None:
        self._made_of = target, settings, cwd
        self._server: Server | None = None
        self._lock = threading.Lock()

    def __call__(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool; see ``Server.call``."""
        return self.server().call(name, arguments)

    def prepare(self) -> None:
        """Start it where it is not up, so that no call is timed with its start.

        Raises:
            TargetError: it cannot be started, reached or talked to.
        """
        self.server()

    def server(self) -> Server:
        """Return it, up; raises as ``prepare``."""
        with self._lock:
            server = self._server
            if server and server.is_up and server.is_current:
                return server
            if server:
                server.close()
            self._server = None
            self._server = Server(*self._made_of).start()
            return self._server

    def close(self) -> None:
        """End it, if it is up."""
        with self._lock:
            if self._server:
                self._server.close()
            self._server = None


_shared: dict[tuple[str, ServerSettings, Path], SharedServer] = {}


def list_tools(server: str, settings: ServerSettings, cwd: Path) -> list[Any]:
    """List a server's tools, each as MCP's JSON; it stays up for calls.

    Raises:
        TargetError: it cannot be started, reached or talked to.
    """
    return _share(server, settings, cwd).server().list_tools()


def dispatcher(server: str, settings: ServerSettings, cwd: Path) -> SharedServer:
    """Return what calls a server's tools; there is one for equal arguments."""
    return _share(server, settings, cwd)


def close_servers() -> None:
    """End every server that ``list_tools`` and ``dispatcher`` have started."""
    for shared in list(_shared.values()):
        shared.close()


atexit.register(close_servers)


def _share(target: str, settings: ServerSettings, cwd: Path) -> SharedServer:
    key = (target.strip(), settings, cwd.absolute())
    return _shared.setdefault(key, SharedServer(*key))


def _is_url(target: str) -> bool:
    return target.startswith(("http://", "https://"))


def _split(target: str) -> list[str]:
    try:
        command = shlex.split(target)
    except ValueError as error:
        command, problem = [], str(error)
    else:
        problem = "nothing"
    if command:
        return command
    raise PolicyError(
        f"mcp:{evidence(target)} names no server",
        expected="mcp: with a command line or an http:// or https:// URL",
        seen=problem,
        way_out='write it like "mcp:python server.py"',
        docs=DOCS,
    )


def _need_mcp() -> None:
    try:
        from mcp import Client  # noqa: F401 - of 2.x alone
    except ImportError as error:
        raise TargetError(
            "an MCP server needs the package mcp, 2.3 or later",
            expected="an environment with mcp",
            seen=str(error),
            way_out="pip install 'pytest-agentgate[mcp]'",
            docs=DOCS,
        ) from None


def _must_be_json(arguments: Mapping[str, Any]) -> None:
    try:
        json.dumps(arguments, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        text = f"the arguments cannot be sent as JSON: {error}"
        raise ProtocolError(text) from None


def _is_answer(error: BaseException) -> bool:
    """Whether the server itself answered with an error."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED

    return isinstance(error, MCPError) and not (
        # A code that servers use, too.
        error.code == CONNECTION_CLOSED and error.message == "Connection closed"
    )


def _spelt(error: BaseException) -> str:
    error = cause_of(error)
    if isinstance(error, ValidationError):
        return f"an answer that MCP does not know: {_first(error)}"
    code = getattr(error, "code", None)
    if type(error).__name__ == "MCPError":
        return f"MCPError {code}: {evidence(str(error))}"
    return f"{type(error).__name__}: {evidence(str(error))}"


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return evidence(f"{place}: {first['msg']}")
