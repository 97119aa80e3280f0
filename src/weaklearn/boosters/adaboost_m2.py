"""AdaBoost.M2: many classes, hypotheses that say how plausible each label is."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isfinite, log

import numpy as np
from numpy.typing import NDArray

from ..base import Booster, Ensemble, Hypothesis, Oracle, Round, Sample, State, Stop
from ..base.numeric.total import total
from ..base.types import Floats
from ..base.votes.label_scores import LabelSum, label_shares
from .adaboost import TIED
from .parts.margin_state import won


@dataclass(frozen=True, slots=True)
class Labelled(State):
    """The state: scores F(x_i, l), and the weights of mislabels up to a factor."""

    F: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    mislabels: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def metrics(self, sample: Sample) -> dict[str, float]:
        F, codes = self.F, sample.codes
        wrong = F.argmax(axis=1) != codes
        errors = int(wrong.sum() if sample.copies is None else sample.copies[wrong].sum())
        weight = self.ensemble.running_weight
        margin = 0.0
        if weight > 0 and isfinite(weight) and sample.n_classes > 1:
            others = np.where(_mislabelled(sample), F, -inf).max(axis=1)
            margin = float((_of_label(sample, F)[:, 0] - others).min()) / weight
        return {"margin_min": margin, "train_error": errors / sample.m}


@dataclass(frozen=True)
class AdaBoostM2(Booster[Labelled]):
    """Labels 0 .. K-1, hypotheses h_t : X x labels -> [0, 1].

    Weights are on mislabels (i, l), l != y_i, at first D_1(i)/(K - 1) each. In round t

        epsilon_t     = 1/2 sum D_t(i, l) (1 - h_t(x_i, y_i) + h_t(x_i, l)),  the pseudo-loss
        b_t           = epsilon_t / (1 - epsilon_t),  alpha_t = ln(1/b_t)
        D_{t+1}(i, l) = D_t(i, l) b_t^((1 + h_t(x_i, y_i) - h_t(x_i, l)) / 2),  normalised

    and H(x) is the label with the largest F(x, l) = sum alpha_t h_t(x, l), the smallest on ties.
    The weak learner is shown D_t(i), the sum over l: it looks at examples that are hard, and its
    vote depends on the labels that they are mistaken for. A coin has pseudo-loss 1/2 whatever K
    is, so that weak learners which M1 refuses are of use. Two classes are boosted likewise, with
    the score (F(x, 1) - F(x, 0))/2.

    ``Z`` is the sum of D_t(i, l) exp(-alpha_t (h_t(x_i, y_i) - h_t(x_i, l))/2).

    **Guarantee.** The training error is at most (K - 1) prod Z_t, and
    Z_t <= 2 sqrt(epsilon_t (1 - epsilon_t)).

    Reference: Freund and Schapire (1997), J. Comput. Syst. Sci. 55, section 5.2.
    """

    target = "class numbers"

    learning_rate: float = 1.0
    on_perfect: str = "stop"

    def begin(self, sample: Sample) -> Labelled:
        K = sample.n_classes
        return self._weighed(sample, LabelSum(K), np.zeros((len(sample), K)))

    def round(self, sample: Sample, learn: Oracle, state: Labelled) -> tuple[Labelled, Round]:
        D_t = state.mislabels
        h_t = learn(state.D, sample.y, len(state.ensemble))
        h = label_shares(h_t, sample, sample.n_classes)
        lead = _of_label(sample, h) - h  # h_t(x_i, y_i) - h_t(x_i, l)
        epsilon_t = _mean(sample, D_t, (1 - lead) / 2)
        gamma_t = 1 / 2 - epsilon_t
        metrics = {"epsilon": epsilon_t, "gamma": gamma_t, "r": 2 * gamma_t}
        if gamma_t <= TIED:
            stop = Stop.NO_EDGE if gamma_t >= -TIED else Stop.WORSE
            metrics |= {"alpha": 0.0, "Z": 1.0}
            return state, Round(metrics | state.metrics(sample), stop)
        if self.on_perfect == "stop" and (lead[_mislabelled(sample)] == 1).all():
            alone = LabelSum(sample.n_classes).plus(1.0, h_t)
            return won(state, alone, metrics | {"alpha": inf, "Z": 0.0})
        held = epsilon_t or 0.5 / (sample.m + 1)  # half an example holds it
        alpha_t = self.learning_rate * log((1 - held) / held)
        Z_t = _mean(sample, D_t, _exponentials(sample, -alpha_t / 2 * lead))
        later = self._weighed(sample, state.ensemble.plus(alpha_t, h_t), state.F + alpha_t * h)
        metrics |= {"alpha": alpha_t, "Z": Z_t}
        return later, Round(metrics | later.metrics(sample))

    def replay(self, sample: Sample, state: Labelled, vote: float, h: Hypothesis) -> Labelled:
        F = state.F + vote * label_shares(h, sample, sample.n_classes)
        return self._weighed(sample, state.ensemble.plus(vote, h), F)

    @staticmethod
    def _weighed(sample: Sample, ensemble: Ensemble, F: Floats) -> Labelled:
        """D(i, l) proportional to D_1(i) exp((F(x_i, l) - F(x_i, y_i))/2)."""
        if sample.n_classes == 1:  # there is no other label
            return Labelled(sample.prior, ensemble, F, np.zeros_like(F))
        behind = (F - _of_label(sample, F)) / 2
        wrong = _mislabelled(sample)
        mislabels = _exponentials(sample, np.where(wrong, behind - behind[wrong].max(), 0.0))
        mislabels = np.where(wrong, mislabels, 0.0)
        return Labelled(sample.reweighted(_across(mislabels)), ensemble, F, mislabels)


def _of_label(sample: Sample, F: Floats) -> Floats:
    """The column of each example's own label, as one column."""
    return np.take_along_axis(F, sample.codes[:, None], axis=1)


def _mislabelled(sample: Sample) -> NDArray[np.bool_]:
    """Mask (m, K) of the labels that are not the example's own."""
    return np.not_equal(np.arange(sample.n_classes), sample.codes[:, None])


def _across(x: Floats) -> Floats:
    """The sum over the labels of each example, in their order."""
    summed = np.zeros(len(x))
    for column in x.T:
        summed += column
    return summed


def _mean(sample: Sample, w: Floats, x: Floats) -> float:
    """The mean of x over mislabels under weights w, independent of the order of examples."""
    importance = 1.0 if sample.importance is None else sample.importance
    summed = total(_across(w) * importance, sample.copies)
    return total(_across(w * x) * importance, sample.copies) / summed if summed > 0 else 0.0


def _exponentials(sample: Sample, x: Floats) -> Floats:
    return sample.engine.weights.exponentials(np.ascontiguousarray(x).ravel()).reshape(x.shape)
