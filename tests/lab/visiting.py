"""A lab on a free port of this machine, and what one may send to it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

from weaklearn.lab.server import LabServer

TOKEN = "t0ken-of-the-tests-" + "x" * 20


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@contextmanager
def opened(host: str = "127.0.0.1") -> Iterator[LabServer]:
    """A lab that is served while the block lasts."""
    server = LabServer(host, 0, TOKEN)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def ask(
    server: LabServer,
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str | None = TOKEN,
    **headers: str,
) -> Answer:
    """One request as the page sends it, unless told otherwise; a header's _ stands for -."""
    sent = {"Host": f"127.0.0.1:{server.server_port}"}
    if token is not None:
        sent["X-Weaklearn-Token"] = token
    if body is not None:
        sent["Content-Type"] = "application/json"
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent["Content-Length"] = str(len(body))
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=600)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()


def raw(server: LabServer, sent: bytes, seconds: float = 600.0) -> bytes:
    """Bytes sent as they are, and all that comes back."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=seconds) as line:
        line.sendall(sent)
        found = b""
        try:
            while piece := line.recv(65536):
                found += piece
        except ConnectionError:
            pass
        return found
