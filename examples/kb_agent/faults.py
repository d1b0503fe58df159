"""A service that misbehaves on request, over real HTTP."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Fault:
    """One way for a service to misbehave: an answer, a dropped call, or silence."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    drop: bool = False
    hang: bool = False


class MisbehavingServer(ThreadingHTTPServer):
    """A server on a free loopback port that answers everything with one fault."""

    daemon_threads = True
    fault = Fault()

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.over = threading.Event()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: MisbehavingServer

    def do_GET(self) -> None:
        fault = self.server.fault
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if fault.hang:
            self.server.over.wait()
        if fault.drop or fault.hang:
            self.close_connection = True
            return
        body = fault.body.encode()
        self.send_response(fault.status)
        for name, value in fault.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_DELETE = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Keep the terminal clean."""


@contextmanager
def misbehaving_server() -> Iterator[MisbehavingServer]:
    """Run the server in a thread until the block ends."""
    server = MisbehavingServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
