"""Calibration of probabilities: a link fitted on cross-validated scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import frexp, fsum, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.exponential import exponential_of, logarithms, sigmoid, softplus
from ..base.numeric.newton import Quadratic, least_of_two
from ..base.sample import Sample, take_rows
from ..base.types import Floats, Ints
from ..intake.splitting import deal
from ..losses.links import Calibration, powers_of_shares

_FOLDS = 5


@dataclass(frozen=True)
class OutOfFold:
    """Cross-validated scores of rows, with their labels and weights."""

    F: Floats
    codes: NDArray[np.int64]
    weights: Floats


def check_calibration(how: str | None, sample: Sample) -> None:
    """Refuses, before a long fit, a sample that cannot be calibrated after it."""
    if how is None or sample.n_classes == 1:
        return
    if how == "platt" and sample.n_classes > 2:
        raise ValueError("calibrate='platt' is for two classes; use calibrate='slope'.")
    labels = (sample.y > 0).astype(np.intp) if sample.binary else sample.y
    rows = np.bincount(labels, weights=sample.copies)
    if rows.min() < _FOLDS:
        scarce = np.asarray(sample.classes).tolist()[int(rows.argmin())]
        raise ValueError(
            f"calibrate={how!r} needs at least {_FOLDS} rows of every class; {scarce!r} has "
            f"{int(rows.min())}. Set calibrate=None."
        )


@dataclass(frozen=True)
class Fold:
    """Rows to learn from with their weights, and rows held out: how often, and their weights."""

    inside: Ints
    weights: Floats
    outside: Ints
    copies: Ints
    importance: Floats

    @property
    def held_weights(self) -> Floats:
        """How much each row held out counts."""
        return self.copies * self.importance


def folds_of(sample: Sample, seed: int, n_folds: int = _FOLDS) -> list[Fold]:
    """The folds of a sample, class by class; neither row order nor copies against weights matter.

    An example that is alone in its class is never held out, so that every fold knows all classes.
    """
    numbers = sample.n_classes == 0
    codes = np.zeros(len(sample), np.int64) if numbers else sample.codes.astype(np.int64)
    copies = sample.copies_or_ones
    importance = np.ones(len(sample)) if sample.importance is None else sample.importance
    dealt = deal(sample.row_hashes, codes, copies, sample.importance, n_folds, seed, sample.engine)
    if not numbers:
        dealt[(np.bincount(codes, copies) == 1)[codes]] = 0
    found = []
    for held in dealt.T:
        stay = copies - held
        inside, outside = np.flatnonzero(stay), np.flatnonzero(held)
        if len(inside) and len(outside):
            weights = stay[inside] * importance[inside]
            found.append(Fold(inside, weights, outside, held[outside], importance[outside]))
    return found


def out_of_fold(sample: Sample, seed: int, refit: Callable[[Any, Any, Floats], Any]) -> OutOfFold:
    """Scores from five folds; neither row order nor copies instead of weights matter."""
    codes = sample.codes.astype(np.int64)
    labels = np.asarray(sample.classes)[codes]
    folds = folds_of(sample, seed)
    scores = []
    for fold in folds:
        model = refit(take_rows(sample.raw, fold.inside), labels[fold.inside], fold.weights)
        scores.append(model.decision_function(take_rows(sample.raw, fold.outside)))
    order = np.concatenate([fold.outside for fold in folds])
    weights = np.concatenate([fold.held_weights for fold in folds])
    return OutOfFold(np.concatenate(scores), codes[order], weights)


def fit_slope(
    held: OutOfFold, log_likelihood: Callable[[Floats, NDArray[np.int64]], Floats]
) -> Calibration:
    """Temperature scaling: the positive factor on F that maximises the held-out likelihood."""
    from scipy.optimize import minimize_scalar

    def loss(log_slope: float) -> float:
        terms = log_likelihood(exponential_of(log_slope) * held.F, held.codes)
        return -fsum(held.weights * terms)  # exactly rounded, so that the order of rows is free

    best = minimize_scalar(loss, bounds=(-7.0, 3.0), method="bounded", options={"xatol": 1e-6})
    return Calibration(exponential_of(float(best.x)))


def fit_power(shares: Floats, codes: Ints, weights: Floats | None) -> Calibration:
    """The power of the average shares of unseen examples that maximises their likelihood."""
    from scipy.optimize import minimize_scalar

    everyone = np.arange(len(codes))
    weights = np.ones(len(codes)) if weights is None else weights

    def loss(log_slope: float) -> float:
        p = powers_of_shares(shares, exponential_of(log_slope))
        return -fsum(weights * logarithms(np.maximum(p[everyone, codes], 1e-300)))

    best = minimize_scalar(loss, bounds=(-2.5, 2.5), method="bounded", options={"xatol": 1e-6})
    return Calibration(exponential_of(float(best.x)))


def fit_platt(held: OutOfFold) -> Calibration:
    """Platt's link 1/(1 + exp(a F + b)), with his softened targets; in our form slope F + shift."""
    positive = fsum(held.weights[held.codes == 1])
    negative = fsum(held.weights[held.codes == 0])
    target = np.where(held.codes == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    weights = held.weights / fsum(held.weights)
    unit = ldexp(1.0, frexp(float(np.abs(held.F).max(initial=0.0)))[1])
    F = held.F / unit

    def loss(slope: float, shift: float) -> Quadratic:
        z = 2 * (slope * F + shift)
        p = sigmoid(z)
        value = fsum(weights * (softplus(z) - target * z))
        pull, bend = 2 * weights * (p - target), 4 * weights * p * (1 - p)
        by = (fsum(each) for each in (pull * F, pull, bend * F * F, bend * F, bend))
        return Quadratic(value, *by)

    slope, shift = least_of_two(loss, 0.5 * unit)
    return Calibration(slope / unit, shift)


def calibrate(
    how: str | None,
    sample: Sample,
    seed: int,
    refit: Callable[[Any, Any, Floats], Any],
    link: Callable[[Floats], Floats],
) -> Calibration:
    """The calibration asked for: None, "slope" or "platt"."""
    if how is None or sample.n_classes == 1:
        return Calibration()
    held = out_of_fold(sample, seed, refit)
    if how == "platt":
        return fit_platt(held)

    def log_likelihood(F: Floats, codes: NDArray[np.int64]) -> Floats:
        p = link(F)[np.arange(len(codes)), codes]
        return logarithms(np.maximum(p, 1e-300))

    return fit_slope(held, log_likelihood)
