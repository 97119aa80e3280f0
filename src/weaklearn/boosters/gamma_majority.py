"""Boosting for an edge known ahead, with a plain majority."""

from __future__ import annotations

from dataclasses import dataclass

from ..losses.links import step_of
from .alpha_boost import ConstantStep


@dataclass(frozen=True)
class GammaMajority(ConstantStep):
    """Labels y in {-1, +1}, hypotheses h_t : X -> {-1, 0, +1}, one vote each.

    Every example weighs the same at first. After each round the weights of the examples that h_t
    got wrong are multiplied by

        (1/2 + gamma) / (1/2 - gamma) = exp(2a),   a = 1/2 ln((1 + 2 gamma)/(1 - 2 gamma)),

    and the others left; the answer is the sign of the sum of all h_t.

    **Guarantee.** If every edge is at least gamma, the majority of T errs on at most a share of
    (1 - 4 gamma^2)^(T/2) <= exp(-2 gamma^2 T) of the examples: on none of m once
    T > ln m / (2 gamma^2). A vote of 0 counts as an error here.

    Reference: Blum, Hopcroft and Kannan, Foundations of Data Science, section on boosting.
    """

    gamma: float = 0.1

    @property
    def a(self) -> float:
        return step_of(self.gamma)

    @property
    def vote(self) -> float:
        return 1.0
