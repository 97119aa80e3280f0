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
_MOST = 2**30  # examples, whose weights are more than a hundred units each on average
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

        h(x, l) = lambda_l sum over these j of w_j(x) c_jl, c_jl = 1/2 ln((W+_jl + s)/(W-_jl + s)).

    lambda_l >= 1/L makes Z_l = sum over i of D(i, l) exp(-Y_il h(x_i, l)) least, L being the
    largest sum of the weights of these terms in one text; it ends where |h(x, l)| would exceed 10.
    ``rate`` is a factor on all lambda_l. ``smoothing`` is s, None means 1/(mK) for m texts and K
    labels; it is at least 2^-37, the least weight that is seen.

    **Guarantee.** By the convexity of exp, for rate 1, Z = sum over l of Z_l is bounded:

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
        if sample.m > _MOST:
            raise ValueError(
                f"sample_weight adds up to {sample.m:,} copies of rows, of which form='parallel' "
                f"takes {_MOST:,} at most; divide it, or set form='real'."
            )
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
        step = self._settings.rate * self._steps(weight, F, 1 / load)
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
        D.found(h, Parted.of_rows(D, blocks, F, self._sample.copies))
        return h

    def _weights(self, D: LabelDistribution) -> tuple[Floats, float]:
        """exp(-Y F) of every example and label as whole numbers, all copies, and their sum."""
        sample = self._sample
        exponent = -self._signs * D.scores
        w = self._exponentials(exponent - exponent.max())
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

    def _steps(self, weight: Floats, F: Floats, least: float) -> Floats:
        """The lambda of each label, from ``least`` on, that makes its part of Z least: Newton's
        method between bounds.
        """
        copies = self._sample.copies
        y = self._signs * F
        reach = np.abs(F).max(axis=0)
        single = weight if copies is None else weight / copies[:, None]
        step = low = np.full(F.shape[1], least)
        high = np.maximum(_REACH / np.maximum(reach, _REACH * 1e-300), least)
        for _ in range(_STEPS):
            w = single * self._exponentials(-step * y)
            slope, curve = -self._sums(w * y), self._sums(w * y * y)
            falls = slope < 0
            low, high = np.where(falls, step, low), np.where(falls, high, step)
            later = step - slope / np.where(curve > 0, curve, 1.0)
            ends = np.where(falls & (later > high), high, (low + high) / 2)
            later = np.where((low <= later) & (later <= high), later, ends)
            if (np.abs(later - step) <= _NEAR * step).all():
                break
            step = later
        return step

    def _exponentials(self, x: Floats) -> Floats:
        engine = self._sample.engine.weights
        return np.asarray(engine.exponentials(x.ravel()).reshape(x.shape))

    def _sums(self, values: Floats) -> Floats:
        """Sums over all copies of the rows, label by label, as whole numbers: in no order."""
        most = float(np.abs(values).max())
        if most == 0:
            return np.zeros(values.shape[1])
        unit = np.ldexp(1.0, int(np.frexp(most)[1]) + self._sample.m.bit_length() - 62)
        whole = np.rint(values / unit).astype(np.int64)
        copies = self._sample.copies
        counted = whole if copies is None else whole * copies[:, None]
        return np.asarray(counted.sum(axis=0) * unit, np.float64)


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
