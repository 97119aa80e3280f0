"""Docstrings as Markdown, formulas as MathML, links that lead to pages of the site."""

from __future__ import annotations

import doctest
import inspect
from types import ModuleType

import pytest

from docsite import borrowed, docstring, families


@pytest.mark.parametrize("module", [borrowed, docstring, families], ids=lambda m: m.__name__)
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_names_have_no_marks_of_markdown() -> None:
    text = docstring.as_markdown("Keeps D_t and n_iter_, 2 * 3 < 7, ``a_b`` and [0, 1].")
    assert text == r"Keeps D\_t and n\_iter\_, 2 \* 3 &lt; 7, `a_b` and \[0, 1\]."


def test_sessions_formulas_and_lists() -> None:
    doc = """Bounds.

    .. math:: \\prod_t Z_t

    * one ``Name``
      goes on
    * two

    >>> 1 + 1
    2

    >>> 3
    3
    """
    text = docstring.as_markdown(inspect.cleandoc(doc), lambda name: f"{name}.md")
    assert "$$\\prod_t Z_t$$" in text
    assert "- one [`Name`](Name.md)\n  goes on\n- two" in text
    assert text.endswith("```pycon\n>>> 1 + 1\n2\n\n>>> 3\n3\n```")


def test_a_formula_over_two_lines() -> None:
    assert docstring.as_markdown("At most :math:`2\n    H` rows.") == "At most $2 H$ rows."


def test_names_in_a_list_go_on() -> None:
    doc = "Parameters\n----------\na, b,\nc\n    As usual.\nd : int"
    assert docstring.as_markdown(doc) == (
        "## Parameters\n\n`a`, `b`, `c`\n:   As usual.\n\n`d` : int\n:   &nbsp;"
    )


@pytest.mark.parametrize(
    ("link", "page", "target"),
    [
        ("../README.md", "index.md", "start.md"),
        ("../../ARCHITECTURE.md", "canon/lp.md", "../project/architecture.md"),
        ("../../notebooks/04_margins.py", "tutorial/index.md", "04_margins.md"),
        ("losses.md#r2", "index.md", "losses.md#r2"),
        ("https://example.org/a", "index.md", "https://example.org/a"),
    ],
)
def test_links(link: str, page: str, target: str) -> None:
    assert borrowed.relinked(f"[x]({link})", page, page) == f"[x]({target})"


def test_the_benchmarks_come_from_the_readme() -> None:
    page = (borrowed.ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    whole = borrowed.with_benchmarks(page)
    assert "| work | weaklearn |" in whole
    assert "<!--" not in whole
    assert borrowed.with_benchmarks("no place") == "no place"


def test_formulas() -> None:
    pytest.importorskip("latex2mathml")
    markdown = pytest.importorskip("markdown")
    html = markdown.markdown(
        r"Let $\gamma_t = \frac{1}{2} - \varepsilon_t$, `$5$` or $5 and 6 $." + "\n\n$$x^2 < y$$",
        extensions=["docsite.mathematics"],
    )
    assert html.count("<math") == 2
    assert "<mi>γ</mi>" in html
    assert "<code>$5$</code> or $5 and 6 $." in html
    assert 'display="block"' in html
    assert "&lt;" in html


def test_formulas_are_set_as_in_print() -> None:
    pytest.importorskip("latex2mathml")
    markdown = pytest.importorskip("markdown")

    def drawn(latex: str) -> str:
        html: str = markdown.markdown(f"${latex}$", extensions=["docsite.mathematics"])
        return html

    assert "⌈" in drawn(r"\Bigl\lceil x \Bigr\rceil")
    assert "<mi>ln</mi><mspace" in drawn(r"\ln n")
    assert drawn(r"2 \ln |H|").count("<mspace") == 2
    assert "<mspace" not in drawn(r"\gamma n + \ln(n) + \exp\left(x\right)")
    assert '<mo lspace="0"' in drawn("|H|").replace(' stretchy="false"', "")
    with pytest.raises(ValueError, match="does not know"):
        drawn(r"\Bigl\nonsense x")


def test_a_page_for_an_algorithm() -> None:
    from docsite.reference import reference

    pages = reference()
    assert set(pages) == set(families.pages())
    page = pages["algorithms/AdaBoostClassifier.md"]
    for part in ("## Parameters", "`n_estimators` : int", "## Methods", "### certify", "```pycon"):
        assert part in page
    assert "0x" not in "".join(pages.values())
