"""The picture of an alternating tree: every question and number once, nothing over another."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pytest

from weaklearn import AdaBoostClassifier, ADTreeClassifier
from weaklearn.show import AlternatingTreeDisplay

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def model() -> Any:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.where((X[:, 0] > 0) ^ (X[:, 1] > 0.5), "a$b", "c")
    return ADTreeClassifier(n_estimators=7).fit(X, y)


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    matplotlib.pyplot.close("all")


def texts(display: Any) -> list[str]:
    return [text.get_text() for text in display.ax_.texts]


def test_everything_is_drawn_once(model: Any) -> None:
    display = model.plot()
    shown = texts(display)
    for line in model.to_text().splitlines()[1:-1]:
        if "] " in line:
            question = line.partition("] ")[2]
            assert sum(question in text for text in shown) >= 1
    yes = sum(text == "yes" for text in shown)
    assert yes == sum("yes: " in line for line in model.to_text().splitlines())
    assert display.figure_ is display.ax_.figure


def test_nothing_lies_over_another(model: Any) -> None:
    display = model.plot()
    display.figure_.canvas.draw()
    boxes = [patch.get_window_extent() for patch in display.ax_.patches]
    for k, box in enumerate(boxes):
        for other in boxes[k + 1 :]:
            apart = box.x1 <= other.x0 or other.x1 <= box.x0
            assert apart or box.y1 <= other.y0 + 1 or other.y1 <= box.y0 + 1
    inside = display.ax_.get_window_extent()
    assert all(inside.x0 - 2 <= box.x0 and box.x1 <= inside.x1 + 2 for box in boxes)
    questions = [text for text in display.ax_.texts if ":  " in text.get_text()]
    for extent in (text.get_window_extent() for text in questions):
        middle = (extent.y0 + extent.y1) / 2
        around = [box for box in boxes if box.x0 < extent.x0 and box.y0 < middle < box.y1]
        assert any(extent.x1 < box.x1 for box in around)  # a question fits into its box


def test_a_part_of_it_on_other_axes(model: Any) -> None:
    _, ax = matplotlib.pyplot.subplots(figsize=(4, 3))
    display = AlternatingTreeDisplay.from_estimator(model, n=2, counts=False, ax=ax)
    assert display.ax_ is ax
    assert len(ax.patches) < len(model.plot().ax_.patches)
    assert not any(text.replace(",", "").isdigit() for text in texts(display))


def test_one_of_several_trees() -> None:
    X = np.arange(60.0)[:, None]
    model = ADTreeClassifier(n_estimators=2).fit(X, np.arange(60) // 20)
    assert model.plot().label == "0"
    assert model.plot(output=2).label == "2"
    with pytest.raises(ValueError, match=r"output='7'.*'0', '1', '2'"):
        model.plot(output=7)
    alone = ADTreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert alone.plot().ax_ is not None


def test_only_alternating_trees_are_drawn() -> None:
    other = AdaBoostClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="pass a fitted ADTreeClassifier"):
        AlternatingTreeDisplay.from_estimator(other)


def title(display: Any) -> str:
    return str(display.ax_.get_title(loc="left") or display.ax_.get_title())


def test_of_several_trees_the_one_drawn_is_named() -> None:
    X = np.random.default_rng(0).normal(size=(90, 2))
    y = np.array(["low", "mid", "top"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    many = ADTreeClassifier(n_estimators=3).fit(X, y)
    shown = many.plot(output="top")
    assert title(shown) == "Alternating tree for top (tree 3 of 3; output= draws another)"
    assert texts(shown)[-1].endswith("a sum above 0 speaks for top.")
    assert "for low (tree 1 of 3" in title(many.plot())
    one = ADTreeClassifier(n_estimators=3).fit(X, y == "top").plot()
    assert title(one) == "Alternating tree for True"
