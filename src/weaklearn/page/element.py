"""Elements of HTML and SVG; their texts are escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

# A text, a number, an element, nothing, or several of these in a row.
Node: TypeAlias = Union[str, int, float, "Element", Iterable["Node"], None]

_VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "wbr"})
_WORD = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_LINES = {"script", "style"}
_SPACES = "\n\xa0"  # a percentage is not to be parted from its sign


@dataclass(frozen=True)
class Element:
    """One element; its texts are escaped when it is written, so that none of them is markup."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()

    def __str__(self) -> str:
        return "".join(_written(self))


@dataclass(frozen=True)
class Verbatim:
    """A script or a style, written without escaping."""

    text: str


def tag(name: str, /, *children: Node, **attributes: str | int | float | bool | None) -> Element:
    """An element by its name. ``class_`` is class, ``aria_label`` is aria-label; True stands alone.

    >>> print(tag("p", "1 < 2", tag("b", "!"), class_="note"))
    <p class="note">1 &lt; 2<b>!</b></p>
    >>> print(tag("option", 'a "b"', value='a "b"', selected=True, hidden=None))
    <option value="a &quot;b&quot;" selected>a &quot;b&quot;</option>
    """
    given = []
    for key, value in attributes.items():
        word = key.rstrip("_").replace("_", "-")
        if not _WORD.fullmatch(word) or word.lower().startswith("on") or word == "style":
            raise ValueError(f"{word!r} is no attribute of a page")
        if value is not None and value is not False:
            given.append((word, "" if value is True else plain(str(value))))
    if not _WORD.fullmatch(name) or name in _LINES:
        raise ValueError(f"{name!r} is no element of a page")
    return Element(name, tuple(given), children)


def plain(text: str) -> str:
    """A text with control and direction marks written as escapes.

    >>> plain("a\\u202eb\\x00 \\ud800")
    'a\\\\u202eb\\\\x00 \\\\ud800'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _SPACES else repr(c)[1:-1] for c in text)


def _written(node: Node | Verbatim) -> Iterator[str]:
    if node is None:
        return
    if isinstance(node, Verbatim):
        yield node.text
    elif isinstance(node, Element):
        words = "".join(
            f' {word}="{html.escape(value)}"' if value else f" {word}"
            for word, value in node.attributes
        )
        yield f"<{node.name}{words}>"
        if node.name not in _VOID:
            for child in node.children:
                yield from _written(child)
            yield f"</{node.name}>"
    elif isinstance(node, str):
        yield html.escape(plain(node))
    elif isinstance(node, (int, float)):
        yield str(node)
    else:
        for child in node:
            yield from _written(child)


def embedded(name: str, text: str, **attributes: str) -> Element:
    """A script or style element whose text is not escaped."""
    if f"</{name}" in text.lower() or "<!--" in text:
        raise ValueError(f"the {name} would end before its end")
    return Element(name, tuple(attributes.items()), (Verbatim(text),))  # type: ignore[arg-type]
