"""Which algorithm stands in which family, and which page of docs/ tells its story."""

from __future__ import annotations

from dataclasses import dataclass

from weaklearn import registry


@dataclass(frozen=True)
class Family:
    """Algorithms that belong together: names of ``weaklearn``, each with the page of its story."""

    title: str
    about: str
    stories: dict[str, str]  # class to page


FAMILIES = [
    Family(
        family.title,
        family.about,
        {row.name: row.page for row in registry.ROWS.values() if row.family == family},
    )
    for family in registry.FAMILIES
]

# Packages whose functions and classes share a page, by the title of the page.
PACKAGES = {
    "Theory bounds": [
        "theory.bounds.concentration",
        "theory.bounds.finite",
        "theory.bounds.description",
        "theory.bounds.dichotomies",
        "theory.bounds.growth",
        "theory.bounds.samples",
        "theory.bounds.rounds",
        "theory.bounds.margins",
        "theory.bounds.confidence",
        "theory.bounds.online",
    ],
    "Theory at work": ["theory", "theory.games", "theory.vc", "theory.simulate"],
    "Other packages": [
        "losses",
        "metrics",
        "online",
        "datasets",
        "show",
        "vision",
        "text",
        "testing",
        "runtime",
        "lab",
    ],
}

# Public names that are no algorithm: what is done with models, and what comes out.
TOOLS = list(registry.TOOLS)


def page_of(name: str) -> str:
    """The page of an algorithm or of a package.

    >>> page_of("AdaBoostClassifier"), page_of("theory.bounds.margins")
    ('algorithms/AdaBoostClassifier.md', 'algorithms/theory.bounds.margins.md')
    """
    return f"algorithms/{name}.md"


def pages() -> list[str]:
    """All pages of the reference."""
    algorithms = [page_of(name) for family in FAMILIES for name in family.stories]
    packages = [page_of(package) for packages in PACKAGES.values() for package in packages]
    return ["algorithms/index.md", *algorithms, *packages, "algorithms/tools.md"]


def navigation() -> list[dict[str, object]]:
    """The reference as mkdocs' navigation has it."""
    entries: list[dict[str, object]] = [{"All of them": "algorithms/index.md"}]
    entries += [{f.title: [{n: page_of(n)} for n in f.stories]} for f in FAMILIES]
    entries += [
        {title: [{_short(package): page_of(package)} for package in packages]}
        for title, packages in PACKAGES.items()
    ]
    return [*entries, {"Models kept and compared": "algorithms/tools.md"}]


def _short(package: str) -> str:
    return package.removeprefix("theory.bounds.")
