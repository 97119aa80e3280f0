"""Many rules a round: terms whose confidences move side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, WeakLearner
from ..base.label_distribution import LabelDistribution, Parted
from ..base.numeric.exponential import exponentials
from ..base.numeric.total import total
from ..base.sample import Sample
from ..base.types import Floats
from ..base.votes.graded_rules import BITS, GradedRules, grain_of

_WEIGHT_BITS = 37  # of the sum of all weights; with 15 of a term, sums are whole in doubles
_REACH = 10.0  # the largest |h| of a round: its weights change by e^10 at most
_STEPS = 20
_NEAR = 1e-3  # a relative error of the step that changes nothing


@dataclass(frozen=True)
class GradedRuleLearner(WeakLearner):
    """The terms that part the labels best, each with its confidences, all at once.

    The value w_j(x) >= 0 of column j is the weight of term j in x. With the weights of texts that
    have label l and of those that have not,

        W+_jl = sum over i of D(i, l) w_j(x_i) [Y_il = +1], and W-_jl likewise,

    the ``rules_per_round`` terms with the largest sum over l of (sqrt W+ - sqrt W-)^2 are taken
    (of equals the first), and one more that every text has with weight 1, and

        h(x, l) = lambda sum over these j of w_j(x) c_jl,   c_jl = 1/2 ln((W+_jl + s)/(W-_jl + s)).

    lambda >= 1/L makes Z(lambda) = sum D(i, l) exp(-Y_il h(x_i, l)) least, L being the largest sum
    of the weights of these terms in one text; it ends where |h| would exceed 10. ``rate`` is a
    factor on lambda. ``smoothing`` is s, None means 1/(mK) for m texts and K labels; it is at least
    2^-37, the least weight that is seen.

    **Guarantee.** By the convexity of exp, for rate 1,

        Z <= 1 - (1/L) sum over j, l of W+_jl (1 - exp(-c_jl)) + W-_jl (1 - exp(c_jl)),

    which for s = 0 is 1 - (1/L) sum of (sqrt W+_jl - sqrt W-_jl)^2.

    Reference: Collins, Schapire and Singer (2002), Logistic regression, AdaBoost and Bregman
    distances, Machine Learning 48 (parallel updates); Schapire and Singer (1999), Machine Learning
    37 (confidences).
    """

    rules_per_round: int = 2000
    smoothing: float | None = None
    rate: float = 1.0

    @property
    def form(self) -> Form:
        return Form.LABEL_CONFIDENCES

    def bind(self, sample: Sample) -> GradedRuleOracle:  # type: ignore[override]
        return GradedRuleOracle(sample, self)


class GradedRuleOracle:
    """The learner bound to a sample."""

    def __init__(self, sample: Sample, settings: GradedRuleLearner) -> None:
        self._sample, self._settings = sample, settings
        weights = term_weights(sample)
        most = float(weights.data.max(initial=0.0))
        self._grain = grain_of(most) if most > 0 else 1.0
        counts = np.rint(weights.data / self._grain).astype(np.float64)
        whole = type(weights)((counts, weights.indices, weights.indptr), shape=weights.shape)
        self._by_term = whole.T.tocsr()
        self._signs = sample.signs.astype(np.float64)

    def __call__(self, D: LabelDistribution, z: NDArray[Any], key: int = 0) -> GradedRules:
        weight, all_of = self._weights(D)
        K = D.n_labels
        has = weight * (self._signs > 0)
        both = np.hstack([has, weight])
        sums = self._by_term @ both * self._grain
        plus, minus = sums[:, :K], sums[:, K:] - sums[:, :K]
        always = both.sum(axis=0)
        base_plus, base_minus = always[:K], always[K:] - always[:K]
        gains = _gains(plus, minus)
        chosen = _best(gains, self._settings.rules_per_round)
        s = self._settings.smoothing
        s = max(all_of * (1 / (self._sample.m * K) if s is None else s), 1.0)
        c = self._confidences(plus[chosen], minus[chosen], s)
        base = self._confidences(base_plus, base_minus, s)
        part = self._by_term[chosen].T
        F = part @ c * self._grain + base
        load = 1.0 + float(np.asarray(part.sum(axis=1)).max(initial=0.0)) * self._grain
        gained = _gained(plus[chosen], minus[chosen], c) + _gained(base_plus, base_minus, base)
        step = self._settings.rate * self._step(weight, F, 1 / load)
        return self._found(D, chosen, part, (step * c, step * base), 1 - gained / (load * all_of))

    def _found(
        self,
        D: LabelDistribution,
        chosen: NDArray[Any],
        part: Any,
        confidences: tuple[Floats, Floats],
        bound: float,
    ) -> GradedRules:
        """The rules with rounded confidences; the distribution learns what they answer.

        ``part`` are the columns of the terms, the confidences theirs and those of every row.
        """
        c, base = confidences
        unit = 2.0**-BITS / self._grain
        c = np.rint(c / unit) * unit
        base = np.rint(base * 2.0**BITS) / 2.0**BITS
        F = part @ c * self._grain + base
        features = chosen.astype(np.int32)
        h = GradedRules(features, c, base, self._grain, float(np.abs(F).max()), bound)
        blocks = h.blocks(self._sample)
        D.found(h, Parted(blocks, F, *D.sums(blocks, len(F)), by_row=True))
        return h

    def _weights(self, D: LabelDistribution) -> tuple[Floats, float]:
        """exp(-Y F) of every example and label as whole numbers, all copies, and their sum."""
        sample, weights = self._sample, self._sample.engine.weights
        exponent = -self._signs * D.scores
        w = weights.exponentials((exponent - exponent.max()).ravel()).reshape(exponent.shape)
        if sample.importance is not None:
            w = w * sample.importance[:, None]
        w = w * (self._signs != 0)
        times = 1 if sample.copies is None else sample.copies[:, None]
        rough = float((np.rint(w * 2.0 ** (_WEIGHT_BITS - 1) / w.max()) * times).sum())
        unit = float(np.ldexp(1.0, int(np.frexp(rough)[1]))) * w.max() / 2.0 ** (_WEIGHT_BITS - 1)
        whole = np.rint(w / unit * 2.0**_WEIGHT_BITS) * times
        return whole, float(whole.sum())

    def _confidences(self, plus: Floats, minus: Floats, s: float) -> Floats:
        log = self._sample.engine.weights.logarithms
        upper, lower = plus + s, minus + s
        return 0.5 * (log(upper.ravel()) - log(lower.ravel())).reshape(np.shape(plus))

    def _step(self, weight: Floats, F: Floats, least: float) -> float:
        """The lambda from ``least`` on that makes Z least, by Newton's method between bounds."""
        sample = self._sample
        engine, y = sample.engine.weights, (self._signs * F).ravel()
        reach = float(np.abs(F).max())
        if reach == 0:
            return least
        low, high = least, max(_REACH / reach, least)
        copies = None if sample.copies is None else np.repeat(sample.copies, F.shape[1])
        single = (weight if sample.copies is None else weight / sample.copies[:, None]).ravel()
        step = low
        for _ in range(_STEPS):
            w = single * engine.exponentials(-step * y)
            slope, curve = (engine.total(w * each, None, copies) for each in (-y, y * y))
            low, high = (step, high) if slope < 0 else (low, step)
            later = step - slope / curve if curve > 0 else high
            if not low <= later <= high:
                later = (low + high) / 2 if slope > 0 or later < low else high
            if abs(later - step) <= _NEAR * step:
                break
            step = later
        return step


def term_weights(sample: Sample) -> Any:
    """The weights of the terms as a sparse matrix by rows; anything but such weights is refused."""
    cells = sample.cells
    weights: Any = cells.sparse
    if cells.columns is not None or (weights is None and cells.matrix is None):
        raise ValueError(
            "form='parallel' is for terms alone, and X has columns that are none; set form='real'."
        )
    if weights is None:
        from scipy.sparse import csr_array

        weights = csr_array(np.asarray(cells.matrix, np.float64))
    weights = weights.tocsr()
    if np.isnan(weights.data).any():
        raise ValueError("X has missing values, and form='parallel' knows none; set form='real'.")
    if (weights.data < 0).any():
        raise ValueError(
            "X has a value below 0, which is no weight of a term under form='parallel'; set "
            "form='real'."
        )
    return weights


def _gains(plus: Floats, minus: Floats) -> Floats:
    """What the rules of each term can gain: the sum over labels of (sqrt W+ - sqrt W-)^2."""
    return np.asarray(((np.sqrt(plus) - np.sqrt(minus)) ** 2).sum(axis=-1))


def _gained(plus: Floats, minus: Floats, c: Floats) -> float:
    """The weight that confidences c take off, a full step and one term a text given."""
    growth = exponentials(c)
    return total((plus * (1 - 1 / growth) + minus * (1 - growth)).ravel())


def _best(gains: Floats, n: int) -> NDArray[np.intp]:
    """The columns of the n largest gains above 0, the largest first; of equals the first.

    >>> _best(np.array([0.0, 2.0, 1.0, 3.0, 1.0]), 3).tolist()
    [3, 1, 2]
    """
    if len(gains) > n:
        bar = np.partition(gains, len(gains) - n)[len(gains) - n]
        above, equal = np.flatnonzero(gains > bar), np.flatnonzero(gains == bar)
        columns = np.sort(np.concatenate([above, equal[: n - len(above)]]))
    else:
        columns = np.arange(len(gains))
    order = columns[np.argsort(-gains[columns], kind="stable")]
    return np.asarray(order[gains[order] > 0], np.intp)
