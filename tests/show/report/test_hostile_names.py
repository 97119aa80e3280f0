"""Names that would be markup, script or formulas, through every place a report has for them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn
from tests.show.report.report_pages import Page, page_of
from weaklearn.base.messages.table import printable
from weaklearn.page.element import plain

HOSTILE = [
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "</title><svg onload=window.hit=1>",
    "<img src=x onerror=window.hit=1>",
    '" onmouseover=window.hit=1 x="',
    "' onfocus=window.hit=1 autofocus '",
    "javascript:window.hit=1",
    "<!-- <script>",
    "--><b>",
    "]]></style><style>body{display:none}",
    "&lt;b&gt; &amp;amp; &#60;i&#62;",
    "{{constructor.constructor('window.hit=1')()}}",
    "${window.hit=1} `window.hit=1`",
    "line\u2028separator\u2029end",
    "nul\x00 bell\x07 \u202egnirts",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd",
    "\\u003cscript\\u003e",
    "<svg><a xlink:href=javascript:window.hit=1>",
    "</td></tr></table><iframe srcdoc='<script>parent.hit=1</script>'>",
]


def many_names(n: int) -> list[str]:
    """Different hostile names, each a piece of two others."""
    pairs = (f"{a[: 3 + k % 23]}{b} {k}" for k, (a, b) in enumerate(product(HOSTILE, repeat=2)))
    found = list(pairs)
    return [found[k % len(found)] + f"#{k}" for k in range(n)]


def tables(names: list[str], levels: list[str], n: int = 90) -> pd.DataFrame:
    """Numbers under all names but the last two, which hold categories; some cells missing."""
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {name: rng.normal(size=n) for name in names[:-2]}
    for name in names[-2:]:
        columns[name] = [levels[k] for k in rng.integers(0, len(levels), n)]
    X = pd.DataFrame(columns)
    X.iloc[rng.random(n) < 0.1, 0] = np.nan
    return X


def targets(X: pd.DataFrame, labels: list[str]) -> Any:
    score = X.iloc[:, 1].to_numpy() + (X.iloc[:, -1] == X.iloc[0, -1]).to_numpy()
    cuts = np.quantile(score, np.linspace(0, 1, len(labels) + 1)[1:-1])
    return np.array([labels[k] for k in np.digitize(score, cuts)], object)


def pages(
    model: Any, folder: Path, names: list[str], levels: list[str], labels: list[str], title: str
) -> Page:
    X = tables(names, levels)
    y = targets(X, labels)
    return page_of(model.fit(X, y), X, y, folder, title=title, examples=True)


MODELS = {
    "stumps": lambda: weaklearn.AdaBoostClassifier(n_estimators=25),
    "gradient": lambda: weaklearn.GradientBoostingClassifier(n_estimators=4, min_samples_leaf=5),
    "glass": lambda: weaklearn.AdditiveBoostingClassifier(
        n_estimators=4, n_bags=2, pairs=[(1, 2), (1, 19), (18, 19)]
    ),
    "tree": lambda: weaklearn.DecisionTreeClassifier(),
}


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("kind", list(MODELS))
def test_names_change_no_element_and_no_attribute(kind: str, K: int, tmp_path: Path) -> None:
    levels, labels = sorted(HOSTILE[:6]), sorted(HOSTILE[6 : 6 + K])
    page = pages(MODELS[kind](), tmp_path, HOSTILE, levels, labels, HOSTILE[0])
    tame = [f"c{k:02d}" for k in range(len(HOSTILE))]  # in the same order, so the same model
    calm = pages(MODELS[kind](), tmp_path, tame, tame[: len(levels)], tame[:K], "t")
    assert page.balanced
    assert page.skeleton == calm.skeleton
    for _, found in page.elements:
        assert not any(name.startswith("on") for name in found)
        assert (found.get("href") or "#").startswith("#")
    text = page.words
    assert plain(printable(HOSTILE[0])) in page.texts  # the title
    for label in labels:
        assert printable(label) in text
    for name in HOSTILE:
        assert printable(name) in page.sections["data"]


def test_data_hold_the_exact_words(tmp_path: Path) -> None:
    labels = sorted(HOSTILE[:2])
    page = pages(MODELS["stumps"](), tmp_path, HOSTILE, HOSTILE[:6], labels, "t")
    assert all(printable(labels[1]) in words for words in page.data["cuts"]["words"])
    script = page.source.split('id="page-data">')[1].split("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(script)


def test_controls_and_directions_are_spelt_out(tmp_path: Path) -> None:
    page = pages(
        MODELS["stumps"](), tmp_path, HOSTILE, HOSTILE[:6], ["a", "b"], "\u202etitle\x00\ud800"
    )
    assert not [c for c in page.source if not (c.isprintable() or c in "\n\xa0")]
    page.source.encode("utf-8")  # no half of a pair


def test_parameters_are_told_as_texts(tmp_path: Path) -> None:
    X = tables(["a", "b", "c", "d"], ["u", "v"])
    y = targets(X, ["no", "yes"])

    class Odd(weaklearn.AdaBoostClassifier):  # type: ignore[misc]
        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return super().get_params(deep) | {"odd": HOSTILE[3], "each": np.arange(9.5)}

    page = page_of(Odd(n_estimators=2).fit(X, y), X, y, tmp_path)
    assert HOSTILE[3] in page.sections["provenance"]
    assert "an array of shape (10,)" in page.sections["provenance"]
