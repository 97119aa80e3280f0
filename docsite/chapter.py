"""Chapters: scripts in the percent format, run cell by cell, as Markdown and as notebooks.

A cell begins with ``# %%`` (Python) or ``# %% [markdown]`` (text behind ``# ``), as in Jupytext,
VS Code and Spyder. What a cell prints, the value of its last line and the figures it leaves are
kept beside it. A cell with ``tags=["check"]`` in its head is run and not shown: it holds what the
tests check. One with ``tags=["answer"]`` answers an exercise, and is folded.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import html
import io
import json
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TAGS = {"check", "answer"}
FOLDER = Path(__file__).parents[1] / "notebooks"


@dataclass(frozen=True)
class Cell:
    """A piece of a chapter: text, or Python."""

    text: str
    is_code: bool
    tag: str = ""  # "check" or "answer"


@dataclass
class Shown:
    """What came out of a cell."""

    printed: str = ""
    html: str = ""
    pictures: list[bytes] = field(default_factory=list)


def names() -> list[str]:
    """The chapters in their order."""
    return sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))


def title(cells: list[Cell]) -> str:
    """The heading of the first cell."""
    return cells[0].text.splitlines()[0].removeprefix("# ")


def read(path: Path) -> list[Cell]:
    """The cells of a script; what stands before the first of them is left out."""
    cells = []
    for part in re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if "[markdown]" in head:
            cells.append(Cell(re.sub(r"^# ?", "", body.strip(), flags=re.MULTILINE), False))
        else:
            tags = re.findall(r'"(\w+)"', head)
            if set(tags) - TAGS:
                raise ValueError(f"{path.name}: a cell has the tags {tags}; there are {TAGS}.")
            cells.append(Cell(body.strip(), True, "".join(tags)))
    return cells


def run(path: Path) -> list[tuple[Cell, Shown]]:
    """Every cell with what came out of it; an error or a warning ends it, and names the cell."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    done = []
    for n, cell in enumerate(read(path), start=1):
        shown = Shown()
        if cell.is_code:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", category=DeprecationWarning)
                shown = _played(cell.text, names, f"{path.name}, cell {n}")
        done.append((cell, shown))
    return done


def made(name: str) -> dict[str, str | bytes]:
    """The page of a chapter, its pictures and its notebook, by their places on the site."""
    done = run(FOLDER / f"{name}.py")
    text, pictures = markdown(name, done)
    files: dict[str, str | bytes] = {f"tutorial/{file}": data for file, data in pictures.items()}
    return files | {f"tutorial/{name}.md": text, f"tutorial/{name}.ipynb": notebook(done)}


def _played(source: str, names: dict[str, Any], place: str) -> Shown:
    tree = ast.parse(source, place)
    last = tree.body[-1] if tree.body else None
    out = io.StringIO()
    value = None
    with contextlib.redirect_stdout(out):
        if isinstance(last, ast.Expr):
            tree.body.pop()
            exec(compile(tree, place, "exec"), names)
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
        else:
            exec(compile(tree, place, "exec"), names)
    shown = Shown(printed=out.getvalue(), pictures=_pictures())
    if shown.pictures or value is None:
        return shown
    if hasattr(value, "to_html"):  # a DataFrame
        shown.html = value.to_html(border=0)
    else:
        shown.printed += f"{value}\n" if isinstance(value, str) else f"{value!r}\n"
    return shown


def _pictures() -> list[bytes]:
    """The figures that are open, as PNG; they are closed."""
    import matplotlib.pyplot as plt

    pictures = []
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=110, bbox_inches="tight")
        pictures.append(file.getvalue())
    plt.close("all")
    return pictures


# ------------------------------------------------------------------------------------- as Markdown


def markdown(name: str, done: list[tuple[Cell, Shown]]) -> tuple[str, dict[str, bytes]]:
    """The page of a chapter, and its pictures by file name."""
    pictures: dict[str, bytes] = {}
    parts = []
    for cell, shown in done:
        if cell.tag == "check":
            continue
        if cell.tag == "answer":
            parts.append('<details class="answer" markdown="1"><summary>Answer</summary>')
        parts.append(f"```python\n{cell.text}\n```" if cell.is_code else cell.text)
        if shown.printed.strip():
            parts.append(f"```text {{ .output }}\n{shown.printed.rstrip()}\n```")
        if shown.html:
            parts.append(f'<div class="output" markdown="0">{shown.html}</div>')
        for picture in shown.pictures:
            file = f"{name}-{len(pictures) + 1}.png"
            pictures[file] = picture
            parts.append(f"![Drawn by the lines above]({file})")
        if cell.tag == "answer":
            parts.append("</details>")
    link = f"[{name}.ipynb]({name}.ipynb)"
    parts.insert(
        1,
        f"*This page is the notebook {link}, as it ran when the site was built: download it and "
        "open it in Jupyter, where the checks of its numbers are folded.*",
    )
    return "\n\n".join(parts) + "\n", pictures


# ------------------------------------------------------------------------------------ as a notebook


def notebook(done: list[tuple[Cell, Shown]]) -> str:
    """The chapter as Jupyter reads it, with what came out of its cells."""
    cells = [_cell(n, cell, shown) for n, (cell, shown) in enumerate(done, start=1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "cells": cells,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _cell(n: int, cell: Cell, shown: Shown) -> dict[str, Any]:
    content: dict[str, Any] = {"id": f"cell-{n}", "metadata": {}, "source": cell.text}
    if not cell.is_code:
        return content | {"cell_type": "markdown"}
    if cell.tag:
        content["metadata"] = {"tags": [cell.tag], "jupyter": {"source_hidden": True}}
    outputs: list[dict[str, Any]] = []
    if shown.printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": shown.printed})
    if shown.html:
        plain = html.unescape(re.sub(r"<[^>]+>", " ", shown.html))
        data: dict[str, str] = {"text/html": shown.html, "text/plain": plain}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    for picture in shown.pictures:
        data = {"image/png": base64.b64encode(picture).decode()}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    return content | {"cell_type": "code", "execution_count": n, "outputs": outputs}
