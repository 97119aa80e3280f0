"""AnyBoost against golden values, against AdaBoost, and against its promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.reference.regression import LeastSquares, Steps
from tests.samples import prepared, same_bits, sample_of
from weaklearn.base import History, Stop, WeakLearner, play
from weaklearn.base.numeric.total import mean
from weaklearn.boosters import AdaBoost, AnyBoost
from weaklearn.learners import StumpLearner
from weaklearn.losses import (
    Absolute,
    CustomLoss,
    Exponential,
    Hinge,
    Huber,
    Logistic,
    Poisson,
    Squared,
)

LOSSES = {"exp": Exponential(), "logistic": Logistic()}
SMOOTH = [Exponential(), Logistic(), Squared()]


def played(booster: Any, sample: Any, n_rounds: int, learner: Any = None) -> Any:
    learn = (StumpLearner() if learner is None else learner).bind(sample)
    start = booster.begin(sample)
    return play(booster, sample, learn, state=start, history=History(), n_rounds=n_rounds)


def noisy(seed: int, m: int = 80) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, size=(m, 3)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] > 7, 1, -1) * rng.choice([1, 1, 1, -1], m)
    return X, y


# ----------------------------------------------------------------------------------------- golden


@pytest.mark.parametrize("name", [n for n in golden.names("boosters") if n.startswith("anyboost")])
def test_golden(name: str) -> None:
    case = golden.case("boosters", name)
    told, expected = case["input"], case["expected"]
    sample = sample_of(np.array(told["X"]), np.array(told["y"]))
    booster = AnyBoost(LOSSES[told["loss"]], told["alpha"])
    run = played(booster, sample, told["T"])
    allowed = golden.tolerance("boosters")
    for t, wanted in enumerate(expected["rounds"]):
        h = run.state.ensemble.members[t]
        stump = wanted["stump"]
        assert (h.feature, h.threshold, h.high) == tuple(stump.values())
        assert run.history["inner_product"][t] == pytest.approx(wanted["inner_product"], **allowed)
        assert run.history["loss"][t] == pytest.approx(wanted["loss_after"], **allowed)
    assert run.state.H == pytest.approx(expected["H"], **allowed)
    assert run.state.ensemble(sample) == pytest.approx(expected["H"], **allowed)


# --------------------------------------------------------------------------------------- AdaBoost


@pytest.mark.parametrize("seed", range(4))
def test_the_exponential_loss_with_best_steps_is_adaboost(seed: int) -> None:
    sample = sample_of(*noisy(seed), weight=np.random.default_rng(seed).integers(1, 4, 80))
    ada, own = (played(b, sample, 25) for b in (AdaBoost(), AnyBoost(Exponential(), length=None)))
    assert own.state.ensemble.members == ada.state.ensemble.members
    assert own.history["alpha"] == pytest.approx(ada.history["alpha"], rel=1e-9)
    assert own.history["epsilon"] == pytest.approx(ada.history["epsilon"], rel=1e-9)
    assert own.history["loss"] == pytest.approx(np.cumprod(ada.history["Z"]), rel=1e-9)


def test_a_perfect_rule_ends_both_alike() -> None:
    sample = sample_of(np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1]))
    for booster in (AdaBoost(), AnyBoost(Exponential(), None), AnyBoost(Logistic(), None)):
        run = played(booster, sample, 5)
        assert run.stop is Stop.PERFECT
        assert run.history["alpha"].tolist() == [np.inf]
        assert run.state.ensemble.votes.tolist() == [1.0]
    hinge = played(AnyBoost(Hinge(), None), sample, 5)  # whose best step is finite
    assert hinge.stop is Stop.FLAT
    assert hinge.history["alpha"].tolist() == pytest.approx([1.0, 0.0])


class Steep(Logistic):
    """Falls without end, and ever more steeply."""

    def gradient(self, y: Any, F: Any) -> Any:
        return -y * (1 + np.abs(F))


class Bent(Logistic):
    """Falls without end, and more steeply beyond 0; its square leaves the numbers far out."""

    def gradient(self, y: Any, F: Any) -> Any:
        return -y * (2 + y * F / np.sqrt(1 + F * F))


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("loss", [Steep(), Bent()], ids=repr)
def test_a_loss_that_falls_ever_more_steeply_is_not_called_perfect(loss: Any) -> None:
    sample = sample_of(*noisy(0))
    with pytest.raises(ValueError, match=r"not convex.*constant steps"):
        played(AnyBoost(loss, None), sample, 5)
    assert played(AnyBoost(loss, 0.1), sample, 5).stop is Stop.ROUNDS


# --------------------------------------------------------------------------------------- promises


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(SMOOTH), st.booleans(), st.booleans())
def test_every_step_goes_downhill(seed: int, loss: Any, real: bool, search: bool) -> None:
    sample = sample_of(*noisy(seed, 30))
    booster = AnyBoost(loss, None if search else 0.01, real=real)
    run = played(booster, sample, 8, LeastSquares() if real else None)
    taken = run.history["alpha"] > 0
    assert taken[:-1].all()
    assert (run.history["inner_product"][taken] < 0).all()
    start = mean(loss.value(sample.y, np.zeros(30)))
    costs = np.r_[start, run.history["loss"]]
    assert (np.diff(costs)[taken] < 0).all()


@pytest.mark.parametrize("loss", [*SMOOTH, Absolute(), Huber()], ids=repr)
def test_the_best_step_is_the_best(loss: Any) -> None:
    sample = sample_of(*noisy(3))
    H = np.zeros(80)
    for vote, h in played(AnyBoost(loss, None), sample, 5).state.ensemble:
        answers = np.asarray(h(sample), float)
        here = loss.adapted(sample.y, H)
        costs = [
            mean(here.value(sample.y, H + a * answers)) for a in (vote, 0.98 * vote, 1.02 * vote)
        ]
        assert costs[0] <= min(costs) + 1e-15
        H = H + vote * answers


def test_mean_or_sum_of_losses_is_the_same() -> None:
    sample = sample_of(*noisy(1))
    scaled = CustomLoss(
        lambda y, F: 1000 * Logistic().gradient(y, F),
        None,
        lambda y, F: 1000 * Logistic().value(y, F),
    )
    own, other = (played(AnyBoost(loss, 0.1), sample, 20) for loss in (Logistic(), scaled))
    assert own.state.ensemble.members == other.state.ensemble.members
    assert other.history["loss"] == pytest.approx(1000 * own.history["loss"])


def test_real_learners_fit_numbers_by_least_squares() -> None:
    x = np.arange(40.0)
    y = np.where(x > 12, 5.0, -1.0) + np.where(x > 30, 2.0, 0.0)
    sample = sample_of(x[:, None], y, regression=True)
    run = played(AnyBoost(Squared(), None, 1.0, True, "constant"), sample, 60, LeastSquares())
    assert run.state.ensemble.base == pytest.approx(y.mean())
    assert run.history["alpha"][:3] == pytest.approx(1.0)  # the best step along a least-squares fit
    assert run.history["loss"][-1] < 1e-6
    assert run.state.ensemble(sample) == pytest.approx(run.state.H, abs=1e-12)
    slow = played(
        AnyBoost(Poisson(), 0.01, 1.0, True),
        sample_of(x[:, None], y + 2, regression=True),
        30,
        LeastSquares(),
    )
    assert (np.diff(slow.history["loss"]) < 0).all()


# ------------------------------------------------------------------------------------------- ends


class Constant(WeakLearner):
    """Always the same answer."""

    def __init__(self, answer: float) -> None:
        self.answer = answer

    def bind(self, sample: Any) -> Any:
        rule = Steps(0, np.inf, self.answer, self.answer, 0.0)
        return lambda D, z, key=0: rule


def test_why_a_descent_ends() -> None:
    y = np.array([1, 1, 1, -1])
    sample = sample_of(np.arange(4.0)[:, None], y)
    worse = played(AnyBoost(Logistic(), 0.1), sample, 5, Constant(-1))
    assert (worse.stop, len(worse.state.ensemble)) == (Stop.WORSE, 0)
    assert worse.history["inner_product"].tolist() == [0.25]
    none = played(AnyBoost(Logistic(), 0.1), sample_of(np.zeros((4, 1)), [1, -1, 1, -1]), 5)
    assert (none.stop, len(none.state.ensemble)) == (Stop.NO_EDGE, 0)
    flat = played(AnyBoost(Squared(), 1.0), sample_of(np.arange(4.0)[:, None], [-1, -1, 1, 1]), 5)
    assert (flat.stop, len(flat.state.ensemble)) == (Stop.FLAT, 1)
    assert flat.history["loss"].tolist() == [0.0, 0.0]


def test_a_faulty_loss_is_named_with_its_round_and_leaves_the_past_alone() -> None:
    calls: list[int] = []

    def gradient(y: Any, F: Any) -> Any:
        calls.append(1)
        return np.where(len(calls) > 3, np.nan, F - y)

    sample = sample_of(*noisy(2))
    history = History()
    booster = AnyBoost(CustomLoss(gradient, label="faulty"), 0.1)
    learn = StumpLearner().bind(sample)
    with pytest.raises(
        ValueError, match="gradient of loss 'faulty' returned nan in row 0"
    ) as caught:
        play(booster, sample, learn, state=booster.begin(sample), history=history, n_rounds=9)
    assert "round 3" in caught.value.__notes__[0]
    assert len(history) == 2


def test_importances_and_copies_move_the_same_way() -> None:
    X, y = noisy(4)
    w = np.random.default_rng(0).integers(1, 5, 80)
    copies, importances = sample_of(X, y, w), sample_of(X, y, w / 7)
    a, b = (played(AnyBoost(Exponential(), None), s, 10) for s in (copies, importances))
    assert a.state.ensemble.members == b.state.ensemble.members
    assert a.history["alpha"] == pytest.approx(b.history["alpha"], rel=1e-9)
    assert not same_bits(a.state.D.array, np.full(80, 1 / 80))
    assert prepared(X, y, w / 7).sample.importance is not None
