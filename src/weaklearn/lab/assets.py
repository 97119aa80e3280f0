"""The files of the page: a fixed table, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files


@dataclass(frozen=True)
class Asset:
    """A file that comes with the package."""

    name: str
    kind: str

    @cached_property
    def text(self) -> str:
        return (files(__package__) / "page" / self.name).read_text("utf-8")


# What can be asked for, and nothing else: no path of a request ever meets a file system.
ASSETS = {
    "/": Asset("lab.html", "text/html; charset=utf-8"),
    "/lab.css": Asset("lab.css", "text/css; charset=utf-8"),
    "/lab.js": Asset("lab.js", "text/javascript; charset=utf-8"),
}
