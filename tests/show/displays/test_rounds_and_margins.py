"""Pictures of a fit: what they show, that they can be written, and the line without matplotlib."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.show import ImportanceDisplay, MarginDisplay, RoundsDisplay, draw

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")


@pytest.fixture(scope="module")
def halves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
    return X[:120], y[:120], X[120:], y[120:]


@pytest.fixture(scope="module")
def model(halves):
    return wl.AdaBoostClassifier(n_estimators=150).fit(*halves[:2])


def test_rounds_are_those_of_the_record(model, halves):
    display = RoundsDisplay.from_estimator(model, X_test=halves[2], y_test=halves[3])
    assert np.array_equal(display.train_error, model.history_["train_error"])
    assert display.bound[-1] == pytest.approx(np.prod(model.history_["Z"]))
    assert (display.train_error <= display.bound + 1e-12).all()
    assert display.test_error[-1] == pytest.approx(1 - model.score(*halves[2:]))


def test_margins_are_those_of_the_first_rounds(model, halves):
    display = MarginDisplay.from_estimator(model, *halves[:2])
    assert list(display.margins) == [5, 100, 150]
    first = np.sort(model.truncate(5).margins(*halves[:2]))
    assert np.array_equal(display.margins[5], first)
    few = MarginDisplay.from_estimator(model, *halves[:2], rounds=[1, 7, 9999])
    assert list(few.margins) == [1, 7]


@pytest.mark.parametrize("given", [True, False])
def test_displays_draw_on_given_or_new_axes(model, halves, given):
    from matplotlib.figure import Figure

    ax = Figure().subplots() if given else None
    rounds = RoundsDisplay.from_estimator(model, X_test=halves[2], y_test=halves[3], ax=ax)
    assert (rounds.ax_ is ax) or not given
    names = [text.get_text() for text in rounds.ax_.get_legend().get_texts()]
    assert len(names) == 3
    assert rounds.ax_.get_xscale() == "log"
    ax = Figure().subplots() if given else None
    margins = MarginDisplay.from_estimator(model, *halves[:2], ax=ax)
    assert len(margins.ax_.get_lines()) == 3
    assert margins.figure_ is margins.ax_.figure


def test_curves_are_cumulative(model, halves):
    display = MarginDisplay.from_estimator(model, *halves[:2])
    for line in display.ax_.get_lines():
        share = line.get_ydata()
        assert share[0] == 0
        assert share[-1] == 1
        assert (np.diff(share) >= 0).all()


def test_both_are_written_side_by_side(model, halves, tmp_path):
    path = tmp_path / "fit.png"
    figure = draw(model, *halves, title="a title", path=path)
    assert len(figure.axes) == 2
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    pixels = matplotlib.image.imread(path)
    assert pixels.shape[0] > 500
    assert pixels.shape[1] > 1200
    assert pixels[..., :3].std() > 0.02  # not an empty page


def test_few_rounds_and_a_perfect_rule(tmp_path):
    X, y = np.arange(8.0)[:, None], np.arange(8) > 3
    perfect = wl.AdaBoostClassifier().fit(X, y)
    draw(perfect, X, y, X, y, path=tmp_path / "perfect.png")
    points, labels = wl.datasets.toy()
    toy = wl.AdaBoostClassifier(n_estimators=3).fit(points, labels)
    display = RoundsDisplay.from_estimator(toy)
    assert display.ax_.get_xscale() == "linear"


@pytest.mark.parametrize("multiclass", ["samme", "m1", "ovr"])
def test_many_classes_have_no_bound_but_errors_and_margins(multiclass, tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    model = wl.AdaBoostClassifier(n_estimators=30, multiclass=multiclass).fit(X, y)
    display = RoundsDisplay.from_estimator(model, X, y)
    assert display.bound is None
    assert display.train_error[-1] == pytest.approx(1 - model.score(X, y))
    draw(model, X, y, path=tmp_path / "many.png")


def test_gradient_boosting_has_errors_and_margins(halves, tmp_path):
    model = wl.GradientBoostingClassifier(n_estimators=30).fit(*halves[:2])
    display = RoundsDisplay.from_estimator(model, *halves)
    assert display.bound is None
    assert display.train_error[-1] == pytest.approx(1 - model.score(*halves[:2]))
    left, right = draw(model, *halves, path=tmp_path / "gradient.png").axes
    assert left.get_title(loc="left") == "Error over the rounds"
    assert right.get_xlabel() == "margin"


@pytest.mark.parametrize(
    "kind", [wl.GradientBoostingRegressor, wl.AdaBoostRegressor, wl.AnyBoostRegressor]
)
def test_regressors_have_what_is_left_and_their_columns(kind, halves, tmp_path):
    X, _, X_test, _ = halves
    model = kind(n_estimators=25).fit(X, X[:, 0])
    left, right = draw(model, X, X[:, 0], X_test, X_test[:, 0], path=tmp_path / "numbers.png").axes
    assert left.get_ylabel() == "1 − score"
    assert left.get_lines()[0].get_ydata()[-1] == pytest.approx(1 - model.score(X, X[:, 0]))
    assert right.get_yticklabels()[0].get_text() == "x[0]"


def test_columns_are_shown_by_importance_and_the_rest_together():
    class Model:
        feature_importances_ = np.array([0.1, 0.5, 0.0, 0.25, 0.15])
        feature_names_in_ = np.array(["a", "a $ name", "c", "d" * 40, "e"], object)

    display = ImportanceDisplay.from_estimator(Model, n=2)
    assert display.shares == {"a $ name": 0.5, "d" * 40: 0.25}
    assert display.rest == (2, pytest.approx(0.25))
    labels = [text.get_text() for text in display.plot().ax_.get_yticklabels()]
    assert labels == [r"a \$ name", "d" * 27 + "…", "2 others"]
    assert len(ImportanceDisplay.from_estimator(Model).ax_.patches) == 4


def test_models_without_rounds_are_told_what_to_use(halves):
    X, y = halves[:2]
    for model in (wl.DecisionTreeClassifier(), wl.RandomForestClassifier(n_estimators=2)):
        with pytest.raises(TypeError, match=r"to_graphviz.*ImportanceDisplay"):
            draw(model.fit(X, y), X, y)
    with pytest.raises(ValueError, match="not fitted yet"):
        draw(wl.GradientBoostingClassifier(), X, y)


def test_without_matplotlib_one_line_names_the_command(model, halves, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError) as raised:
        draw(model, *halves)
    message = str(raised.value)
    assert 'pip install ".[plot]"' in message
    assert "\n" not in message
    assert raised.value.__suppress_context__
