"""Chapters of the tutorial: each runs, and what came out is kept beside its cell."""

from __future__ import annotations

import json
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
    (heading, _), (first, said), (_, drawn) = chapter.run(small)
    assert heading.text == "# A heading\n\nText."
    assert not heading.is_code
    assert first.is_code
    assert said.printed == "said\n2\n"
    assert len(drawn.pictures) == 1
    assert drawn.pictures[0].startswith(b"\x89PNG")
    assert drawn.printed == ""


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
    assert [cell["cell_type"] for cell in book["cells"]] == ["markdown", "code", "code"]
    assert book["cells"][1]["outputs"][0]["text"] == "said\n2\n"
    assert "image/png" in book["cells"][2]["outputs"][0]["data"]
