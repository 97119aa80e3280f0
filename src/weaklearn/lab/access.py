"""Access control: requests must come to this host, from the lab's own page, with the token."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from email.message import Message

from .refusal import Refusal

HEADER = "X-Weaklearn-Token"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


@dataclass(frozen=True)
class Guard:
    """The checks of host, origin and token that every request must pass."""

    token: str
    host: str  # what the server is bound to
    port: int

    def check_host(self, headers: Message) -> None:
        """Refuses other host names, which a page has after DNS rebinding."""
        given = headers.get_all("Host") or []
        if len(given) != 1 or not self._is_ours(given[0].strip()):
            raise Refusal("this host is not served here.", 421)

    def _is_ours(self, given: str) -> bool:
        name, port = _split(given)
        if port != str(self.port) and not (port == "" and self.port == 80):
            return False
        if name in (*_LOOPBACK, self.host.lower()):
            return True
        # Bound to every address of the machine, we cannot list them; a number cannot be rebound.
        return self.host in ("0.0.0.0", "::") and _is_address(name)

    def check_origin(self, headers: Message) -> None:
        """Refuses requests from other pages, be they of scripts, forms or images."""
        own = f"http://{(headers.get('Host') or '').strip()}"
        origins = headers.get_all("Origin") or []
        if any(origin.strip() != own for origin in origins):
            raise Refusal("requests from other pages are refused.", 403)
        site, mode = headers.get("Sec-Fetch-Site"), headers.get("Sec-Fetch-Mode")
        if site in ("cross-site", "same-site") and mode != "navigate":
            raise Refusal("requests from other pages are refused.", 403)

    def check_token(self, headers: Message) -> None:
        """Refuses requests without the token, compared in constant time."""
        given = headers.get_all(HEADER) or []
        known = [hmac.compare_digest(token.encode(), self.token.encode()) for token in given]
        if known != [True]:
            raise Refusal(
                "the token is missing or wrong: open the address that the terminal shows.", 401
            )


def _split(given: str) -> tuple[str, str]:
    """The name and the port of a Host."""
    if given.startswith("["):
        name, _, rest = given[1:].partition("]")
        return name.lower(), rest.removeprefix(":")
    name, _, port = given.partition(":")
    return name.lower(), port


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
