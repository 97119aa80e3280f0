"""Alternating decision trees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ..base import Booster, Ensemble, Form, Hypothesis, Oracle, Round, Sample, Stop
from ..base.numeric.exponential import logarithms
from ..base.numeric.total import mean
from ..base.trees.splitter import Splitter, grafted, lowered
from ..base.types import Floats
from ..base.votes.weighted_sum import WeightedSum
from .adaboost import TIED
from .parts.adtree_search import Masses, Precondition, least_Z
from .parts.margin_state import Scored


@dataclass(frozen=True, slots=True)
class Branching(Scored):
    """The state with the preconditions that may be extended, in the order of their creation."""

    P: tuple[Precondition, ...] = ()


@dataclass(frozen=True)
class ADTree(Booster[Branching]):
    """Labels y in {-1, +1}; base conditions from a learner that parts rows by one test.

    Weights w(i) = exp(-y_i F(x_i)) begin at 1 an example. The root adds
    1/2 ln((W+ + 1)/(W- + 1)) to the score F of all; P = {true}. In every round, over all
    preconditions c_1 in P and base conditions c_2 with outcomes o,

        Z = 2 sum over o of sqrt(W+(c_1 & o) W-(c_1 & o)) + W(not c_1)

    is made least, the first of P before others; where c_1 & o holds, the score gains
    1/2 ln((W+(c_1 & o) + 1)/(W-(c_1 & o) + 1)); and P gains every c_1 & o. Outcomes are yes and no,
    and a missing value where rows of c_1 have one; elsewhere a missing value adds nothing.
    A test of least Z may gain nothing, as the first one of XOR: it is asked all the same, adds 0,
    and opens conjunctions that do gain. Where the same test was asked there before, or P may not
    grow, later rounds would change nothing either, and the run ends.
    ``max_depth`` limits the tests of a conjunction: 1 leaves P = {true}, which is confidence-rated
    boosting of stumps. The recorded ``Z`` is the one above; ``potential`` is (1/m) sum w(i) after
    the round.

    **Guarantee.** The training error is at most (1/m) sum exp(-y_i F(x_i)), the potential, which
    rises in no round (at a learning rate of at most 1), and falls where Z does.

    Reference: Freund and Mason (1999), The alternating decision tree learning algorithm, ICML.
    """

    learning_rate: float = 1.0
    max_depth: int | None = None

    needs = frozenset({Form.CONFIDENCES})

    def begin(self, sample: Sample) -> Branching:
        rows = np.argsort(-sample.y, kind="stable").astype(np.int32)
        W_plus, W_minus = Masses(sample, np.zeros(len(sample))).of(rows)
        a_0 = float(_numbers(np.array([W_plus]), np.array([W_minus]))[0])
        return _state_at(sample, WeightedSum(a_0), sample.y * a_0, abs(a_0), [Precondition(rows)])

    def round(self, sample: Sample, learn: Oracle, state: Branching) -> tuple[Branching, Round]:
        W = Masses(sample, state.yF)
        if (sample.y == sample.y[0]).all():  # of one class the root has said all
            return state, Round(_metrics_of_end(sample, state, W), Stop.DECIDED)
        P, k = least_Z(sample, learn, state.P, W, len(state.ensemble))
        if k is None:  # no test parts any rows
            return state, Round(_metrics_of_end(sample, state, W), Stop.NO_EDGE)
        c_1 = P[k]
        assert c_1.found is not None
        c_2 = lowered(c_1.found[0], sample, c_1.rows)
        h_t = Splitter(grafted(c_1.way, c_1.leaf, c_2), c_1.after)
        outcome = h_t.outcome(sample, c_1.rows)
        W_plus, W_minus = W.by_outcome(c_1.rows, outcome, len(h_t.outcomes))
        metrics = _metrics(h_t := h_t.adding(_numbers(W_plus, W_minus)), W_plus, W_minus, W.all)
        if metrics["Z"] >= (1 - TIED) * W.all and not self._opens(state, c_1, h_t):
            return state, Round(_metrics_of_end(sample, state, W), Stop.NO_EDGE)
        later = self._moved(sample, replace(state, P=tuple(P)), k, self.learning_rate, h_t, outcome)
        metrics |= {"alpha": self.learning_rate, "potential": _potential(sample, later)}
        return later, Round(metrics | later.metrics(sample))

    def _extends(self, c: Precondition) -> bool:
        """Whether conjunctions may be longer than c."""
        return self.max_depth is None or c.depth + 1 < self.max_depth

    def _opens(self, state: Branching, c: Precondition, h: Splitter) -> bool:
        """Whether h gives P new conjunctions: its test was not asked of the rows of c before."""
        asked = (each for each in state.ensemble.members if isinstance(each, Splitter))
        return self._extends(c) and all((e.after, e.test) != (h.after, h.test) for e in asked)

    def replay(self, sample: Sample, state: Branching, vote: float, h: Hypothesis) -> Branching:
        assert isinstance(h, Splitter)
        k = next(k for k, c in enumerate(state.P) if c.after == h.after)
        return self._moved(sample, state, k, vote, h, h.outcome(sample, state.P[k].rows))

    def _moved(
        self,
        sample: Sample,
        state: Branching,
        k: int,
        vote: float,
        h: Splitter,
        outcome: NDArray[np.int8],
    ) -> Branching:
        """The state after h was attached to the k-th precondition."""
        c_1, t = state.P[k], len(state.ensemble)
        yF, moved = state.yF.copy(), np.zeros(len(sample), bool)
        yF[c_1.rows] += sample.y[c_1.rows] * (vote * np.array(h.numbers))[outcome]
        moved[c_1.rows] = True
        P = [replace(c, found=None) if moved[c.rows].any() else c for c in state.P]
        if self._extends(c_1):
            for o, leaf in enumerate(h.outcomes):
                rows = c_1.rows[outcome == o]
                if len(rows):
                    P.append(Precondition(rows, h.tree, leaf, (t, o), c_1.depth + 1))
        reach = state.reach + abs(vote) * h.reach
        return _state_at(sample, state.ensemble.plus(vote, h), yF, reach, P)


def _state_at(
    sample: Sample, ensemble: Ensemble, yF: Floats, reach: float, P: list[Precondition]
) -> Branching:
    D = sample.reweighted(sample.engine.weights.exponentials(yF.min() - yF))
    return Branching(D, ensemble, yF, reach, tuple(P))


def _numbers(W_plus: Floats, W_minus: Floats) -> Floats:
    """1/2 ln((W+ + 1)/(W- + 1))."""
    return np.asarray(0.5 * (logarithms(W_plus + 1) - logarithms(W_minus + 1)))


def _metrics(h: Splitter, W_plus: Floats, W_minus: Floats, all: float) -> dict[str, float]:
    """The metrics of the round; rows that h abstains on count as half an error."""
    abstained = all - float(W_plus.sum() + W_minus.sum())
    wrong, r, Z = 0.0, 0.0, abstained
    for number, plus, minus in zip(h.numbers, W_plus.tolist(), W_minus.tolist(), strict=True):
        Z += 2 * sqrt(plus * minus)
        r += number * (plus - minus)
        wrong += minus if number > 0 else plus if number < 0 else (plus + minus) / 2
    epsilon = (wrong + abstained / 2) / all
    return {"epsilon": epsilon, "gamma": 1 / 2 - epsilon, "r": r / all, "Z": Z}


def _metrics_of_end(sample: Sample, state: Branching, W: Masses) -> dict[str, float]:
    metrics = {"epsilon": 0.5, "gamma": 0.0, "r": 0.0, "Z": W.all, "alpha": 0.0}
    return metrics | {"potential": _potential(sample, state)} | state.metrics(sample)


def _potential(sample: Sample, state: Branching) -> float:
    """The mean of exp(-y F)."""
    return mean(sample.engine.weights.exponentials(-state.yF), sample.weights)
