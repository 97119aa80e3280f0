"""RankBoost: items in order, from preferences between pairs of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import Booster, Ensemble, Form, Hypothesis, Oracle, Round, Sample, State, Stop
from ..base.numeric.total import total
from ..base.types import Floats
from ..base.votes.weighted_sum import joined_by
from .adaboost import TIED
from .parts.preferences import Feedback, Grades


@dataclass(frozen=True, slots=True)
class Ranked(State):
    """The state with the scores F of the items, and the direction in which each should move."""

    F: Floats = field(default_factory=lambda: np.zeros(0))
    z: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    feedback: Any = None
    weighed: Any = None
    potential: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class RankBoost(Booster[Ranked]):
    """Pairs (u, v), v to be ranked above u; hypotheses h_t : X -> {-1, +1}, or [-1, +1].

        D_t(u, v)  is proportional to D_1(u, v) exp((F(u) - F(v)) / 2)
        pi_t(x)    = weight of the pairs with x above, less that of those with x below
        h_t        has the largest r_t = 1/2 sum of pi_t(x) h_t(x)
        alpha_t    = 1/2 ln((W+ + s) / (W- + s))

    with W+ and W- the weights of the pairs that h_t puts in order and the wrong way round, and F
    gains alpha_t h_t. ``smoothing`` is s, None means 1 over twice the pairs. Answers between -1 and
    +1 get alpha_t = 1/2 ln((1 + r_t) / (1 - r_t)). Without ``feedback`` the numbers y of the sample
    are grades, those of a group in one stretch of 2^26 numbers.

    **Guarantee.** The first weight of the pairs with F(v) <= F(u) is at most prod Z_t.

    Reference: Freund, Iyer, Schapire and Singer (2003), J. Machine Learning Research 4.
    """

    target = "preferences"

    feedback: Feedback | None = None
    learning_rate: float = 1.0
    smoothing: float | None = None

    needs = frozenset({Form.CLASSES, Form.BOUNDED})

    def begin(self, sample: Sample) -> Ranked:
        feedback = self.feedback or Grades.of(sample.engine, sample.y, sample.weights)
        return _at(sample, feedback, np.zeros(len(sample)), Ensemble())

    def round(self, sample: Sample, learn: Oracle, state: Ranked) -> tuple[Ranked, Round]:
        feedback = state.feedback
        h_t = learn(state.D, state.z, len(state.ensemble))
        answers = h_t.number_answers(sample)
        r_t = total(state.potential * answers, sample.weights) / 2
        metrics = {"r": r_t}
        if abs(r_t) <= 2 * TIED:
            return state, Round(metrics | {"alpha": 0.0, "Z": 1.0}, Stop.NO_EDGE)
        right, wrong, s = (1 + r_t) / 2, (1 - r_t) / 2, 0.0
        if np.isin(answers, (-1.0, 1.0)).all():
            s = 0.5 / feedback.n_pairs if self.smoothing is None else self.smoothing
            right, wrong = state.weighed.right_and_wrong(answers)
            metrics |= {"W_plus": right, "W_minus": wrong}
        if min(right, wrong) + s <= 0:
            s = 0.5 / feedback.n_pairs  # else the vote would have no end
        alpha_t = self.learning_rate * 0.5 * log((right + s) / (wrong + s))
        F = state.F + alpha_t * answers
        later = _at(sample, feedback, F, joined_by(state.ensemble, alpha_t, h_t))
        Z_t = exp(later.weighed.log_loss - state.weighed.log_loss)
        metrics |= {
            "alpha": alpha_t,
            "Z": Z_t,
            "product_Z": exp(later.weighed.log_loss),
            "rank_loss": feedback.rank_loss(later.F),
        }
        return later, Round(metrics)

    def replay(self, sample: Sample, state: Ranked, vote: float, h: Hypothesis) -> Ranked:
        F = state.F + vote * h.number_answers(sample)
        return _at(sample, state.feedback, F, joined_by(state.ensemble, vote, h))


def _at(sample: Sample, feedback: Feedback, F: Floats, votes: Ensemble) -> Ranked:
    """The state at scores F."""
    weighed = feedback.weighed(F)
    potential = weighed.potential
    size, most = np.abs(potential), float(np.abs(potential).max())
    z = np.where(potential > 0, 1, -1).astype(np.int8)
    D = sample.reweighted(size / most if most > 0 else np.ones_like(size), z)
    return Ranked(D, votes, F, z, feedback, weighed, potential)
