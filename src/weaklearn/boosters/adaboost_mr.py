"""AdaBoost.MR: labels of an example above those that it has not."""

from __future__ import annotations

from dataclasses import dataclass
from math import cosh, fsum, inf, sinh, tanh
from typing import Any

import numpy as np

from ..base import Booster, Form, Hypothesis, Oracle, Round, Sample, Stop
from ..base.label_distribution import LabelDistribution, Parted
from ..base.trees.label_tree import LabelHypothesis, constant_tree
from ..base.votes.label_scores import LabelScores
from .adaboost import TIED
from .adaboost_mh import LabelState, least_margin, vote_of
from .parts.margin_state import won


@dataclass(frozen=True)
class AdaBoostMR(Booster[LabelState]):
    """Ranks labels: hypotheses h_t : X x labels -> [-1, +1], weights on pairs of labels.

    For example i with a label l1 and without l0

        D_1(i, l0, l1)     = D_1(i) over the number of such pairs of i
        r_t                = 1/2 sum D_t(i, l0, l1) (h_t(x_i, l1) - h_t(x_i, l0))
        alpha_t            = 1/2 ln((1 + r_t)/(1 - r_t))
        D_{t+1}(i, l0, l1) = D_t(i, l0, l1) exp(alpha_t (h_t(x_i, l0) - h_t(x_i, l1))/2) / Z_t

    and F(x, l) = sum alpha_t h_t(x, l). Of h_t(x, l) = u_l g(x) the learner chooses g and the signs
    u with the largest r_t; u_l = -1 for a label whose coefficient in r_t is 0, on which r_t does
    not depend (sign(0) = -1). Where examples have one label each, the label with the
    largest F is predicted, the smallest on ties. Examples with all labels or none have no pairs;
    they are left out, and D_1 is over the others.

    **Guarantee.** The rank loss, the share (under D_1) of pairs with F(x_i, l0) >= F(x_i, l1), is
    at most prod Z_t, and Z_t <= sqrt(1 - r_t^2); with one label each, the training error is at most
    (K - 1) prod Z_t.

    Reference: Schapire and Singer (1999), Machine Learning 37, section 8.
    """

    learning_rate: float = 1.0
    on_perfect: str = "stop"

    needs = frozenset({Form.LABEL_SIGNS})

    def begin(self, sample: Sample) -> LabelState:
        D = sample.engine.labels.distribution(
            sample.signs,
            sample.importance,
            sample.copies,
            pairs=True,
            one_label=not sample.several,
        )
        return LabelState(D, LabelScores(sample.n_classes, sample.several))

    def round(self, sample: Sample, learn: Oracle, state: LabelState) -> tuple[LabelState, Round]:
        if not _has_pairs(sample):
            only = constant_tree(np.ones(sample.n_classes), sample.m)
            return self._won(sample, state, only, {"epsilon": 0.0, "gamma": 0.5, "r": 1.0})
        D_t: LabelDistribution = state.D
        h_t: Any = learn(state.D, sample.y, len(state.ensemble))
        parted = D_t.parted(h_t, sample)
        r_t = fsum((parted.answers * (parted.plus - parted.minus)).ravel())
        metrics = {"epsilon": (1 - r_t) / 2, "gamma": r_t / 2, "r": r_t}
        if r_t <= TIED:
            stop = Stop.NO_EDGE if r_t >= -TIED else Stop.WORSE
            metrics |= {"alpha": 0.0, "Z": 1.0, "product_Z": state.product}
            return state, Round(metrics | self._metrics(sample, state), stop)
        perfect = r_t > 1 - TIED and _all_ranked(sample, parted)
        if perfect and self.on_perfect == "stop":
            return self._won(sample, state, h_t, metrics)
        alpha_t = self.learning_rate * vote_of(r_t, sample.m, perfect)
        later, Z_t = self._moved(state, alpha_t, h_t, parted)
        metrics |= {"alpha": alpha_t, "Z": Z_t, "product_Z": later.product}
        return later, Round(metrics | self._metrics(sample, later))

    def _won(
        self, sample: Sample, state: LabelState, h: LabelHypothesis, metrics: dict[str, float]
    ) -> tuple[LabelState, Round]:
        """The final state and round: h ranks every pair rightly and is the only member."""
        alone = LabelScores(sample.n_classes, sample.several).plus(1.0, h)
        metrics |= {"alpha": inf, "Z": 0.0, "product_Z": 0.0, "rank_loss": 0.0}
        return won(state, alone, metrics)

    def _moved(
        self, state: LabelState, alpha: float, h: LabelHypothesis, parted: Parted
    ) -> tuple[LabelState, float]:
        # What is left of the weight where no pair is tied, which it is at most.
        r = tanh(alpha / self.learning_rate)
        most = cosh(alpha) - r * sinh(alpha) if abs(alpha) < 300 else 1.0
        D, Z = state.D.reweight(parted.blocks, alpha * parted.answers, most)
        votes = state.ensemble.plus(alpha, h)
        reach = state.reach + abs(alpha) * h.reach
        return LabelState(D, votes, state.product * Z, reach), Z

    def replay(self, sample: Sample, state: LabelState, vote: float, h: Hypothesis) -> LabelState:
        assert isinstance(h, LabelHypothesis)
        return self._moved(state, vote, h, state.D.parted(h, sample))[0]

    def _metrics(self, sample: Sample, state: LabelState) -> dict[str, float]:
        """The rank loss, the smallest margin and, with one label each, the training error."""
        errors = state.D.errors()
        metrics = {"rank_loss": state.D.rank_loss()}
        metrics["margin_min"] = least_margin(sample, state, errors.least)
        if not sample.several:
            metrics["train_error"] = errors.rows / sample.m
        return metrics


def _has_pairs(sample: Sample) -> bool:
    """Whether some example has a label, and lacks another."""
    if not sample.several:
        return sample.n_classes > 1
    own = (sample.y > 0).sum(axis=1)
    return bool(((own > 0) & (own < sample.n_classes)).any())


def _all_ranked(sample: Sample, parted: Parted) -> bool:
    """Whether h answers +1 for every label of every example and -1 for all others."""
    right = np.asarray(sample.signs * parted.answers[parted.blocks] > 0).all(axis=1)
    own = (sample.signs > 0).sum(axis=1)
    return bool(np.asarray(right)[(own > 0) & (own < sample.n_classes)].all())
