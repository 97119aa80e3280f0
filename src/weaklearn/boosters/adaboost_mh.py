"""AdaBoost.MH: every example and label a question of its own, answered yes or no."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import Booster, Form, Hypothesis, Oracle, Round, Sample, State, Stop
from ..base.label_distribution import LabelDistribution, Parted
from ..base.trees.label_tree import LabelHypothesis
from ..base.votes.label_scores import LabelScores
from .adaboost import TIED


@dataclass(frozen=True, slots=True)
class LabelState(State):
    """The state over examples and labels: the product of the Z_t, and the largest possible |F|."""

    D: Any  # a LabelDistribution
    product: float = 1.0
    reach: float = 0.0

    def train_error(self, sample: Sample) -> float:
        return float(self.D.errors().rows / sample.m)


@dataclass(frozen=True)
class AdaBoostMH(Booster[LabelState]):
    """Y_il = +1 where example i has label l, else -1; hypotheses h_t : X x labels -> R.

        D_1(i, l)     = D_1(i)/K
        D_{t+1}(i, l) = D_t(i, l) exp(-alpha_t Y_il h_t(x_i, l)) / Z_t

    and F(x, l) = sum alpha_t h_t(x, l). Where examples have one label each, the label with the
    largest F is predicted, the smallest on ties; else those with F above 0. A hypothesis that has
    chosen its own confidences, as a partition of the domain does, gets the vote 1; one of the form
    u_l g(x), with g and u in {-1, +1}, the vote 1/2 ln((1 + r)/(1 - r)) with
    r = sum D_t(i, l) Y_il h_t(x_i, l).

    **Guarantee.** The Hamming loss, the share of pairs (i, l) with Y_il F(x_i, l) <= 0, is at most
    prod Z_t; with one label each, the training error is at most (K/2) prod Z_t.

    Reference: Schapire and Singer (1999), Machine Learning 37.
    """

    learning_rate: float = 1.0
    on_perfect: str = "stop"

    needs = frozenset({Form.LABEL_SIGNS, Form.LABEL_CONFIDENCES})
    over_partitions = True

    def begin(self, sample: Sample) -> LabelState:
        D = sample.engine.labels.distribution(
            self._signs(sample),
            sample.importance,
            sample.copies,
            one_label=self._one_label(sample),
        )
        return LabelState(D, self._no_votes(sample))

    def _signs(self, sample: Sample) -> NDArray[np.int8]:
        """Y."""
        return sample.signs

    def _one_label(self, sample: Sample) -> bool:
        return not sample.several

    def _no_votes(self, sample: Sample) -> LabelScores:
        return LabelScores(sample.n_classes, sample.several)

    def round(self, sample: Sample, learn: Oracle, state: LabelState) -> tuple[LabelState, Round]:
        D_t: LabelDistribution = state.D
        h_t: Any = learn(state.D, sample.y, len(state.ensemble))
        parted = D_t.parted(h_t, sample)
        c, plus, minus = parted.answers, parted.plus, parted.minus
        lost = np.where(c > 0, minus, np.where(c < 0, plus, (plus + minus) / 2))
        epsilon_t, r_t = parted.total(lost), parted.total(c * (plus - minus))
        metrics = {"epsilon": epsilon_t, "gamma": 1 / 2 - epsilon_t, "r": r_t}
        confident = h_t.form is Form.LABEL_CONFIDENCES
        if confident:
            metrics["Z_criterion"] = h_t.Z_criterion
        perfect = epsilon_t == 0 and self._all_right(sample, parted)
        if perfect and self.on_perfect == "stop":
            alone = self._no_votes(sample).plus(1.0, h_t)
            metrics |= {"alpha": inf, "Z": 0.0, "product_Z": 0.0, "hamming_loss": 0.0}
            won = replace(state, ensemble=alone)
            return won, Round(metrics | self._metrics_alone(sample), Stop.PERFECT)
        alpha_t = self.learning_rate
        if not confident:
            alpha_t *= vote_of(r_t, sample.m, perfect)
        Z_t = _left(sample, parted, alpha_t)
        if not Z_t < 1 - TIED:  # nothing to learn from h_t
            metrics |= {"alpha": 0.0, "Z": 1.0, "product_Z": state.product}
            return state, Round(metrics | self._metrics(sample, state), Stop.NO_EDGE)
        later = self._moved(state, alpha_t, h_t, parted, Z_t)
        metrics |= {"alpha": alpha_t, "Z": Z_t, "product_Z": later.product}
        return later, Round(metrics | self._metrics(sample, later))

    def _all_right(self, sample: Sample, parted: Parted) -> bool:
        """Whether h has the right sign for every example and label, even those of little weight."""
        Y = self._signs(sample)
        return sample.everywhere((Y * parted.answers[parted.blocks] > 0)[Y != 0])

    def _moved(
        self, state: LabelState, alpha: float, h: LabelHypothesis, parted: Parted, Z: float
    ) -> LabelState:
        guess = (
            0.0 if parted.by_row else Z
        )  # no block of rows goes before, which order would choose
        D_next, _ = state.D.reweight(parted.blocks, alpha * parted.answers, guess)
        votes = state.ensemble.plus(alpha, h)
        reach = state.reach + abs(alpha) * h.reach
        return LabelState(D_next, votes, state.product * Z, reach)

    def replay(self, sample: Sample, state: LabelState, vote: float, h: Hypothesis) -> LabelState:
        assert isinstance(h, LabelHypothesis)
        parted = state.D.parted(h, sample)
        return self._moved(state, vote, h, parted, _left(sample, parted, vote))

    def _metrics(self, sample: Sample, state: LabelState) -> dict[str, float]:
        """The Hamming loss, the smallest margin and the training error."""
        errors, m, K = state.D.errors(), sample.m, sample.n_classes
        return {
            "hamming_loss": errors.labels / (m * K),
            "margin_min": least_margin(sample, state, errors.least),
            "train_error": errors.rows / m,
        }

    def _metrics_alone(self, sample: Sample) -> dict[str, float]:
        """The same metrics for an ensemble of one hypothesis without error."""
        return {"margin_min": 1.0, "train_error": 0.0}


def vote_of(r: float, m: int, perfect: bool) -> float:
    """1/2 ln((1 + r)/(1 - r)); one without error counts as if it erred on half an example."""
    held = 1 - 0.5 / m if perfect else min(r, 1 - TIED)
    return 0.5 * log((1 + held) / (1 - held))


def least_margin(sample: Sample, state: LabelState, least: float) -> float:
    """The smallest margin, in [-1, 1]."""
    if state.reach == 0 or (sample.n_classes == 1 and not sample.several):
        return 0.0
    return least / (state.reach if sample.several else 2 * state.reach)


def _left(sample: Sample, parted: Parted, alpha: float) -> float:
    """Z: the weight left after every pair is multiplied by exp(-alpha Y h)."""
    steps = alpha * parted.answers.ravel()
    factors = sample.engine.weights.exponentials(np.concatenate([-steps, steps]))
    weights = np.concatenate([parted.plus.ravel(), parted.minus.ravel()])
    return parted.total(weights * factors)
