"""What the server gives, what it refuses, and the limits it keeps."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from tests.lab.visiting import TOKEN, ask, opened, raw
from weaklearn.lab import api
from weaklearn.lab import server as serving
from weaklearn.lab.server import LabServer

_STUCK = 600  # seconds after which a test that hangs is ended


@pytest.fixture(scope="module")
def server() -> Iterator[LabServer]:
    with opened() as server:
        yield server


def test_the_page_and_its_files(server: LabServer) -> None:
    kinds = {"/": "text/html", "/lab.css": "text/css", "/lab.js": "text/javascript"}
    for path, kind in kinds.items():
        found = ask(server, "GET", path, token=None)
        assert found.status == 200
        assert found.headers["Content-Type"] == f"{kind}; charset=utf-8"
        assert ask(server, "HEAD", path).body == b""


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(server: LabServer) -> None:
    page = ask(server, "GET", "/").body.decode()
    assert "<style" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script src="lab.js"') == 1
    for path in ("/", "/lab.css", "/lab.js"):
        text = ask(server, "GET", path).body.decode()
        rest = text.replace("http://www.w3.org/2000/svg", "")  # a name, never fetched
        assert "//" not in "".join(part for part in rest.split() if "http" in part)
        assert "@import" not in text
        assert "url(" not in text
    script = ask(server, "GET", "/lab.js").body.decode()
    for door in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert door not in script


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/lab.css/../lab.js",
        "/lab.js%00.html",
        "/lab.js?x",
        "/./lab.js",
        "/page/lab.html",
        "/lab.py",
        "/server.py",
        "\\..\\lab.js",
        "lab.js",
        "/" + "a" * 5000,
    ],
)
def test_only_the_table_is_served(server: LabServer, path: str) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\nX-Weaklearn-Token: {TOKEN}\r\n"
    for method in ("GET", "POST"):
        sent = f"{method} {path} HTTP/1.1\r\n{own}Content-Length: 0\r\n\r\n"
        assert raw(server, sent.encode()).startswith(b"HTTP/1.1 404 ")


def test_odd_bytes_in_a_path(server: LabServer) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n"
    for path in (b"/\x00", b"/lab.js\x00", b"/\xff\xfe"):
        answer = raw(server, b"GET " + path + b" HTTP/1.1\r\n" + own.encode() + b"\r\n")
        assert answer.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 400 "))


def test_a_link_in_the_folder_of_the_page_is_not_served(
    server: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    monkeypatch.chdir(tmp_path)
    for path in ("/link", "/secret", f"{tmp_path}/secret"):
        assert ask(server, "GET", path).status == 404


def test_other_methods_are_refused(server: LabServer) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"):
        found = ask(server, method, "/recording")
        assert found.status in (405, 501)
        assert not any(name.startswith("Access-Control") for name in found.headers)


# ------------------------------------------------------------------------------------- the limits


def test_a_body_that_is_too_long_is_refused_before_it_is_read(server: LabServer) -> None:
    head = (
        f"POST /recording HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        f"X-Weaklearn-Token: {TOKEN}\r\nContent-Type: application/json\r\n"
    )
    for length in (10 * 2**30, serving.MOST_BYTES + 1):
        answer = raw(server, f"{head}Content-Length: {length}\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 413 ")
    for lie in ("-1", "1e3", "0x10", "", "9" * 40, "1\r\nContent-Length: 2"):
        answer = raw(server, f"{head}Content-Length: {lie}\r\n\r\n{{}}".encode())
        assert answer.startswith(b"HTTP/1.1 411 "), lie
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
    assert raw(server, chunked.encode()).startswith(b"HTTP/1.1 411 ")
    assert ask(server, "POST", "/recording", b" " * (serving.MOST_BYTES + 1)).status == 413


def test_heads_that_are_too_long_are_refused(server: LabServer) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n"
    many = "".join(f"X-{k}: 1\r\n" for k in range(300))
    assert raw(server, f"GET / HTTP/1.1\r\n{own}{many}\r\n".encode()).startswith(b"HTTP/1.1 431 ")
    long = raw(server, f"GET /{'a' * 80_000} HTTP/1.1\r\n{own}\r\n".encode())
    assert long.startswith(b"HTTP/1.1 414 ")


def test_whoever_sends_slowly_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then does not help: the time is that of the whole request."""
    monkeypatch.setattr(serving, "MOST_SECONDS", 3.0)
    with opened() as server:
        head = (
            f"POST /recording HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
            f"X-Weaklearn-Token: {TOKEN}\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000\r\n\r\n"
        )
        for sent, answer in ((head, b"HTTP/1.1 408 "), (head[:20], b"")):
            place = ("127.0.0.1", server.server_port)
            with socket.create_connection(place, timeout=_STUCK) as line:
                line.sendall(sent.encode())
                line.settimeout(0.1)
                found = b""
                while True:  # until the server ends it
                    try:
                        line.sendall(b" ")
                        piece = line.recv(4096)
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        break
                    if not piece:
                        break
                    found += piece
            assert found.startswith(answer)


def test_connections_beyond_the_limit_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(serving, "MOST_SECONDS", 60.0)
    with opened() as server:
        place = ("127.0.0.1", server.server_port)
        held = [socket.create_connection(place, timeout=_STUCK) for _ in range(3)]
        time.sleep(0.3)
        n_threads = threading.active_count()
        for _ in range(200):
            with socket.create_connection(place, timeout=_STUCK) as line:
                try:
                    told = line.recv(100)
                except ConnectionError:
                    told = b""
                assert told == b"" or told.startswith(b"HTTP/1.1 503 ")
        assert threading.active_count() <= n_threads + 3
        for line in held:
            line.close()
        end = time.monotonic() + _STUCK
        while _status(server) != 200:
            assert time.monotonic() < end
            time.sleep(0.1)


def _status(server: LabServer) -> int:
    """How the page is answered; 0 where the line is cut."""
    try:
        return ask(server, "GET", "/").status
    except ConnectionError:
        return 0


def test_one_run_at_a_time_and_few_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    playing, most, go = [], [], threading.Event()

    def record(setting: Any, given_up: Any) -> dict[str, Any]:
        playing.append(setting)
        most.append(len(playing))
        go.wait(_STUCK)
        playing.pop()
        return {}

    monkeypatch.setattr(api, "record", record)
    statuses: list[int] = []
    with opened() as server:

        def visit() -> None:
            statuses.append(ask(server, "POST", "/recording", {}).status)

        asked = [threading.Thread(target=visit) for _ in range(api.MOST_WAITING + 3)]
        for thread in asked:
            thread.start()
        end = time.monotonic() + _STUCK
        while len(statuses) < 3 and time.monotonic() < end:
            time.sleep(0.02)
        assert statuses == [503] * 3
        assert len(playing) == 1
        assert ask(server, "GET", "/").status == 200  # the page itself does not wait
        go.set()
        for thread in asked:
            thread.join(_STUCK)
    assert sorted(statuses) == [200] * api.MOST_WAITING + [503] * 3
    assert max(most) == 1


def test_a_run_ends_when_the_lab_is_closed() -> None:
    asked = {"data": "clouds", "n": 500, "rounds": 200, "noise": 0.4, "learner": "tree-3"}
    boosters = ["totalboost", "totalboost"]
    with opened() as server:
        visit = threading.Thread(
            target=ask, args=(server, "POST", "/recording", asked | {"boosters": boosters})
        )
        visit.start()
        end = time.monotonic() + _STUCK
        while server.api._worker is None and time.monotonic() < end:
            time.sleep(0.01)
        player = server.api._worker
        used = time.process_time()
    assert player is not None
    player.join(_STUCK)
    visit.join(_STUCK)
    assert not player.is_alive()
    assert time.process_time() - used < 3  # played to their ends, these games take many seconds


# ------------------------------------------------------------------- uploads, downloads, errors


def test_a_model_file_cannot_be_uploaded(server: LabServer, tmp_path: Path) -> None:
    """There is no door for one: its bytes are no JSON, and no path takes any."""
    X, y = wl.datasets.toy()
    path = tmp_path / "model.weak"
    wl.AdaBoostClassifier(n_estimators=3).fit(X, y).save(path)
    data = path.read_bytes()
    assert ask(server, "POST", "/recording", data).status == 400
    assert (
        ask(server, "POST", "/recording", data, Content_Type="application/octet-stream").status
        == 415
    )
    for place in ("/", "/model", "/upload", "/load"):
        assert ask(server, "POST", place, data).status == 404


def test_nothing_is_a_table_for_a_spreadsheet(server: LabServer) -> None:
    """The page offers no CSV: what it gives out is a page, a script, a style or JSON."""
    kinds = set()
    for path in ("/", "/lab.css", "/lab.js", "/tables"):
        kinds.add(ask(server, "GET", path).headers["Content-Type"])
    for path in ("/recording", "/page"):
        kinds.add(ask(server, "POST", path, {"rounds": 1}).headers["Content-Type"])
    assert not any("csv" in kind or "excel" in kind for kind in kinds)
    assert ".csv" not in ask(server, "GET", "/lab.js").body.decode()


def test_every_answer_forbids_frames_and_guessing(server: LabServer) -> None:
    answers = [
        ask(server, "GET", "/"),
        ask(server, "GET", "/lab.js"),
        ask(server, "GET", "/nothing"),
        ask(server, "GET", "/tables", token=None),
        ask(server, "POST", "/recording", b"{"),
        ask(server, "PUT", "/recording"),
        ask(server, "GET", "/", Host="evil.example"),
    ]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Python" not in answer.headers["Server"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1]",
        b"\xff\xfe",
        b'{"rounds": NaN}',
        b'{"rounds": Infinity}',
        b'{"rounds": ' + b"9" * 6000 + b"}",
        b"[" * 60_000,
        b'{"rounds": 1e999}',
        b'{"data": "__import__(\'os\')"}',
        b'{"boosters": ["adaboost", "adaboost", "adaboost"]}',
        b'{"form": "os.system"}',
    ],
)
def test_odd_requests_get_one_sentence(
    server: LabServer, body: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    found = ask(server, "POST", "/recording", body)
    assert found.status in (400, 422)
    assert list(found.json) == ["error"]
    assert len(found.json["error"]) < 300
    assert "Traceback" not in "".join(capfd.readouterr())


def test_an_error_shows_no_trace_and_no_path(
    server: LabServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(error: Exception) -> Any:
        def record(setting: Any, given_up: Any) -> None:
            raise error

        return record

    errors = (
        RuntimeError("/home/user/secret.py"),
        OSError(2, "no", "/home/user/secret"),
        ValueError("/home/user/secret.py: line 3"),
        KeyError("secret"),
        MemoryError("secret"),
    )
    for error in errors:
        monkeypatch.setattr(api, "record", broken(error))
        found = ask(server, "POST", "/recording", {})
        assert found.status in (422, 500)
        assert b"secret" not in found.body
        assert b"Traceback" not in found.body
        assert b".py" not in found.body
    assert capfd.readouterr().err == ""


def test_nonsense_gets_an_answer_of_the_same_form(server: LabServer) -> None:
    for sent in (b"NONSENSE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"<script> / HTTP/1.1\r\n\r\n"):
        answer = raw(server, sent)
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b"frame-ancestors 'none'" in head
        assert list(json.loads(body)) == ["error"]
        assert b"<" not in body


def test_recordings_and_tables(server: LabServer) -> None:
    tables = ask(server, "GET", "/tables").json
    assert {"toy", "moons", "circles", "xor", "clouds", "own"} <= {row[0] for row in tables["data"]}
    recording = ask(
        server, "POST", "/recording", {"rounds": 3, "boosters": ["adaboost", "lpboost"]}
    ).json
    assert [run["name"] for run in recording["runs"]] == ["AdaBoost", "LPBoost"]
    page = ask(server, "POST", "/page", {"rounds": 3}).json["page"]
    assert page.startswith("<!doctype html>")
