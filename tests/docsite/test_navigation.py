"""The navigation names pages that exist or are made, and every page is in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import weaklearn
from docsite import borrowed, chapter, families

yaml = pytest.importorskip("yaml")
pytest.importorskip("mkdocs")

ROOT = Path(__file__).parents[2]
MADE = {
    *families.pages(),
    *(f"tutorial/{name}.md" for name in chapter.names()),
    *borrowed.pages(),
}


def places(entry: Any) -> list[str]:
    """All files that a part of a navigation names."""
    if isinstance(entry, str):
        return [entry]
    parts = entry.values() if isinstance(entry, dict) else entry
    return [place for part in parts for place in places(part)]


@pytest.fixture(scope="module")
def named() -> list[str]:
    from docsite.hooks import filled

    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    return places(filled(settings["nav"]))


def written() -> set[str]:
    docs = ROOT / "docs"
    return {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}


def test_it_names_only_pages_that_there_are(named: list[str]) -> None:
    assert set(named) - written() - MADE == set()


def test_every_page_is_in_it_once(named: list[str]) -> None:
    assert (written() | MADE) - set(named) == set()
    assert len(named) == len(set(named))


def test_every_public_name_has_its_place() -> None:
    told = {name for family in families.FAMILIES for name in family.stories}
    assert told | set(families.TOOLS) == set(weaklearn.__all__) - {"__version__"}


def test_the_stories_of_algorithms_exist() -> None:
    stories = {page for family in families.FAMILIES for page in family.stories.values()}
    assert stories <= written()


def test_nothing_comes_from_the_network() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] is False
    assert "offline" in settings["plugins"]
    shims = settings["extra"]["polyfills"]
    assert all((ROOT / "docs" / shim).exists() for shim in shims)
    assert all((ROOT / "docs" / os.path.dirname(shim) / "LICENSE").exists() for shim in shims)
