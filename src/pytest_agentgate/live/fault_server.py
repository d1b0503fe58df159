"""A real server on loopback that answers every request with one fault."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

from .faults import FAULTS, REDIRECTED, Sample, fresh_canary, login_page

HOST = "127.0.0.1"
_DRIP_SECONDS = 0.05


class Seen(NamedTuple):
    """A request that reached the server.

    Attributes:
        method: the HTTP method.
        path: the path with its query.
    """

    method: str
    path: str


class FaultServer:
    """Serves one fault on a free port for as long as its block runs.

    Args:
        fault: the name of a fault.
        body: what the service answers when all is well, as JSON's values; the
            faults that answer with a body make theirs of it.
        schema: JSON Schema that names the values of enumerated fields.

    Attributes:
        fault: the fault.
        url: the server's address, ``http://127.0.0.1:PORT``.
        canary: the text that its answers carry.
        requests: the requests that reached it.
    """

    def __init__(
        self,
        fault: str,
        *,
        body: Any = None,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        self.fault = FAULTS[fault]
        self.canary = fresh_canary()
        self.requests: list[Seen] = []
        self.url = ""
        self._sample = (body, schema)
        self._running: _Server | _Held | None = None

    def __enter__(self) -> Self:
        running = self._running = _Server(self) if self.fault.listens else _Held()
        self.url = f"http://{HOST}:{running.port}"
        if isinstance(running, _Server):
            body, schema = self._sample
            sample = Sample(body, self.canary, self.url, schema)
            running.start(self.fault.reply(sample) if self.fault.reply else b"")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._running is not None
        self._running.close()

    @property
    def transport(self) -> dict[str, Any]:
        """What rules may know of a call that met the fault."""
        return self.fault.transport(self.canary)

    @property
    def followed(self) -> bool:
        """Whether somebody went where ``redirect`` points to."""
        return any(seen.path.startswith(REDIRECTED) for seen in self.requests)


class _Held:
    """A port that is taken and on which nothing listens."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind((HOST, 0))
        self.port = self._socket.getsockname()[1]

    def close(self) -> None:
        self._socket.close()


class _Server(ThreadingHTTPServer):
    # Its threads are waited for at the end, so that none outlives the block.
    daemon_threads = False
    block_on_close = True

    def __init__(self, owner: FaultServer) -> None:
        super().__init__((HOST, 0), _Handler)
        self.owner = owner
        self.port = self.server_port
        self.over = threading.Event()
        self.reply = b""
        self._open: list[socket.socket] = []
        self._loop = threading.Thread(
            target=self.serve_forever, args=(0.01,), name="agentgate-fault"
        )

    def start(self, reply: bytes) -> None:
        self.reply = reply
        self._loop.start()

    def close(self) -> None:
        self.over.set()
        self.shutdown()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
        self._loop.join()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that hangs up is what faults are for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def parse_request(self) -> bool:
        # Every method is answered alike, which http.server has no name for.
        if not super().parse_request():
            return False
        self._drain()
        self.server.owner.requests.append(Seen(self.command, self.path))
        self._misbehave()
        return False

    def _misbehave(self) -> None:
        self.close_connection = True
        owner, over = self.server.owner, self.server.over
        if self.path.startswith(REDIRECTED):
            self.wfile.write(login_page(owner.canary))
            return
        self.wfile.write(self.server.reply)
        if owner.fault.then == "hold":
            over.wait()
        while owner.fault.then == "drip" and not over.wait(_DRIP_SECONDS):
            self.wfile.write(b" ")

    def _drain(self) -> None:
        """Read the request's body: closing on unread bytes would reset instead."""
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            length = self.headers.get("Content-Length", "")
            self.rfile.read(int(length) if length.isdecimal() else 0)
            return
        while size := int(self.rfile.readline().partition(b";")[0] or b"0", 16):
            self.rfile.read(size + 2)
        self.rfile.readline()

    def log_message(self, *_: object) -> None:
        """Keep the terminal clean."""
