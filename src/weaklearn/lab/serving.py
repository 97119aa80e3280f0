"""``serve``: runs the lab's server until it is interrupted."""

from __future__ import annotations

import errno
import html
import os
import secrets
import stat
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ..base.messages.value_text import show
from ..base.messages.warnings import WeaklearnWarning
from .access import is_loopback
from .server import LabServer

_LEADING = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>weaklearn lab</title>
<p><a href="{address}">weaklearn lab</a></p>
"""
_FOLDER = "weaklearn-lab"  # in the user's home, while a lab is open


class OpenLabWarning(WeaklearnWarning):
    """The lab can be reached from other machines."""


def serve(
    port: int = 0,
    open_browser: bool = True,
    *,
    host: str = "127.0.0.1",
    announce: Callable[[str], object] = print,
) -> None:
    """Serves the page until an interrupt (Ctrl-C), and opens it in a browser.

    ``port`` 0 takes a free one; ``announce`` is called with the address. Only this machine can
    reach the page, and only with the token in its address; the browser is given the name of a
    file that leads there, because every user of a machine can read its command line. The file is
    in the user's home, for browsers that see no other place, and gone when the lab is closed.
    Another ``host`` opens it to other machines, in plain HTTP, with a warning.
    """
    with ExitStack() as closing:
        server = bound(host, port)
        closing.callback(server.server_close)
        if not is_loopback(host):
            warnings.warn(
                f"the lab listens on {host}, where other machines can reach it without encryption; "
                "whoever knows the address with its token can use it.",
                OpenLabWarning,
                stacklevel=2,
            )
        announce(server.address)
        if open_browser:
            with suppress(OSError):  # a full disk: the address is announced all the same
                page = closing.enter_context(_leading_to(server.address))
                threading.Thread(target=_open, args=(page,), daemon=True).start()
        server.serve_forever(poll_interval=0.2)


def bound(host: str, port: int) -> LabServer:
    """A server bound to its port; an error names the port or host and the remedy."""
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise ValueError(
            f"port={show(port)} is not allowed: it must be a whole number between 0 and 65535."
        )
    if not host:  # a socket would take it for every address there is
        raise ValueError(
            f"host={host!r} is not allowed: leave it out for this machine alone, or name 0.0.0.0 "
            "for all of its addresses."
        )
    try:
        return LabServer(host, port, secrets.token_urlsafe(32))
    except OSError as error:
        raise OSError(error.errno, _remedy(error, host, port)) from None


def _remedy(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; name another one, or 0 for one that is free"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by this user; name one above 1023, or 0 for a free one"
    return (
        f"host={host!r} is no address of this machine; leave it out for this machine alone, or "
        "name 0.0.0.0 for all of its addresses"
    )


@contextmanager
def _leading_to(address: str) -> Iterator[str]:
    """The address of a file that only this user can read, whose page leads on to ``address``."""
    handle, name = _private_file()
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(_LEADING.format(address=html.escape(address)))
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)
        if Path(name).parent.name == _FOLDER:
            with suppress(OSError):  # not empty: another lab is open
                Path(name).parent.rmdir()


def _private_file() -> tuple[int, str]:
    """An open file of mode 0600, in the user's home if it can be there, else with temporary files.

    A browser in a sandbox (snap, flatpak) has temporary files of its own, and no hidden folders
    right in the home.
    """
    with suppress(OSError, RuntimeError):  # a home that is read-only, full or unknown
        folder = Path.home() / _FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_ours_alone(folder):
            return tempfile.mkstemp(".html", "lab-", folder)
    return tempfile.mkstemp(".html", "weaklearn-lab-")


def _is_ours_alone(folder: Path) -> bool:
    """Whether a folder is no link, belongs to this user, and no one else may look into it."""
    found = folder.lstat()
    if os.name == "nt":
        return stat.S_ISDIR(found.st_mode)
    private = stat.S_IMODE(found.st_mode) & 0o777 == 0o700  # a group may be inherited
    return stat.S_ISDIR(found.st_mode) and private and found.st_uid == os.getuid()


def _open(page: str) -> None:
    import webbrowser

    webbrowser.open(page)
