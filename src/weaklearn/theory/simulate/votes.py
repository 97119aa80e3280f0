"""Votes: margins, confidence, weak learners made strong, and averages of many predictors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.types import Floats
from .. import bounds
from ..bias_and_variance.decomposition import bagging_identity
from ..pac.distribution import trained
from ..pac.planning import strong_learner
from .trials import Coverage, Curve, coverage, pac


def margins(
    *,
    m: int = 5000,
    delta: float = 0.1,
    n_bits: int = 11,
    reliability: float = 0.9,
    trials: int = 50,
    seed: int = 0,
) -> Coverage:
    """The bound on the true error by margins, on votes of bits, with theta chosen afterwards.

    y is a fair coin, and each bit equals it with the given reliability. A vote weighs the bits by
    their correlation with y on m examples; the class are the bits and their opposites. All points
    are gone through for the true error.

    >>> found = margins(trials=5)
    >>> found.failures, bool(found.bound.max() < 0.5)
    (0, True)
    """
    right = 1 - 2 * ((np.arange(2**n_bits)[:, None] >> np.arange(n_bits)) & 1)  # y times the bits
    chance = np.where(right > 0, reliability, 1 - reliability).prod(axis=1)
    lnH = np.log(2 * n_bits)
    thetas = np.linspace(0, 1, 21)[1:]
    thetas = thetas[thetas > bounds.margin_gen_theta_min(lnH, m)]
    penalties = np.asarray(bounds.margin_gen_finite_best(thetas, lnH, m, delta))

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        seen = np.where(rng.random((m, n_bits)) < reliability, 1, -1)
        votes = seen.mean(axis=0)
        votes = votes / np.abs(votes).sum()
        missed = chance[right @ votes <= 0].sum()
        margin = seen @ votes
        shares = np.array([np.mean(margin <= theta) for theta in thetas])
        return float(missed), float((shares + penalties).min())

    return coverage(trial, delta, trials=trials, seed=seed)


def confidence(
    *,
    success_probability: float = 0.5,
    eps: float = 0.2,
    delta: float = 0.1,
    error: float = 0.1,
    trials: int = 1000,
    seed: int = 0,
) -> Coverage:
    """Boosting the confidence: the hypothesis chosen among k tries is within eps of a good one.

    A try gives a hypothesis of the true error ``error`` with the success probability, else one that
    is worse by a random amount; they are judged by as many fresh examples as the theorem asks for.

    >>> confidence().holds
    True
    """
    k = int(bounds.confidence_k_success(success_probability, delta / 2))
    m = int(bounds.confidence_validation(k, eps, delta))

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        good = rng.random(k) < success_probability
        true = np.where(good, error, error + rng.random(k) * (1 - error))
        return float(true[np.argmin(rng.binomial(m, true))]), error + eps

    return coverage(trial, delta, trials=trials, seed=seed)


def weak_to_strong(
    booster: Any,
    draw: Callable[..., Any],
    gamma: float,
    eps: float,
    delta: float,
    *,
    trials: int = 20,
    n_test: int = 5000,
    seed: int = 0,
    **settings: Any,
) -> Coverage:
    """Runs ``strong_learner`` again and again; the error on fresh examples is to be below eps.

    ``draw(n, rng)`` returns n examples; more ``settings`` are those of ``strong_learner``. The
    errors observed are on n_test examples, so that eps is compared with a measurement.

    >>> from weaklearn import GammaMajorityClassifier
    >>> def draw(n, rng):
    ...     x = rng.integers(0, 16, size=(n, 1))
    ...     return x, np.where((x[:, 0] > 4) & (x[:, 0] < 11), 1, -1)
    >>> runs = weak_to_strong(GammaMajorityClassifier(), draw, 1 / 6, 0.2, 0.2, bits=6, trials=2)
    >>> runs.failures
    0
    """
    errors = []
    for t in range(trials):
        rng = np.random.default_rng([seed, t])
        found = strong_learner(booster, draw, gamma, eps, delta, random_state=rng, **settings)
        if found.model is None:
            raise ValueError(
                f"the plan takes {found.m} examples, more than most_examples; pass a larger eps."
            )
        X, y = draw(n_test, np.random.default_rng([seed, t, 1]))
        errors.append(np.mean(np.asarray(found.model.predict(X)) != np.asarray(y)))
    return pac(errors, eps, delta)


def bagging(
    estimator: Any,
    sampler: Callable[[np.random.Generator], Any],
    f: Callable[[Any], Any],
    *,
    members: tuple[int, ...] = (1, 2, 5, 10, 25),
    n_averages: int = 40,
    seed: int = 0,
) -> Curve:
    """Bias and variance of averages of predictors, each trained on a sample of its own.

    ``sampler(rng)`` draws a training set (X, y), ``f`` is the true mean of y. Averages of more
    members keep the bias, and their variance falls as 1/members: the mean squared error (observed)
    is at most that of single members (bound), by an identity.

    >>> from sklearn.tree import DecisionTreeRegressor
    >>> def sampler(rng):
    ...     x = rng.uniform(size=(60, 1))
    ...     return x, np.sin(6 * x[:, 0]) + rng.normal(scale=0.3, size=60)
    >>> curve = bagging(DecisionTreeRegressor(max_depth=5), sampler, lambda x: np.sin(6 * x[:, 0]),
    ...                 members=(1, 10), n_averages=10)
    >>> curve.holds, bool(curve.others["variance"][1] < 0.2 * curve.others["variance"][0])
    (True, True)
    """
    X_test, _ = sampler(np.random.default_rng([seed, 0]))
    target = np.asarray(f(X_test), np.float64)
    n = max(members) * n_averages
    predictions = []
    for s in range(n):
        X, y = sampler(np.random.default_rng([seed, 1 + s]))
        predictions.append(trained(estimator, X, y, seed, s).predict(X_test))
    columns = np.array([_averaged(np.array(predictions, np.float64), b, target) for b in members]).T
    error, allowed, bias, variance = columns
    return Curve(
        "members", np.array(members), error, allowed, {"bias_sq": bias, "variance": variance}
    )


def _averaged(predictions: Floats, b: int, target: Floats) -> tuple[float, float, float, float]:
    """The squared error of averages of b predictors, that of members, and its parts."""
    grouped = predictions[: len(predictions) // b * b]
    averages = bagging_identity(grouped.reshape(-1, b, grouped.shape[1]).mean(axis=1), target)
    single = bagging_identity(grouped, target)
    error, allowed = float(averages.average_error), float(single.average_error)
    return error, allowed, float(averages.error_of_aggregate), float(averages.spread)
