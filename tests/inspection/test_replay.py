"""What a game tells of itself: rounds as they are watched, weights replayed, nodes in a table."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import weaklearn as wl
from tests import forms
from tests.mixed_table import mixed_table

ONE_RUN = [
    form
    for form in forms.BOOSTERS
    if form.n_classes == 2 and form.name not in ("gradient", "tree") and form.native
]


@forms.each(ONE_RUN)
def test_weights_are_replayed_as_they_were(form):
    model = form.fit()
    played = [r.D for r in wl.rounds(form.make(), form.X, form.y)][: model.n_iter_]
    wanted = np.array([D.sum(axis=1) if D.ndim == 2 else D for D in played])
    assert model.distributions(form.X, form.y) == pytest.approx(wanted, abs=1e-12)
    last = model.distributions(form.X, form.y, [model.n_iter_, 1])
    assert last == pytest.approx(wanted[[-1, 0]], abs=1e-12)


def test_weights_of_another_booster_are_refused():
    X, y = wl.datasets.toy()
    y = np.where(np.arange(10) % 3 == 0, 2, y)
    model = wl.AdaBoostClassifier(n_estimators=3, multiclass="m1").fit(X, y)
    model.set_params(multiclass="mh")
    with pytest.raises(ValueError, match=r"fitted by AdaBoostM1, .* now ask for AdaBoostMH"):
        model.distributions(X, y)


def test_rows_of_no_weight_have_none():
    X, y = wl.datasets.toy()
    weight = np.ones(10)
    weight[4] = 0
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y, sample_weight=weight)
    D = model.distributions(X, y, [2], sample_weight=weight)
    assert D.shape == (1, 10)
    assert D[0, 4] == 0
    assert D.sum() == pytest.approx(1.0)


def test_rounds_out_of_range_and_several_runs_are_refused():
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="rounds"):
        model.distributions(X, y, [5])
    with pytest.raises(ValueError, match="y == k"):
        forms.OVR.fit().distributions(forms.OVR.X, forms.OVR.y)


def test_a_watched_round_tells_rule_error_and_bound():
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    played = list(wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y))
    assert [r.error for r in played] == pytest.approx(model.history_["train_error"])
    assert [r.bound for r in played] == pytest.approx(np.cumprod(model.history_["Z"]))
    assert played[0].rule == "x[0] > 2.5: -1, else 1"
    assert set(played[0].metrics) >= {"epsilon", "alpha", "Z", "gamma"}
    trees = list(wl.rounds(wl.AdaBoostClassifier("tree", n_estimators=1), X, y))
    assert "leaves" in trees[0].rule
    many = forms.LABELS[1]
    fitted = many.fit()
    watched = list(wl.rounds(many.make(), many.X, many.y))
    assert watched[-1].error == pytest.approx(1 - fitted.score(many.X, many.y))


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(n_estimators=6),
        wl.AdaBoostClassifier("tree", n_estimators=2),
        wl.GradientBoostingClassifier(n_estimators=2),
        wl.DecisionTreeClassifier(missing="fraction", categorical="multiway", max_depth=3),
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_model_is_a_table_of_nodes(model, n_classes):
    X, two, three, _ = mixed_table()
    model = clone(model)
    model.fit(X, two if n_classes == 2 else three)
    frame = model.to_frame()
    trees = model._tree_sum().trees
    assert len(frame) == sum(map(len, trees))
    roots = frame[frame["node"] == 0]
    assert len(roots) == len(trees)
    inner = frame["column"].notna()
    assert set(frame["column"][inner]) <= set(X.columns)
    assert frame["children"][inner].notna().all()
    dates = frame[(frame["column"] == "day") & (frame["test"] == "above")]
    assert all(isinstance(t, np.datetime64) or hasattr(t, "year") for t in dates["threshold"])


def test_bags_are_explained():
    X, two, three, numbers = mixed_table()
    for learner in ("stump", wl.DecisionTreeClassifier(max_depth=4)):
        for y in (two, three):
            model = wl.BaggingClassifier(learner, n_estimators=3, max_features=0.6).fit(X, y)
            p = model.predict_proba(X)
            wanted = p[:, 1] if p.shape[1] == 2 else p
            assert model.explain(X).scores == pytest.approx(wanted, abs=1e-12)
    model = wl.BaggingRegressor(wl.DecisionTreeRegressor(max_depth=4), n_estimators=3)
    model.fit(X, numbers)
    why = model.explain(X)
    assert why.scores == pytest.approx(model.predict(X), abs=1e-12)
    assert "x" not in str(why.table(0).rows[0][1])
    bag = wl.BaggingClassifier(wl.AdaBoostClassifier(n_estimators=2), n_estimators=2).fit(X, two)
    with pytest.raises(TypeError, match="AdaBoostClassifier"):
        bag.explain(X)


@pytest.mark.parametrize(
    "model",
    [
        wl.Perceptron(fit_intercept=True, max_passes=2),
        wl.SGDClassifier(max_passes=2),
        wl.HingeLPClassifier(),
        wl.KernelSVMClassifier(kernel="linear"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_linear_scores_are_explained(model):
    X, two, three = forms.sample()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = clone(model).fit(X, two)
    why = fitted.explain(sp.csr_array(X))
    assert why.scores == pytest.approx(fitted.decision_function(X), abs=1e-12)
    if isinstance(model, (wl.Perceptron, wl.SGDClassifier)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            many = clone(model).fit(X, three)
        assert many.explain(X).scores == pytest.approx(many.decision_function(X), abs=1e-12)
        assert many.explain(X).outputs == ("0", "1", "2")


def test_a_kernel_has_no_parts_for_columns():
    X, two, _ = forms.sample()
    model = wl.KernelSVMClassifier(kernel="polynomial", degree=2).fit(X, two)
    with pytest.raises(TypeError, match="KernelSVMClassifier has no linear score"):
        model.explain(X)


ONE_CLASS = [
    wl.AdaBoostClassifier(n_estimators=2),
    wl.GradientBoostingClassifier(n_estimators=2),
    wl.RandomForestClassifier(n_estimators=2),
    wl.DecisionTreeClassifier(),
    wl.DecisionStumpClassifier(),
]


@pytest.mark.parametrize("model", ONE_CLASS, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore")
def test_one_class_is_explained_and_written(model):
    X = forms.sample()[0]
    model = clone(model).fit(X, ["only"] * len(X))
    why = model.explain(X)
    assert (why.contributions == 0).all()
    names = {}
    exec(model.to_python(), names)
    assert names["predict"](X[0]) == "only"
    assert "only" in model.to_c()
    assert list(model.to_frame().columns)[:2] == ["tree", "node"]


@pytest.mark.filterwarnings("ignore")
def test_a_vote_without_members_is_explained_and_written():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    model = wl.AdaBoostClassifier().fit(X, y)
    assert model.n_iter_ == 0
    assert (model.explain(X).scores == 0).all()
    names = {}
    exec(model.to_python(), names)
    assert names["score"](X[0]) == 0.0
    assert len(model.to_frame()) == 0
    assert model.to_onnx().graph.output


def test_no_rows_and_sparse_ones():
    X, two, _ = forms.sample()
    model = wl.GradientBoostingClassifier(n_estimators=3).fit(X, two)
    assert model.explain(X[:0]).contributions.shape == (0, 4)
    assert len(model.interactions(X[:0]).table()) == 0
    S = sp.random(100, 50, 0.1, format="csr", random_state=0)
    y = np.asarray(S.sum(axis=1)).ravel() > 2.5
    sparse = wl.GradientBoostingClassifier(n_estimators=3).fit(S, y)
    why = sparse.explain(S)
    assert why.scores == pytest.approx(sparse.decision_function(S), abs=1e-12)
    assert why.table(0, 3).rows
