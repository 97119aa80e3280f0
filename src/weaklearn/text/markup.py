"""The words of a page of HTML, found in one pass however broken it is."""

from __future__ import annotations

import html
import re

# What stands inside a line: a word may go on behind it.
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
        *("font", "i", "ins", "kbd", "label", "mark", "o", "q", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
_HIDDEN = ("script", "style", "title", "template")  # not on the page, to their closing tags
_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_NAME = re.compile(r"/?([A-Za-z][A-Za-z0-9:-]*)")


def words_of(page: str) -> str:
    """The text that a reader of the page sees; tags inside a word leave it whole.

    >>> words_of("<p>Fr<b>ee</b> &amp; easy</p><script>track()</script><p>now")
    ' Free & easy   now'
    """
    shown: list[str] = []
    lowered = page.lower()
    if len(lowered) != len(page):  # a letter that is longer in lower case; places must agree
        page = lowered
    at = 0
    while True:
        opened = page.find("<", at)
        if opened < 0:
            shown.append(page[at:])
            break
        shown.append(page[at:opened])
        at, between = _behind(page, lowered, opened)
        shown.append(between)
        if at < 0:
            break
    return html.unescape("".join(shown))


def _behind(page: str, lowered: str, opened: int) -> tuple[int, str]:
    """Where a tag, comment or hidden part ends (-1: nowhere), and what it is read as."""
    if page.startswith("<!--", opened):
        comment = _COMMENT.match(page, opened)
        return (-1 if comment is None else comment.end()), ""
    name = _NAME.match(page, opened + 1)
    if name is None:
        if page.startswith(("<!", "<?", "</"), opened):
            return _after(page, ">", opened), ""
        return opened + 1, "<"  # no tag: less than
    end = _after(page, ">", opened)
    tag = name[1].lower()
    if end >= 0 and tag in _HIDDEN and page[opened + 1] != "/":
        closing = lowered.find(f"</{tag}", end)
        return (-1 if closing < 0 else _after(page, ">", closing)), " "
    return end, "" if tag in _INLINE else " "


def _after(page: str, mark: str, at: int) -> int:
    found = page.find(mark, at)
    return -1 if found < 0 else found + len(mark)
