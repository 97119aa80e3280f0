"""Comparisons: the same folds for all, measures, failures, ranks, ratios, curves and pictures."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.comparison.trial import Trial, run_trial

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 3))
y = np.where(X[:, 0] * X[:, 1] > 0, "yes", "no")
THREE = np.array(list("abc"))[np.digitize(X[:, 0], [-0.4, 0.4])]


class Broken(ClassifierMixin, BaseEstimator):
    """Fails where the first feature of a row is above a limit."""

    def __init__(self, limit=-9.0):
        self.limit = limit

    def fit(self, X, y):
        if np.max(X[:, 0]) > self.limit:
            raise RuntimeError("too hot\nand more lines")
        return self

    def predict(self, X):
        return np.full(len(X), "no")


class Remembering(DummyClassifier):
    """Notes which rows it was fitted on."""

    seen: list[np.ndarray] = []

    def fit(self, X, y):
        self.seen.append(X)
        return super().fit(X, y)


@pytest.fixture(scope="module")
def result():
    return wl.compare(
        {
            "stump": wl.DecisionStumpClassifier(),
            "boosted": wl.AdaBoostClassifier(n_estimators=10),
            "svc": LinearSVC(),
            "broken": Broken(),
            "ridge": Ridge(),
            "gb": GradientBoostingRegressor(n_estimators=5),
        },
        {"pairs": (X, y), "three": (X, THREE), "diabetes": load_diabetes},
        cv=3,
    )


def test_classifiers_meet_classes_and_regressors_numbers(result):
    assert result.kinds == ["two-class", "multiclass", "regression"]
    met = {(t.dataset, t.estimator) for t in result.trials}
    assert met == {
        *((d, e) for d in ("pairs", "three") for e in ("stump", "boosted", "svc", "broken")),
        ("diabetes", "ridge"),
        ("diabetes", "gb"),
    }


def test_scores_are_means_over_the_splits(result):
    trial = next(t for t in result.trials if t.estimator == "boosted")
    assert len(trial.splits) == 3
    for name in ("error", "log_loss", "auc", "fit_time", "predict_time"):
        assert trial.scores[name] == pytest.approx(np.mean([s[name] for s in trial.splits]))
    assert 0 <= trial.scores["calibration"] <= 1
    assert set(trial.scores) >= {"error", "log_loss", "auc", "calibration"}
    numbers = next(t for t in result.trials if t.estimator == "ridge")
    assert set(numbers.scores) == {"mse", "rmse", "mae", "r2", "fit_time", "predict_time"}


def test_one_split_by_hand():
    train, test = np.arange(60), np.arange(60, 90)
    got = wl.compare(LogisticRegression(), {"d": (X, THREE, (train, test))}).trials[0].scores
    model = LogisticRegression().fit(X[train], THREE[train])
    assert got["error"] == pytest.approx(1 - model.score(X[test], THREE[test]))
    assert got["log_loss"] == pytest.approx(log_loss(THREE[test], model.predict_proba(X[test])))


def test_scores_without_probabilities(result):
    svc = next(t for t in result.trials if t.estimator == "svc" and t.dataset == "pairs")
    assert "log_loss" not in svc.scores
    assert 0 <= svc.scores["auc"] <= 1


def test_failures_are_told_rank_last_and_stop_nobody(result):
    failed = result.failures()
    assert [row[1] for row in failed] == ["broken", "broken"]
    assert failed[0][2] == "RuntimeError: too hot"
    assert result.mean_ranks("error", "two-class")["boosted"] < 4
    assert np.isnan(result.mean_ranks("error", "two-class")["broken"])
    partly = wl.compare(
        [DummyClassifier(), Broken(limit=5.0)], {"cold": (X, y), "hot": (X + 100, y)}, cv=2
    )
    assert partly.score("cold", "Broken", "error") >= 0
    assert partly.mean_ranks("error", "two-class")["Broken"] >= 1.5


def test_a_data_set_that_cannot_be_read_is_a_failure():
    def load_gone():
        raise OSError("no such file")

    got = wl.compare(DummyClassifier(), [load_gone, load_iris], cv=3)
    assert list(got.failures()) == [("gone", "DummyClassifier", "OSError: no such file")]
    assert got.kinds == ["multiclass"]
    assert "no such file" in str(got)
    assert "failures" in str(wl.compare(DummyClassifier(), [load_gone]))


def test_everybody_gets_the_same_folds():
    Remembering.seen.clear()
    wl.compare({"a": Remembering(), "b": Remembering()}, {"d": (X, y)}, cv=4)
    assert len(Remembering.seen) == 8
    for one, other in zip(Remembering.seen[:4], Remembering.seen[4:], strict=True):
        assert np.array_equal(one, other)
    assert not np.array_equal(Remembering.seen[0], Remembering.seen[1])


def test_the_same_again_and_another_seed():
    tree = DecisionTreeClassifier(splitter="random")  # its random_state is None

    def scores(seed):
        got = wl.compare(tree, {"d": (X, y)}, cv=4, random_state=seed).trials[0]
        return [split["error"] for split in got.splits]

    assert scores(0) == scores(0)
    assert scores(0) != scores(1)
    assert tree.random_state is None


def test_side_by_side_is_the_same(result):
    lineup = {"stump": wl.DecisionStumpClassifier(), "svc": LinearSVC()}
    with parallel_config("threading"):  # without the cost of new processes
        both = wl.compare(lineup, {"pairs": (X, y)}, cv=3, n_jobs=2)
    for name in lineup:
        assert both.score("pairs", name, "error") == result.score("pairs", name, "error")


def test_tables_ranks_and_ratios():
    trials = [
        Trial("d1", "two-class", "a", {"error": 0.1, "log_loss": 0.2, "auc": 0.9}),
        Trial("d1", "two-class", "b", {"error": 0.3, "log_loss": 0.4, "auc": 0.8}),
        Trial("d2", "two-class", "a", {"error": 0.2, "log_loss": 0.8, "auc": 0.7}),
        Trial("d2", "two-class", "b", {"error": 0.2, "log_loss": 0.1, "auc": 0.8}),
        Trial("d3", "two-class", "a", {"error": 0.0, "log_loss": 1e-9, "auc": 1.0}),
        Trial("d3", "two-class", "b", {"error": 0.0, "log_loss": 1e-5, "auc": 1.0}),
    ]
    got = wl.Comparison(trials, "b")
    assert got.mean_ranks("error", "two-class") == {
        "a": (1 + 1.5 + 1.5) / 3,
        "b": (2 + 1.5 + 1.5) / 3,
    }
    assert got.mean_ranks("auc", "two-class") == {"a": 1.5, "b": 1.5}
    # Who was not there is not ranked, nor in anybody's way.
    more = wl.Comparison([*trials, Trial("d1", "two-class", "c", {"error": 0.2})])
    assert more.mean_ranks("error", "two-class")["c"] == 2
    assert more.mean_ranks("error", "two-class")["b"] == (3 + 1.5 + 1.5) / 3
    # A loss below 0.001 says no more than that it is small.
    assert got.ratio("a", "b", "log_loss") == pytest.approx((0.5 * 8 * 1) ** (1 / 3))
    assert got.ratio("b", "a", "log_loss") == pytest.approx(4 ** (-1 / 3))
    assert list(got.table("error"))[-1][0] == "mean rank"
    assert got.table()[0] == ("d1", 0.1, 0.3)
    summary = got.summary().to_frame().set_index("estimator")
    assert summary.loc["b", "loss ratio"] == 1.0
    assert summary.loc["a", "loss ratio"] == pytest.approx(4 ** (1 / 3))
    assert got.ratios()[0][1] == 1.0


def test_it_prints_and_has_html(result):
    text = str(result)
    for words in ("error, two-class", "rmse, regression", "summary", "too hot", "mean rank"):
        assert words in text
    assert repr(result) == text
    assert result._repr_html_().count("<table") == 5


def test_long_frame(result):
    frame = result.to_frame()
    assert list(frame.columns) == ["dataset", "kind", "estimator", "split", "measure", "value"]
    one = frame.query("dataset == 'pairs' and estimator == 'svc' and measure == 'error'")
    assert one["split"].tolist() == [-1, 0, 1, 2]
    assert one["value"].iloc[0] == pytest.approx(one["value"].iloc[1:].mean())


def test_curves_end_at_the_error(result):
    rows = [row for row in result.curves() if row[:2] == ("pairs", "boosted")]
    assert [row[2] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1][4] == pytest.approx(result.score("pairs", "boosted", "error"))
    assert rows[-1][3] <= rows[0][3]
    regression = [row for row in result.curves() if row[1] == "gb"]
    assert len(regression) == 5
    assert regression[-1][4] == pytest.approx(result.score("diabetes", "gb", "mse"))
    assert not len(
        wl.compare(wl.AdaBoostClassifier(n_estimators=3), (X, y), cv=2, curves=False).curves()
    )


def test_a_staged_training_error_is_that_of_a_run_of_so_many_rounds():
    parts = [(np.arange(60), np.arange(60, 90))]
    full = wl.compare(wl.AdaBoostClassifier(n_estimators=6), {"d": (X, y, parts)}).trials[0]
    for t in (1, 4):
        model = wl.AdaBoostClassifier(n_estimators=t).fit(X[:60], y[:60])
        assert full.curves["train"][t - 1] == pytest.approx(1 - model.score(X[:60], y[:60]))
        assert full.curves["test"][t - 1] == pytest.approx(1 - model.score(X[60:], y[60:]))


def test_curves_of_runs_that_end_early_go_on():
    from weaklearn.comparison.trial import read_task

    class Staged(DummyClassifier):
        def staged_predict(self, X):
            wrong = np.full(len(X), "?")
            for _ in range(1 + len(X) % 2):
                yield wrong

    task = read_task(
        "d", (X, y, [(np.arange(60), np.arange(60, 89)), (np.arange(60), [89, 88])]), 2, 0
    )
    assert run_trial("s", Staged(), task).curves["test"] == [1.0, 1.0]


def test_own_scorers_and_their_direction():
    got = wl.compare(
        [DummyClassifier(), LogisticRegression(), Ridge()],
        {"d": (X, THREE), "n": (X, X[:, 0] + 0.5 * X[:, 1])},
        cv=3,
        scoring=["balanced_accuracy", "neg_mean_absolute_error"],
    )
    ranks = got.mean_ranks("balanced_accuracy", "multiclass")
    assert ranks["LogisticRegression"] == 1
    assert got.score("n", "Ridge", "neg_mean_absolute_error") == -got.score("n", "Ridge", "mae")
    assert np.isnan(got.score("n", "Ridge", "balanced_accuracy"))
    by_hand = wl.compare(
        DummyClassifier(),
        (X, y),
        cv=2,
        scoring={"twice": lambda model, X, y: 2 * model.score(X, y)},
    ).trials[0]
    assert by_hand.scores["twice"] == pytest.approx(2 - 2 * by_hand.scores["error"])


def test_names():
    got = wl.compare(
        [("mine", DummyClassifier()), DummyClassifier(), DummyClassifier()],
        [load_iris, (X, y), (X, y)],
        cv=2,
    )
    assert list(dict.fromkeys(t.estimator for t in got.trials)) == [
        "mine",
        "DummyClassifier",
        "DummyClassifier 2",
    ]
    assert list(dict.fromkeys(t.dataset for t in got.trials)) == ["iris", "data 2", "data 3"]


def test_whole_numbers_mean_what_the_estimators_say():
    counts = rng.integers(0, 4, 90)
    assert wl.compare(DummyRegressor(), (X, counts), cv=2).kinds == ["regression"]
    assert wl.compare(DummyClassifier(), (X, counts), cv=2).kinds == ["multiclass"]


def test_trials_can_be_kept_and_read_again(result):
    kept = json.loads(json.dumps([dataclasses.asdict(t) for t in result.trials]))
    again = wl.Comparison([Trial(**t) for t in kept], result.baseline)
    assert str(again) == str(result)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"estimators": []}, ["estimators", "empty"]),
        ({"estimators": "AdaBoost"}, ["estimators='AdaBoost'", "list"]),
        ({"estimators": [DummyClassifier]}, ["DummyClassifier", "fit and predict"]),
        ({"estimators": {"three": 3}}, ["three", "fit and predict"]),
        ({"datasets": {}}, ["datasets", "empty"]),
        ({"datasets": 7}, ["datasets=7", "list"]),
        ({"baseline": "Dumy"}, ["baseline='Dumy'", "'Dummy'", "Did you mean"]),
        ({"cv": 1}, ["cv=1", "at least 2"]),
        ({"cv": "ten"}, ["cv='ten'"]),
        ({"random_state": -1}, ["random_state=-1"]),
        ({"verbose": -1}, ["verbose=-1"]),
    ],
)
def test_what_is_refused(change, words):
    given = {"estimators": {"Dummy": DummyClassifier()}, "datasets": {"d": (X, y)}} | change
    with pytest.raises((ValueError, TypeError)) as caught:
        wl.compare(**given)
    assert all(word in str(caught.value) for word in words)


def test_measures_and_kinds_are_checked(result):
    with pytest.raises(ValueError, match="Did you mean 'error'"):
        result.table("eror")
    with pytest.raises(ValueError, match="kind='numbers'"):
        result.table(kind="numbers")
    with pytest.raises(ValueError, match="measure='rmse'"):
        result.table("rmse", "two-class")
    assert result.table("rmse").title == "rmse, regression"


def test_progress_on_standard_error(capsys):
    wl.compare(DummyClassifier(), {"d": (X, y)}, cv=2, verbose=1)
    told = capsys.readouterr()
    assert told.err.startswith("d, DummyClassifier: error ")
    assert told.out == ""


# ----------------------------------------------------------------------------------------- pictures


@pytest.mark.parametrize("given", [True, False])
def test_scatter_of_base_against_boosted(result, given):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib.figure import Figure

    ax = Figure().subplots() if given else None
    display = result.plot(base="stump", boosted="boosted", ax=ax)
    assert display.ax_ is ax or not given
    for name in ("pairs", "three"):
        across, up = display.points["boosted"][name]
        assert across == result.score(name, "stump", "error")
        assert up == result.score(name, "boosted", "error")
    diagonal = display.ax_.get_lines()[0].get_xydata()
    assert np.array_equal(diagonal[:, 0], diagonal[:, 1])
    assert {text.get_text() for text in display.ax_.texts} == {"pairs", "three"}


def test_several_against_one_and_curves(result):
    pytest.importorskip("matplotlib").use("agg")
    display = result.plot(measure="auc")
    assert set(display.points) == {"boosted", "svc", "broken", "ridge", "gb"}
    assert len(display.points["boosted"]) == 2
    assert not display.points["broken"]
    curves = result.plot("curves", dataset="three")
    assert [len(line.get_xdata()) for line in curves.ax_.get_lines()] == [10, 10]
    assert result.plot("curves").dataset == "pairs"
    with pytest.raises(ValueError, match="no curves"):
        result.plot("curves", dataset="nowhere")
    with pytest.raises(ValueError, match="what='pie'"):
        result.plot("pie")
    with pytest.raises(ValueError, match="estimator='stmp'"):
        result.plot(base="stmp")


def boxes(ax):
    """Where the names of points were written, in dots of the screen."""
    ax.figure.canvas.draw()
    return [text.get_window_extent() for text in ax.texts]


@pytest.mark.parametrize("n", [3, 12, 30])
def test_names_of_points_do_not_meet(n):
    pytest.importorskip("matplotlib").use("agg")
    from weaklearn.show.displays.comparison import ScatterDisplay

    rng = np.random.default_rng(n)
    points = {f"set {k}": (x, y) for k, (x, y) in enumerate(rng.random((n, 2)).tolist())}
    display = ScatterDisplay("base", "error", {"other": points}).plot()
    found = boxes(display.ax_)
    inside = display.ax_.get_window_extent()
    for k, box in enumerate(found):
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1
        assert inside.y0 <= box.y0 < box.y1 <= inside.y1
        assert not any(box.overlaps(other) for other in found[k + 1 :])
        dots = display.ax_.transData.transform(list(points.values()))
        assert not any(box.contains(*dot) for dot in dots)
    assert len(found) + len(display.unnamed_) == n
    assert len(display.unnamed_) <= n // 3
    ax = display.ax_
    assert ax.get_xticks().tolist() == ax.get_yticks().tolist()


def test_a_name_that_looks_like_a_formula_is_text():
    pytest.importorskip("matplotlib").use("agg")
    from weaklearn.show.displays.comparison import ScatterDisplay

    display = ScatterDisplay("base", "error", {"other": {"$x_$": (0.5, 0.25)}}).plot()
    assert len(boxes(display.ax_)) == 1


def test_those_who_have_no_point_are_not_in_the_legend(result):
    pytest.importorskip("matplotlib").use("agg")
    from weaklearn.show.displays.comparison import ScatterDisplay

    points = {"one": {"d": (0.1, 0.2)}, "two": {"d": (0.1, 0.1)}, "none": {}}
    legend = ScatterDisplay("base", "error", points).plot().ax_.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]


def test_a_picture_is_written(result, tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    result.plot(base="stump", boosted="boosted", path=tmp_path / "scatter.png")
    result.plot("curves", path=tmp_path / "curves.svg")
    assert (tmp_path / "scatter.png").read_bytes()[:4] == b"\x89PNG"
    assert b"<svg" in (tmp_path / "curves.svg").read_bytes()


def test_blanks_are_explained(result):
    X, y = wl.datasets.toy()
    estimators = {"stump": wl.DecisionStumpClassifier(), "tree": wl.DecisionTreeClassifier()}
    note = wl.compare(estimators, {"toy": (X, y)}, cv=2).summary().note
    assert note.endswith("blank: no probabilities (stump)")
    whole = wl.compare({"tree": wl.DecisionTreeClassifier()}, {"toy": (X, y)}, cv=2).summary()
    assert "blank" not in whole.note
