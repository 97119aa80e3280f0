"""Fitting and what is told of it: resumed, stopped, interrupted, truncated, certified."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import weaklearn
from tests.samples import same_bits
from weaklearn import AdaBoostClassifier, DecisionStumpClassifier
from weaklearn.base import BoostingWarning, DataWarning

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, float), np.array([0, 1, 1, 0] * 3)
TREE = DecisionTreeClassifier(max_depth=1)
CASES = {
    "stumps": {},
    "slow": {"learning_rate": 0.3},
    "smooth": {"on_perfect": "smooth"},
    "m1": {"multiclass": "m1"},
    "ovr": {"multiclass": "ovr"},
    "trees": {"estimator": TREE},
    "resampled": {"resample": True},
    "no weights": {"estimator": KNeighborsClassifier(1), "resample": {"n_samples": 20}},
    "early": {"early_stopping": True, "n_iter_no_change": 200},
    "balanced": {"class_weight": "balanced"},
}


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def noisy():
    X, y = make_classification(200, 6, n_informative=3, flip_y=0.3, random_state=0)
    return X, y


def late_perfection():
    """Rows on which the third hypothesis makes no error: the first two learners are told to err."""
    X = np.arange(8.0)[:, None]
    y = np.where(X[:, 0] > 3, 1, -1)
    bad = [np.where(X[:, 0] > 5, 1, -1), np.where(X[:, 0] > 2, 1, -1)]
    calls = []

    def learner(X, y, D):
        calls.append(1)
        answers = bad[len(calls) - 1] if len(calls) <= 2 else y
        return lambda rows: answers[rows[:, 0].astype(int)]

    return X, y, learner


def same_model(a, b):
    assert same_bits(a.estimator_weights_, b.estimator_weights_)
    assert same_bits(a.estimator_errors_, b.estimator_errors_)
    assert a.history_ == b.history_
    assert str(a.rules()) == str(b.rules())
    assert a.stop_reason_ == b.stop_reason_
    for x, y in zip(a.estimators_, b.estimators_, strict=True):
        if isinstance(x, DecisionStumpClassifier):
            assert x.stump_ == y.stump_


# -------------------------------------------------------------------------------------- warm start


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("data", ["noisy", "iris"])
def test_thirty_rounds_and_seventy_more_are_a_hundred(case, data, request):
    X, y = request.getfixturevalue(data)
    rounds = (3, 10) if "estimator" in case or "resample" in case else (30, 100)
    straight = AdaBoostClassifier(n_estimators=rounds[1], **case).fit(X, y)
    model = AdaBoostClassifier(n_estimators=rounds[0], warm_start=True, **case).fit(X, y)
    model.set_params(n_estimators=rounds[1]).fit(X, y)
    same_model(model, straight)
    assert same_bits(model.decision_function(X), straight.decision_function(X))


def test_warm_start_does_not_reopen_a_run_that_is_over():
    for X, y, rounds in [(*XOR, 1), (np.array([[0.0], [1.0]]), [0, 1], 1)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BoostingWarning)
            model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
            before = model.decision_function(X)
            model.set_params(n_estimators=50).fit(X, y)
        assert len(model.history_) == rounds
        assert same_bits(model.decision_function(X), before)


def test_warm_start_ovr_keeps_won_runs_won():
    # Setosa is told apart by one stump: its game ends in round 1, the others go on.
    X, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=4, multiclass="ovr", warm_start=True).fit(X, y)
    assert [len(part) for part in model.ensemble_.parts] == [1, 4, 4]
    model.set_params(n_estimators=9).fit(X, y)
    assert [len(part) for part in model.ensemble_.parts] == [1, 9, 9]
    straight = AdaBoostClassifier(n_estimators=9, multiclass="ovr").fit(X, y)
    same_model(model, straight)


def test_warm_start_keeps_the_meaning_of_categories():
    first = pd.DataFrame({"c": ["a", "b", "c", "b"] * 4})
    later = pd.DataFrame({"c": ["b", "c", "c", "b"] * 4})  # codes of its own would shift
    y = (first["c"] == "b").to_numpy()
    model = AdaBoostClassifier(n_estimators=1, warm_start=True, on_perfect="smooth").fit(first, y)
    model.set_params(n_estimators=2).fit(later, (later["c"] == "b").to_numpy())
    assert model.predict(pd.DataFrame({"c": ["a", "b", "c"]})).tolist() == [False, True, False]


def test_warm_start_refuses_what_does_not_go_on(cancer):
    X, y = cancer
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="n_estimators=4 must be larger or equal to the 5"):
        model.set_params(n_estimators=4).fit(X, y)
    model.set_params(n_estimators=6)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 30"):
        model.fit(X[:, :3], y)
    with pytest.raises(ValueError, match="y holds 7, which is not among the classes"):
        model.fit(X, np.where(y == 1, 7, 0))
    assert model.n_iter_ == 5


def test_warm_start_with_a_generator_splits_as_before(noisy):
    X, y = noisy
    random = np.random.RandomState(3)
    model = AdaBoostClassifier(
        n_estimators=5, warm_start=True, early_stopping=True, random_state=random
    ).fit(X, y)
    model.set_params(n_estimators=12).fit(X, y)
    seed = np.random.RandomState(3).randint(0, 2**31 - 1)
    straight = AdaBoostClassifier(n_estimators=12, early_stopping=True, random_state=seed)
    same_model(model, straight.fit(X, y))


def test_without_warm_start_a_fit_begins_anew(cancer, iris):
    model = AdaBoostClassifier(n_estimators=3).fit(*cancer)
    model.fit(*iris)
    same_model(model, AdaBoostClassifier(n_estimators=3).fit(*iris))


# --------------------------------------------------------------------------------------- interrupt


@pytest.mark.parametrize("case", ["stumps", "early", "ovr", "trees"])
def test_an_interrupt_keeps_the_rounds_so_far(case, noisy, iris):
    X, y = iris if case == "ovr" else noisy
    settings = CASES[case] | {"n_estimators": 12}

    def interrupt(t, state, history):
        if t == 5:
            raise KeyboardInterrupt

    model = AdaBoostClassifier(**settings, callbacks=[interrupt], warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert len(model.history_) == 5
    assert model.stop_reason_ == "interrupted"
    model.predict(X)
    model.set_params(callbacks=None).fit(X, y)
    same_model(model, AdaBoostClassifier(**settings).fit(X, y))


def test_an_interrupt_in_the_last_round_does_not_hide_the_end():
    X, y, learner = late_perfection()

    def interrupt(t, state, history):
        if t == 3:
            raise KeyboardInterrupt

    model = AdaBoostClassifier(learner, callbacks=[interrupt], warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.stop_reason_ == "a hypothesis made no error"
    model.set_params(callbacks=None).fit(X, y)
    assert len(model.history_) == 3
    assert model.score(X, y) == 1


def test_an_interrupt_before_the_first_round_keeps_the_old_model(cancer):
    def learner(X, y, D):
        raise KeyboardInterrupt

    model = AdaBoostClassifier(n_estimators=3).fit(*cancer)
    before = model.decision_function(cancer[0])
    with pytest.raises(KeyboardInterrupt):
        model.set_params(estimator=learner).fit(*cancer)
    assert same_bits(model.set_params(estimator=None).decision_function(cancer[0]), before)


# ---------------------------------------------------------------------------------- early stopping


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss"])
def test_the_order_of_rows_does_not_matter(weights, scoring, noisy):
    X, y = noisy
    rng = np.random.default_rng(1)
    w = {None: None, "whole": rng.integers(1, 4, len(y)), "real": rng.random(len(y))}[weights]
    model = AdaBoostClassifier(
        n_estimators=60, early_stopping=True, validation_fraction=0.3, scoring=scoring
    )
    order = rng.permutation(len(y))
    a = clone(model).fit(X, y, w)
    b = clone(model).fit(X[order], y[order], None if w is None else w[order])
    same_model(a, b)
    assert same_bits(a.decision_function(X), b.decision_function(X))
    assert a.n_iter_ <= len(a.history_) == len(a.validation_scores_)
    if weights != "whole":  # copies of one row may lie on both sides
        assert a.stop_reason_ == "the validation score stopped improving"


@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_a_weight_is_so_many_copies_held_out_too(scoring, noisy):
    X, y = noisy
    w = np.random.default_rng(2).integers(0, 4, len(y))
    model = AdaBoostClassifier(n_estimators=60, early_stopping=True, scoring=scoring)
    a = clone(model).fit(X, y, w)
    b = clone(model).fit(X.repeat(w, axis=0), y.repeat(w))
    same_model(a, b)


def test_heavy_whole_weights_cost_no_memory(noisy):
    X, y = noisy
    model = AdaBoostClassifier(n_estimators=20, early_stopping=True)
    model.fit(X, y, np.full(len(y), 10**9))
    assert model.n_iter_ > 0


def test_given_validation_rows_decide(noisy):
    X, y = noisy
    model = AdaBoostClassifier(n_estimators=80, early_stopping=True, n_iter_no_change=7)
    model.fit(X[:120], y[:120], X_val=X[120:], y_val=y[120:])
    scores = model.validation_scores_
    best = len(scores) - int(np.argmax(scores[::-1]))  # the latest of equals
    assert model.n_iter_ == best
    assert len(scores) == len(model.history_) == best + 7
    assert model.score(X[120:], y[120:]) == scores.max()
    straight = AdaBoostClassifier(n_estimators=best).fit(X[:120], y[:120])
    assert same_bits(model.decision_function(X), straight.decision_function(X))


def test_rounds_that_score_alike_do_not_end_a_run(noisy):
    X, y = noisy
    settings = {"n_estimators": 40, "early_stopping": True, "n_iter_no_change": 5}
    clear = np.abs(AdaBoostClassifier(n_estimators=40).fit(X, y).decision_function(X)).argmax()
    few = {"X_val": X[[clear]], "y_val": y[[clear]]}
    model = AdaBoostClassifier(**settings).fit(X, y, **few)
    right = np.flatnonzero(model.validation_scores_ == 1) + 1
    assert model.n_iter_ == right[-1] > 5
    strict = AdaBoostClassifier(tol=1e-9, **settings).fit(X, y, **few)
    assert strict.n_iter_ == right[0]
    assert len(strict.history_) == right[0] + 5


def test_validation_rows_are_only_watched_without_early_stopping(noisy):
    X, y = noisy
    model = AdaBoostClassifier(n_estimators=30)
    model.fit(X[:120], y[:120], X_val=X[120:], y_val=y[120:])
    assert model.n_iter_ == 30
    staged = list(model.staged_score(X[120:], y[120:]))
    assert model.history_["validation_score"].tolist() == pytest.approx(staged, abs=1e-12)


def test_validation_weights_count(noisy):
    X, y = noisy
    w = np.arange(80) % 3 + 0.5
    for scoring in (None, "accuracy"):
        model = AdaBoostClassifier(n_estimators=10, scoring=scoring).fit(
            X[:120], y[:120], X_val=X[120:], y_val=y[120:], sample_weight_val=w
        )
        expected = list(model.staged_score(X[120:], y[120:], sample_weight=w))
        assert model.validation_scores_.tolist() == pytest.approx(expected, abs=1e-12)
    model.set_params(scoring=lambda estimator, X, y: estimator.score(X, y))
    with pytest.warns(BoostingWarning, match="scoring takes no sample_weight"):
        model.fit(X[:120], y[:120], X_val=X[120:], y_val=y[120:], sample_weight_val=w)


def test_scoring_sees_the_model_of_each_round(noisy):
    X, y = noisy
    seen = []

    def scoring(estimator, X, y):
        seen.append((estimator.n_iter_, len(estimator.estimators_)))
        return -len(seen)

    model = AdaBoostClassifier(early_stopping=True, scoring=scoring, n_iter_no_change=3).fit(X, y)
    assert seen == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert model.n_iter_ == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"X_val": [[0.0]]}, "X_val is given without y_val"),
        ({"y_val": [0]}, "y_val is given without X_val"),
        ({"X_val": [[0.0]], "y_val": [5]}, "y_val holds 5, which is not among the classes"),
        ({"X_val": [[0.0, 1.0]], "y_val": [0]}, "X has 2 features"),
    ],
)
def test_validation_rows_that_do_not_fit_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(early_stopping=True).fit([[0.0], [1.0]] * 5, [0, 1] * 5, **given)


def test_too_few_rows_to_hold_out():
    with pytest.raises(ValueError, match="leaves no row to validate on"):
        AdaBoostClassifier(early_stopping=True).fit([[0.0], [1.0]], [0, 1])


def test_a_perfect_member_is_scored_as_itself():
    # After one member a perfect one takes its place: again one member, but another.
    X = np.arange(8.0)[:, None]
    y = np.where(X[:, 0] > 3, 1, -1)
    calls = []

    def learner(X, y, D):
        calls.append(1)
        cut = 5 if len(calls) == 1 else 3
        return lambda rows: np.where(rows[:, 0] > cut, 1, -1)

    model = AdaBoostClassifier(learner).fit(X, y, X_val=X, y_val=y)
    assert model.validation_scores_.tolist() == [0.75, 1.0]


# ------------------------------------------------------------------------------- members and rounds


def test_xor_is_one_round_and_no_member():
    with pytest.warns(BoostingWarning, match="nothing was learnt: no hypothesis beats chance"):
        model = AdaBoostClassifier().fit(*XOR)
    assert len(model.history_) == 1
    assert model.n_iter_ == len(model.estimators_) == len(model.estimator_weights_) == 0
    assert len(model.estimator_errors_) == len(model.edges_) == len(model.rules()) == 0
    assert list(model.staged_predict(XOR[0])) == []
    assert model.history_["epsilon"].tolist() == [0.5]
    assert model.history_["alpha"].tolist() == [0.0]
    assert model.predict(XOR[0]).tolist() == [0] * 12
    assert model.margins(*XOR).tolist() == [0.0] * 12
    assert (model.predict_proba(XOR[0]) == 0.5).all()
    assert model.feature_importances_.tolist() == [0.0, 0.0]
    assert {c.note for c in model.certify(*XOR)} == {"does not apply: no hypothesis was kept"}


def test_no_edge_after_a_member_tells_the_error_of_the_member():
    # One feature of two values: after one stump every rule errs on half the weight.
    X, y = np.array([[0.0]] * 4 + [[1.0]] * 4), np.array([0, 0, 0, 1, 1, 1, 1, 0])
    model = AdaBoostClassifier().fit(X, y)
    assert model.stop_reason_ == "no hypothesis beats chance"
    assert len(model.history_) == 2
    assert model.n_iter_ == 1
    assert model.estimator_errors_.tolist() == pytest.approx([0.25])
    assert model.edges_.tolist() == pytest.approx([0.25])
    assert model.estimators_[0].error_ == pytest.approx(0.25)
    assert all(c.holds is not False for c in model.certify(X, y))


def test_a_late_perfect_round_stands_alone():
    X, y, learner = late_perfection()
    model = AdaBoostClassifier(learner).fit(X, y)
    assert len(model.history_) == 3
    assert model.history_["alpha"].tolist()[-1] == np.inf
    assert model.history_["margin_min"][-1] == 1
    assert model.n_iter_ == len(model.estimators_) == 1
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.estimator_errors_.tolist() == [0.0]
    assert model.edges_.tolist() == [0.5]
    assert sorted(set(model.decision_function(X))) == [-1.0, 1.0]
    same = model.truncate(1)
    assert model.truncate(99).n_iter_ == 1  # as a slice, it takes what there is
    assert len(same.history_) == 3
    assert same.estimator_errors_.tolist() == [0.0]
    for certificate in [*model.certify(X, y), *model.certify(), *same.certify(X, y)]:
        assert certificate.holds is not False
        assert not certificate.applies or certificate.observed <= 1


def test_the_opposite_of_a_perfect_rule():
    X = np.arange(6.0)[:, None]
    y = np.where(X[:, 0] > 2, 1, -1)
    model = AdaBoostClassifier(lambda X, y, D: lambda rows: np.where(rows[:, 0] > 2, -1, 1))
    model.fit(X, y)
    assert model.history_["alpha"].tolist() == [-np.inf]
    assert model.estimator_weights_.tolist() == [-1.0]
    assert model.estimator_errors_.tolist() == [1.0]
    assert model.score(X, y) == 1
    assert all(c.holds is not False for c in model.certify(X, y))


def test_smoothing_records_the_true_error_and_the_true_normaliser():
    X, y = np.array([[0.0], [1.0]] * 5), np.array([0, 1] * 5)
    model = AdaBoostClassifier(n_estimators=3, on_perfect="smooth").fit(X, y)
    m = len(y)
    alpha = 0.5 * np.log((1 + 0.5 / m) / (0.5 / m))
    assert model.history_["epsilon"].tolist() == [0.0] * 3
    assert model.history_["alpha"].tolist() == pytest.approx([alpha] * 3)
    assert model.history_["Z"].tolist() == pytest.approx([np.exp(-alpha)] * 3)
    found = {c.id: c for c in model.certify(X, y)}
    assert found["ada-train"].holds
    assert "not AdaBoost's own" in found["ada-train-exp"].note


def test_a_rule_that_is_silent_somewhere_outvotes_nobody():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [np.nan], [np.nan]])
    y = np.array([0, 0, 1, 1, 1, 0])
    model = AdaBoostClassifier(DecisionStumpClassifier(missing="abstain"), n_estimators=3)
    model.fit(X, y)
    assert np.isfinite(model.history_["alpha"]).all()
    assert model.history_["train_error"].tolist() == [1 / 6] * 3  # F = 0 counts as the first class
    assert np.mean(model.predict(X) != y) == 1 / 6
    assert {c.id: c for c in model.certify(X, y)}["ada-train"].holds


@pytest.mark.parametrize("multiclass", ["m1", "samme"])
def test_silence_counts_as_a_guess_among_many_classes(multiclass):
    X = np.array([[0.0]] * 6 + [[np.nan]] * 2 + [[2.0]] * 2)
    y = np.array([0] * 6 + [1, 2] + [1] * 2)
    weak = DecisionStumpClassifier(missing="abstain")
    model = AdaBoostClassifier(weak, multiclass=multiclass, n_estimators=1).fit(X, y)
    guess = {"m1": 1 / 2, "samme": 2 / 3}[multiclass]
    assert model.estimator_errors_.tolist() == pytest.approx([0.2 * guess])
    assert all(c.holds is not False for c in model.certify(X, y))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("data", ["noisy", "iris"])
def test_stages_end_in_the_model(case, data, request):
    X, y = request.getfixturevalue(data)
    model = AdaBoostClassifier(n_estimators=6, **case).fit(X, y)
    assert len(list(model.staged_predict(X))) == model.n_iter_
    for name in ("decision_function", "predict", "predict_proba"):
        *_, last = getattr(model, f"staged_{name}")(X)
        assert same_bits(last, getattr(model, name)(X))
    *_, last = model.staged_score(X, y)
    assert last == model.score(X, y)
    members = len(model.estimators_)
    assert members == len(model.estimator_weights_) == len(model.estimator_errors_)
    assert members == len(model.edges_) == len(model.rules())


@pytest.mark.parametrize("case", ["stumps", "m1", "ovr", "trees"])
def test_truncation_equals_a_shorter_run(case, noisy, iris):
    X, y = iris if case in ("m1", "ovr") else noisy
    model = AdaBoostClassifier(n_estimators=12, **CASES[case]).fit(X, y)
    short = AdaBoostClassifier(n_estimators=5, **CASES[case]).fit(X, y)
    cut = model.truncate(5)
    assert cut.history_ == short.history_
    assert same_bits(cut.decision_function(X), short.decision_function(X))
    assert same_bits(cut.estimator_errors_, short.estimator_errors_)
    assert model.n_iter_ == 12
    assert model.truncate(99).n_iter_ == 12
    # A truncated model may go on.
    cut.set_params(warm_start=True).fit(X, y)
    assert same_bits(cut.decision_function(X), model.decision_function(X))
    with pytest.raises(ValueError, match="n=0 is not allowed"):
        model.truncate(0)


def test_staged_score_takes_labels_never_seen(iris):
    X, y = iris
    model = AdaBoostClassifier(n_estimators=3).fit(X[:100], y[:100])
    assert list(model.staged_score(X, y))[-1] == model.score(X, y)


def test_ovr_speaks_of_one_class_at_a_time(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = AdaBoostClassifier(n_estimators=3, multiclass="ovr").fit(X, names)
    assert model.rules().columns[:2] == ["round", "class"]
    assert [row[:2] for row in model.rules(1)] == [(1, name) for name in np.unique(names)]
    for n in range(4):  # the first rounds, whole, and all of them printed
        assert model.rules(n).rows == [row for row in model.rules() if row[0] <= n]
        assert "..." not in str(model.rules(n))
    told = {row[3] for row in model.rules()} | {row[4] for row in model.rules()}
    assert {"setosa", "not setosa", "virginica", "not virginica"} <= told
    first = model.estimators_[0]
    assert np.array_equal(first.predict(X) == 1, names == "setosa")
    assert first.error_ == 0
    own = [model.history_[f"epsilon_{k}"] for k in range(3)]
    assert np.isnan(own[0][1:]).all()
    assert model.estimator_errors_.tolist() == [0.0, *own[1], *own[2]]


def test_ovr_probabilities_survive_hopeless_scores(iris):
    X, y = iris
    model = AdaBoostClassifier(n_estimators=40, multiclass="ovr", learning_rate=50.0).fit(X, y)
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize("learning_rate", [23.0, 1e3, 1e6])
def test_wild_learning_rates_end_well(learning_rate, cancer, iris):
    for data in (cancer, iris):
        model = AdaBoostClassifier(n_estimators=20, learning_rate=learning_rate).fit(*data)
        assert np.isfinite(model.decision_function(data[0])).all()
        assert np.isfinite(model.predict_proba(data[0])).all()
    model = AdaBoostClassifier(n_estimators=20, learning_rate=learning_rate).fit(*cancer)
    assert model.history_["margin_min"][-1] == pytest.approx(model.margins(*cancer).min())


def test_one_class():
    X = [[0.0], [1.0], [2.0]]
    for estimator in (None, TREE, GaussianNB()):
        with pytest.warns(DataWarning, match="y holds one class only, 'a'"):
            model = AdaBoostClassifier(estimator).fit(X, ["a"] * 3)
        assert model.predict(X).tolist() == ["a"] * 3
        assert model.predict_proba(X).tolist() == [[1.0]] * 3
        assert model.margins(X, ["a"] * 3).tolist() == [1.0] * 3
        assert model.estimators_[0].predict(X).tolist() == ["a"] * 3
        assert all(c.holds is not False for c in model.certify(X, ["a"] * 3))


# ------------------------------------------------------------------------ weights and weak learners


def test_class_weight_is_sample_weight(noisy):
    X, y = noisy
    for factors in ({0: 3, 1: 1}, {0: 0.7, 1: 1.9}):
        by_class = AdaBoostClassifier(n_estimators=9, class_weight=factors).fit(X, y)
        by_row = AdaBoostClassifier(n_estimators=9).fit(X, y, [factors[label] for label in y])
        same_model(by_class, by_row)


def test_class_weight_of_labels(noisy):
    X, y = noisy
    with pytest.raises(ValueError, match="not in class_weight"):
        AdaBoostClassifier(class_weight={0: 1.0, "one": 2.0}).fit(X, y)
    # A fold that lacks a class is no slip of the pen.
    AdaBoostClassifier(n_estimators=1, class_weight={0: 1.0, 1: 2.0, 2: 3.0}).fit(X, y)
    model = AdaBoostClassifier(n_estimators=3, class_weight={0: 0, 1: 1}).fit(X, y)
    assert (model.predict(X) == 1).all()


def test_heavy_sides():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (40, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    for k in (2, 3):
        y = rng.integers(0, k, 40)
        w = rng.random(40)
        model = DecisionStumpClassifier(min_weight_fraction_leaf=0.3).fit(X, y, w)
        x, low = X[:, model.feature_], X[:, model.feature_] <= model.threshold_
        if len({model.stump_.low, model.stump_.high}) == 2:
            known = ~np.isnan(x)
            assert w[known & low].sum() >= 0.3 * w.sum() - 1e-9
            assert w[known & ~low].sum() >= 0.3 * w.sum() - 1e-9
        assert model.error_ == pytest.approx(heavy_twin(X, y, w, 0.3, k))
    free = DecisionStumpClassifier().fit(X, y, w)
    assert free.error_ <= model.error_


def heavy_twin(X, y, w, share, n_classes):
    """The least error over all stumps whose sides are heavy enough, by brute force."""

    def right(rows):
        return max(w[rows & (y == c)].sum() for c in range(n_classes))

    best = 0.0
    for x in X.T:
        missing = np.isnan(x)
        best = max(best, right(missing) + right(~missing))
        for cut in np.unique(x[~missing]):
            low, high = ~missing & (x <= cut), ~missing & (x > cut)
            if min(w[low].sum(), w[high].sum()) >= share * w.sum():
                best = max(best, right(missing) + right(low) + right(high))
    return 1 - best / w.sum()


@pytest.mark.parametrize("categorical", ["equality", "multiway"])
def test_heavy_sides_of_categories(categorical):
    X = pd.DataFrame({"c": ["a"] * 8 + ["b"] * 8 + ["rare"]})
    y = np.array([0] * 8 + [1] * 8 + [1])
    model = DecisionStumpClassifier(categorical=categorical, min_weight_fraction_leaf=0.2)
    model.fit(X, y)
    light = {"equality": 0.0, "multiway": 8 / 17}[categorical]  # one value is too light for a block
    assert model.error_ == pytest.approx(light)


def test_heavy_sides_reach_a_tree(noisy):
    X, y = noisy
    model = AdaBoostClassifier(DecisionTreeClassifier(), min_weight_fraction_leaf=0.4)
    model.fit(X, y)
    assert {tree.min_weight_fraction_leaf for tree in model.estimators_} == {0.4}
    assert model.estimator.min_weight_fraction_leaf == 0.0
    with pytest.raises(ValueError, match=r"min_weight_fraction_leaf=0\.6 is not allowed"):
        AdaBoostClassifier(min_weight_fraction_leaf=0.6).fit(X, y)


def test_a_stump_brings_its_settings_along():
    X = np.array([[0.0], [1.0], [2.0], [1.0]] * 3)
    y = np.array([0, 1, 0, 1] * 3)
    weak = DecisionStumpClassifier(categorical_features=[0])
    assert AdaBoostClassifier(weak, n_estimators=1).fit(X, y).score(X, y) == 1
    with pytest.raises(ValueError, match="set it on the booster"):
        AdaBoostClassifier(DecisionStumpClassifier(class_weight="balanced")).fit(X, y)
    with pytest.raises(ValueError, match=r"contains NaN: row 1, column 0"):
        AdaBoostClassifier(DecisionStumpClassifier(missing="error")).fit([[0.0], [np.nan]], [0, 1])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, pd.DataFrame])
def test_a_stump_that_refuses_missing_values_names_the_cell(container):
    X = np.array([[0.0, 1.0], [2.0, np.nan]])
    with pytest.raises(ValueError, match="contains NaN: row 1, column 1 is missing"):
        DecisionStumpClassifier(missing="error").fit(container(X), [0, 1])
    model = DecisionStumpClassifier(missing="error").fit(container(np.eye(2)), [0, 1])
    with pytest.raises(ValueError, match="contains NaN: row 1, column 1 is missing"):
        model.predict(container(X))


@pytest.mark.parametrize("estimator", [TREE, KNeighborsClassifier(3)], ids=str)
def test_foreign_learners_know_neither_order_nor_copies(estimator):
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 3, (25, 3)).astype(float), rng.integers(0, 2, 25)
    w = rng.integers(1, 4, 25)
    model = AdaBoostClassifier(estimator, n_estimators=8)
    by_weight = clone(model).fit(X, y, w)
    copies = np.repeat(np.arange(25), w)[rng.permutation(w.sum())]
    by_copies = clone(model).fit(X[copies], y[copies])
    assert same_bits(by_weight.estimator_errors_, by_copies.estimator_errors_)
    assert same_bits(by_weight.decision_function(X), by_copies.decision_function(X))


def test_a_failing_draw_fails_stops_or_is_taken():
    X, y = XOR
    options = {"gamma": 0.4, "n_samples": 4}
    with pytest.raises(ValueError, match=r"none of .* hypotheses reached an error below"):
        AdaBoostClassifier(resample=options | {"on_failure": "fail"}).fit(X, y)
    with pytest.warns(BoostingWarning, match="nothing was learnt: the weak learner gave up"):
        AdaBoostClassifier(resample=options | {"on_failure": "stop"}).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoostingWarning)
        AdaBoostClassifier(n_estimators=3, resample=options | {"on_failure": "best"}).fit(X, y)


def test_a_malformed_sparse_matrix_with_weights_is_refused():
    X = sparse.csr_array(np.eye(4))
    X.indices = X.indices.copy()
    X.indices[0] = 10**6
    with pytest.raises(ValueError, match="malformed sparse matrix"):
        AdaBoostClassifier(TREE).fit(X, [0, 1, 0, 1], sample_weight=[0, 1, 1, 1])


# ------------------------------------------------------------------------------------- certificates


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("settings", ["stumps", "early", "balanced", "trees"])
def test_certificates_hold_on_the_rows_of_the_fit(weights, settings, noisy):
    X, y = noisy
    rng = np.random.default_rng(3)
    w = {None: None, "whole": rng.integers(0, 4, len(y)), "real": rng.random(len(y))}[weights]
    model = AdaBoostClassifier(n_estimators=40, **CASES[settings]).fit(X, y, w)
    found = model.certify(X, y, sample_weight=w).training
    assert {c.id for c in found} == {"ada-train", "ada-train-exp", "rounds", "margin-dist"}
    for certificate in found:
        assert certificate.holds is not False
        assert certificate.applies or "rounds or more" in certificate.note
    by_id = {c.id: c for c in model.certify()}
    weighted = weights == "real" or settings == "balanced"
    assert by_id["ada-train"].applies == (not weighted)
    assert weighted == ("weights were given" in by_id["ada-train"].note)


def test_certificates_know_other_rows(noisy):
    X, y = noisy
    model = AdaBoostClassifier(n_estimators=10).fit(X[:150], y[:150])
    for certificate in model.certify(X, y):
        assert "these are not the rows of training" in certificate.note
        assert certificate.bound is None


def test_the_promise_of_rounds_counts_the_lightest_row():
    X = np.arange(6.0)[:, None]
    y = np.array([0, 0, 1, 0, 1, 1])
    w = np.array([1.0, 1.0, 0.001, 1.0, 1.0, 1.0])
    model = AdaBoostClassifier(n_estimators=60).fit(X, y, w)
    rounds = next(c for c in model.certify(X, y, sample_weight=w) if c.id == "rounds")
    assert rounds.holds is not False


def test_a_test_set_bounds_the_true_error(noisy):
    X, y = noisy
    model = AdaBoostClassifier(n_estimators=10).fit(X[:100], y[:100])
    last = model.certify(X_test=X[100:], y_test=y[100:], delta=0.1).of("test-set")
    error = 1 - model.score(X[100:], y[100:])
    assert last.observed is None
    assert last.holds is None  # the true error is not known
    assert f"{error:.4g} on 100 rows" in last.note
    assert last.bound == pytest.approx(error + np.sqrt(np.log(40) / 200))
    with pytest.raises(ValueError, match="X_test together with y_test"):
        model.certify(X_test=X)
    with pytest.raises(ValueError, match="delta=1 is not allowed"):
        model.certify(delta=1)


# --------------------------------------------------------------------------------- round by round


def test_rounds_tell_what_a_fit_records(cancer):
    X, y = cancer
    model = AdaBoostClassifier(n_estimators=8)
    watched = list(weaklearn.rounds(model, X, y))
    assert not hasattr(model, "ensemble_")
    fitted = clone(model).fit(X, y)
    assert [r.epsilon for r in watched] == fitted.history_["epsilon"].tolist()
    assert [r.alpha for r in watched] == fitted.history_["alpha"].tolist()
    assert [r.h.feature_ for r in watched] == [h.feature_ for h in fitted.estimators_]
    assert same_bits(watched[-1].F, fitted.decision_function(X))
    assert same_bits(watched[-1].margins, fitted.margins(X, y))
    for r, after in pairwise(watched):
        assert r.D.sum() == pytest.approx(1)
        wrong = r.h.predict(X) != y
        assert r.D[wrong].sum() == pytest.approx(r.epsilon)
        assert after.D[wrong].sum() == pytest.approx(0.5)


def test_rounds_may_be_left_at_any_time(cancer):
    for r in weaklearn.rounds(AdaBoostClassifier(n_estimators=10**9), *cancer):
        if r.t == 3:
            break
    assert r.t == 3


def test_a_round_that_ends_the_run_has_no_member():
    (only,) = weaklearn.rounds(AdaBoostClassifier(), *XOR)
    assert only.h is None
    assert only.stop is not None
    assert only.epsilon == 0.5


def test_rounds_of_one_run_only(iris):
    with pytest.raises(ValueError, match="multiclass='ovr' boosts one binary problem per class"):
        next(weaklearn.rounds(AdaBoostClassifier(multiclass="ovr"), *iris))
