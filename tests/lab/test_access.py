"""Who may ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.visiting import TOKEN, ask, opened, raw
from weaklearn.lab.server import LabServer

ASKED = {"rounds": 2}
DOORS = [("GET", "/tables"), ("POST", "/recording"), ("POST", "/page")]


@pytest.fixture(scope="module")
def server() -> Iterator[LabServer]:
    with opened() as server:
        yield server


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_this_machine_by_its_own_names(server: LabServer, name: str) -> None:
    host = f"{name}:{server.server_port}"
    assert ask(server, "GET", "/", Host=host).status == 200
    assert (
        ask(server, "POST", "/recording", ASKED, Host=host, Origin=f"http://{host}").status == 200
    )


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}.evil.example",
        "127.0.0.1.evil.example:{port}",
        "localhost.:{port}",
        "user@127.0.0.1:{port}",
        "192.168.0.1:{port}",
        "[::1]x:{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/tables"])
def test_rebound_names_are_refused(server: LabServer, host: str, path: str) -> None:
    found = ask(server, "GET", path, Host=host.format(port=server.server_port))
    assert found.status == 421
    assert b"ten points" not in found.body


def test_no_host_or_two_are_refused(server: LabServer) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n"
    for hosts in ("", own + own, own + "Host: evil.example\r\n"):
        answer = raw(server, f"GET / HTTP/1.1\r\n{hosts}\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 421 "), hosts
    absolute = f"GET http://evil.example/ HTTP/1.1\r\n{own}\r\n"
    assert raw(server, absolute.encode()).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://localhost:{port}", ""],
)
def test_other_origins_are_refused_even_with_the_token(server: LabServer, origin: str) -> None:
    origin = origin.format(port=server.server_port)
    assert ask(server, "POST", "/recording", ASKED, Origin=origin).status == 403
    assert ask(server, "GET", "/tables", Origin=origin).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pictures_and_scripts_of_other_pages_are_refused(server: LabServer, site: str) -> None:
    for path in ("/", "/lab.js", "/tables"):
        found = ask(server, "GET", path, Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors")
        assert found.status == 403
    walked = ask(server, "GET", "/", Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate", token=None)
    assert walked.status == 200  # a link to the page: it shows the page, and can do nothing


def test_forms_are_refused(server: LabServer) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
        assert ask(server, "POST", "/recording", ASKED, token=None, Content_Type=kind).status == 401
        assert ask(server, "POST", "/recording", ASKED, Content_Type=kind).status == 415


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "ü" * 40])
@pytest.mark.parametrize(("method", "path"), DOORS)
def test_without_the_token_nothing_is_done(
    server: LabServer, token: str | None, method: str, path: str
) -> None:
    found = ask(server, method, path, ASKED if method == "POST" else None, token=token)
    assert found.status == 401
    assert list(found.json) == ["error"]


def test_a_token_in_the_address_or_twice_does_not_count(server: LabServer) -> None:
    assert ask(server, "GET", f"/tables?token={TOKEN}", token=None).status == 404
    twice = (
        f"GET /tables HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        f"X-Weaklearn-Token: {TOKEN}\r\nX-Weaklearn-Token: {TOKEN}\r\n\r\n"
    )
    assert raw(server, twice.encode()).startswith(b"HTTP/1.1 401 ")


def test_the_token_is_compared_in_constant_time(
    server: LabServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import weaklearn.lab.access as guard

    compared = []

    class Hmac:
        @staticmethod
        def compare_digest(a: bytes, b: bytes) -> bool:
            compared.append((a, b))
            return False

    monkeypatch.setattr(guard, "hmac", Hmac)
    assert ask(server, "GET", "/tables").status == 401  # the right token: nothing else compares
    assert compared == [(TOKEN.encode(), TOKEN.encode())]


def test_the_token_is_in_no_log_and_no_answer(
    server: LabServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for path in ("/", "/tables", f"/{TOKEN}"):
        found = ask(server, "GET", path)
        assert TOKEN.encode() not in found.body
        assert found.headers["Referrer-Policy"] == "no-referrer"
    ask(server, "POST", "/recording", b"{")
    raw(server, f"NONSENSE {TOKEN}\r\n\r\n".encode())
    assert TOKEN not in "".join(capfd.readouterr())
    assert server.address.endswith(f"/#token={TOKEN}")  # which browsers send nowhere


def test_bound_to_all_addresses_a_name_is_still_refused() -> None:
    with opened("0.0.0.0") as server:
        port = server.server_port
        assert ask(server, "GET", "/", Host=f"192.168.0.1:{port}").status == 200
        assert ask(server, "GET", "/tables", Host=f"192.168.0.1:{port}", token=None).status == 401
        assert ask(server, "GET", "/", Host=f"evil.example:{port}").status == 421
        assert server.address.startswith(f"http://127.0.0.1:{port}/#")
