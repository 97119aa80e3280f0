"""AdaBoost against golden numbers, its definition in fractions, and the facts proved about it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer

import weaklearn as wl
from tests.golden import Case, case, load, tolerance
from tests.reference.adaboost import adaboost, half_log_odds
from tests.reference.stump import stump_predict
from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, BoostingWarning, DataWarning
from weaklearn.base import RIGHT, WRONG, Ensemble, Hypothesis, State, Stop
from weaklearn.boosters import AdaBoost
from weaklearn.learners.stump import StumpLearner
from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=60)
# Small random tables often hold nothing but constants.
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")
RUNS = [
    found
    for found in load("boosters")
    if found["name"].startswith("adaboost_8") and "F" in found["expected"]
]


def key(h: Any) -> tuple[int, float, int]:
    return (h.feature_, h.threshold_, h.polarity_)


def twin_key(stump: Any) -> tuple[int, float, int]:
    return (stump["feature"], stump["threshold"], stump["polarity"])


# --- Golden ----------------------------------------------------------------------------------


def test_ten_points_digit_by_digit() -> None:
    golden = case("toy_adaboost", "ten_points_three_rounds")
    X, y = np.array(golden["input"]["X"], float), np.array(golden["input"]["y"])
    expected, close = golden["expected"], tolerance("toy_adaboost")
    watched = list(wl.rounds(AdaBoostClassifier(n_estimators=golden["input"]["T"]), X, y))
    for r, row in zip(watched, expected["rounds"], strict=True):
        exact = np.array([float(Fraction(text)) for text in row["D_exact"]])
        assert r.D == pytest.approx(exact, rel=1e-14)
        assert key(r.h) == twin_key(row["stump"])
        assert r.epsilon == pytest.approx(float(Fraction(row["eps_exact"])), rel=1e-14)
        assert (r.alpha, r.Z) == pytest.approx((row["alpha"], row["Z"]), **close)
        wrong = np.flatnonzero(r.h.predict(X) != y) + 1
        assert wrong.tolist() == row["misclassified_examples_1based"]
    assert watched[-1].F == pytest.approx(expected["F"], **close)
    assert watched[-1].margins == pytest.approx(expected["normalised_margins"], **close)
    table = expected["two_decimal_table"]
    assert [[round(float(w), 2) for w in r.D] for r in watched] == table["D"]
    for name, metric in (("eps", "epsilon"), ("alpha", "alpha"), ("Z", "Z")):
        assert [round(getattr(r, metric), 2) for r in watched] == table[name]

    model = AdaBoostClassifier(n_estimators=golden["input"]["T"]).fit(X, y)
    assert model.decision_function(X) == pytest.approx(expected["F"], **close)
    assert model.predict(X).tolist() == expected["H"]
    assert model.margins(X, y) == pytest.approx(expected["normalised_margins"], **close)
    assert model.history_["margin_min"][-1] == pytest.approx(expected["min_margin"], **close)
    assert model.history_["Z"].prod() == pytest.approx(expected["product_of_Z"], **close)
    found = {c.id: c for c in model.certify(X, y)}
    assert found["ada-train"].bound == pytest.approx(
        expected["training_error_bound_product"], **close
    )
    assert found["ada-train-exp"].bound == pytest.approx(
        expected["training_error_bound_exp"], **close
    )
    for check in expected["margin_distribution_checks"]:
        share = np.mean(model.margins(X, y) <= check["theta"])
        assert share == pytest.approx(check["fraction_at_most"])
        bound = bounds.margin_product(gammas=model.edges_, theta=check["theta"])
        assert bound == pytest.approx(check["bound"], **close)


@pytest.mark.parametrize("golden", RUNS, ids=lambda found: found["name"])
def test_golden_runs(golden: Case) -> None:
    given, expected, close = golden["input"], golden["expected"], tolerance("boosters")
    X, y = np.array(given["X"]), np.array(given["y"])
    model = AdaBoostClassifier(n_estimators=given["T"])
    watched = list(wl.rounds(model, X, y))
    for r, row in zip(watched, expected["rounds"], strict=True):
        assert key(r.h) == twin_key(row["stump"])
        assert r.epsilon == pytest.approx(float(Fraction(row["eps_exact"])), rel=1e-12)
        assert r.alpha == pytest.approx(row["alpha"], **close)
        assert r.D == pytest.approx(row["D"], **close)
    assert model.fit(X, y).decision_function(X) == pytest.approx(expected["F"], **close)


def test_golden_endings() -> None:
    perfect = case("boosters", "adaboost_perfect_first_round")
    X, y = np.array(perfect["input"]["X"]), np.array(perfect["input"]["y"])
    model = AdaBoostClassifier(n_estimators=perfect["input"]["T"]).fit(X, y)
    assert model.n_iter_ == perfect["expected"]["rounds_kept"]
    assert key(model.estimators_[0]) == twin_key(perfect["expected"]["stump"])
    assert model.predict(X).tolist() == perfect["expected"]["predictions"]
    assert model.history_["epsilon"].tolist() == [0.0]
    assert model.history_["alpha"].tolist() == [math.inf]
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.stop_reason_ == str(Stop.PERFECT)

    nothing = case("boosters", "adaboost_no_edge")
    X, y = np.array(nothing["input"]["X"]), np.array(nothing["input"]["y"])
    with pytest.warns(BoostingWarning, match="nothing was learnt"):
        model = AdaBoostClassifier(n_estimators=nothing["input"]["T"]).fit(X, y)
    assert (model.n_iter_, len(model.history_)) == (0, 1)
    assert model.history_["epsilon"].tolist() == [nothing["expected"]["eps"]]
    assert model.history_["alpha"].tolist() == [nothing["expected"]["alpha"]]
    assert model.predict(X).tolist() == [-1] * 4
    assert model.stop_reason_ == str(Stop.NO_EDGE)


def test_breast_cancer_fifty_rounds() -> None:
    golden = case("breast_cancer_adaboost", "breast_cancer_all_50")
    expected, close = golden["expected"], tolerance("breast_cancer_adaboost")
    X, target = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=golden["input"]["T"]).fit(X, target)
    for t, row in enumerate(expected["rounds"]):
        assert key(model.estimators_[t]) == pytest.approx(twin_key(row), rel=1e-12)
        assert model.history_["epsilon"][t] == pytest.approx(row["eps"], **close)
        assert model.estimator_weights_[t] == pytest.approx(row["alpha"], **close)
        errors = model.history_["train_error"][t] * len(target)
        assert round(errors) == row["training_errors_so_far"]
    F, y = model.decision_function(X), np.where(target == 1, 1, -1)
    assert F[:20] == pytest.approx(expected["F_first_20"], **close)
    assert F.sum() == pytest.approx(expected["F_sum"], rel=1e-9)
    assert model.history_["Z"].prod() == pytest.approx(expected["product_of_Z"], rel=1e-9)
    assert np.exp(-y * F).mean() == pytest.approx(expected["exponential_loss_mean"], rel=1e-9)
    margins = model.margins(X, target)
    assert margins.min() == pytest.approx(expected["min_margin"], **close)
    quantiles = np.quantile(margins, [0, 0.25, 0.5, 0.75, 1])
    assert quantiles == pytest.approx(expected["margin_quantiles_0_25_50_75_100"], **close)
    *_, last = wl.rounds(AdaBoostClassifier(n_estimators=golden["input"]["T"]), X, target)
    assert last.D.max() == pytest.approx(expected["largest_final_weight"], **close)


# --- The definition, in fractions ------------------------------------------------------------


@st.composite
def problems(draw: Any, most_rows: int = 14) -> tuple[Any, Any, Any]:
    """Rows of small whole numbers, labels of both signs, whole weights."""
    m, d = draw(st.integers(2, most_rows)), draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 4), min_size=d, max_size=d)
    X = np.array(draw(st.lists(row, min_size=m, max_size=m)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))
    y[:2] = [-1, 1]
    weights = draw(
        st.one_of(st.none(), st.lists(st.integers(1, 5), min_size=m, max_size=m).map(np.array))
    )
    return X, y, weights


def quietly(fit: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoostingWarning)
        return fit()


@quick
@given(problems())
def test_every_round_as_the_definition_has_it(problem: Any) -> None:
    X, y, weights = problem
    exact = adaboost(X, y, 12, D1=None if weights is None else weights.tolist())
    watched = list(wl.rounds(AdaBoostClassifier(n_estimators=12), X, y, weights))
    assert len(watched) == len(exact["rounds"])
    for r, row in zip(watched, exact["rounds"], strict=True):
        assert r.D == pytest.approx(row["D"].astype(float), rel=1e-11)
        assert r.epsilon == pytest.approx(float(row["eps"]), abs=1e-12)
        assert r.alpha == pytest.approx(row["alpha"], rel=1e-9, abs=1e-11)
        assert r.Z == pytest.approx(row["Z"], rel=1e-9, abs=1e-11)
        if r.h is not None:
            assert key(r.h) == twin_key(row["stump"])
    stop = {"rounds": None, "perfect": Stop.PERFECT, "no_edge": Stop.NO_EDGE}[exact["stop"]]
    assert watched[-1].stop == stop
    assert watched[-1].F == pytest.approx(exact["F"], abs=1e-9)
    assert watched[-1].margins == pytest.approx(exact["margins"], abs=1e-9)

    model = quietly(lambda: AdaBoostClassifier(n_estimators=12).fit(X, y, weights))
    assert model.n_iter_ == len(exact["members"])
    assert model.decision_function(X) == pytest.approx(exact["F"], abs=1e-9)
    clear = np.abs(exact["F"]) > 1e-9  # on ties the rounding of votes decides
    assert (model.predict(X) == exact["H"])[clear].all()


# --- What is proved of it --------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A game watched: per round D_t, D_{t+1}, verdict, facts."""

    sample: Any
    rounds: list[dict[str, Any]]
    state: State


def play(X: Any, y: Any, weights: Any, T: int, booster: AdaBoost | None = None) -> Played:
    sample = sample_of(X, y, weights)
    booster = booster or AdaBoost()
    learn, state, rounds = StumpLearner().bind(sample), booster.begin(sample), []
    for _ in range(T):
        before = state.D.array
        state, played = booster.round(sample, learn, state)
        if played.stop is not None:
            break
        h = state.ensemble.members[-1]
        rounds.append(
            {
                "D": before,
                "next": state.D.array,
                "h": h,
                "yh": sample.y * h(sample),
                **played.metrics,
            }
        )
    return Played(sample, rounds, state)


@quick
@given(problems())
def test_facts_of_every_round(problem: Any) -> None:
    X, y, weights = problem
    played = play(X, y, weights, 15)
    prior = played.sample.prior_shares
    F, product = np.zeros(len(y)), 1.0
    for t, r in enumerate(played.rounds, start=1):
        eps, alpha, Z, D, after, yh = (r[k] for k in ("epsilon", "alpha", "Z", "D", "next", "yh"))
        # 1. A distribution, under which h_t is no better than a coin afterwards.
        assert D.sum() == pytest.approx(1, abs=1e-12)
        assert after.sum() == pytest.approx(1, abs=1e-12)
        assert after[yh < 0].sum() == pytest.approx(0.5, abs=1e-12)
        # 2. The normaliser.
        assert r["gamma"] == pytest.approx(0.5 - eps, abs=1e-15)
        assert r["r"] == pytest.approx(float(D @ yh), abs=1e-12)
        assert Z == pytest.approx(2 * math.sqrt(eps * (1 - eps)), rel=1e-12)
        assert Z == pytest.approx(math.sqrt(1 - 4 * r["gamma"] ** 2), rel=1e-9)
        # The step, and the same step without a root.
        assert alpha == pytest.approx(half_log_odds(eps), rel=1e-12)
        halves = np.where(yh < 0, D / (2 * eps), D / (2 * (1 - eps)))
        assert after == pytest.approx(halves, rel=1e-9, abs=1e-15)
        # 3. The weights in closed form.
        F, product = F + alpha * yh, product * Z  # y F, as yh carries the labels
        assert after == pytest.approx(prior * np.exp(-F) / product, rel=1e-9, abs=1e-15)
        # 4. The training error, and the record of it.
        error = prior[F <= 1e-12].sum()
        loss = float(prior @ np.exp(-F))
        assert loss == pytest.approx(product, rel=1e-9)
        assert error <= loss * (1 + 1e-9)
        gammas = np.array([s["gamma"] for s in played.rounds[:t]])
        assert product <= math.exp(-2 * float(gammas @ gammas)) * (1 + 1e-9)
        total = sum(abs(s["alpha"]) for s in played.rounds[:t])
        assert r["margin_min"] == pytest.approx(F.min() / total, abs=1e-9)
        if np.abs(F).min() > 1e-9:
            assert r["train_error"] == pytest.approx(error, abs=1e-12)
        # 7. Margins.
        for theta in (-0.3, 0.0, 0.1, 0.5, 0.9):
            bound = bounds.margin_product(gammas=gammas, theta=theta)
            assert prior[F / total <= theta - 1e-12].sum() <= bound * (1 + 1e-9)
        # 8. The projection in relative entropy onto {h_t has no edge}.
        feasible = np.where(yh < 0, 0.5 / max((yh < 0).sum(), 1), 0.5 / max((yh > 0).sum(), 1))
        assert entropy(after, D) <= entropy(feasible, D) + 1e-9
        pythagoras = entropy(feasible, D) - entropy(feasible, after) - entropy(after, D)
        assert pythagoras == pytest.approx(0, abs=1e-8)
        assert entropy(after, D) == pytest.approx(-math.log(Z), abs=1e-9)


def entropy(P: Any, Q: Any) -> float:
    """Relative entropy RE(P || Q)."""
    return float(np.sum(P[P > 0] * np.log(P[P > 0] / Q[P > 0])))


class Opposite(Hypothesis):
    """The contrary of a hypothesis."""

    def __init__(self, h: Hypothesis) -> None:
        self.h = h

    def __call__(self, rows: Any) -> Any:
        return -self.h(rows)


@quick
@given(problems(), st.lists(st.booleans(), min_size=8, max_size=8))
def test_the_opposite_hypothesis_gets_the_opposite_vote(problem: Any, turned: list[bool]) -> None:
    X, y, weights = problem
    straight = play(X, y, weights, 8)
    booster, sample = AdaBoost(), straight.sample
    state = booster.begin(sample)
    for r, turn in zip(straight.rounds, turned, strict=False):
        h = Opposite(r["h"]) if turn else r["h"]
        state, played = booster.round(sample, lambda D, z, key=0, h=h: h, state)
        sign = -1 if turn else 1
        assert played.metrics["alpha"] == pytest.approx(sign * r["alpha"], rel=1e-9)
        assert played.metrics["Z"] == pytest.approx(r["Z"], rel=1e-9)
        assert state.D.array == pytest.approx(r["next"], rel=1e-9)
    if len(straight.state.ensemble) == len(straight.rounds):  # none of them was perfect
        assert state.ensemble(sample) == pytest.approx(straight.state.ensemble(sample), abs=1e-9)


@quick
@given(problems())
def test_of_two_the_heavier_vote_decides(problem: Any) -> None:
    X, y, weights = problem
    model = quietly(lambda: AdaBoostClassifier(n_estimators=2).fit(X, y, weights))
    if model.n_iter_ == 2:
        votes = model.estimator_weights_
        heavier = model.estimators_[int(np.argmax(np.abs(votes)))]
        if abs(abs(votes[0]) - abs(votes[1])) > 1e-12:
            assert (model.predict(X) == heavier.predict(X)).all()


@quick
@given(problems(), st.sampled_from([0.1, 0.5, 1.7]))
def test_learning_rate(problem: Any, rate: float) -> None:
    X, y, weights = problem
    given = None if weights is None else weights.tolist()
    twin = adaboost(X, y, 8, D1=given, learning_rate=rate, exact=False)
    watched = list(wl.rounds(AdaBoostClassifier(n_estimators=8, learning_rate=rate), X, y, weights))
    for r, row in zip(watched, twin["rounds"], strict=False):
        assert r.D == pytest.approx(row["D"], rel=1e-9, abs=1e-12)
        if r.stop is None:
            assert key(r.h) == twin_key(row["stump"])
            assert (r.alpha, r.Z) == pytest.approx((row["alpha"], row["Z"]), rel=1e-9)
    assert len(watched) == len(twin["rounds"])


@pytest.mark.parametrize("rate", [2.0, 3.0, 100.0, 1e6, 1e-300])
def test_wild_learning_rates_stay_finite(rate: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3_000, 3))
    y = np.where(X.sum(axis=1) + rng.normal(size=3_000) > 0, 1, -1)
    model = quietly(lambda: AdaBoostClassifier(n_estimators=60, learning_rate=rate).fit(X, y))
    assert np.isfinite(model.estimator_weights_).all()
    assert np.isfinite(model.decision_function(X)).all()
    for r in wl.rounds(AdaBoostClassifier(n_estimators=60, learning_rate=rate), X, y):
        assert r.D.min() >= 0
        assert r.D.sum() == pytest.approx(1)
        assert 0 <= r.epsilon <= 0.5 + 1e-12


# --- Hypotheses from elsewhere ---------------------------------------------------------------


class Fixed(Hypothesis):
    """Answers as written down."""

    def __init__(self, answers: Any) -> None:
        self.answers = np.asarray(answers)

    def __call__(self, rows: Any) -> Any:
        return self.answers


def one_round(answers: Any, weights: Any = None, y: Any = (-1, -1, 1, 1), **options: Any) -> Any:
    sample = sample_of(np.arange(float(len(y)))[:, None], np.array(y), weights)
    booster = AdaBoost(**options)
    state = booster.begin(sample)
    after, played = booster.round(sample, lambda D, z, key=0: Fixed(answers), state)
    return sample, state, after, played


def test_worse_than_chance() -> None:
    sample, _, after, played = one_round([-1, 1, -1, -1])
    assert played.metrics["epsilon"] == pytest.approx(0.75)
    assert played.metrics["alpha"] == pytest.approx(-0.5 * math.log(3))
    assert played.metrics["gamma"] == pytest.approx(-0.25)
    assert played.stop is None
    assert after.ensemble(sample).tolist() == pytest.approx(
        [0.5 * math.log(3) * a for a in (1, -1, 1, 1)]
    )
    _, state, after, played = one_round([-1, 1, -1, -1], on_half="stop")
    assert (played.stop, after) == (Stop.WORSE, state)
    assert played.metrics["alpha"] == 0


def test_always_wrong_is_perfect_turned_round() -> None:
    sample, _, after, played = one_round([1, 1, -1, -1])
    assert (played.stop, played.metrics["alpha"]) == (Stop.PERFECT, -math.inf)
    assert played.metrics["epsilon"] == 1
    assert after.ensemble.votes.tolist() == [-1.0]
    assert after.ensemble(sample).tolist() == sample.y.tolist()
    assert (played.metrics["train_error"], played.metrics["margin_min"]) == (0.0, 1.0)
    *_, played = one_round([1, 1, -1, -1], on_half="stop")
    assert played.stop == Stop.WORSE


def test_no_edge_ends_the_run() -> None:
    for options in ({}, {"on_half": "stop"}, {"on_perfect": "smooth"}):
        _, state, after, played = one_round([1, -1, 1, -1], **options)
        assert (played.stop, after) == (Stop.NO_EDGE, state)
        assert (played.metrics["epsilon"], played.metrics["alpha"], played.metrics["Z"]) == (
            0.5,
            0,
            1,
        )


def test_the_perfect_one_outvotes_all_before_it() -> None:
    sample = sample_of(np.arange(4.0)[:, None], [-1, -1, 1, 1])
    booster, state = (
        AdaBoost(),
        AdaBoost().begin(sample_of(np.arange(4.0)[:, None], [-1, -1, 1, 1])),
    )
    for answers in ([-1, -1, -1, 1], [-1, 1, 1, 1]):
        state, _ = booster.round(sample, lambda D, z, key=0, a=answers: Fixed(a), state)
    assert len(state.ensemble) == 2
    state, played = booster.round(sample, lambda D, z, key=0: Fixed([-1, -1, 1, 1]), state)
    assert (played.stop, len(state.ensemble)) == (Stop.PERFECT, 1)
    assert state.ensemble(sample).tolist() == [-1, -1, 1, 1]


def test_smoothing_counts_half_an_example() -> None:
    *_, after, played = one_round([-1, -1, 1, 1], on_perfect="smooth")
    assert played.stop is None
    assert played.metrics["epsilon"] == 0
    assert played.metrics["alpha"] == pytest.approx(0.5 * math.log((1 + 0.125) / 0.125))
    assert played.metrics["Z"] == pytest.approx(math.exp(-played.metrics["alpha"]))
    assert after.D.array == pytest.approx([0.25] * 4)
    # Counts are copies: four rows twice are eight examples.
    *_, played = one_round([-1, -1, 1, 1], weights=[2] * 4, on_perfect="smooth")
    assert played.metrics["alpha"] == pytest.approx(0.5 * math.log((1 + 0.0625) / 0.0625))
    model = AdaBoostClassifier(n_estimators=5, on_perfect="smooth").fit([[0.0], [1.0]], [0, 1])
    assert model.n_iter_ == 5
    assert model.history_["Z"].prod() == pytest.approx(
        np.exp(-np.abs(model.decision_function([[0.0], [1.0]]))).mean()
    )


def test_silent_hypotheses() -> None:
    *_, after, played = one_round([-1, 1, 1, 0])
    alpha = 0.5 * math.log(2)
    assert played.metrics["epsilon"] == pytest.approx(0.25)
    assert played.metrics["r"] == pytest.approx(0.25)
    assert played.metrics["alpha"] == pytest.approx(alpha)
    Z = 0.5 * math.exp(-alpha) + 0.25 * math.exp(alpha) + 0.25
    assert played.metrics["Z"] == pytest.approx(Z)
    assert after.D.array == pytest.approx(
        np.array([math.exp(-alpha), math.exp(alpha), math.exp(-alpha), 1]) / 4 / Z
    )
    # Never wrong, but silent on one: no vote is infinite while that row waits for others.
    _, _, after, played = one_round([-1, -1, 1, 0])
    assert played.stop is None
    assert np.isfinite(played.metrics["alpha"])
    assert after.D.array[3] > 0.25
    # Silent everywhere: no edge.
    *_, played = one_round([0, 0, 0, 0])
    assert played.stop == Stop.NO_EDGE


# --- Edges -----------------------------------------------------------------------------------


def test_one_row_and_one_class() -> None:
    for X, y in ([[[3.0]], ["a"]], [[[1.0], [2.0], [5.0]], [7, 7, 7]]):
        with pytest.warns(DataWarning, match="one class"):
            model = AdaBoostClassifier().fit(X, y)
        assert model.predict(X).tolist() == y
        assert model.predict([[-100.0]]).tolist() == y[:1]
        assert model.predict_proba(X).tolist() == [[1.0]] * len(y)
        assert model.stop_reason_ == str(Stop.PERFECT)
        assert model.score(X, y) == 1


def test_equal_rows_with_both_labels() -> None:
    with pytest.warns(BoostingWarning):
        model = AdaBoostClassifier().fit([[1.0], [1.0]], [0, 1])
    assert (model.n_iter_, model.predict([[1.0]]).tolist()) == (0, [0])
    model = AdaBoostClassifier(n_estimators=50).fit([[1.0]] * 3, [0, 1, 1])
    assert (model.n_iter_, len(model.history_)) == (1, 2)  # then nothing is left to learn
    assert model.stop_reason_ == str(Stop.NO_EDGE)
    assert model.estimator_errors_ == pytest.approx([1 / 3])
    assert model.edges_ == pytest.approx([1 / 6])


def test_weights_beside_nothing() -> None:
    """Mistakes of weight 0 are none, and rows of weight 0 supply no label."""
    X, y = [[1.0], [2.0], [2.0]], [-1, 1, -1]
    model = AdaBoostClassifier().fit(X, y, [1, 1, 0])
    assert (model.stop_reason_, model.estimators_[0].threshold_) == (str(Stop.PERFECT), 1.5)


def test_stages_are_shorter_runs() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    for t, F in enumerate(model.staged_decision_function(X), start=1):
        if t in (1, 2, 7, 20):
            shorter = AdaBoostClassifier(n_estimators=t).fit(X, y)
            assert F.tobytes() == shorter.decision_function(X).tobytes()
            assert shorter.history_ == model.history_.first(t)


@pytest.mark.parametrize("scale", [1e6, 1e9, 1e12, 4e13])
def test_counts_of_any_size(scale: float) -> None:
    """Large repetitions weigh as small ones do, but for rounding."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 6, (40, 2)).astype(float)
    y = np.where(X.sum(axis=1) + rng.integers(-3, 4, 40) > 5, 1, -1)
    counts = rng.integers(1, 9, 40)
    small = AdaBoostClassifier(n_estimators=10).fit(X, y, counts)
    large = AdaBoostClassifier(n_estimators=10).fit(X, y, counts * scale)
    assert [key(h) for h in small.estimators_] == [key(h) for h in large.estimators_]
    assert large.estimator_weights_ == pytest.approx(small.estimator_weights_, rel=1e-9)
    found = large.certify(X, y, sample_weight=counts * scale)
    assert all(c.holds for c in found.training if c.applies)
    assert found[0].applies
    assert all("m = 28 different of" in c.note for c in found.truth if c.applies)


@quick
@given(problems(), st.sampled_from([10**4, 10**6, 10**7, 10**10]))
def test_many_copies_break_no_tie(problem: Any, scale: int) -> None:
    """However often all rows are repeated, ties are settled as they are without."""
    X, y, weights = problem
    weights = np.ones(len(y), int) if weights is None else weights
    exact = adaboost(X, y, 10, D1=weights.tolist())
    watched = list(wl.rounds(AdaBoostClassifier(n_estimators=10), X, y, weights * scale))
    assert len(watched) == len(exact["rounds"])
    for r, row in zip(watched, exact["rounds"], strict=True):
        assert r.epsilon == pytest.approx(float(row["eps"]), abs=1e-11)
        if r.h is not None:
            assert key(r.h) == twin_key(row["stump"])


def test_importances_of_any_range() -> None:
    """Weights that span hundreds of orders of magnitude follow the definition."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 6, (30, 2)).astype(float)
    y = np.where(X[:, 0] + rng.integers(-3, 4, 30) > 2, 1, -1)
    weights = 10.0 ** rng.uniform(-40, 0, 30)
    twin = adaboost(X, y, 12, D1=weights.tolist())
    watched = list(wl.rounds(AdaBoostClassifier(n_estimators=12), X, y, weights))
    for r, row in zip(watched, twin["rounds"], strict=True):
        assert r.epsilon == pytest.approx(float(row["eps"]), rel=1e-9)
        assert r.alpha == pytest.approx(row["alpha"], rel=1e-9)


# --- Long games ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_hundred_thousand_rounds() -> None:
    X, y = wl.datasets.toy()
    sample = sample_of(X, y)
    booster, learn = AdaBoost(), StumpLearner().bind(sample)
    state, least = booster.begin(sample), -1.0
    started = process_time()
    for t in range(1, 100_001):
        state, played = booster.round(sample, learn, state)
        assert played.stop is None
        if t % 5_000 == 0:
            D = state.D.array
            assert np.isfinite(D).all()
            assert D.sum() == pytest.approx(1, abs=1e-12)
            assert state.D.mass(sample.correctness(state.ensemble.members[-1]), WRONG) == (
                pytest.approx(0.5, abs=1e-9)
            )
            least = played.metrics["margin_min"]
    assert process_time() - started < 30
    margins = sample.y * state.ensemble(sample) / state.ensemble.weight
    assert margins.min() == pytest.approx(least, abs=1e-9)
    # No vote of stumps has a smallest margin above 1/3 here, and AdaBoost comes near it.
    assert 0.2 < margins.min() <= 1 / 3 + 1e-9
    assert state.ensemble.running_weight == pytest.approx(state.ensemble.weight, rel=1e-9)


def test_distributions_move_on() -> None:
    sample = sample_of([[0.0], [1.0], [2.0]], [-1, 1, -1])
    D = sample.prior
    correct = sample.engine.weights.correctness(np.array([1, -1, 1], np.int8))
    after = D.reweight(0.5, correct)
    with pytest.raises(RuntimeError, match="moved on"):
        D.mass(correct, RIGHT)
    assert after.mass(correct, RIGHT) + after.mass(correct, WRONG) == pytest.approx(1)


def test_replay_gives_the_same_bits() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    sample = sample_of(X, y)
    booster, learn = AdaBoost(), StumpLearner().bind(sample)
    state = booster.begin(sample)
    for _ in range(40):
        state, _ = booster.round(sample, learn, state)
    again = booster.begin(sample)
    for vote, h in state.ensemble:
        again = booster.replay(sample, again, vote, h)
    assert again.D.array.tobytes() == state.D.array.tobytes()
    assert again.D.margin_and_errors() == state.D.margin_and_errors()
    assert again.ensemble.running_weight == state.ensemble.running_weight


def test_coordinate_descent_on_the_exponential_loss() -> None:
    """AdaBoost's step is the best along its coordinate, and its coordinate the steepest."""
    X, y = wl.datasets.toy()
    X, y = np.asarray(X, float), np.asarray(y)
    model = AdaBoostClassifier(n_estimators=6)
    F = np.zeros(len(y))
    for r in wl.rounds(model, X, y):
        h = r.h.predict(X)

        def loss(a: float, h: Any = h, F: Any = F) -> float:
            return float(np.exp(-y * (F + a * h)).mean())

        assert all(loss(r.alpha) <= loss(r.alpha + step) for step in (-0.1, -1e-3, 1e-3, 0.1))
        slopes = [
            abs(np.mean(np.exp(-y * F) * y * np.where(X[:, j] > cut, 1, -1)))
            for j in range(2)
            for cut in [v + 0.5 for v in range(11)]
        ]
        assert abs(np.mean(np.exp(-y * F) * y * h)) >= max(slopes) - 1e-12
        F = F + r.alpha * h


def test_votes_are_never_better_than_the_game_allows() -> None:
    """The smallest margin stays below the edge that some distribution allows (here 1/3)."""
    X, y = wl.datasets.toy()
    model = AdaBoostClassifier(n_estimators=400).fit(X, y)
    assert 0 < model.margins(X, y).min() <= 1 / 3 + 1e-9
    assert model.history_["gamma"].min() >= 1 / 6 - 1e-9


def test_two_rounds_cannot_separate_what_three_can() -> None:
    """Where the three best stumps differ pairwise, a vote of two is only the better of them."""
    X, y = wl.datasets.toy()
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    first = [1 - s for s in model.staged_score(X, y)]
    assert first[1] >= min(first[0], model.history_["epsilon"][0]) > first[2] == 0
    answers = [h.predict(X) for h in model.estimators_]
    assert all((a != b).any() for a, b in combinations(answers, 2))


def test_stump_predictions_and_scores_agree() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    total = sum(
        vote * stump_predict(
            {"kind": "threshold", "feature": h.feature_, "threshold": h.threshold_,
             "polarity": h.polarity_, "levels": None, "missing_label": 0}, X
        )
        for vote, h in zip(model.estimator_weights_, model.estimators_, strict=True)
    )  # fmt: skip
    assert model.decision_function(X) == pytest.approx(total, rel=1e-12, abs=1e-12)
    assert isinstance(model.ensemble_, Ensemble)
