"""Mails, OpenCV's cascades and what the lab is asked for: sound, broken and hostile."""

from __future__ import annotations

import atexit
import base64
import functools
import json
import math
import random
import re
import socket
import warnings
from copy import deepcopy
from email.message import EmailMessage
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

import weaklearn
from tests.campaign.telling import is_ours
from tests.files.forge import mutated
from tests.lab.visiting import TOKEN, opened
from tests.vision import cascades
from weaklearn.lab import export
from weaklearn.lab.choices import BOOSTERS, LEARNERS, RANGES
from weaklearn.lab.recording import record
from weaklearn.lab.scenes import SCENES
from weaklearn.lab.setting import FIELDS, Setting
from weaklearn.text.mail import Mail, read_mail
from weaklearn.vision import CascadeDetector, opencv

HOSTILE = (
    *("</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", "\ud800", "\0", "é", "&amp;"),
    *("'\"><img src=x onerror=alert(1)>", "${x}", "a" * 5000, "", " ", "\\u003c", "-->", "\r\n"),
)
ODD_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        0.5,
        1e308,
        -1e308,
        10**400,
        2**63,
        "",
        "toy",
        "x" * 300,
        [],
        {},
    ),
    *([[]], [None], {"a": 1}, [[[[[]]]]], float("nan"), math.inf, [1, 2, 3], "\ud800", HOSTILE[0]),
)


# ------------------------------------------------------------------------------------------- mail

_LINES = (
    *(b"Content-Type: multipart/mixed; boundary=b", b"Content-Type: text/html; charset=utf-7"),
    *(b"Content-Type: text/plain; charset=idna", b"Content-Transfer-Encoding: base64", b"--b"),
    *(b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: uuencode", b"--b--", b""),
    *(b"Subject: =?utf-8?b?////?=", b"Subject: =?x?q?=ZZ?=", b"From: \xff\xfe", b" folded", b":"),
    *(b"Content-Disposition: attachment", b"Content-Type: text/plain; charset*=a'b'c", b"From x"),
    *(b"begin 644 x", b"<a href='", b"<style>", b"&#x110000;", b"Content-Type: ;;;=", b"\x00"),
)


def mail(rng: random.Random) -> bytes:
    """A message of a few parts, its lines changed, its bytes damaged, or no message at all."""
    if rng.random() < 0.05:
        return rng.randbytes(rng.randrange(500))
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", rng.choice(["At six?", "Café", "x"])
    message.set_content(rng.choice(["Win a prize", "Grüße aus Köln\n" * 3, ""]))
    if rng.random() < 0.5:
        message.add_alternative("<p>Win <b>a prize</b><script>x()</script></p>", subtype="html")
    if rng.random() < 0.3:
        message.add_attachment(b"\0\1\2", maintype="image", subtype="png")
    lines = message.as_bytes().splitlines()
    for _ in range(rng.choice([0, 1, 3, 9])):
        at = rng.randrange(len(lines) + 1)
        lines[at : at + rng.choice([0, 1])] = [rng.choice(_LINES)] * rng.choice([1, 1, 1, 40])
    data = rng.choice([b"\n", b"\r\n"]).join(lines)
    if rng.random() < 0.1:  # parts within parts
        data = (
            b"".join(
                b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (k, k)
                for k in range(rng.choice([5, 50, 300]))
            )
            + data
        )
    return mutated(rng, data) if rng.random() < 0.5 else data


@functools.cache
def _filter() -> Any:
    return weaklearn.SpamFilter(n_estimators=5).fit(*weaklearn.datasets.messages())


def read_message(rng: random.Random, data: bytes, folder: Path) -> str:
    """Reads a message as bytes, and as a text; nothing in it is an error."""
    given: Any = data if rng.random() < 0.8 else data.decode("utf-8", "surrogateescape")
    found = read_mail(given, encoding=rng.choice(["utf-8", "latin-1"]))
    assert isinstance(found, Mail)
    assert all(isinstance(text, str) for text in (found.subject, found.sender, found.body))
    if rng.random() < 0.2:
        (p,) = _filter().predict_proba([given])
        assert abs(p.sum() - 1) < 1e-9
    return "answered"


# ----------------------------------------------------------------------------------------- OpenCV

_XML = ("<_>", "</_>", "<rects>", "<stages></stages>", "<!DOCTYPE x>", "<!ENTITY a 'b'>", "&a;")
_NUMBERS = ("0", "-1", "nan", "inf", "-inf", "1e308", "1e-320", "2147483648", "x", "", "7", "0.5")


@functools.cache
def _cascades() -> tuple[str, ...]:
    here = Path(cascades.__file__).parent
    return tuple((here / name).read_text() for name in ("stumps.xml", "trees.xml"))


def cascade(rng: random.Random) -> bytes:
    """A cascade's XML with other numbers, elements doubled, moved or left out, or bytes damaged."""
    text = rng.choice(_cascades())
    if rng.random() < 0.3:
        path_rng = np.random.default_rng(rng.randrange(2**32))
        made = cascades.drawn(
            path_rng, inset=True, trees=rng.random() < 0.5, tilted=rng.random() < 0.5
        )
        with NamedTemporaryFile(suffix=".xml") as file:
            opencv.write(made, file.name)
            text = Path(file.name).read_text()
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        pattern = rng.choice([r"-?\d[\d.e-]*", r"<(\w+)>[^<]*</\1>", r"</?\w+>", r"<_>"])
        places = list(re.finditer(pattern, text))
        if not places:
            continue
        place = rng.choice(places)
        old = place.group()
        new = rng.choice([*_NUMBERS, old + old, rng.choice(_XML)])
        text = text[: place.start()] + new + text[place.end() :]
    data = text.encode()
    return mutated(rng, data) if rng.random() < 0.2 else data


def read_cascade(rng: random.Random, data: bytes, folder: Path) -> str:
    """Reads a cascade; one that is taken detects, and is written as it was read."""
    path = folder / "cascade.xml"
    path.write_bytes(data)
    try:
        found = opencv.read(path)
    except opencv.OpenCVFormatError:
        return "refused"
    image = np.random.default_rng(5).integers(0, 255, (60, 60)).astype(np.uint8)
    boxes, scores = CascadeDetector.from_opencv(path).detect(image)
    assert len(boxes) == len(scores)
    again = folder / "again.xml"
    opencv.write(found, again)
    opencv.read(again)
    return "answered"


# -------------------------------------------------------------------------------------------- lab


def _sound(rng: random.Random) -> dict[str, Any]:
    """A setting that can be run, and is over soon."""
    names = [rng.choice(list(BOOSTERS)) for _ in range(rng.choice([1, 2]))]
    return {
        "data": rng.choice(list(SCENES)),
        "n": rng.randrange(10, 30),
        "noise": rng.choice([0, 0.0, 0.1, 0.4]),
        "seed": rng.randrange(100),
        "rounds": rng.randrange(1, 5),
        "learner": rng.choice(list(LEARNERS)),
        "boosters": names,
        "settings": [
            {
                k.name: rng.uniform(k.least, k.most)
                for k in BOOSTERS[name].knobs
                if rng.random() < 0.5
            }
            for name in names
        ],
    }


def setting(rng: random.Random) -> bytes:
    """The JSON of a setting with some fields left out, put in, or given values of other kinds."""
    asked: Any = _sound(rng)
    if rng.random() < 0.2:
        asked["data"] = "own"
        asked["points"] = [
            [rng.uniform(0, 10), rng.uniform(0, 10), rng.choice([-1, 1])]
            for _ in range(rng.choice([0, 1, 2, 20, 501]))
        ]
    for _ in range(rng.choice([0, 0, 1, 2])):
        name = rng.choice([*FIELDS, "no such", *asked])
        if rng.random() < 0.2:
            asked.pop(name, None)
        elif rng.random() < 0.5 and isinstance(asked.get(name), list) and asked[name]:
            asked[name][rng.randrange(len(asked[name]))] = deepcopy(rng.choice(ODD_VALUES))
        elif rng.random() < 0.4 and name in RANGES:
            asked[name] = rng.choice([RANGES[name].least - 1, RANGES[name].most + 1, "5"])
        else:
            asked[name] = deepcopy(rng.choice(ODD_VALUES))
    if rng.random() < 0.03:
        asked = rng.choice(ODD_VALUES)
    text = json.dumps(asked).encode("utf-8", "replace")
    return mutated(rng, text) if rng.random() < 0.1 else text


def read_setting(rng: random.Random, data: bytes, folder: Path) -> str:
    """Reads a setting, and records the runs of one that is taken."""
    try:
        asked = json.loads(data)
    except (ValueError, RecursionError):
        return "refused"
    try:
        found = Setting.read(asked)
        if found.rounds > 5 or found.n > 60:  # sound, and long
            return "answered"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shown = record(found, seconds=1.0)
    except ValueError as error:  # a Refusal, or what the page answers with the sentence of
        if not is_ours(error):
            raise
        return "refused"
    json.dumps(shown, allow_nan=False)
    return "answered"


def request(rng: random.Random) -> bytes:
    """The bytes of a request to the lab: its line, headers and body, some of them wrong."""
    body = setting(rng)
    path = rng.choice(["/recording", "/recording", "/page", "/tables", "/", "/lab.js", "/../etc"])
    method = "GET" if path in ("/tables", "/") else "POST"
    headers = {
        "Host": "127.0.0.1:PORT",
        "X-Weaklearn-Token": TOKEN,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    if rng.random() < 0.4:
        name = rng.choice([*headers, "Origin", "Transfer-Encoding", "Expect", "Sec-Fetch-Site"])
        odd = ("", "-1", "9" * 30, "chunked", "null", "cross-site", "100-continue", "é", TOKEN * 9)
        headers[name] = rng.choice([*odd, str(max(0, len(body) - 1))])
    lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
    head = "\r\n".join(lines).encode("latin-1")
    if rng.random() < 0.2:
        head = mutated(rng, head)
    return head + (body if method == "POST" else b"")


class Visit:
    """A lab that is open from the first request on."""

    def __init__(self) -> None:
        self._lab = opened()
        self._server: Any = None

    def __call__(self, rng: random.Random, data: bytes, folder: Path) -> str:
        if self._server is None:
            self._server = self._lab.__enter__()
            atexit.register(self._lab.__exit__, None, None, None)  # while threads still run
        port = str(self._server.server_port).encode()
        found = self._raw(data.replace(b"PORT", port))
        if not found:  # a connection that was closed without a word: never more than that
            return "refused"
        if not found.startswith(b"HTTP/"):  # to a request of before HTTP/1.0: the page alone
            assert b"Traceback" not in found
            return "refused"
        status = int(found.split(None, 2)[1])
        assert status != 500, found
        assert b"Traceback" not in found
        return "answered" if status == 200 else "refused"

    def _raw(self, data: bytes) -> bytes:
        place = ("127.0.0.1", self._server.server_port)
        with socket.create_connection(place, timeout=600) as line:
            try:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                found = b""
                while piece := line.recv(65536):
                    found += piece
            except ConnectionError:
                pass
            return found


_CLASSES: tuple[list[Any], ...] = (
    *([0, 1], [-1, 1], ["yes", "no"], [HOSTILE[0], HOSTILE[2]], [0.5, 1.5], [True, False]),
    *([0], [0, 1, 2]),
)


def replay(rng: random.Random) -> bytes:
    """Points, labels and texts of a replay, as JSON."""
    n = rng.choice([0, 1, 2, 501]) if rng.random() < 0.2 else 12
    scale = rng.choice([*[1.0] * 6, 1e-300, 1e99, 1e101])
    X: Any = [[rng.gauss(0, 1) * scale, rng.choice([0.0, rng.gauss(0, 1)])] for _ in range(n)]
    if n and rng.random() < 0.2:
        X[rng.randrange(n)] = rng.choice(
            [[0.0], [math.nan, 0.0], [0.0, -math.inf], [1, 2, 3], None]
        )
    classes = rng.choice(_CLASSES)
    asked = {
        "X": X,
        "y": [rng.choice(classes) for _ in range(n if rng.random() < 0.95 else n + 1)],
        "title": rng.choice(HOSTILE),
        "axes": rng.choice([None, ["a", "b"], [rng.choice(HOSTILE), rng.choice(HOSTILE)]]),
        "boosters": rng.choice(list(BOOSTERS)),
        "rounds": rng.choice([1, 2, 3, 0, "x"]) if rng.random() < 0.2 else 2,
        "noise": rng.choice([0.0, 0.0, 0.1, 0.1, 2.0]),
    }
    return json.dumps(asked).encode("utf-8", "surrogatepass")


def write_replay(rng: random.Random, data: bytes, folder: Path) -> str:
    """Writes a replay: an error about an argument, or a page whose recording is read back."""
    asked = json.loads(data)
    path = folder / "run.html"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            export(path, **asked)
    except (ValueError, TypeError) as error:
        if "inhomogeneous" in str(error) or "float()" in str(error) or is_ours(error):
            return "refused"  # the first two are numpy's words for what is no table
        raise
    text = path.read_text("utf-8")
    assert text.lower().count("</script") == 2, "texts escape from the page's data"
    inside = text.partition('id="recording">')[2].partition("</script>")[0]
    shown = json.loads(inside)
    assert shown["scene"]["points"] == np.asarray(asked["X"], float).tolist()
    for run in shown["runs"]:
        base64.b64decode(run["weights"] if isinstance(run["weights"], str) else "", validate=True)
    return "answered"
