"""What mkdocs calls while it builds the site."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from docsite import borrowed, chapter, families


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fills in what the navigation leaves open."""
    config.nav = filled(config.nav or [])
    return config


def filled(nav: list[Any]) -> list[Any]:
    """The navigation with the algorithms, the chapters and the examples in their places."""
    made = {
        "algorithms/": families.navigation(),
        "tutorial/": [
            "tutorial/index.md",
            *({_title(name): f"tutorial/{name}.md"} for name in chapter.names()),
        ],
        "examples/": ["examples/index.md", *(f"examples/{p.stem}.md" for p in borrowed.examples())],
    }
    return [
        {title: made.get(place, place) if isinstance(place, str) else place}
        for entry in nav
        for title, place in entry.items()
    ]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made."""
    from docsite.reference import reference

    for page, text in (borrowed.pages() | reference()).items():
        files.append(File.generated(config, page, content=text))
    # In processes of their own: a chapter may set what others should not see.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for made in pool.map(chapter.made, chapter.names()):
            for page, content in made.items():
                files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turns links to files outside docs/ to their pages, and puts the benchmarks in."""
    if page.file.generated_by is not None:
        return markdown
    whole = borrowed.with_benchmarks(markdown)
    return borrowed.relinked(whole, page.file.src_uri, page.file.src_uri)


def _title(name: str) -> str:
    return chapter.title(chapter.read(chapter.FOLDER / f"{name}.py"))
