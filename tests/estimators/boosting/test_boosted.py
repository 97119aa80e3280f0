"""A booster from a notebook, run with all that estimators have."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn import (
    AdaBoostClassifier,
    Boosted,
    ModelFileError,
    boosters,
    datasets,
    losses,
    runtime,
)
from weaklearn.base import WRONG, Booster, Ensemble, Round, State, Stop
from weaklearn.base.votes.prior import Prior
from weaklearn.boosters import AdaBoost, AdaBoostM1, RealAdaBoost

X, y = load_breast_cancer(return_X_y=True)


@dataclass(frozen=True)
class Plain(Booster):
    """AdaBoost without any of its edge cases, as one would write it down."""

    rate: float = 1.0

    def begin(self, sample: Any) -> State:
        return State(sample.prior, Ensemble())

    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        h = learn(state.D, sample.y, len(state.ensemble))
        error = state.D.mass(sample.correctness(h), WRONG)
        alpha = self.rate * 0.5 * log((1 - error) / error)
        facts = {"epsilon": error, "alpha": alpha}
        return self.replay(sample, state, alpha, h), Round(facts)


class Silent(Booster):
    """Counts rules alike, tilts by a constant, tells nothing, and stops when it has three."""

    def begin(self, sample: Any) -> State:
        return State(sample.prior, Ensemble())

    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        if len(state.ensemble) == 3:
            return state, Round({}, Stop.OPTIMAL)
        h = learn(state.D, sample.y, len(state.ensemble))
        return self.replay(sample, state, 1.0, h), Round({})

    def step(self, vote: float) -> float:
        return 0.4


def test_it_plays_what_the_booster_says() -> None:
    own = Boosted(Plain(), n_estimators=20).fit(X, y)
    other = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert own.decision_function(X).tobytes() == other.decision_function(X).tobytes()
    assert own.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
    assert own.history_["alpha"].tobytes() == other.history_["alpha"].tobytes()
    assert list(own.history_) == ["t", "epsilon", "alpha"]
    assert [str(e) for e in own.estimators_] == [str(e) for e in other.estimators_]
    assert np.isnan(own.edges_).all()  # which it did not tell
    assert str(own.rules()) == str(other.rules())
    slow = Boosted(Plain(0.5), n_estimators=5).fit(X, y)
    assert slow.estimator_weights_[0] == own.estimator_weights_[0] / 2


def test_the_whole_loop() -> None:
    straight = Boosted(Plain(), n_estimators=15).fit(X, y)
    resumed = Boosted(Plain(), n_estimators=6, warm_start=True).fit(X, y)
    resumed.set_params(n_estimators=15).fit(X, y)
    assert resumed.history_ == straight.history_
    stages = list(straight.staged_decision_function(X))
    assert len(stages) == 15
    assert stages[5].tobytes() == straight.truncate(6).decision_function(X).tobytes()
    seen: list[int] = []
    watched = Boosted(
        Plain(), n_estimators=30, callbacks=[lambda t, state, history: seen.append(t) or t == 4]
    ).fit(X, y)
    assert (watched.n_iter_, seen) == (4, [1, 2, 3, 4])
    assert watched.stop_reason_ == str(Stop.CALLBACK)
    early = Boosted(Plain(), n_estimators=200, early_stopping=True, n_iter_no_change=3).fit(X, y)
    assert early.n_iter_ < 200
    assert len(early.validation_scores_) == len(early.history_)
    assert Boosted(Plain(), "tree", n_estimators=3).fit(X, y).score(X, y) > 0.97
    foreign = Boosted(Plain(), DecisionTreeClassifier(max_depth=1), n_estimators=5).fit(X, y)
    assert foreign.n_iter_ == 5
    weighted = Boosted(Plain(), n_estimators=5).fit(X, y, np.arange(len(y)) % 3)
    copies = np.repeat(np.arange(len(y)), np.arange(len(y)) % 3)
    repeated = Boosted(Plain(), n_estimators=5).fit(X[copies], y[copies])
    assert weighted.decision_function(X).tobytes() == repeated.decision_function(X).tobytes()
    found = next(wl.rounds(Boosted(Plain()), X, y))
    assert found.epsilon == straight.history_["epsilon"][0]


def test_progress_is_shown(capsys: Any) -> None:
    Boosted(Plain(), n_estimators=3, verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert "Boosted" in shown.out + shown.err


def test_a_booster_that_tells_nothing() -> None:
    model = Boosted(Silent(), n_estimators=9).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (3, str(Stop.OPTIMAL))
    assert model.estimator_weights_.tolist() == [1.0] * 3
    assert np.isnan(model.estimator_errors_).all()
    assert set(model.predict(X)) == {0, 1}
    assert len(model.history_) == 4
    assert np.isnan(next(wl.rounds(Boosted(Silent()), X, y)).alpha)


@pytest.mark.parametrize("how", ["ovr", "pairs"])
def test_more_classes(how: str) -> None:
    rows, labels = load_iris(return_X_y=True)
    own = Boosted(AdaBoost(), n_estimators=8, multiclass=how).fit(rows, labels)
    other = AdaBoostClassifier(n_estimators=8, multiclass=how).fit(rows, labels)
    assert own.decision_function(rows).tobytes() == other.decision_function(rows).tobytes()


def test_more_classes_in_one_run() -> None:
    rows, labels = load_iris(return_X_y=True)
    own = Boosted(AdaBoostM1(), n_estimators=8, multiclass="native").fit(rows, labels)
    other = AdaBoostClassifier(n_estimators=8, multiclass="m1").fit(rows, labels)
    assert own.decision_function(rows).tobytes() == other.decision_function(rows).tobytes()


def test_certify_says_what_is_known() -> None:
    model = Boosted(Plain(), n_estimators=10).fit(X, y)
    found = model.certify(X, y, X[:50], y[:50])
    own, loss = found.training
    assert "Plain" in own.statement
    assert own.bound is None
    assert "author" in own.verdict
    expected = np.exp(-(2 * y - 1) * model.decision_function(X)).mean()
    assert loss.bound == pytest.approx(expected)
    assert loss.observed == pytest.approx((model.predict(X) != y).mean())
    assert loss.verdict == "holds"
    assert "50 of 50 rows were seen" in found.of("test-set").note
    assert "pass the training rows" in model.certify()[1].verdict
    rows, labels = load_iris(return_X_y=True)
    many = Boosted(AdaBoost(), n_estimators=8).fit(rows, labels)
    loss = many.certify(rows, labels)[1]
    assert loss.observed <= loss.bound


def test_no_file_holds_code(tmp_path: Any) -> None:
    model = Boosted(Plain(), n_estimators=3).fit(X, y)
    for call in (lambda: model.save(tmp_path / "own.weak"), model.fingerprint):
        with pytest.raises(ModelFileError, match=r"class Plain, which is code.*use pickle"):
            call()
    assert list(tmp_path.iterdir()) == []
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert again.booster == Plain()
    assert again.history_ == model.history_


OWN = [
    boosters.AdaBoost(0.5, on_half="stop"),
    boosters.RealAdaBoost(bounded=True),
    boosters.AnyBoost(losses.Logistic(), length=None),
    boosters.BrownBoost(np.float64(0.25)),
    boosters.BoostByMajority(21, 0.1),
    boosters.SoftBoost(nu=0.2, accuracy=0.1),
    boosters.CoordinateBoost(),
    boosters.ConditionalGradient(radius=5),
    boosters.MajorityOfThree(),
]


@pytest.mark.parametrize("booster", OWN, ids=lambda booster: type(booster).__name__)
@pytest.mark.filterwarnings("ignore")
def test_boosters_of_this_library_are_saved(booster: Booster, tmp_path: Any) -> None:
    path = tmp_path / "own.weak"
    model = Boosted(booster, n_estimators=6).fit(X, y)
    model.save(path)
    again = wl.load(path)
    assert again.booster == booster
    assert again.fingerprint() == model.fingerprint()
    assert again.history_ == model.history_
    for found in (again, runtime.load(path)):
        assert found.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert wl.verify(again, X, y)
    again.set_params(warm_start=True, n_estimators=9).fit(X, y)
    model.set_params(warm_start=True, n_estimators=9).fit(X, y)
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()


@pytest.mark.parametrize("how", ["ovr", "pairs", "native"])
def test_more_classes_are_saved(how: str, tmp_path: Any) -> None:
    rows, labels = load_iris(return_X_y=True)
    booster = AdaBoostM1() if how == "native" else AdaBoost()
    model = Boosted(booster, n_estimators=8, multiclass=how).fit(rows, labels)
    model.save(tmp_path / "own.weak")
    for found in (wl.load(tmp_path / "own.weak"), runtime.load(tmp_path / "own.weak")):
        assert found.predict_proba(rows).tobytes() == model.predict_proba(rows).tobytes()


def test_a_fingerprint_tells_boosters_apart() -> None:
    prints = [Boosted(AdaBoost(r), n_estimators=3).fit(X, y).fingerprint() for r in (1, 1.0, 0.5)]
    assert prints[0] == prints[1] != prints[2]


def test_what_a_file_cannot_hold_of_a_booster(tmp_path: Any) -> None:
    class Derived(AdaBoost):
        pass

    def learner(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(np.asarray(X)[:, 0] > 14, -1, 1)

    prior = Prior(AdaBoostClassifier(n_estimators=2).fit(X, y), [0, 1])
    primed = boosters.AdaBoostL(prior=prior, strength=1.0)
    for model, words in (
        (Boosted(Derived(), n_estimators=3), "class Derived, which is code"),
        (Boosted(AdaBoost(), learner, n_estimators=3), "learner is a Python function"),
        (Boosted(AdaBoost(), DecisionTreeClassifier(max_depth=1)), "is an estimator of sklearn"),
        (
            Boosted(primed),
            "class Prior, which no model file",
        ),
    ):
        model.set_params(n_estimators=3).fit(X, y)
        for call in (lambda model=model: model.save(tmp_path / "own.weak"), model.fingerprint):
            with pytest.raises(ModelFileError, match=rf"{words}.*use pickle"):
                call()
    assert list(tmp_path.iterdir()) == []


def test_parameters() -> None:
    model = Boosted(Plain(0.3), "tree", n_estimators=4)
    assert clone(model).get_params()["booster"] == Plain(0.3)
    assert "learning_rate" not in model.get_params()
    for booster, words in (
        (None, "must be an object of a subclass"),
        (Plain, r"Plain is a class; pass an instance, Plain\(\)"),
        ("adaboost", "'adaboost' is not allowed"),
        (AdaBoostClassifier(), "call its fit"),
    ):
        with pytest.raises(TypeError, match=words):
            Boosted(booster).fit(X, y)
    with pytest.raises(ValueError, match="multiclass='both'"):
        Boosted(Plain(), multiclass="both").fit(X, y)
    with pytest.raises(ValueError, match="min_weight_fraction_leaf"):
        Boosted(Plain(), min_weight_fraction_leaf=0.9).fit(X, y)


class Failing(Plain):
    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        if len(state.ensemble) == 2:
            raise ZeroDivisionError("mine")
        return super().round(sample, learn, state)


def test_errors_of_the_booster_come_with_their_round() -> None:
    model = Boosted(Failing())
    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        model.fit(X, y)
    assert "in round 3" in caught.value.__notes__[0]
    assert not hasattr(model, "ensemble_")


def test_a_booster_of_numbers_asks_for_learners_of_numbers() -> None:
    """Whatever a learner answers, the booster must be able to use: stumps answer -1 and +1."""
    own = Boosted(RealAdaBoost(), n_estimators=4).fit(X, y)
    other = AdaBoostClassifier(n_estimators=4).fit(X, y)
    assert own.estimator_weights_ == pytest.approx(other.estimator_weights_)


def clipped(X: Any, z: Any, D: Any) -> Any:
    """The column that goes with the labels most, as a number."""
    scaled = (np.asarray(X) - np.mean(X, axis=0)) / np.std(X, axis=0)
    pulls = (D * z) @ scaled
    j = int(np.argmax(np.abs(pulls)))
    mean, size = np.mean(X, axis=0)[j], np.sign(pulls[j]) / np.std(X, axis=0)[j]
    return lambda X: (np.asarray(X)[:, j] - mean) * size


@pytest.mark.parametrize("learner", [clipped, LinearRegression(), KNeighborsRegressor(20)])
@pytest.mark.parametrize(
    ("booster", "other"),
    [
        (RealAdaBoost(), wl.RealAdaBoostClassifier()),
        (boosters.GentleBoost(), wl.GentleBoostClassifier()),
        (boosters.AdaBoostL(), wl.AdaBoostLClassifier()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_learners_of_numbers_are_those_of_the_estimators(
    booster: Booster, other: Any, learner: Any
) -> None:
    own = Boosted(booster, learner, n_estimators=4).fit(X, y)
    other = clone(other).set_params(estimator=learner, n_estimators=4).fit(X, y)
    assert own.decision_function(X).tobytes() == other.decision_function(X).tobytes()


@dataclass
class Odd(Booster):
    """Plays two rounds, and in the third does what it must not."""

    what: Any

    def begin(self, sample: Any) -> State:
        return State(sample.prior, Ensemble())

    def round(self, sample: Any, learn: Any, state: Any) -> Any:
        h = learn(state.D, sample.y, len(state.ensemble))
        if len(state.ensemble) < 2:
            return self.replay(sample, state, 0.5, h), Round({"alpha": 0.5})
        if not isinstance(self.what, float):
            return self.what
        return State(state.D, state.ensemble.plus(self.what, h)), Round({"alpha": self.what})


@pytest.mark.parametrize("target", [y, np.digitize(X[:, 0], [12.0, 15.0])], ids=["two", "three"])
@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        (None, TypeError, r"Odd.round gave None in round 3; it must give two things"),
        (3, TypeError, r"Odd.round gave a int in round 3"),
        ((None, {}), TypeError, r"Odd.round gave \(NoneType, dict\) in round 3"),
        (float("nan"), ValueError, "a hypothesis the vote nan in round 3; votes must be finite"),
        (float("inf"), ValueError, "a hypothesis the vote inf in round 3; votes must be finite"),
    ],
)
def test_rounds_that_are_none(target: Any, what: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        Boosted(Odd(what), n_estimators=5).fit(X, target)


@pytest.mark.parametrize(
    ("booster", "remedy"),
    [
        (boosters.AdaBoostM1(), "AdaBoostM1Classifier"),
        (boosters.AdaBoostM2(), "AdaBoostM2Classifier"),
        (boosters.Samme(), "AdaBoostClassifier"),
        (boosters.RankBoost(), "RankBoost"),
        (boosters.AdaBoostR2(), "AdaBoostRegressor"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_booster_of_another_target_is_refused_before_round_1(booster, remedy):
    X, y = datasets.toy()
    with pytest.raises(TypeError, match=rf"{type(booster).__name__} is a booster for .*{remedy}"):
        Boosted(booster, n_estimators=5).fit(X, y)


def test_a_booster_of_class_numbers_plays_more_than_two_classes():
    X = np.arange(30.0)[:, None]
    y = np.arange(30) // 10
    tree = DecisionTreeClassifier(max_depth=2)
    model = Boosted(boosters.AdaBoostM1(), tree, multiclass="native", n_estimators=5).fit(X, y)
    assert model.score(X, y) == 1.0
