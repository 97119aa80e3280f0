"""Downloads: limited in size, cached in a folder, and put in place atomically."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECONDS = 30.0
_PIECE = 2**16


def cache_folder(given: str | os.PathLike[str] | None = None) -> Path:
    """The folder of downloads: as given, else WEAKLEARN_DATA, else the user's cache."""
    if given is not None:
        return Path(given)
    if os.environ.get("WEAKLEARN_DATA"):
        return Path(os.environ["WEAKLEARN_DATA"])
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "weaklearn"


def download(address: str, place: Path, most_bytes: int) -> None:
    """Downloads an address to a path, which appears only when it is complete."""
    _check_address(address)
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_name(f".{place.name}-{secrets.token_hex(6)}.tmp")
    request = Request(address, headers={"User-Agent": "weaklearn"})
    try:
        with (
            build_opener(_Redirects()).open(request, timeout=_SECONDS) as answer,
            open(temporary, "xb") as file,
        ):
            left = most_bytes
            while piece := answer.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise OSError(f"{address} gives more than {most_bytes:,} bytes.")
                file.write(piece)
        os.replace(temporary, place)
    except URLError as error:
        raise OSError(
            f"{address} could not be fetched ({error.reason}); download it by other means, and "
            "pass its place as path=."
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise OSError(f"{address} is not fetched: only https is.")


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to https addresses only."""

    def redirect_request(self, *arguments: object) -> Request | None:
        found: Request | None = super().redirect_request(*arguments)  # type: ignore[arg-type]
        if found is not None:
            _check_address(found.full_url)
        return found
