"""One game for every two classes: each is the binary game on its own rows, and most wins decide."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from tests.boosters.multiclass import problems, quietly
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, DecisionStumpClassifier, datasets
from weaklearn.base import NoHypothesis, Stop, WeakLearner
from weaklearn.base.votes.pairwise import PairwiseEnsemble, n_classes_of, pairs_of
from weaklearn.boosters import AdaBoost, AllPairs
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=25)
# Small random tables often hold nothing but constants, or gaps.
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")


def model_of(T: int, **options: Any) -> AdaBoostClassifier:
    return AdaBoostClassifier(n_estimators=T, multiclass="pairs", **options)


def wins_of(scores: dict[tuple[int, int], Any], K: int) -> Any:
    wins = np.zeros((len(next(iter(scores.values()))), K))
    for (i, j), F in scores.items():
        wins[:, i] += F <= 0
        wins[:, j] += F > 0
    return wins


@quick
@given(problems(), st.booleans())
def test_every_pair_plays_its_own_run(problem: Any, whole: bool) -> None:
    X, codes, K, weights = problem
    if weights is not None and not whole:
        weights = np.array(weights) / 7  # importances instead of repetitions
    model = quietly(lambda: model_of(6).fit(X, codes, weights))
    scores = {}
    for (i, j), part in zip(combinations(range(K), 2), model.ensemble_.parts, strict=True):
        rows = np.flatnonzero((codes == i) | (codes == j))
        own_weights = None if weights is None else np.asarray(weights)[rows]
        own = quietly(
            lambda rows=rows, w=own_weights: AdaBoostClassifier(n_estimators=6).fit(
                X[rows], codes[rows], w
            )
        )
        assert part.votes.tobytes() == own.estimator_weights_.tobytes()
        scores[i, j] = own.decision_function(X)
    F = model.decision_function(X)
    assert F.tolist() == wins_of(scores, K).tolist()
    assert (model.predict(X) == np.argmax(F, axis=1)).all()
    assert (F.sum(axis=1) == K * (K - 1) / 2).all()


def test_two_classes_are_one_run() -> None:
    X, y = datasets.toy()
    binary = sample_of(X, y)
    classes = replace(binary, y=(binary.y > 0).astype(np.int32), classes=np.arange(2))
    panel, learn = AllPairs(AdaBoost(), StumpLearner()), StumpLearner().bind(binary)
    state, one = AdaBoost().begin(binary), panel.begin(classes)
    for _ in range(6):
        state, played = AdaBoost().round(binary, learn, state)
        one, metrics = panel.round(classes, learn, one)
        for name in ("epsilon", "alpha", "Z"):
            assert metrics.metrics[name] == metrics.metrics[f"{name}_0"] == played.metrics[name]
    assert one.ensemble.parts[0](classes).tobytes() == state.ensemble(binary).tobytes()
    assert (one.ensemble(classes)[:, 1] == (state.ensemble(binary) > 0)).all()
    plain = AdaBoostClassifier(n_estimators=6).fit(X, y)
    assert model_of(6).fit(X, y).decision_function(X).tobytes() == (
        plain.decision_function(X).tobytes()
    )


def test_other_names_permute_predictions_away_from_ties() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    codes = np.digitize(X[:, 0] + 0.2 * X[:, 1], [-0.7, 0.0, 0.7])
    names = np.array(["delta", "alpha", "charlie", "bravo"])
    plain, named = model_of(10).fit(X, codes), model_of(10).fit(X, names[codes])
    F = plain.decision_function(X)
    order = np.argsort(names)
    top = np.sort(F, axis=1)
    clear = top[:, -1] > top[:, -2]
    assert clear.sum() > 100
    assert (named.decision_function(X)[clear] == F[clear][:, order]).all()
    assert (named.predict(X)[clear] == names[plain.predict(X)[clear]]).all()


def test_the_smallest_class_wins_a_tie() -> None:
    """Rock, paper and scissors have a win each; without a member the smaller class wins."""
    rows = np.zeros((1, 2))
    vote = PairwiseEnsemble(tuple(_Fixed(F) for F in (-1.0, 1.0, -1.0)))
    assert vote(rows).tolist() == [[1.0, 1.0, 1.0]]
    empty = PairwiseEnsemble(tuple(_Fixed(0.0) for _ in range(6)))
    assert empty(rows).tolist() == [[3.0, 2.0, 1.0, 0.0]]
    assert empty.margin_weight == 3


class _Fixed:
    """A vote that is one number."""

    def __init__(self, F: float) -> None:
        self.F = F

    def __call__(self, rows: Any) -> Any:
        return np.full(len(rows), self.F)


def test_how_pairs_are_counted() -> None:
    for K in range(2, 30):
        assert n_classes_of(len(pairs_of(K))) == K
    assert [n for n in range(12) if n_classes_of(n)] == [1, 3, 6, 10]


@quick
@given(problems())
def test_guarantee(problem: Any) -> None:
    """Training error <= sum over pairs of their weight times the product of Z."""
    X, codes, K, weights = problem
    model = quietly(lambda: model_of(6).fit(X, codes, weights))
    D = np.ones(len(codes)) if weights is None else np.array(weights, float)
    D /= D.sum()
    bound = 0.0
    for k, (i, j) in enumerate(combinations(range(K), 2)):
        product, n = 1.0, len(model.ensemble_.parts[k])
        if np.isinf(model.history_[f"alpha_{k}"]).any():
            product = 0.0
        else:
            product = float(np.prod(model.history_[f"Z_{k}"][:n]))
        bound += D[(codes == i) | (codes == j)].sum() * product
    error = D[model.predict(X) != codes].sum()
    assert error <= bound + 1e-12
    (found,) = model.certify(X, codes, sample_weight=weights).training
    if model.n_iter_:
        assert found.bound == pytest.approx(bound)
        assert found.verdict in ("holds", "holds, says nothing")
        assert found.observed >= error - 1e-12
    else:
        assert "no hypothesis" in found.verdict


def test_certificates_that_do_not_apply() -> None:
    X, y = load_iris(return_X_y=True)
    model = model_of(5).fit(X, y)
    assert "pass the training rows" in model.certify()[0].verdict
    assert "not the rows of training" in model.certify(X[1:], y[1:])[0].verdict


def test_abstaining_stumps_keep_the_bound() -> None:
    """Where a rule is silent its examples keep their weight, and Z says so."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 2))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.5, 0.5])
    X[rng.random(X.shape) < 0.4] = np.nan
    for how in ("pairs", "ovr"):
        model = AdaBoostClassifier(
            DecisionStumpClassifier(missing="abstain"), n_estimators=20, multiclass=how
        ).fit(X, y)
        (found,) = model.certify(X, y).training
        assert found.observed <= found.bound
        assert f"Z_{0}" in model.history_


def test_runs_end_on_their_own_and_go_on() -> None:
    X, y = load_iris(return_X_y=True)
    straight = model_of(12).fit(X, y)
    assert [len(part) for part in straight.ensemble_.parts] == [1, 1, 12]
    assert np.isinf(straight.history_["alpha_0"][0])
    assert np.isnan(straight.history_["epsilon_0"][1:]).all()
    assert straight.stop_reason_ == str(Stop.ROUNDS)
    resumed = model_of(5, warm_start=True).fit(X, y).set_params(n_estimators=12).fit(X, y)
    assert resumed.history_ == straight.history_
    assert resumed.fingerprint() == straight.fingerprint()
    stages = list(straight.staged_decision_function(X))
    assert len(stages) == 12
    assert stages[-1].tolist() == straight.decision_function(X).tolist()
    for t in (1, 5):
        assert stages[t - 1].tolist() == model_of(t).fit(X, y).decision_function(X).tolist()
        assert straight.truncate(t).decision_function(X).tolist() == stages[t - 1].tolist()


def test_a_round_after_the_end_adds_nothing() -> None:
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 2]
    sample = sample_of(X, y)
    panel = AllPairs(AdaBoost(), StumpLearner())
    state, done = panel.round(sample, StumpLearner().bind(sample), panel.begin(sample))
    assert done.stop is Stop.PERFECT
    again, ended = panel.round(sample, StumpLearner().bind(sample), state)
    assert (ended.stop, again) == (Stop.PERFECT, state)


class _Tired(WeakLearner):
    """Gives up in the games whose sample is as small as it says."""

    def __init__(self, least: int) -> None:
        self.least = least

    def bind(self, sample: Any) -> Any:
        stump = StumpLearner().bind(sample)

        def learn(D: Any, z: Any, key: int = 0) -> Any:
            if len(sample) < self.least:
                raise NoHypothesis("too few")
            return stump(D, z, key)

        return learn


def test_a_learner_that_gives_up_ends_its_run_alone() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 3))
    y = np.r_[np.zeros(60), np.ones(30), np.full(10, 2)].astype(int)
    model = quietly(lambda: AdaBoostClassifier(_Tired(50), multiclass="pairs").fit(X, y))
    assert [len(part) > 0 for part in model.ensemble_.parts] == [True, True, False]
    model = quietly(lambda: AdaBoostClassifier(_Tired(500), multiclass="pairs").fit(X, y))
    assert (model.n_iter_, model.stop_reason_) == (0, str(Stop.LEARNER))


def test_early_stopping_looks_at_all_runs_together() -> None:
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(2)
    y = np.where(rng.random(150) < 0.2, rng.integers(0, 3, 150), y)
    held = {"X_val": X[1::2], "y_val": y[1::2]}
    model = model_of(60, early_stopping=True, n_iter_no_change=5).fit(X[::2], y[::2], **held)
    scores = [np.mean(labels == y[1::2]) for labels in model.staged_predict(X[1::2])]
    assert model.validation_scores_[: len(scores)] == pytest.approx(scores)
    assert len(scores) == model.n_iter_ < 60
    assert scores[-1] == max(model.validation_scores_)


def test_members_rules_and_copies() -> None:
    X, codes = load_iris(return_X_y=True)
    y = np.array(["rose", "iris", "aster"])[codes]
    model = model_of(3).fit(X, y)
    assert model.classes_.tolist() == ["aster", "iris", "rose"]
    table = model.rules()
    assert table.columns[1] == "classes"
    assert {row[1] for row in table} == {"aster or iris", "aster or rose", "iris or rose"}
    seen = [member.classes_.tolist() for member in model.estimators_]
    assert seen[0] == ["aster", "iris"]
    assert seen[-1] == ["iris", "rose"]
    assert len(seen) == len(model.estimator_errors_) == len(model.estimator_weights_)
    rows = np.flatnonzero(y != "rose")
    assert model.estimators_[0].predict(X[rows]).tolist() == (
        AdaBoostClassifier(n_estimators=1).fit(X[rows], y[rows]).predict(X[rows]).tolist()
    )
    copies = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), copies)
    weighted = model_of(8).fit(X, y, copies)
    assert weighted.fingerprint() == model_of(8).fit(X[repeated], y[repeated]).fingerprint()


def test_foreign_learners_see_the_labels_of_their_pair() -> None:
    X, codes = load_iris(return_X_y=True)
    y = np.array(["rose", "iris", "aster"])[codes]
    model = model_of(3, estimator=DecisionTreeClassifier(max_depth=1)).fit(X, y)
    assert {tuple(e.classes_) for e in model.estimators_} == {
        ("aster", "iris"),
        ("aster", "rose"),
        ("iris", "rose"),
    }
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("kind", ["RealAdaBoostClassifier", "AnyBoostClassifier"])
def test_other_boosters_in_pairs(kind: str) -> None:
    X, y = load_iris(return_X_y=True)
    model = getattr(wl, kind)(n_estimators=8, multiclass="pairs").fit(X, y)
    scores = {}
    for i, j in combinations(range(3), 2):
        rows = np.flatnonzero((y == i) | (y == j))
        own = getattr(wl, kind)(n_estimators=8).fit(X[rows], y[rows])
        scores[i, j] = own.decision_function(X)
    F = model.decision_function(X)
    assert F.tolist() == wins_of(scores, 3).tolist()
    p = model.predict_proba(X)
    assert p.sum(axis=1) == pytest.approx(np.ones(150))
    assert (p.argmax(axis=1) == F.argmax(axis=1)).all()


def test_calibrated_wins() -> None:
    X, y = load_iris(return_X_y=True)
    plain, sharp = model_of(10).fit(X, y), model_of(10, calibrate="slope").fit(X, y)
    assert (plain.predict(X) == sharp.predict(X)).all()
    right = np.arange(150), y
    assert (
        np.log(sharp.predict_proba(X)[right]).mean() > np.log(plain.predict_proba(X)[right]).mean()
    )


def test_watching_asks_for_one_run() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="'pairs' boosts one binary problem for every two classes"):
        next(wl.rounds(model_of(3), X, y))
