"""Formulas between dollars, ``$x$`` and ``$$x$$``, as MathML, which browsers set by themselves."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from typing import Any

from latex2mathml.converter import convert_to_element
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

_BLOCK = r"\$\$([^$]+?)\$\$"
_INLINE = r"(?<![\\\w$])\$(?=[^\s$])([^$\n]*?[^\s\\$])\$(?![\w$])"

_COMMANDS = {r"\{": "{", r"\}": "}", r"\lceil": "⌈", r"\rceil": "⌉", r"\arg": "arg"}


class _Formula(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, display: str) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(  # type: ignore[override]  # as of every InlineProcessor
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        return self._element(m.group(1)), m.start(0), m.end(0)

    def _element(self, latex: str) -> etree.Element:
        element: etree.Element = convert_to_element(latex.strip(), display=self.display)
        for part in element.iter():
            part.text = None if part.text is None else _literal(part.text)
            if part.text == "|":  # about what it encloses, not between two things
                part.attrib |= {"lspace": "0", "rspace": "0"}
            if part.text == ":":  # "such that", which the converter takes for a letter
                part.tag, part.attrib = "mo", {"lspace": "0.278em", "rspace": "0.278em"}
        for row in element.iter("mrow"):
            _space_out(row)
        return element


def _space_out(row: etree.Element) -> None:
    """Thin spaces about functions such as ln, unless a sign or a bracket stands there."""
    inside = list(row)
    for place in range(len(inside) - 1, 0, -1):
        before, after = inside[place - 1], inside[place]
        if (_is_function(before) and not _begins_with_sign(after)) or (
            _is_function(after) and before.tag not in ("mo", "mspace")
        ):
            row.insert(place, etree.Element("mspace", width="0.167em"))


def _is_function(part: etree.Element) -> bool:
    return part.tag == "mi" and len(part.text or "") > 1


def _begins_with_sign(part: etree.Element) -> bool:
    first = part[0] if part.tag == "mrow" and len(part) else part
    return first.tag in ("mo", "mspace") and first.text != "|"


def _literal(text: str) -> AtomicString:
    return AtomicString(_named(text))


def _named(text: str) -> str:
    """The character of a numeric reference or of a command, which the converter leaves as text."""
    found = re.sub(r"&#x([0-9A-Fa-f]+);", lambda m: chr(int(m.group(1), 16)), text)
    found = _COMMANDS.get(found, found)
    if "\\" in found:
        raise ValueError(f"The formula's {found} is a command that the converter does not know.")
    return found


class Mathematics(Extension):
    """The extension of Python-Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.ESCAPED_CHARS.append("$")
        # Before backslashes and emphasis are looked at (180), after code (190).
        md.inlinePatterns.register(_Formula(_BLOCK, md, "block"), "formula-block", 186)
        md.inlinePatterns.register(_Formula(_INLINE, md, "inline"), "formula", 185)


def makeExtension(**settings: Any) -> Mathematics:
    """What Python-Markdown calls."""
    return Mathematics(**settings)
