"""Gradient boosting round by round: every step against its definition, for every loss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import same_bits, sample_of
from weaklearn import losses
from weaklearn.base.booster import Stop, play
from weaklearn.base.history import History
from weaklearn.base.rows import CUT
from weaklearn.boosters.gradient import GradientBoosting, Slope
from weaklearn.learners.gradient_tree import GradientTreeLearner

M = 400
RATE = 0.25


def table(seed: int = 0, m: int = M) -> tuple[Any, Any]:
    """Columns, and what depends on them: a number with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 4)).round(2)
    X[rng.random((m, 4)) < 0.05] = np.nan
    return X, np.nan_to_num(X[:, 0]) - (X[:, 1] > 0.5) + rng.normal(size=m) / 2


def numbers(z: Any) -> Any:
    return z


def above_zero(z: Any) -> Any:
    return np.exp(z)


def amounts(z: Any) -> Any:
    return np.maximum(np.exp(z) - 0.5, 0).round(1)


def signs(z: Any) -> Any:
    return np.where(z > 0, 1, -1)


def thirds(z: Any) -> Any:
    return np.digitize(z, [-0.5, 0.5])


KINDS: dict[str, tuple[Any, Any]] = {
    "logistic": (losses.Logistic(), signs),
    "exponential": (losses.Exponential(), signs),
    "softmax": (losses.Softmax(3), thirds),
    "squared": (losses.Squared(), numbers),
    "absolute": (losses.Absolute(), numbers),
    "huber": (losses.Huber(0.8), numbers),
    "quantile": (losses.Quantile(0.8), numbers),
    "quantiles": (losses.Quantiles((0.1, 0.5, 0.9)), numbers),
    "poisson": (losses.Poisson(), amounts),
    "gamma": (losses.Gamma(), above_zero),
    "tweedie": (losses.Tweedie(1.5), amounts),
    "own": (losses.CustomLoss(lambda y, F: F - y, None, lambda y, F: (F - y) ** 2 / 2), numbers),
}
over_losses = pytest.mark.parametrize("kind", list(KINDS))
WEIGHTS: dict[str, Any] = {
    "alike": None,
    "copies": np.arange(M) % 3,
    "importances": 0.3 + np.arange(M) % 7,
    "far apart": np.where(np.arange(M) == 7, 300.5, 0.25),
}


def sampled(kind: str, weight: Any = None, **how: Any) -> tuple[Any, Any]:
    """A loss, and a sample with what it takes."""
    loss, target = KINDS[kind]
    X, z = table()
    y = target(z)
    regression = loss.target not in ("signs", "classes")
    sample = sample_of(X, y, weight, regression=regression, binning=CUT, **how)
    if sample.importance is not None:
        mean = sample.importance.mean()
        sample = replace(sample, importance=sample.importance / mean)
    return loss, sample


def multiplicity(sample: Any) -> Any:
    """What each row counts in a mean."""
    counts = np.ones(len(sample)) if sample.copies is None else sample.copies
    return counts if sample.importance is None else counts * sample.importance


def mean_loss(loss: Any, sample: Any, F: Any) -> float:
    scores = F[0] if len(F) == 1 else F.T
    w = multiplicity(sample)
    return float((w * loss.adapted(sample.y, scores, w).value(sample.y, scores)).sum() / w.sum())


def steps(booster: GradientBoosting, sample: Any, T: int, **limits: Any) -> Any:
    """(slope before, scores before, slope after, facts) of T rounds."""
    learn = GradientTreeLearner(**limits).bind(sample)
    state = booster.begin(sample)
    for _ in range(T):
        curvature = None if state.c is None else state.c.copy()
        before, F = replace(state, g=state.g.copy(), c=curvature), state.F.copy()
        state, played = booster.round(sample, learn, state)
        yield before, F, state, played


# --- A round ---------------------------------------------------------------------------------


@over_losses
@pytest.mark.parametrize("weights", list(WEIGHTS))
def test_a_round_is_what_the_definition_says(kind: str, weights: str) -> None:
    loss, sample = sampled(kind, WEIGHTS[weights])
    booster = GradientBoosting(loss, RATE)
    w = multiplicity(sample)
    state = booster.begin(sample)
    F_0 = loss.best_constant(sample.y, w)
    assert state.F == pytest.approx(np.repeat(F_0[:, None], len(sample), axis=1), abs=1e-9)
    assert state.ensemble.base == pytest.approx(F_0, abs=1e-9)
    counts = np.ones(len(sample)) if sample.copies is None else sample.copies
    for t, (before, F, after, played) in enumerate(steps(booster, sample, 6)):
        scores = F[0] if len(F) == 1 else F.T
        adapted = loss.adapted(sample.y, scores, w)
        importance = 1 if sample.importance is None else sample.importance
        g = importance * adapted.gradient(sample.y, scores).reshape(len(sample), -1).T
        assert before.g == pytest.approx(g, abs=1e-12)
        if before.c is None:
            assert loss.constant_curvature
        else:
            c = importance * adapted.curvature(sample.y, scores).reshape(len(sample), -1).T
            assert before.c == pytest.approx(c, abs=1e-12)
        vote, trees = list(after.ensemble)[-1]
        assert (vote, len(after.ensemble), len(trees)) == (RATE, t + 1, loss.n_outputs)
        moved = after.F - F
        for k, tree in enumerate(trees):
            answers = tree.values[tree.is_leaf, 0] * RATE
            nearest = np.abs(moved[k][:, None] - answers).min(axis=1)
            assert nearest.max() <= 1e-12 * max(1.0, np.abs(after.F).max())
        assert ((before.g * counts) * moved).sum() <= 1e-12
        assert (
            played.metrics["loss"] == after.loss == pytest.approx(mean_loss(loss, sample, after.F))
        )
        assert played.metrics["leaves"] == sum(tree.n_leaves for tree in trees)


@over_losses
def test_the_scores_of_training_are_those_of_the_ensemble(kind: str) -> None:
    loss, sample = sampled(kind, WEIGHTS["copies"])
    *_, (_, _, state, _) = steps(GradientBoosting(loss, RATE), sample, 5, subsample=0.7)
    assert same_bits(np.ascontiguousarray(state.ensemble(sample).T), state.F)


@over_losses
@pytest.mark.parametrize("weights", list(WEIGHTS))
def test_small_steps_lower_the_loss(kind: str, weights: str) -> None:
    loss, sample = sampled(kind, WEIGHTS[weights])
    fallen = [before.loss - after.loss for before, _, after, _ in
              steps(GradientBoosting(loss, 0.02), sample, 10)]  # fmt: skip
    if kind != "huber":  # whose scale follows the residuals
        assert min(fallen) > 0
    start = GradientBoosting(loss, 0.02).begin(sample)
    assert mean_loss(loss, sample, start.F) == pytest.approx(start.loss)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_step_goes_downhill(data: Any) -> None:
    """For any loss, weights, limits and draws: over the examples drawn for it, sum g h <= 0."""
    kind = data.draw(st.sampled_from(list(KINDS)))
    loss, sample = sampled(kind, WEIGHTS[data.draw(st.sampled_from(list(WEIGHTS)))])
    limits = {
        "max_leaf_nodes": data.draw(st.sampled_from([2, 5, None])),
        "min_samples_leaf": data.draw(st.integers(1, 30)),
        "l2": data.draw(st.sampled_from([0.0, 1.0])),
        "monotonic": data.draw(st.sampled_from([None, (1, -1, 0, 0)])),
        "max_features": data.draw(st.sampled_from([0.3, 1.0])),
    }
    counts = np.ones(len(sample)) if sample.copies is None else sample.copies
    for before, F, after, _ in steps(GradientBoosting(loss, 1.0), sample, 3, **limits):
        moved = after.F - F
        if limits["monotonic"] is None or loss.leaf_quantiles is None:
            assert ((before.g * counts) * moved).sum() <= 1e-9 * np.abs(before.g).sum()
        if not np.isfinite(after.F).all() or np.abs(after.F).max() > 100:
            break


# --- What is learnt from ---------------------------------------------------------------------


@over_losses
def test_examples_left_out_do_not_matter_but_their_scores_move(kind: str) -> None:
    loss, sample = sampled(kind)
    copies = (np.arange(len(sample)) % 4 > 0).astype(np.int64)
    out = copies == 0
    booster = GradientBoosting(loss, RATE, copies=copies)
    other = sample.y.copy()
    other[out] = np.roll(other[out], 3)
    changed = replace(sample, y=other)
    pairs = zip(steps(booster, sample, 4), steps(booster, changed, 4), strict=True)
    for (_, _, a, _), (_, _, b, _) in pairs:
        if loss.native or loss.leaf_quantiles:  # whose gradients are of one scale
            assert same_bits(a.F, b.F)
        assert a.F == pytest.approx(b.F, rel=1e-6)
        assert a.loss == pytest.approx(b.loss, rel=1e-6)
    assert len(np.unique(a.F[0, out])) > 5


@over_losses
def test_copies_are_repetitions(kind: str) -> None:
    loss, once = sampled(kind, WEIGHTS["copies"])
    X, z = table()
    many = np.repeat(np.arange(M), np.arange(M) % 3)
    repeated = sample_of(
        X[many], KINDS[kind][1](z)[many], regression=once.n_classes == 0, binning=CUT
    )
    how = {"subsample": 0.7, "max_features": 0.6}
    booster = GradientBoosting(loss, RATE)
    pairs = zip(steps(booster, once, 5, **how), steps(booster, repeated, 5, **how), strict=True)
    for (_, _, a, _), (_, _, b, _) in pairs:
        assert same_bits(np.repeat(a.F, once.copies, axis=1), b.F)
        assert a.loss == b.loss


def test_an_offset_starts_the_descent() -> None:
    loss, sample = sampled("poisson")
    exposure = np.log(1.0 + np.arange(M) % 5)[None]
    booster = GradientBoosting(loss, RATE, offset=exposure)
    state = booster.begin(sample)
    assert same_bits(state.F, exposure)
    assert state.ensemble.base.tolist() == [0.0]
    *_, (_, _, state, _) = steps(booster, sample, 5)
    assert state.F == pytest.approx(exposure + state.ensemble(sample).T, abs=1e-12)


@over_losses
@pytest.mark.parametrize("offset", [False, True])
def test_resumed_is_straight(kind: str, offset: bool) -> None:
    loss, sample = sampled(kind, WEIGHTS["importances"])
    given = np.sin(np.arange(M))[None] / 3 if offset and loss.n_outputs == 1 else None
    booster = GradientBoosting(loss, RATE, offset=given)
    learn = GradientTreeLearner(subsample=0.6, max_features=0.7).bind(sample)
    played = [
        play(booster, sample, learn, state=booster.begin(sample), history=History(), n_rounds=n)
        for n in (3, 7)
    ]
    half = booster.replay(sample, played[0].state.ensemble)
    assert same_bits(half.F, played[0].state.F)
    history = played[0].history.first(3)
    on = play(booster, sample, learn, state=half, history=history, n_rounds=7)
    assert same_bits(on.state.F, played[1].state.F)
    assert on.history == played[1].history


# --- The end ---------------------------------------------------------------------------------


def run(loss: Any, X: Any, y: Any, n: int = 5, **limits: Any) -> Any:
    regression = loss.target not in ("signs", "classes")
    sample = sample_of(X, y, regression=regression, binning=CUT)
    booster = GradientBoosting(loss, RATE)
    learn = GradientTreeLearner(**limits).bind(sample)
    return play(booster, sample, learn, state=booster.begin(sample), history=History(), n_rounds=n)


def test_without_a_slope_the_run_ends() -> None:
    X, z = table()
    same = np.ones((M, 2))
    for loss, y in (
        (losses.Squared(), z),
        (losses.Logistic(), signs(z)),
        (losses.Gamma(), np.exp(z)),
    ):
        for subsample in (1.0, 0.5):
            played = run(loss, same, y, subsample=subsample, max_features=0.5)
            assert (played.stop, len(played.state.ensemble)) == (Stop.FLAT, 0)
    assert run(losses.Squared(), X, np.full(M, 3.0)).stop == Stop.FLAT
    assert run(losses.Logistic(), X, np.ones(M, int)).stop == Stop.FLAT
    assert run(losses.Squared(), X, z, min_gain=1e9).stop == Stop.FLAT


def test_a_draw_without_luck_does_not_end_it() -> None:
    """Of ten columns one tells something; a round that draws others must not be the last."""
    X = np.ones((40, 10))
    X[:, 7] = np.arange(40)
    y = np.where(np.arange(40) < 20, -1, 1)
    played = run(losses.Logistic(), X, y, n=60, max_features=0.1)
    assert played.stop == Stop.ROUNDS
    assert len(played.state.ensemble) == 60
    assert played.history["loss"][-1] < 0.5


# --- A user's own loss -----------------------------------------------------------------------


class Own(losses.Loss):
    """A loss as a user may write it, which goes wrong in some round."""

    name = "log_loss"  # the name of another is no reason to take it for that one

    def __init__(self, wrong: Any = None, after: int = 3) -> None:
        self.wrong, self.left = wrong, after

    def value(self, y: Any, F: Any) -> Any:
        return (y - F) ** 2 / 2

    def gradient(self, y: Any, F: Any) -> Any:
        self.left -= 1
        if self.left < 0 and self.wrong is not None:
            return self.wrong(F - y)
        return F - y

    def curvature(self, y: Any, F: Any) -> Any:
        return np.ones_like(F)

    def best_constant(self, y: Any, w: Any = None) -> Any:
        return np.array([y.mean()])


def test_a_loss_is_not_taken_for_another_of_its_name() -> None:
    X, z = table()
    mine = run(Own(), X, z)
    assert same_bits(mine.state.F, run(losses.Squared(), X, z).state.F) or np.allclose(
        mine.state.F, run(losses.Squared(), X, z).state.F
    )
    called = run(losses.CustomLoss(lambda y, F: F - y, label="log_loss"), X, z, n=3)
    assert len(called.state.ensemble) == 3
    assert np.isnan(called.history["loss"]).all()  # it tells no value


def one_nan(g: Any) -> Any:
    return np.where(np.arange(len(g)) == 5, np.nan, g)


def boom(g: Any) -> Any:
    raise ArithmeticError("boom")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (one_nan, "gradient of loss '(log_loss|mine)' returned nan in row 5"),
        (lambda g: g * np.inf, "returned -?(inf|nan) in row"),
        (lambda g: g[:-1], r"returned an array of shape \(399,\); it must have the shape \(400,\)"),
        (lambda g: g[:, None], r"returned an array of shape \(400, 1\)"),
        (boom, "boom"),
    ],
)
def test_a_loss_that_goes_wrong_is_named_with_the_round(wrong: Any, words: str) -> None:
    X, z = table()
    own = Own(wrong)
    for loss in (own, losses.CustomLoss(Own(wrong).gradient, label="mine")):
        with np.errstate(invalid="ignore"), pytest.raises(Exception, match=words) as caught:
            run(loss, X, z, n=9)
        assert isinstance(caught.value, ValueError) or "boom" in words
        assert "this happened in round 3" in "".join(caught.value.__notes__)
        assert "in round 3" in str(caught.value) or "boom" in words


def test_slopes_are_read_only_to_a_users_function() -> None:
    X, z = table()

    def meddler(y: Any, F: Any) -> Any:
        F += 1
        return F - y

    with pytest.raises(RuntimeError, match="read-only"):
        run(losses.CustomLoss(meddler), X, z)


def test_a_slope_is_frozen_in_all_but_its_scores() -> None:
    _, sample = sampled("squared")
    state = GradientBoosting(losses.Squared(), RATE).begin(sample)
    assert isinstance(state, Slope)
    with pytest.raises(AttributeError):
        state.loss = 0.0  # type: ignore[misc]
