"""AdaBoost.MH against its definition, its guarantees, and the game of one label."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from tests import golden
from tests.boosters.labelled import first_weights, labelled, played, tables
from tests.reference import labels as twin
from tests.samples import same_bits, sample_of
from weaklearn import AdaBoostClassifier, AdaBoostMHClassifier, BoostingWarning, DataWarning
from weaklearn.base import Stop
from weaklearn.base.label_distribution import LabelDistribution
from weaklearn.boosters import AdaBoostMH, RealAdaBoost
from weaklearn.learners.label_rules import (
    LabelPartitionLearner,
    ProductLearner,
    ProductStumpLearner,
)
from weaklearn.learners.partition import PARTITION_STUMP, PartitionLearner
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
TOLERANCE = golden.tolerance("multiclass_ranking")
GOLDEN = [n for n in golden.names("multiclass_ranking") if n.startswith("adaboost_mh")]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    case = golden.case("multiclass_ranking", name)
    given, expected = case["input"], case["expected"]
    Y = np.array(given["Y"])
    m, K = Y.shape
    for y in (Y.argmax(axis=1), (Y > 0).astype(int)):
        model = AdaBoostMHClassifier(n_estimators=given["T"]).fit(given["X"], y)
        told = zip(model.estimators_, model.history_.metrics, expected["rounds"], strict=True)
        for member, metrics, row in told:
            assert (member.feature_, member.threshold_) == (row["feature"], row["threshold"])
            low, high = member.tree_.values[1:3]
            assert low == pytest.approx(row["c_left"], **TOLERANCE)
            assert high == pytest.approx(row["c_right"], **TOLERANCE)
            for name, value in (("Z", row["Z"]), ("Z_criterion", row["Z_criterion"])):
                assert metrics[name] == pytest.approx(value, **TOLERANCE)
            assert metrics["product_Z"] == pytest.approx(row["prod_Z"], **TOLERANCE)
            assert metrics["hamming_loss"] * m * K == pytest.approx(row["hamming_errors"])
        assert model.decision_function(given["X"]) == pytest.approx(
            np.array(expected["F"]), **TOLERANCE
        )
    single = AdaBoostMHClassifier(n_estimators=given["T"]).fit(given["X"], Y.argmax(axis=1))
    assert single.predict(given["X"]).tolist() == expected["argmax_labels"]


@quick
@given(tables(), st.sampled_from(["partition", "product"]))
def test_every_round_as_the_definition_has_it(table: Any, form: str) -> None:
    X, Y, weights = table
    sample = labelled(X, Y, weights)
    learner = LabelPartitionLearner() if form == "partition" else ProductStumpLearner()
    s = 1 / (sample.m * Y.shape[1])
    exact = twin.mh(X, Y, first_weights(X, weights), 6, s, form)
    run, before = played(AdaBoostMH(), sample, learner, 6)
    assert len(before) == len(exact)
    for D, metrics, row in zip(before, run.history.metrics, exact, strict=True):
        assert D == pytest.approx(row["D"], abs=1e-11)
        if "Z" in row and "end" not in row:
            assert metrics["Z"] == pytest.approx(row["Z"], rel=1e-10)
            assert metrics["alpha"] == pytest.approx(row["alpha"], rel=1e-9, abs=1e-10)
        if form == "partition":
            assert metrics["Z_criterion"] == pytest.approx(row["criterion"], abs=1e-9)
        else:
            assert metrics["r"] == pytest.approx(row["r"], abs=1e-11)
    if exact[-1].get("end") == "perfect":
        assert (run.stop, len(run.state.ensemble)) == (Stop.PERFECT, 1)
    else:
        F = run.state.ensemble.labels(sample)
        assert F == pytest.approx(exact[-1]["F"], abs=1e-8)
        assert same_bits(F, run.state.D.scores)


@quick
@given(tables(), st.floats(0.1, 1.5), st.integers(1, 3), st.booleans())
def test_hamming_loss_is_bounded(table: Any, rate: float, depth: int, product: bool) -> None:
    X, Y, weights = table
    sample = labelled(X, Y, weights)
    learner: Any = LabelPartitionLearner(max_depth=depth)
    if product:
        learner = ProductLearner(StumpLearner())
    run, _ = played(AdaBoostMH(rate, "smooth"), sample, learner, 8)
    n = len(run.state.ensemble)
    bound = float(np.prod(run.history["Z"][:n]))
    D1, F = sample.prior_shares, run.state.ensemble.labels(sample)
    loss = D1 @ (Y * F <= 0).mean(axis=1)
    assert loss <= bound * (1 + 1e-9) + 1e-12
    assert bound == pytest.approx(float(D1 @ np.exp(-Y * F).mean(axis=1)), rel=1e-9)
    assert run.state.product == pytest.approx(bound, rel=1e-12)


@quick
@given(tables(one_label=True), st.integers(1, 2))
def test_error_of_one_label_is_bounded(table: Any, depth: int) -> None:
    X, Y, weights = table
    codes, K = Y.argmax(axis=1), Y.shape[1]
    sample = sample_of(X, codes, weights)
    run, _ = played(
        AdaBoostMH(on_perfect="smooth"), sample, LabelPartitionLearner(max_depth=depth), 8
    )
    bound = K / 2 * float(np.prod(run.history["Z"][: len(run.state.ensemble)]))
    F = run.state.ensemble.labels(sample)
    others = np.where(np.arange(K) == codes[:, None], -np.inf, F).max(axis=1)
    behind = others >= F[np.arange(len(F)), codes]
    assert sample.prior_shares @ behind <= bound * (1 + 1e-9) + 1e-12
    copies = np.ones(len(F)) if sample.copies is None else sample.copies
    for metrics in run.history.metrics[-1:]:
        wrong = F.argmax(axis=1) != codes
        assert metrics["train_error"] == pytest.approx(copies @ wrong / copies.sum())
        told = (np.where(np.arange(K) == codes[:, None], 1, -1) * F <= 0).mean(axis=1)
        assert metrics["hamming_loss"] == pytest.approx(copies @ told / copies.sum())


@quick
@given(tables())
def test_one_label_equals_the_confidence_rated_run(table: Any) -> None:
    """K = 1 is RealAdaBoost with smoothing 1/m."""
    X, Y, weights = table
    Y = Y[:, :1].copy()
    Y[:2, 0] = 1, -1
    one, two = labelled(X, Y, weights), sample_of(X, Y[:, 0], weights)
    run, before = played(AdaBoostMH(), one, LabelPartitionLearner(categorical="multiway"), 6)
    real = PartitionLearner(PARTITION_STUMP, 1 / two.m)
    other, seen = played(RealAdaBoost(), replace(two, binning=real.binning), real, 6)
    assert (run.stop, len(before)) == (other.stop, len(seen))
    for D, E in zip(before, seen, strict=True):
        assert D[:, 0] == pytest.approx(E, abs=1e-9)
    for name in ("Z", "epsilon", "Z_criterion"):
        assert run.history[name] == pytest.approx(other.history[name], abs=1e-9)
    F = run.state.ensemble.labels(one)[:, 0]
    assert F == pytest.approx(other.state.ensemble(two), abs=1e-8)


@pytest.mark.parametrize("product", [False, True])
def test_columns_of_many_values_are_cut_anywhere(product: bool) -> None:
    """More values than codes: bins are opened, and the best cut is the best there is."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(600, 2))
    X[::50, 1] = np.nan
    Y = np.column_stack([X[:, 0] > 0.3, np.nan_to_num(X[:, 1]) > -0.2, X[:, 0] > 1, X[:, 0] < -1])
    Y = np.where(Y ^ (rng.random(Y.shape) < 0.1), 1, -1).astype(np.int8)
    sample = labelled(X, Y, threads=2)
    learner = ProductStumpLearner() if product else LabelPartitionLearner()
    state, learn, booster = AdaBoostMH().begin(sample), learner.bind(sample), AdaBoostMH()
    for _ in range(3):
        D = state.D.array
        exact = twin.best_product(X, D * Y) if product else twin.least_partition(X, Y, D, 1.0)
        state, _ = booster.round(sample, learn, state)
        tree = state.ensemble.members[-1].tree
        assert (tree.feature[0], tree.threshold[0]) == (exact["feature"], exact["threshold"])


def test_a_distribution_that_has_moved_on_refuses_to_answer() -> None:
    sample = labelled(np.arange(4.0)[:, None], np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]]))
    D = AdaBoostMH().begin(sample).D
    assert isinstance(D, LabelDistribution)
    later, _ = D.reweight(np.zeros(4, np.int32), np.zeros((1, 2)), 1.0)
    assert later.array.sum() == pytest.approx(1)
    with pytest.raises(RuntimeError, match="moved on"):
        D.errors()


def test_auto_is_mh_for_stumps_and_far_better_than_samme() -> None:
    X, y = ten_classes()
    auto = AdaBoostClassifier(n_estimators=40).fit(X[:2000], y[:2000])
    assert auto._scheme == "AdaBoostMH"
    samme = AdaBoostClassifier(n_estimators=40, multiclass="samme").fit(X[:2000], y[:2000])
    assert auto.score(X[2000:], y[2000:]) > samme.score(X[2000:], y[2000:]) + 0.05
    own = AdaBoostMHClassifier(n_estimators=40).fit(X[:2000], y[:2000])
    assert same_bits(own.decision_function(X), auto.decision_function(X))
    assert auto.certify(X[:2000], y[:2000])[0].holds


def test_auto_is_mh_for_small_trees_and_m1_for_large_ones() -> None:
    X, y = ten_classes()
    small = wl.DecisionTreeClassifier(max_depth=2)
    assert AdaBoostClassifier(small, n_estimators=2).fit(X, y)._scheme == "AdaBoostMH"
    assert AdaBoostClassifier("tree", n_estimators=2).fit(X, y)._scheme == "AdaBoostM1"
    pruned = wl.DecisionTreeClassifier(max_depth=2, pruning="pessimistic")
    assert AdaBoostClassifier(pruned, n_estimators=2).fit(X, y)._scheme == "Samme"
    again = AdaBoostClassifier(small, n_estimators=2, warm_start=True).fit(X, y)
    again.set_params(n_estimators=4).fit(X, y)
    straight = AdaBoostClassifier(small, n_estimators=4).fit(X, y)
    assert same_bits(again.decision_function(X), straight.decision_function(X))


def ten_classes() -> tuple[Any, Any]:
    """Ten classes whose means lie on a grid."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 3000)
    centre = rng.normal(size=(10, 6)) * 1.2
    return np.round(centre[y] + rng.normal(size=(3000, 6)), 1), y


@pytest.mark.parametrize("threads", [1, 2])
def test_order_threads_and_copies_do_not_matter(threads: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(700, 3)).round(2)  # some columns have more values than codes
    y = np.digitize(X[:, 0] + 0.5 * X[:, 1], [-0.7, 0.0, 0.7])
    copies = rng.integers(1, 3, 700)
    order = rng.permutation(np.repeat(np.arange(700), copies))
    a = AdaBoostMHClassifier(n_estimators=30, n_jobs=1).fit(X, y, copies)
    b = AdaBoostMHClassifier(n_estimators=30, n_jobs=threads).fit(X[order], y[order])
    assert a.fingerprint() == b.fingerprint()


def test_units_of_labels_follow_long_runs() -> None:
    """Weights of labels far apart stay those of their scores, however many rounds are played."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] > 1.5).astype(int) + 2 * (X[:, 1] > 1.8)
    sample = sample_of(X, y)
    run, before = played(AdaBoostMH(on_perfect="smooth"), sample, LabelPartitionLearner(), 120)
    Y = sample.signs
    F = run.state.D.scores
    weight = np.exp(-Y * F)
    assert run.state.D.array == pytest.approx(weight / weight.sum(), rel=1e-9, abs=1e-15)
    assert same_bits(F, run.state.ensemble.labels(sample))
    assert all(D.sum() == pytest.approx(1, abs=1e-12) for D in before)


def test_two_classes_score_by_half_the_difference() -> None:
    X, y = wl.datasets.toy()
    model = AdaBoostMHClassifier(n_estimators=5).fit(X, y)
    F = model.ensemble_.labels(model._rows(X))
    assert (F[:, 0] == -F[:, 1]).all()
    assert same_bits(model.decision_function(X), (F[:, 1] - F[:, 0]) / 2)
    p = model.predict_proba(X)[:, 1]
    assert p == pytest.approx(1 / (1 + np.exp(-2 * F[:, 1])))
    assert (np.abs(model.margins(X, y)) <= 1).all()
    assert model.history_["margin_min"][-1] == pytest.approx(model.margins(X, y).min())


def test_probabilities_margins_and_stages_of_many_classes() -> None:
    X, y = load_iris(return_X_y=True)
    model = AdaBoostMHClassifier(n_estimators=10).fit(X, y)
    F = model.decision_function(X)
    p = 1 / (1 + np.exp(-2 * F))
    assert model.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True))
    others = np.where(np.arange(3) == y[:, None], -np.inf, F).max(axis=1)
    reach = sum(np.abs(h.answers[h.tree.is_leaf]).max() for _, h in model.ensemble_)
    margins = (F[np.arange(150), y] - others) / (2 * reach)
    assert model.margins(X, y) == pytest.approx(margins)
    assert model.history_["margin_min"][-1] == pytest.approx(margins.min())
    *_, last = model.staged_decision_function(X)
    assert same_bits(last, F)
    resumed = AdaBoostMHClassifier(n_estimators=4, warm_start=True).fit(X, y)
    resumed.set_params(n_estimators=10).fit(X, y)
    assert same_bits(resumed.decision_function(X), F)
    assert model.estimators_[0].predict(X[:2]).shape == (2, 3)


def test_trees_fit_better_and_keep_their_limits() -> None:
    X, y = load_iris(return_X_y=True)
    stumps = AdaBoostMHClassifier(n_estimators=5).fit(X, y)
    trees = AdaBoostMHClassifier("tree", n_estimators=5).fit(X, y)
    assert trees.history_["Z"].prod() < stumps.history_["Z"].prod()
    assert {member.tree_.depth for member in trees.estimators_} <= {1, 2, 3}
    few = wl.DecisionTreeClassifier(max_leaf_nodes=4, min_samples_leaf=10)
    limited = AdaBoostMHClassifier(few, n_estimators=5).fit(X, y)
    for member in limited.estimators_:
        assert member.tree_.n_leaves <= 4
        assert member.tree_.count.min() >= 10
    assert "if" in str(trees.rules(1))


def test_categories_and_missing_values() -> None:
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue", None], 200)
    y = np.select([colour == "red", colour == "green"], [0, 1], 2)
    X = np.column_stack([colour, rng.normal(size=200)]).astype(object)
    for categorical in ("equality", "multiway"):
        stump = wl.DecisionStumpClassifier(categorical=categorical)
        model = AdaBoostMHClassifier(stump, n_estimators=6).fit(X, y)
        assert model.score(X, y) == 1.0
        assert "is missing" in str(model.estimators_[0].rules())
    assert model.n_iter_ == 1  # one test with a branch for every colour is without error
    assert model.stop_reason_ == str(Stop.PERFECT)


def test_foreign_learners_are_found_in_turns_with_signs() -> None:
    X, y = load_iris(return_X_y=True)
    for learner in (DecisionTreeClassifier(max_depth=2), LogisticRegression(), "tree"):
        model = AdaBoostMHClassifier(learner, n_estimators=12, form="product").fit(X, y)
        assert model.score(X, y) > 0.9
        assert model.certify(X, y)[0].holds
        F = model.decision_function(X)
        *_, last = model.staged_decision_function(X)
        assert last == pytest.approx(F, abs=1e-12)
    stumps = AdaBoostMHClassifier(n_estimators=1, form="product").fit(X, y)
    trees = AdaBoostMHClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=1).fit(X, y)
    assert trees.history_["r"][0] >= stumps.history_["r"][0] - 1e-9


def test_the_ends_of_runs() -> None:
    one = AdaBoostMHClassifier(n_estimators=5).fit(np.arange(4.0)[:, None], np.zeros(4))
    assert (one.n_iter_, one.stop_reason_) == (1, str(Stop.PERFECT))
    assert one.predict_proba([[9.0]]).tolist() == [[1.0]]
    flat = AdaBoostMHClassifier(n_estimators=5).fit(np.zeros((6, 1)), [0, 1, 1, 2, 2, 2])
    assert flat.predict([[0.0]]).tolist() == [2]  # the label of most examples
    assert flat.history_["Z"][-1] > flat.history_["Z"][0]  # nothing is left but smoothing
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    smooth = AdaBoostMHClassifier(n_estimators=5, on_perfect="smooth").fit(X, y)
    assert smooth.n_iter_ == 5
    pure = AdaBoostMHClassifier(n_estimators=3, smoothing=0.0, on_perfect="smooth").fit(X, y)
    assert np.isfinite(pure.decision_function(X)).all()


def test_refusals() -> None:
    X, y = load_iris(return_X_y=True)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"form": "sum"}, "form='sum' is not allowed"),
        ({"smoothing": -1.0}, "smoothing=-1.0 is not allowed"),
        ({"on_perfect": "go"}, "on_perfect='go' is not allowed"),
        ({"estimator": wl.DecisionStumpClassifier(missing="abstain")}, "missing='abstain'"),
        ({"estimator": wl.DecisionTreeClassifier(pruning="pessimistic")}, "pruning is set"),
        ({"estimator": wl.DecisionTreeClassifier(max_features=2)}, "max_features is set"),
        ({"estimator": wl.DecisionTreeClassifier(min_samples_leaf=0.1)}, "pass a whole number"),
    ]
    for how, words in wrong:
        with pytest.raises(ValueError, match=words):
            AdaBoostMHClassifier(**how).fit(X, y)
    with pytest.raises(ValueError, match="resample=True is not allowed with multiclass='mh'"):
        AdaBoostClassifier(multiclass="mh", resample=True).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", (BoostingWarning, DataWarning))
        abstaining = AdaBoostClassifier(wl.DecisionStumpClassifier(missing="abstain"))
        assert abstaining.fit(X, y)._scheme == "Samme"
