"""Chapters of the tutorial: each runs, and what came out is kept beside its cell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docsite import chapter

pytest.importorskip("matplotlib")
NEEDED = {"11_faces": "skimage"}

SMALL = """\
# %% [markdown]
# # A heading
#
# Text.

# %%
import matplotlib.pyplot as plt

print("said")
1 + 1

# %%
plt.plot([1, 2])

# %% tags=["check"]
assert 1 + 1 == 2

# %% tags=["answer"]
print("forty-two")
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.py"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", chapter.names())
def test_chapter_runs(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip(NEEDED.get(name, "pandas"))
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))  # no table of the archive is at hand
    for variable in ("WEAKLEARN_HEART", "WEAKLEARN_LETTERS"):
        monkeypatch.delenv(variable, raising=False)
    done = chapter.run(chapter.FOLDER / f"{name}.py")
    assert chapter.title([cell for cell, _ in done]).startswith(f"{int(name[:2])}. ")
    assert any(shown.printed for _, shown in done)


def test_there_are_chapters() -> None:
    assert len(chapter.names()) == 12


def test_cells_are_read_and_played(small: Path) -> None:
    (heading, _), (first, said), (_, drawn), *_ = chapter.run(small)
    assert heading.text == "# A heading\n\nText."
    assert not heading.is_code
    assert first.is_code
    assert said.printed == "said\n2\n"
    assert len(drawn.pictures) == 1
    assert drawn.pictures[0].startswith(b"\x89PNG")
    assert drawn.printed == ""


@pytest.mark.parametrize("name", chapter.names())
def test_every_chapter_explains_its_letters_and_ends_with_exercises_and_books(name: str) -> None:
    cells = chapter.read(chapter.FOLDER / f"{name}.py")
    assert "**Letters.**" in cells[0].text
    assert "## Where it is from" in cells[-1].text
    assert re.search(r"\((19|20)\d\d\), \*", cells[-1].text)  # an author, a year, a title
    asked = [cell for cell in cells if re.search(r"^\*\*\d\.\*\* ", cell.text, re.MULTILINE)]
    tags = [cell.tag for cell in cells if cell.tag]
    assert len(asked) == tags.count("answer") >= 2
    last = [cell.tag for cell in cells[cells.index(asked[0]) : -1]]
    assert last == ["", "answer", "check"] * len(asked)
    shown = [cell.text for cell in cells if cell.is_code and not cell.tag]
    assert not any(re.search(r"^\s*assert ", text, re.MULTILINE) for text in shown)


def test_checks_are_hidden_and_answers_folded(small: Path) -> None:
    done = chapter.run(small)
    page, _ = chapter.markdown("small", done)
    assert "assert 1 + 1" not in page
    assert page.index("<details") < page.index("forty-two") < page.index("</details>")
    cells = json.loads(chapter.notebook(done))["cells"]
    hidden = [cell["metadata"].get("jupyter") for cell in cells]
    assert hidden == [None, None, None, {"source_hidden": True}, {"source_hidden": True}]


def test_an_unknown_tag_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text('# %% tags=["anwser"]\n1\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"odd\.py: a cell has the tags"):
        chapter.read(path)


def test_a_warning_ends_a_chapter(tmp_path: Path) -> None:
    path = tmp_path / "doubtful.py"
    path.write_text("# %%\nimport warnings\n\nwarnings.warn('doubt')\n", encoding="utf-8")
    with pytest.raises(UserWarning, match="doubt"):
        chapter.run(path)


def test_an_error_names_its_cell(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("# %% [markdown]\n# # Text\n\n# %%\n1 / 0\n", encoding="utf-8")
    with pytest.raises(ZeroDivisionError) as caught:
        chapter.run(path)
    assert caught.traceback[-1].frame.code.raw.co_filename == "wrong.py, cell 2"


def test_a_page_and_a_notebook(small: Path) -> None:
    done = chapter.run(small)
    page, pictures = chapter.markdown("small", done)
    assert "```python\nimport matplotlib" in page
    assert "said\n2\n```" in page
    assert "(small-1.png)" in page
    assert list(pictures) == ["small-1.png"]
    book = json.loads(chapter.notebook(done))
    assert [cell["cell_type"] for cell in book["cells"]] == ["markdown", *["code"] * 4]
    assert book["cells"][1]["outputs"][0]["text"] == "said\n2\n"
    assert "image/png" in book["cells"][2]["outputs"][0]["data"]
