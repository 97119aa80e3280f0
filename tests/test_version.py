"""The version stands in one place, and the changelog begins with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import weaklearn

ROOT = Path(__file__).parents[1]


def test_the_version_of_the_package_is_that_of_the_module() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert told["project"]["dynamic"] == ["version"]
    assert "version" not in told["project"]
    (found,) = told["tool"]["dynamic-metadata"]
    assert found["field"] == "version"
    lines = re.findall(r'^__version__ = "(.+)"$', (ROOT / found["input"]).read_text(), re.MULTILINE)
    assert lines == [weaklearn.__version__]


def test_the_changelog_tells_of_this_version_first() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[:2] == ["Unreleased", weaklearn.__version__]
