"""Formulas between dollars, ``$x$`` and ``$$x$$``, as MathML, which browsers set by themselves."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from typing import Any

from latex2mathml.converter import convert_to_element
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

_BLOCK = r"\$\$([^$]+?)\$\$"
_INLINE = r"(?<![\\\w$])\$(?=[^\s$])([^$\n]*?[^\s\\$])\$(?![\w$])"


class _Formula(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, display: str) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[etree.Element, int, int]:
        return self._element(m.group(1)), m.start(0), m.end(0)

    def _element(self, latex: str) -> etree.Element:
        element: Any = convert_to_element(latex.strip(), display=self.display)
        for part in element.iter():
            part.text = None if part.text is None else _literal(part.text)
        return element


def _literal(text: str) -> Any:
    from markdown.util import AtomicString

    return AtomicString(_named(text))


def _named(text: str) -> str:
    """The character of a numeric reference, which the converter writes in letters."""
    return re.sub(r"&#x([0-9A-Fa-f]+);", lambda m: chr(int(m.group(1), 16)), text)


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
