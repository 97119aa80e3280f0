"""E-mail as it comes: in parts, in any encoding, broken, nested, and far too long."""

from __future__ import annotations

import time
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.text.mail import read_mail
from weaklearn.text.markup import words_of

QUOTED = b"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
MIXED = b"Content-Type: multipart/mixed; boundary=x\n\n"
CHOICE = b"Content-Type: multipart/alternative; boundary=x\n\n"


def letter() -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Grüße 😀"
    message["From"] = "Änne <anne@example.org>"
    message.set_content("plain ä")
    message.add_alternative("<p>html</p>", subtype="html")
    message.add_attachment(b"secret", maintype="application", subtype="octet-stream")
    message.add_attachment("a note", filename="note.txt")
    return message


@pytest.mark.parametrize(
    "given",
    [
        letter(),
        bytes(letter()),
        letter().as_string(),
        bytearray(bytes(letter())),
        message_from_bytes(bytes(letter())),
        message_from_bytes(bytes(letter()), policy=policy.default),
        b"From anne Mon Jan 1 00:00:00 2024\n" + bytes(letter()),
        bytes(letter()).replace(b"\n", b"\r\n"),
    ],
    ids=range(8),
)
def test_one_letter_in_all_its_forms(given: object) -> None:
    mail = read_mail(given)
    assert (mail.subject, mail.sender) == ("Grüße 😀", "Änne <anne@example.org>")
    assert mail.body.strip() == "plain ä"
    assert not mail.cut
    assert mail.text.splitlines()[0] == mail.sender


def test_texts_without_headers_are_the_body() -> None:
    for text in ("Hello there", "Note: buy milk\n\nand bread", "", "\n\nFrom: x", "http://a: b"):
        assert read_mail(text).body == text
        assert read_mail(text.encode()).body == text
    assert read_mail("Subject: hi\n\nbody").subject == "hi"
    with pytest.raises(TypeError, match=r"message is 7, of type int; pass a text, bytes or an"):
        read_mail(7)


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (b"Content-Type: text/html\n\n<b>Fr</b>ee<br>now", "Free now"),
        (b"Content-Type: text/plain; charset=latin-1\n\ncaf\xe9", "café"),
        (b"Content-Type: text/plain; charset=nonsense\n\ncaf\xc3\xa9", "café"),
        (b'Content-Type: text/plain; charset="idna"\n\nabc', "abc"),
        (b"Content-Type: text/plain; charset=hex\n\nabc", "abc"),
        (b"Content-Type: text/plain; charset*=bad''%ff; charset*0=a\n\nabc", "abc"),
        (b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYWJj!!\xff=", "abc"),
        (QUOTED + b"a=zz=62", "a=zzb"),
        (b"Content-Type: image/png\n\nabc", ""),
        (b"Content-Type: multipart/mixed\n\nno boundary", ""),
        (MIXED + b"--x\n\nfirst\n--x\n\nsecond\n--x--\n", "first\nsecond"),
        (CHOICE + b"--x\nContent-Type: text/html\n\n<i>only</i>\n--x--\n", "only"),
        (b"Content-Disposition: attachment\n\nhidden", ""),
        (b"X: \xff\xfe\n\nbody", "body"),
    ],
)  # fmt: skip
def test_parts_and_encodings(raw: bytes, body: str) -> None:
    assert read_mail(b"From: a@b.c\n" + raw).body.strip() in (body, "no boundary")


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        (b"=?utf-8?q?Caf=C3=A9?= =?latin-1?b?6Q==?=", "Caféé"),
        (b"=?utf-8?b?!!!?=", None),
        (b"=?utf-8?b?A?= b", "=?utf-8?b?A?= b"),
        (b"=?nonsense?q?abc?=", "abc"),
        (b"folded\n  over lines", "folded over lines"),
        (b"caf\xc3\xa9", "café"),
    ],
)
def test_headers(header: bytes, subject: str | None) -> None:
    found = read_mail(b"Subject: " + header + b"\n\nx").subject
    assert subject is None or found == subject


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_upset_it(raw: bytes, headed: bool) -> None:
    lead = b"From: a\nContent-Type: multipart/mixed; boundary=b\n" if headed else b""
    mail = read_mail(lead + raw)
    assert isinstance(mail.text, str)
    assert isinstance(read_mail((lead + raw).decode("utf-8", "surrogateescape")).text, str)


def nested(n: int) -> bytes:
    layers = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n)
    )
    return b"From: a\n" + layers + b"\nhello"  # fmt: skip


HEAVY = {
    "nested": nested(5000),
    "nested, then lines": nested(300) + b"x\n" * 400_000,
    "forwarded": b"From: a\n" + b"Content-Type: message/rfc822\n\n" * 20_000,
    "many parts": b"From: a\nContent-Type: multipart/mixed; boundary=b\n\n"
    + b"--b\n\nhi\n" * 20_000,
    "many headers": b"Subject: a\n" * 50_000 + b"\nx",
    "long header": b"Subject: " + b"=?utf-8?q?a?=" * 50_000 + b"\n\nx",
    "huge": b"Subject: x\n\n" + b"word " * 20_000_000,
    "huge html": b"From: a\nContent-Type: text/html\n\n" + b"<p>word" * 10_000_000,
}


@pytest.mark.parametrize("name", HEAVY)
def test_work_is_bounded(name: str) -> None:
    started = time.process_time()
    mail = read_mail(HEAVY[name])
    assert time.process_time() - started < 8
    assert len(mail.text) <= 1_100_000
    assert mail.cut == (name not in ("many headers", "long header"))


def test_a_message_already_parsed_is_bounded_too() -> None:
    mail = read_mail(message_from_bytes(b"Subject: a\n\n" + b"word " * 1000), max_bytes=100)
    assert (len(mail.body), mail.cut) == (100, True)


def test_what_cannot_be_parted_keeps_its_headers() -> None:
    mail = read_mail(b"Subject: win\n" + nested(5000))
    assert (mail.subject, mail.sender, mail.cut) == ("win", "a", True)
    assert mail.body.endswith("hello")


def test_depth_and_parts_are_limits() -> None:
    assert read_mail(nested(3), max_depth=2).cut
    assert read_mail(nested(3), max_depth=5).body.strip() == "hello"
    two = b"From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--"
    assert read_mail(two, max_parts=2).body.split() == ["one"]
    assert read_mail(two).body.split() == ["one", "two"]
    assert read_mail(b"x" * 20, max_bytes=10).body == "x" * 10


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("Fr<b>e</b>e &lt;3 &euro;5 &nonsense;", ["Free", "<3", "€5", "&nonsense;"]),
        ("a<script>var b = '</p>'</script>c<STYLE>x</Style >d", ["a", "c", "d"]),
        ("a<!-- b --> c <!-- never closed", ["a", "c"]),
        ("a<!-->b<!--->c<!-- d --!>e", ["abce"]),
        ("<html><head><title>a</title><body>b", ["b"]),  # </head> may be left out
        ("<head><title>a</title></head><header>b</header><noscript>c</noscript>", ["b", "c"]),
        ("1 < 2 and 3 <", ["1", "<", "2", "and", "3", "<"]),
        ("<!DOCTYPE html><?xml?>x", ["x"]),
        ("<a href='x", []),
        ("<script>never closed", []),
        ("İ<b>x</b>", ["i̇x"]),
    ],
)
def test_html(page: str, words: list[str]) -> None:
    assert words_of(page).split() == words


@pytest.mark.parametrize("piece", ["<!--", "<a ", "<script>", "&#", "<", "&", "&amp", "<![CDATA["])
def test_html_takes_time_in_proportion(piece: str) -> None:
    started = time.process_time()
    words_of(piece * (300_000 // len(piece)))
    assert time.process_time() - started < 5
