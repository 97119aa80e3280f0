"""Pictures of games and models: each is drawn, from what the model says, on axes old and new."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests import forms
from tests.mixed_table import mixed_table
from weaklearn import show
from weaklearn.base.messages.table import Table

mpl.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def _no_figure_stays() -> Any:
    yield
    plt.close("all")


@pytest.fixture
def toy() -> Any:
    X, y = wl.datasets.toy()
    return wl.AdaBoostClassifier(n_estimators=5).fit(X, y), X, y


def drawn(display: Any) -> Any:
    """The figure, rendered."""
    display.figure_.canvas.draw()
    return display.figure_


def test_every_display_is_drawn_on_new_axes_and_on_given_ones(toy):
    model, X, y = toy
    made = [
        (show.RoundsDisplay, ()),
        (show.MarginDisplay, (X, y)),
        (show.WeightsDisplay, (X, y)),
        (show.EdgeDisplay, ()),
        (show.DecisionRegionDisplay, (X, y)),
        (show.ImportanceDisplay, ()),
    ]
    for display, given in made:
        found = display.from_estimator(model, *given)
        assert drawn(found) is found.ax_.figure
        _, ax = plt.subplots()
        again = found.plot(ax=ax)
        assert again.ax_ is ax
        assert again.figure_ is ax.figure
        assert ax.get_title(loc="left") or ax.get_title()


def test_weights_are_those_of_the_run(toy):
    model, X, y = toy
    display = show.WeightsDisplay.from_estimator(model, X, y)
    assert display.rounds == [1, 2, 3, 4, 5, 6]
    watched = [r.D for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=5), X, y)]
    assert display.weights[:5] == pytest.approx(np.array(watched))
    assert display.weights.sum(axis=1) == pytest.approx(1.0)


def test_many_examples_are_drawn_as_shares():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = X[:, 0] + rng.normal(size=300) > 0
    model = wl.AdaBoostClassifier(n_estimators=250).fit(X, y)
    display = show.WeightsDisplay.from_estimator(model, X, y)
    assert len(display.rounds) <= 200
    assert display.rounds[-1] == 251
    drawn(display)
    texts = [text.get_text() for text in display.ax_.texts]
    assert any("3 examples" in text for text in texts)
    right = display.ax_.get_window_extent().x1  # names beside the curves hide none of them
    assert all(text.get_window_extent().x0 > right for text in display.ax_.texts)
    with pytest.raises(TypeError, match="GradientBoostingClassifier"):
        show.WeightsDisplay.from_estimator(wl.GradientBoostingClassifier(n_estimators=2), X, y)


def test_edges_and_those_who_have_none(toy):
    model, X, y = toy
    display = show.EdgeDisplay.from_estimator(model)
    assert display.edges == pytest.approx(model.history_["gamma"])
    drawn(show.EdgeDisplay.from_estimator(forms.OVR.fit()))
    with pytest.raises(TypeError, match="RandomForestClassifier"):
        show.EdgeDisplay.from_estimator(wl.RandomForestClassifier(n_estimators=2).fit(X, y))


def test_regions_say_what_the_model_says():
    X, _, three = forms.sample()
    frame = pd.DataFrame(X, columns=["a", "b", "c $ d", "e"]).assign(town="Oslo")
    model = wl.RandomForestClassifier(n_estimators=5).fit(frame, three)
    display = show.DecisionRegionDisplay.from_estimator(model, frame, three, features=("c $ d", 0))
    drawn(display)
    assert display.names == ("c $ d", "a")
    middle = frame.sort_values("b")["b"].iloc[len(frame) // 2]
    at = pd.DataFrame(
        {
            "a": [display.y[10]],
            "b": [middle],
            "c $ d": [display.x[200]],
            "e": [frame["e"].sort_values().iloc[len(frame) // 2]],
            "town": ["Oslo"],
        }
    )
    assert model.classes_[display.codes[10, 200]] == model.predict(at)[0]
    for features, words in (((0, "town"), "no numbers"), ((0, 9), "no column"), ((0,), "two")):
        with pytest.raises((TypeError, ValueError), match=words):
            show.DecisionRegionDisplay.from_estimator(model, frame, three, features=features)
    with pytest.raises(TypeError, match="classes"):
        show.DecisionRegionDisplay.from_estimator(wl.DecisionTreeRegressor(), X, three)


def test_stages_show_a_picture_a_round(toy):
    _, X, y = toy
    model = wl.AdaBoostClassifier()
    display = show.StagesDisplay.from_estimator(model, X, y, 3)
    drawn(display)
    titles = [ax.get_title(loc="left") for ax in display.ax_]
    assert titles == ["Round 1", "Round 2", "Round 3", "The vote of all"]
    assert "0.3" in display.ax_[0].get_xlabel()
    assert not hasattr(model, "ensemble_")
    _, axes = plt.subplots(1, 4)
    assert len(display.plot(ax=axes).ax_) == 4
    with pytest.raises(ValueError, match="4 are needed"):
        display.plot(ax=axes[:2])


@pytest.mark.parametrize("table", ["x", None, Table("rules", ("a", "b"), [(1, 2.0)])], ids=str)
def test_what_is_no_table_of_importances_is_refused(table):
    with pytest.raises(TypeError, match="pass what weaklearn"):
        show.ImportanceDisplay.from_importances(table)


def test_importances_are_counted_in_four_ways(toy):
    model, X, y = toy
    votes = show.importances(model, by="vote")
    shares = dict(zip(["x[0]", "x[1]"], model.feature_importances_, strict=True))
    assert {row[0]: row[1] for row in votes} == pytest.approx(shares)
    taken = -np.log(model.history_["Z"])
    features = [h.feature for h in model.ensemble_.members]
    gains = np.bincount(features, taken) / taken.sum()
    found = {row[0]: row[1] for row in show.importances(model)}
    assert found == pytest.approx({"x[0]": gains[0], "x[1]": gains[1]})
    sizes = np.abs(model.explain(X).contributions).mean(axis=0)
    table = show.importances(model, X, by="contribution")
    assert {row[0]: row[1] for row in table} == pytest.approx({"x[0]": sizes[0], "x[1]": sizes[1]})
    assert len(show.importances(model, X, y, by="permutation", n_repeats=3)) == 2
    for by in ("gain", "vote", "contribution", "permutation"):
        drawn(show.ImportanceDisplay.from_estimator(model, by=by, X=X, y=y))
    with pytest.raises(ValueError, match="pass X and y"):
        show.importances(model, by="permutation")
    with pytest.raises(ValueError, match="pass X"):
        show.importances(model, by="contribution")
    with pytest.raises(ValueError, match="by='size'"):
        show.importances(model, by="size")


def test_gains_of_trees_are_their_importances():
    X, two, _ = forms.sample()
    for model in (wl.GradientBoostingClassifier(n_estimators=3), wl.RandomForestClassifier(3)):
        model.fit(X, two)
        table = show.importances(model)
        wanted = np.sort(model.feature_importances_)[::-1]
        assert [row[1] for row in table] == pytest.approx(wanted)
        assert sum(row[1] for row in show.importances(model, by="vote")) == pytest.approx(1.0)


def test_sums_of_stumps_have_shapes():
    X, two, three, _ = mixed_table()
    for y in (two, three):
        model = wl.AdaBoostClassifier(n_estimators=15).fit(X, y)
        shapes = model.shapes(X)
        added = sum(shape.values[places(shape, model, X)] for shape in shapes.values())
        base = model.explain(X[:1]).base if y is two else 0.0
        F = model.decision_function(X)
        assert np.ptp(F - added - base, axis=0) == pytest.approx(0.0, abs=1e-9)
        drawn(show.ShapeFunctionDisplay.from_estimator(model, X=X))
    assert shapes["town"].outputs == tuple(model.classes_)
    with pytest.raises(TypeError, match="pass X="):
        show.ShapeFunctionDisplay.from_estimator(model)
    with pytest.raises(TypeError, match="several questions"):
        wl.AdaBoostClassifier("tree", n_estimators=2).fit(X, two).shapes(X)


def places(shape: Any, model: Any, X: Any) -> Any:
    """The cell of every row, by the shape's own edges or levels."""
    column, grid = X[shape.name], shape.grid
    missing = column.isna().to_numpy()
    if grid.categories is not None:
        codes = {level: k for k, level in enumerate(grid.categories)}
        found = [codes.get(value, len(codes) - 1) for value in column]
    else:
        known = column.fillna(column.dropna().iloc[0]).to_numpy()
        found = np.searchsorted(grid.edges, known.astype(grid.edges.dtype))
    return np.where(missing, len(grid) - 1, found)


def contrast(colour: Any, ground: Any) -> float:
    """As accessibility guides count it: 1 for the same colour, 21 for black on white."""
    from matplotlib.colors import to_rgb

    def light(colour: Any) -> float:
        parts = np.array(to_rgb(colour))
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted([light(colour), light(ground)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("own_axes", [False, True])
def test_words_are_legible_on_dark_ground_too(toy, own_axes):
    model, X, y = toy
    made = [
        (show.RoundsDisplay, ()),
        (show.MarginDisplay, (X, y)),
        (show.EdgeDisplay, ()),
        (show.ImportanceDisplay, ()),
    ]
    with plt.style.context("dark_background"):
        for display, given in made:
            ax = plt.subplots()[1] if own_axes else None
            ax = display.from_estimator(model, *given, ax=ax).ax_
            ax.figure.canvas.draw()
            words = [*ax.texts, ax.title, ax.xaxis.label, *ax.get_xticklabels()]
            assert all(contrast(w.get_color(), ax.get_facecolor()) > 4 for w in words)
            if legend := ax.get_legend():
                ground = legend.get_frame().get_facecolor()
                assert all(contrast(w.get_color(), ground[:3]) > 4 for w in legend.get_texts())


def test_one_round_is_a_point():
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=1).fit(X, y)
    curves = show.RoundsDisplay.from_estimator(model).ax_.lines
    assert [line.get_marker() for line in curves] == ["o", "o"]


def test_stages_of_several_classes():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    display = show.StagesDisplay.from_estimator(wl.AdaBoostClassifier(), X, y, n_rounds=2)
    assert len(display.ax_) == 3
    assert {int(code) for codes in display.answers for code in np.unique(codes)} <= {0, 1, 2}
    drawn(display)


def test_models_without_a_run_are_told_so():
    X, y = wl.datasets.toy()
    glass = wl.AdditiveBoostingClassifier(n_estimators=2, n_bags=2, min_samples_leaf=1).fit(X, y)
    with pytest.raises(TypeError, match=r"MarginDisplay is for classifiers that boost"):
        show.MarginDisplay.from_estimator(glass, X, y)
    with pytest.raises(TypeError, match=r"pass a boosted classifier"):
        show.StagesDisplay.from_estimator(glass, X, y)
    with pytest.raises(ValueError, match=r"names one column twice"):
        show.DecisionRegionDisplay.from_estimator(glass, X, y, features=(1, 1))
    with pytest.raises(TypeError, match=r"n=.*whole number"):
        show.ImportanceDisplay.from_estimator(glass, X)


def test_a_plane_says_that_other_columns_are_held_and_keeps_names():
    pl = pytest.importorskip("polars")
    X, two, _, _ = mixed_table()
    frame = pl.from_pandas(X[["age", "dose", "ward"]])
    model = wl.AdaBoostClassifier(n_estimators=3).fit(frame, two)
    ax = show.DecisionRegionDisplay.from_estimator(model, frame, two, ("dose", "age")).ax_
    assert ax.get_xlabel().splitlines() == ["dose", "(1 other column is held at its middle value)"]
    assert ax.get_ylabel() == "age"


def test_shares_of_votes_are_called_so(toy):
    model, X, y = toy
    assert show.ImportanceDisplay.from_estimator(model).ax_.get_xlabel() == "share of all votes"
    tree = wl.DecisionTreeClassifier().fit(X, y)
    assert show.ImportanceDisplay.from_estimator(tree).ax_.get_xlabel() == "share of all gain"
    by_gain = show.ImportanceDisplay.from_estimator(model, by="gain").ax_.get_xlabel()
    assert by_gain.startswith("share of what the rounds took off")
