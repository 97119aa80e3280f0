"""Pages of files outside docs/: papers of the project, and examples; links that lead there."""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPERS = {
    "README.md": "start.md",  # it has no page: what it tells is told there
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
}
_TABLE = re.compile(
    r"<!-- benchmark table: begin.*?-->\n(.*?)<!-- benchmark table: end -->", re.DOTALL
)
_PLACE = re.compile(r"^<!-- benchmark table -->.*$", re.MULTILINE)
_MEASURED = re.compile(r"^<!-- measured: \w+ -->\n", re.MULTILINE)  # what a script fills
_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def examples() -> list[Path]:
    """The scripts in examples/."""
    return sorted((ROOT / "examples").glob("*.py"))


def pages() -> dict[str, str]:
    """Markdown by page."""
    made = {
        page: relinked((ROOT / paper).read_text(encoding="utf-8"), paper, page, "")
        for paper, page in PAPERS.items()
        if page.startswith("project/")
    }
    lines = []
    for path in examples():
        source = path.read_text(encoding="utf-8")
        about = (ast.get_docstring(ast.parse(source)) or path.stem).partition("\n\n")[0]
        made[f"examples/{path.stem}.md"] = f"# {path.name}\n\n```python\n{source}```\n"
        lines.append(f"- [{path.stem}]({path.stem}.md): {' '.join(about.split())}")
    made["examples/index.md"] = "# Examples\n\nOne idea a script, each run by the tests.\n\n"
    made["examples/index.md"] += "\n".join(lines) + "\n"
    return made


def with_benchmarks(text: str) -> str:
    """A page with the measured table, which is kept in README.md alone, in the place for it."""
    if _PLACE.search(text) is None:
        return text
    found = _TABLE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("README.md has no benchmark table between its two marks.")
    return _PLACE.sub(lambda _: found.group(1).strip(), _MEASURED.sub("", text))


def relinked(text: str, source: str, page: str, base: str = "docs") -> str:
    """A page whose links to files outside docs/ lead to their pages of the site.

    ``source`` is the file's path below ``base``, itself below the root; ``page`` is where its page
    stands. Folders lead to the examples, other files (sources, tables) lose their link.

    >>> relinked("[a](../examples/noise.py)", "canon.md", "canon.md")
    '[a](examples/noise.md)'
    """

    def moved(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if "://" in target or target.startswith("mailto:"):
            return match.group()
        path = posixpath.normpath(posixpath.join(base, posixpath.dirname(source), target))
        place = _place(path)
        return before + posixpath.relpath(place, posixpath.dirname(page) or ".") + after

    return _LINK.sub(moved, text)


def _place(path: str) -> str:
    """Where a file of the repository stands on the site."""
    if path in PAPERS:
        return PAPERS[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "examples":
        return "examples/index.md"
    if path.startswith("examples/") and path.endswith(".py"):
        return path.removesuffix(".py") + ".md"
    if path.startswith("notebooks/") and path.endswith(".py"):
        return "tutorial/" + path.removeprefix("notebooks/").removesuffix(".py") + ".md"
    return path
