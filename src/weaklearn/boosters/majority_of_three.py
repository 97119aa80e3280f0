"""The first booster: a majority of three hypotheses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, nan

import numpy as np

from ..base.booster import Booster, Round, Stop
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis, Oracle
from ..base.sample import RIGHT, WRONG, Correctness, Distribution, Sample
from ..base.types import Floats
from .parts.margin_state import Scored, sides


@dataclass(frozen=True, slots=True)
class Trio(Scored):
    """The state: where the first hypothesis is right, and the reason to stop, if any."""

    first: Floats | None = None
    over: Stop | None = None


@dataclass(frozen=True)
class MajorityOfThree(Booster[Trio]):
    """Labels y in {-1, +1}, hypotheses h : X -> {-1, +1}.

    h_1 is learnt on D; h_2 on the distribution with half of its weight on what h_1 gets wrong and
    half on what it gets right; h_3 on D where h_1 and h_2 differ. The answer is their majority; or
    h_1 alone, where it makes no error, or where h_2 never differs from it. This is the form for a
    sample; ``MajorityOfThreeClassifier.fit_stream`` is that for an oracle, by rejection sampling.

    **Guarantee.** If each errs on at most b < 1/2 of its own distribution, the majority errs on at
    most 3 b^2 - 2 b^3 of D, which is less than b.

    Reference: Schapire (1990), The strength of weak learnability, Machine Learning 5.
    """

    def begin(self, sample: Sample) -> Trio:
        return Trio(sample.prior, Ensemble(), np.zeros(len(sample)))

    def round(self, sample: Sample, learn: Oracle, state: Trio) -> tuple[Trio, Round]:
        if state.over is not None:
            metrics = {"epsilon": nan, "gamma": nan, "r": nan, "alpha": 0.0}
            return state, Round(metrics | state.metrics(sample), state.over)
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        epsilon_t = D_t.mass(correct_t, WRONG)
        r_t = D_t.mass(correct_t, RIGHT) - epsilon_t
        later = self.replay(sample, state, 1.0, h_t)
        alpha_t = float(len(later.ensemble) - len(state.ensemble))  # 0 where h_2 is h_1
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t, "alpha": alpha_t}
        return later, Round(metrics | later.metrics(sample), later.over)

    def replay(self, sample: Sample, state: Trio, vote: float, h: Hypothesis) -> Trio:
        correct = sample.correctness(h)
        side = sides(correct)
        ensemble, yF = state.ensemble.plus(vote, h), state.yF + side
        later = replace(state, ensemble=ensemble, yF=yF, reach=state.reach + 1)
        if len(ensemble) == 1:
            over = Stop.PERFECT if side.min() > 0 else None
            return replace(later, D=_evened(state.D, correct), first=side, over=over)
        if len(ensemble) == 2:
            differ = side != state.first
            if not differ.any():
                return replace(state, over=Stop.DECIDED)
            return replace(later, D=sample.reweighted(differ.astype(np.float64)))
        return replace(later, over=Stop.COMPLETE)


def _evened(D: Distribution, correct: Correctness) -> Distribution:
    """D reweighted so that right and wrong rows weigh the same; D where one side has no weight."""
    right, wrong = D.mass(correct, RIGHT), D.mass(correct, WRONG)
    return D if min(right, wrong) == 0 else D.reweight(0.5 * log(right / wrong), correct)
