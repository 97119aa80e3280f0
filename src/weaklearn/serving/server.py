"""The server: waitress, with limits on size, connections, and the time that a request may take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .service import Service

CONNECTIONS = 200


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
    dropped, however much of it keeps coming, so that slow clients hold no connection.
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
        """A connection whose time runs from the beginning of a request, not from its last byte."""

        last_activity: float

        def handle_read(self) -> None:
            began, partial = self.last_activity, self.request is not None
            super().handle_read()
            if partial and self.request is not None:
                self.last_activity = began

    server = waitress.create_server(
        service,
        host=host,
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
