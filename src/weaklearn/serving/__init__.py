"""How does a model answer over HTTP? An application on WSGI, and the server that runs it."""

from __future__ import annotations

from .server import serve
from .service import Service

__all__ = ["Service", "serve"]
