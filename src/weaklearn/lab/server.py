"""The server of the page: a few fixed paths, within fixed limits."""

from __future__ import annotations

import io
import json
import os
import socket
import socketserver
import sys
import threading
import traceback
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

from ..page.html_json import as_json
from .access import Guard
from .api import Api
from .refusal import Refusal
from .replay import ASSETS

MOST_BYTES = 64 * 1024  # of a request's body
MOST_SECONDS = 10.0  # for a request to arrive, all of it
MOST_CONNECTIONS = 32

_JSON = "application/json; charset=utf-8"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}


class LabServer(ThreadingHTTPServer):
    """Listens on one address; a connection is one request."""

    daemon_threads = True
    request_queue_size = 64
    allow_reuse_address = os.name != "nt"  # there it would let others take the port

    def __init__(self, host: str, port: int, token: str) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.api = Api()
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((host, port), _Request)
        self.guard = Guard(token, host, self.server_port)

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # and no look-up of names, which may take long
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def server_close(self) -> None:
        super().server_close()
        self.api.close()

    @property
    def address(self) -> str:
        """The page's address with the token behind #, which no browser sends anywhere."""
        host = self.guard.host
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.server_port}/#token={self.guard.token}"

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._places.acquire(blocking=False):
            try:
                super().process_request(request, client_address)
            except BaseException:  # no thread could be had for it
                self._places.release()
                raise
            return
        try:
            request.settimeout(0.1)
            request.sendall(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n")
        except OSError:
            pass
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints an error only where tracebacks are asked for: clients often disconnect."""
        _note(sys.exception())


class _Timed(io.RawIOBase):
    """The bytes of a socket until a deadline, after which reading raises TimeoutError."""

    def __init__(self, connection: socket.socket, end: float) -> None:
        self._connection, self._end = connection, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(MOST_SECONDS)


class _Request(BaseHTTPRequestHandler):
    """One request and its answer."""

    server: LabServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "weaklearn", ""
    timeout = MOST_SECONDS
    _is_read = False

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Timed(self.connection, monotonic() + MOST_SECONDS))

    def do_GET(self) -> None:
        self._guarded(self._get)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _guarded(self, answer: Callable[[], None]) -> None:
        """Checks host and origin and answers; an error is answered with one sentence."""
        self.close_connection = True
        guard = self.server.guard
        try:
            guard.check_host(self.headers)
            guard.check_origin(self.headers)
            answer()
        except Refusal as refusal:
            self._refuse(refusal.status, str(refusal))
        except TimeoutError:
            self._refuse(408, "the request took too long to arrive.")
        except ConnectionError:
            pass
        except (ValueError, TypeError) as error:  # the library refused its arguments
            _note(error)
            self._refuse(422, str(error) if _is_ours(error) else "this setting cannot be run.")
        except Exception as error:
            _note(error)
            self._refuse(500, "something went wrong in the lab.")

    def _get(self) -> None:
        if self.path in ASSETS:
            asset = ASSETS[self.path]
            self._answer(200, asset.kind, asset.text.encode("utf-8"))
        elif self.path == "/tables":
            self.server.guard.check_token(self.headers)
            self._answer(200, _JSON, as_json(self.server.api.tables()).encode("utf-8"))
        else:
            raise Refusal("there is nothing here.", 404)

    def _post(self) -> None:
        api = self.server.api
        asked = {"/recording": api.recording, "/page": api.page}.get(self.path)
        if asked is None:
            raise Refusal("there is nothing here.", 404)
        self.server.guard.check_token(self.headers)
        self._answer(200, _JSON, as_json(asked(self._body())).encode("utf-8"))

    def _body(self) -> Any:
        """The body of the request, which must be short JSON."""
        if self.headers.get_content_type() != "application/json":
            raise Refusal("the request must be of the type application/json.", 415)
        length = self.headers.get_all("Content-Length") or []
        if self.headers.get("Transfer-Encoding") or len(length) != 1 or not _is_count(length[0]):
            raise Refusal("the request must state its length.", 411)
        if int(length[0]) > MOST_BYTES:
            raise Refusal(f"the request is too long; {MOST_BYTES} bytes are allowed.", 413)
        data = self.rfile.read(int(length[0]))
        self._is_read = True
        try:
            return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise Refusal("the request is no JSON.", 400) from None

    def _refuse(self, status: int, sentence: str) -> None:
        try:
            self._answer(status, _JSON, as_json({"error": sentence}).encode("utf-8"))
            if self.command != "GET" and not self._is_read:
                self._drain()
        except OSError:  # nobody listens any more
            pass

    def _drain(self) -> None:
        """Takes a little of what was not read: closing on it would cut the answer off as well."""
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(0.2)
        left = 4 * MOST_BYTES
        while left > 0 and (piece := self.connection.recv(MOST_BYTES)):
            left -= len(piece)

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers what the standard library refuses, without repeating the request."""
        self.close_connection = True
        self.request_version = self.protocol_version
        if not hasattr(self, "command"):
            self.command = ""
        self._refuse(code, f"{HTTPStatus(code).phrase.lower()}.")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged, so nothing can leak from logs."""


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _is_ours(error: BaseException) -> bool:
    """Whether an error was raised by this library, so that its message may be shown."""
    trace, last = error.__traceback__, None
    while trace is not None:
        last, trace = trace, trace.tb_next
    name = "" if last is None else str(last.tb_frame.f_globals.get("__name__", ""))
    return name.startswith("weaklearn.")


def _note(error: BaseException | None) -> None:
    """Prints an error in the terminal, never in the page, if WEAKLEARN_TRACEBACK is set."""
    if os.environ.get("WEAKLEARN_TRACEBACK") and error is not None:
        traceback.print_exception(error)
