"""AdaBoost.MR against its definition over triples, its guarantees, and AdaBoost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from tests import golden
from tests.boosters.labelled import first_weights, labelled, played, tables
from tests.reference import labels as twin
from tests.samples import same_bits, sample_of
from weaklearn import AdaBoostClassifier, AdaBoostMRClassifier, datasets
from weaklearn.base import Stop
from weaklearn.boosters import AdaBoost, AdaBoostMR
from weaklearn.estimators.boosting.label_boosting import best_cut
from weaklearn.learners.label_rules import ProductLearner, ProductStumpLearner
from weaklearn.learners.stump import StumpLearner

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
TOLERANCE = golden.tolerance("multiclass_ranking")
GOLDEN = [n for n in golden.names("multiclass_ranking") if n.startswith("adaboost_mr")]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    case = golden.case("multiclass_ranking", name)
    given, expected = case["input"], case["expected"]
    X, y, K = np.array(given["X"]), np.array(given["labels"]), given["K"]
    model = AdaBoostMRClassifier(n_estimators=given["T"]).fit(X, y)
    stages = model.staged_decision_function(X)
    told = zip(model.estimators_, model.history_.metrics, expected["rounds"], stages, strict=True)
    for member, metrics, row, F in told:
        assert (member.feature_, member.threshold_) == (row["feature"], row["threshold"])
        assert member.tree_.values[2].tolist() == row["u"]
        for key in ("r", "alpha", "Z"):
            assert metrics[key] == pytest.approx(row[key], **TOLERANCE)
        assert metrics["product_Z"] == pytest.approx(row["prod_Z"], **TOLERANCE)
        violations = metrics["rank_loss"] * len(y) * (K - 1)
        assert violations == pytest.approx(row["rank_violations"])
        others = np.where(np.arange(K) == y[:, None], -np.inf, F).max(axis=1)
        tied = np.isclose(others, F[np.arange(len(y)), y], atol=1e-12)
        assert int((tied | (others > F[np.arange(len(y)), y])).sum()) == row["errors"]
    assert model.decision_function(X) == pytest.approx(np.array(expected["F"]), **TOLERANCE)


@pytest.mark.parametrize("learner", [ProductStumpLearner(), ProductLearner(StumpLearner())])
def test_a_label_of_coefficient_0_has_the_sign_of_0(learner: Any) -> None:
    # Labels 0 and 1 are told by x; label 2 stands and lacks as often on either side of it.
    X = np.array([[0.0], [0], [1], [1]])
    Y = np.array([[1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1]], np.int8)
    run, _ = played(AdaBoostMR(), labelled(X, Y), learner, 1)
    h = run.state.ensemble.members[0]
    F = np.asarray(h(labelled(X, Y)))
    side = np.where(X[:, 0] > 0.5, 1, -1)
    assert (F[:, 0] * side).tolist() == [-1] * 4
    assert (F[:, 1] * side).tolist() == [1] * 4
    assert (F[:, 2] * side).tolist() == [-1] * 4
    assert run.history["r"][0] == pytest.approx(0.75)


@quick
@given(tables(), st.booleans())
def test_every_round_as_the_definition_has_it(table: Any, one: bool) -> None:
    X, Y, weights = table
    if one:
        Y = np.where(np.arange(Y.shape[1]) == Y.argmax(axis=1)[:, None], 1, -1).astype(np.int8)
    sample = labelled(X, Y, weights)
    exact = twin.mr(X, Y, first_weights(X, weights), 6)
    run, before = played(AdaBoostMR(), sample, ProductStumpLearner(), 6)
    assert len(before) == len(exact)
    for metrics, row in zip(run.history.metrics, exact, strict=True):
        assert metrics["r"] == pytest.approx(row["r"], abs=1e-10)
        if "alpha" in row:
            assert metrics["alpha"] == pytest.approx(row["alpha"], rel=1e-8, abs=1e-9)
            assert metrics["Z"] == pytest.approx(row["Z"], rel=1e-9)
            if not np.isclose(np.diff(np.sort(row["F"], axis=1)), 0, atol=1e-9).any():
                assert metrics["rank_loss"] == pytest.approx(row["rank_loss"], abs=1e-10)
    if "end" not in exact[-1]:
        assert run.state.ensemble.labels(sample) == pytest.approx(exact[-1]["F"], abs=1e-7)


@quick
@given(tables(), st.floats(0.2, 1.0), st.booleans())
def test_guarantee(table: Any, rate: float, trees: bool) -> None:
    """Rank loss <= prod Z <= prod sqrt(1 - r^2) at the rate 1; some rows may have no pairs."""
    X, Y, weights = table
    Y[-1] = 1  # all labels: nothing to rank
    if not ((Y > 0).any(axis=1) & (Y < 0).any(axis=1)).any():
        return
    sample = labelled(X, Y, weights)
    learner: Any = ProductLearner(StumpLearner()) if trees else ProductStumpLearner()
    run, _ = played(AdaBoostMR(rate, "smooth"), sample, learner, 8)
    n = len(run.state.ensemble)
    bound = float(np.prod(run.history["Z"][:n]))
    F, D1 = run.state.ensemble.labels(sample), sample.prior_shares
    loss, whole = 0.0, 0.0
    for i, y in enumerate(Y):
        pairs = [(a, b) for a in np.flatnonzero(y > 0) for b in np.flatnonzero(y < 0)]
        if pairs:
            whole += D1[i]
            loss += D1[i] * np.mean([F[i, b] >= F[i, a] for a, b in pairs])
    assert loss / whole <= bound * (1 + 1e-9) + 1e-12
    if n:
        assert run.history["rank_loss"][n - 1] == pytest.approx(loss / whole, abs=1e-9)
    r = run.history["r"][:n]
    if rate == 1.0 and (r < 1 - 1e-9).all():  # else half an example held the vote
        assert bound <= np.prod(np.sqrt(1 - r * r)) * (1 + 1e-9)


def test_two_classes_are_those_of_adaboost() -> None:
    X, y = datasets.toy()
    sample = sample_of(X, y)
    rank, _ = played(AdaBoostMR(), sample, ProductStumpLearner(), 3)
    plain, _ = played(AdaBoost(), sample, StumpLearner(), 3)
    assert rank.history["alpha"] == pytest.approx(plain.history["alpha"])
    assert rank.history["Z"] == pytest.approx(plain.history["Z"])
    model = AdaBoostMRClassifier(n_estimators=3).fit(X, y)
    own = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert model.decision_function(X) == pytest.approx(own.decision_function(X))
    assert model.predict_proba(X) == pytest.approx(own.predict_proba(X))
    assert model.margins(X, y) == pytest.approx(own.margins(X, y))


def test_probabilities_are_a_softmax_and_stages_end_in_the_model() -> None:
    X, y = load_iris(return_X_y=True)
    model = AdaBoostMRClassifier(n_estimators=15).fit(X, y)
    F = model.decision_function(X)
    p = np.exp(F - F.max(axis=1, keepdims=True))
    assert model.predict_proba(X) == pytest.approx(p / p.sum(axis=1, keepdims=True))
    assert model.history_["margin_min"][-1] == pytest.approx(model.margins(X, y).min())
    resumed = AdaBoostMRClassifier(n_estimators=5, warm_start=True).fit(X, y)
    resumed.set_params(n_estimators=15).fit(X, y)
    assert same_bits(resumed.decision_function(X), F)
    trees = AdaBoostMRClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=10).fit(X, y)
    assert trees.score(X, y) > 0.95
    assert all(c.holds is not False for c in trees.certify(X, y))


def test_the_ends_of_runs() -> None:
    one = AdaBoostMRClassifier(n_estimators=5).fit(np.arange(4.0)[:, None], np.zeros(4))
    assert (one.n_iter_, one.stop_reason_) == (1, str(Stop.PERFECT))
    assert one.predict([[7.0]]).tolist() == [0.0]
    won = AdaBoostMRClassifier(n_estimators=5).fit(np.arange(4.0)[:, None], [0, 0, 1, 1])
    assert (won.n_iter_, won.stop_reason_) == (1, str(Stop.PERFECT))
    assert won.decision_function([[0.0], [3.0]]).tolist() == [-1.0, 1.0]
    smooth = AdaBoostMRClassifier(n_estimators=5, on_perfect="smooth")
    assert smooth.fit(np.arange(4.0)[:, None], [0, 0, 1, 1]).n_iter_ == 5
    flat = AdaBoostMRClassifier(n_estimators=5).fit(np.zeros((6, 1)), [0, 0, 1, 1, 2, 2])
    assert (flat.n_iter_, flat.stop_reason_) == (0, str(Stop.NO_EDGE))


def test_the_threshold_of_several_labels_is_the_best_there_is() -> None:
    rng = np.random.default_rng(0)
    F = rng.normal(size=(30, 4)).round(1)
    signs = np.where(F + rng.normal(size=F.shape) > 0.7, 1, -1).astype(np.int8)
    copies = rng.integers(1, 4, 30)

    def wrong(cut: float) -> int:
        return int((((F > cut) != (signs > 0)) * copies[:, None]).sum())

    cut = best_cut(F, signs, copies)
    assert wrong(cut) == min(wrong(c) for c in np.linspace(-5, 5, 401))
    assert best_cut(F, np.full_like(signs, -1), None) > F.max()
    assert best_cut(F, np.ones_like(signs), None) < F.min()


def test_refusals() -> None:
    X = np.arange(4.0)[:, None]
    with pytest.raises(ValueError, match="nothing to rank"):
        AdaBoostMRClassifier().fit(X, [[1, 1], [0, 0], [1, 1], [0, 0]])
    with pytest.raises(TypeError, match="smoothing"):
        AdaBoostMRClassifier(smoothing=0.1)
