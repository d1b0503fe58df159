"""An MCP server that was started by a command: its pipes, its end, what it left behind.

Plain threads read and write the pipes, so that a server that stops reading, floods
its output or hangs never blocks the event loop, and can be ended from any thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..grading.finding import evidence
from ..redaction import Redactor

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

PASSED = (
    *("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"),
    # Windows; no program starts there without most of these.
    *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT"),
    *("PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP"),
    *("USERNAME", "USERPROFILE", "WINDIR"),
)
"""Variables that every program needs; all others are named by the policy."""

STOP_SECONDS = 2.0
"""For a server to end by itself once its input is closed, and again once told to."""

TAIL_LINES = 5
LINE_BYTES = 2_000


def passed_environment(
    names: Iterable[str], environment: Mapping[str, str]
) -> dict[str, str]:
    """Return the variables that a server is given: the common few, and those named."""
    named = {*PASSED, *names}
    return {
        key: value
        for key, value in environment.items()
        if key in named or key.startswith("LC_")
    }


class ServerProcess:
    """A running server.

    Args:
        command: program and arguments.
        environment: all of its variables.
        cwd: where it runs.

    Attributes:
        noise: how many lines of its standard output were no JSON-RPC message.
        first_noise: the first of them.

    Raises:
        OSError: there is no such program, or it cannot be started.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], cwd: Path
    ) -> None:
        self.noise = 0
        self.first_noise = ""
        self._process = subprocess.Popen(  # noqa: S603 - the policy's own command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=cwd,
            start_new_session=True,
        )
        self._redactor = Redactor(environment)
        self._errors: deque[bytes] = deque(maxlen=TAIL_LINES)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._start(self._feed)
        self._start(self._overhear)

    @property
    def exit_code(self) -> int | None:
        """Its exit code, ``None`` while it runs."""
        return self._process.poll()

    def ended(self, seconds: float) -> bool:
        """Whether it has ended, or does so within some seconds."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self, lines: int = TAIL_LINES) -> str:
        """Say how it stands, and what it wrote last on its standard error.

        Args:
            lines: of its standard error, at most.
        """
        clean = self._redactor.redact_text
        parts = [self._state()]
        if self.noise:
            count = "1 line" if self.noise == 1 else f"{self.noise} lines"
            first = evidence(clean(self.first_noise))
            parts.append(f"{count} of its standard output no JSON-RPC, first {first!r}")
        errors = (
            b"".join(list(self._errors)[-lines:]).decode("utf-8", "replace").strip()
        )
        if errors:
            parts.append(f"its standard error ends: {evidence(clean(errors))}")
        else:
            parts.append("nothing on its standard error")
        return "; ".join(parts)

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[Any]:
        """Give a client the two streams of messages that it talks through."""
        import anyio

        deliver, incoming = anyio.create_memory_object_stream[Any](math.inf)
        outgoing, taken = anyio.create_memory_object_stream[Any](0)
        self._start(self._read, asyncio.get_running_loop(), deliver)
        group = anyio.create_task_group()
        async with deliver, incoming, outgoing, taken, group:
            group.start_soon(self._send, taken)
            try:
                yield incoming, outgoing
            finally:
                group.cancel_scope.cancel()

    def stop(self, patience: float = STOP_SECONDS) -> None:
        """End it and all that it started: input closed, then told to, then killed.

        Args:
            patience: seconds for it to end by itself.
        """
        self._outbox.put(None)
        if not self.ended(patience):
            self._signal(signal.SIGTERM)
            self.ended(STOP_SECONDS)
        # What it started and left behind is of its process group, and holds the pipes.
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.ended(STOP_SECONDS)
        for thread in self._threads:
            thread.join(STOP_SECONDS)
        process = self._process
        for pipe in (process.stdin, process.stdout, process.stderr):
            # A pipe that a thread still waits on cannot be closed under it.
            if pipe and not any(thread.is_alive() for thread in self._threads):
                with contextlib.suppress(OSError):
                    pipe.close()

    def _state(self) -> str:
        if not self.ended(0.2):
            return "still running"
        self._threads[1].join(0.2)  # for the rest of its standard error
        code = self.exit_code or 0
        return f"exit code {code}" if code >= 0 else f"ended by signal {-code}"

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(
            target=work, args=arguments, name="agentgate-mcp-pipe", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def _feed(self) -> None:
        """Write what is queued to its input, and close that at the end."""
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError):  # it has ended, or closed its input
            while (data := self._outbox.get()) is not None:
                pipe.write(data)
                pipe.flush()
        with contextlib.suppress(OSError):
            pipe.close()

    def _overhear(self) -> None:
        """Keep the last lines of its standard error."""
        pipe = self._process.stderr
        assert pipe is not None
        while line := pipe.readline(LINE_BYTES):
            self._errors.append(line)

    def _read(
        self, loop: asyncio.AbstractEventLoop, deliver: MemoryObjectSendStream[Any]
    ) -> None:
        """Hand each message of its output to the loop; count what is none."""
        from mcp.shared.message import SessionMessage
        from mcp.types import jsonrpc_message_adapter

        def hand(message: Any) -> None:
            with contextlib.suppress(Exception):  # the session is gone, or is going
                deliver.send_nowait(message)

        pipe = self._process.stdout
        assert pipe is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed
            for line in pipe:
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    self._note(line)
                    continue
                loop.call_soon_threadsafe(hand, SessionMessage(message))
            loop.call_soon_threadsafe(deliver.close)

    def _note(self, line: bytes) -> None:
        text = line[:LINE_BYTES].decode("utf-8", "replace").strip()
        if text:
            self.noise += 1
            self.first_noise = self.first_noise or text

    async def _send(self, taken: MemoryObjectReceiveStream[Any]) -> None:
        async for item in taken:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            self._outbox.put(text.encode() + b"\n")
