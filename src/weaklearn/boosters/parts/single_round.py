"""A booster of one round, for models that need no boosting."""

from __future__ import annotations

from dataclasses import dataclass

from ...base import Booster, Hypothesis, Oracle, Round, Sample, State, Stop
from ...base.booster import NUMBERS
from ...base.numeric.total import mean
from ...base.votes.weighted_sum import WeightedSum


@dataclass(frozen=True)
class Once(Booster[State]):
    """Calls the learner once and gives its hypothesis, which answers with numbers, the vote 1."""

    needs = NUMBERS

    def begin(self, sample: Sample) -> State:
        return State(sample.prior, WeightedSum())

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        if len(state.ensemble):
            return state, Round({"alpha": 0.0}, Stop.ROUNDS)
        h = learn(state.D, sample.y)
        yF = sample.y * h.number_answers(sample)
        wrong = (yF < 0) | ((yF == 0) & (sample.y > 0))  # sign(0) = -1
        epsilon = mean(wrong.astype(float), sample.weights)
        metrics = {"epsilon": epsilon, "gamma": 1 / 2 - epsilon, "alpha": 1.0}
        return self.replay(sample, state, 1.0, h), Round(metrics, Stop.ROUNDS)

    def replay(self, sample: Sample, state: State, vote: float, h: Hypothesis) -> State:
        return State(state.D, state.ensemble.plus(vote, h))
