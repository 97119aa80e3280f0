"""Reports of models, read as a browser reads them."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from weaklearn.show import report

VOID = {"meta", "input", "br", "hr", "img", "link", "wbr"}


class Page(HTMLParser):
    """A parsed report: its elements in order, texts by section, and the data of its script."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.sections: dict[str, str] = {}
        self.texts: list[str] = []
        self.open: list[str] = []
        self.balanced = True
        self._section: str | None = None
        self._script = ""
        self._in_data = False
        self.feed(text)
        self.close()
        self.balanced = self.balanced and not self.open
        self.data: dict[str, Any] = json.loads(self._script)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "section":
            self._section = found["id"]
        self._in_data = tag == "script" and found.get("id") == "page-data"

    def handle_endtag(self, tag: str) -> None:
        self.balanced = self.balanced and bool(self.open) and self.open.pop() == tag
        if tag == "section":
            self._section = None
        self._in_data = False

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self._script += data
            return
        if self.open and self.open[-1] in ("script", "style"):
            return
        self.texts.append(data)
        if self._section is not None:
            self.sections[self._section] = self.sections.get(self._section, "") + data + "\n"

    @property
    def skeleton(self) -> list[tuple[str, tuple[str, ...]]]:
        """Elements and the names of their attributes: what only the template may decide."""
        return [(tag, tuple(found)) for tag, found in self.elements]

    @property
    def words(self) -> str:
        """All that a reader, or a machine that reads to one, is given."""
        spoken = [
            value
            for _, found in self.elements
            for name, value in found.items()
            if value and name in ("title", "aria-label", "placeholder")
        ]
        return "\n".join([*self.texts, *spoken, json.dumps(self.data, ensure_ascii=False)])


def page_of(model: Any, X: Any, y: Any, folder: Path, **how: Any) -> Page:
    """The report of a model."""
    return Page(report(model, X, y, folder / "report.html", **how).read_text("utf-8"))
