"""The server: waitress, with limits on size, connections, and the time that a request may take."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .service import Service

CONNECTIONS = 200
ANSWER_TIMES = 6  # of the time for a request: in which its answer must have been taken


def serve(
    service: Service,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    threads: int = 4,
    timeout: int = 10,
    announce: Callable[[str], None] = print,
) -> None:
    """Answers requests until it is interrupted; needs ``weaklearn[serve]``.

    ``announce`` gets the address. A request that has not come whole after ``timeout`` seconds is
    dropped, however much of it keeps coming, and so is an answer that has not been taken after six
    times that, so that slow clients hold no connection.
    """
    server = server_of(service, host=host, port=port, threads=threads, timeout=timeout)
    shown = f"[{host}]" if ":" in host else host
    announce(f"http://{shown}:{server.effective_port}/")
    try:
        server.run()
    finally:
        server.close()


def server_of(service: Service, *, host: str, port: int, threads: int, timeout: int) -> Any:
    """The server, bound to its address, whose ``run`` answers requests."""
    try:
        import waitress.channel
    except ImportError:
        raise ImportError(
            "serving needs the package waitress: pip install 'weaklearn[serve]'"
        ) from None

    class Channel(waitress.channel.HTTPChannel):  # type: ignore[misc]
        """A connection whose time runs from the beginning of a request, or of its answer."""

        last_activity: float
        total_outbufs_len: int  # bytes of the answer that wait for the client
        will_close: bool  # when the client has taken what the system holds for it
        _waits_since: float | None = None

        def readable(self) -> bool:  # asked in every turn of the loop
            if not (self.total_outbufs_len or self.will_close):
                self._waits_since = None
            elif self._waits_since is None:
                self._waits_since = time.monotonic()
            elif time.monotonic() - self._waits_since > ANSWER_TIMES * timeout:
                with suppress(OSError):  # the next write fails, and closes the connection
                    self.socket.shutdown(socket.SHUT_RDWR)
            return bool(super().readable())

        def handle_read(self) -> None:
            began, partial = self.last_activity, self.request is not None
            super().handle_read()
            if partial and self.request is not None:
                self.last_activity = began

    server = waitress.create_server(
        service,
        host=_one_address(host),
        port=port,
        threads=threads,
        channel_timeout=timeout,
        cleanup_interval=1,
        connection_limit=CONNECTIONS,
        max_request_body_size=service.max_body,
        max_request_header_size=16 * 1024,
        ident=None,
        clear_untrusted_proxy_headers=True,
    )
    server.channel_class = Channel
    return server


def _one_address(host: str) -> str:
    """One of the addresses of a name: waitress would listen on a port of its own on each."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return host  # refused with the name in it
    return str(min(found, key=lambda each: each[0] != socket.AF_INET)[4][0])
