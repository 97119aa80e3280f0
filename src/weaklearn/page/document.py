"""A page in one file: style, data and script inline, with a content security policy."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from .element import Element, Node, embedded, tag
from .html_json import digest, payload


def packaged(package: str, name: str) -> str:
    """The text of a file that comes with a package of this library."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def document(title: str, *body: Node, script: str, data: Any) -> str:
    """The page as text, to be kept as UTF-8.

    The policy lets this one script and this one style be used, by their hashes, and nothing be
    fetched, framed, sent or loaded from anywhere.
    """
    style = packaged(__package__, "style.css")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{digest(script)}'",
            f"style-src '{digest(style)}'",
            "img-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    page = tag(
        "html",
        tag(
            "head",
            Element("meta", (("charset", "utf-8"),)),
            Element("meta", (("http-equiv", "Content-Security-Policy"), ("content", policy))),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", title),
            embedded("style", style),
        ),
        tag(
            "body",
            *body,
            embedded("script", payload(data), type="application/json", id="page-data"),
            embedded("script", script),
        ),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n"
