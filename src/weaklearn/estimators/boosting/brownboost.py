"""BrownBoost and NormalBoost, which boost for a fixed time, and what they share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from ...base.added_field import ADDED
from ...base.booster import Booster, State, Stop, play
from ...base.history import History
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.numeric.hashing import mixed
from ...base.rows import Rows
from ...base.sample import Sample, take_rows
from ...boosters import AdaBoost, BrownBoost, NormalBoost
from ...boosters.parts.potential_clock import TimedBooster
from ...boosters.parts.reduction import Panel
from ...intake import parameters
from ..fit import FitInputs
from .base import Facts
from .classifier import TwoClassBoosting

_FOLDS = 5


@dataclass(frozen=True)
class NoiseLevel:
    """AdaBoost's error on examples left out, and that of its first rules on their own examples."""

    error: float
    first: float

    @property
    def by_heart(self) -> bool:
        """Whether single rules overfit the labels, so that noise cannot be estimated by them."""
        return self.first < self.error / 2


def noise_level(sample: Sample, learner: WeakLearner, n_rounds: int) -> NoiseLevel:
    """The noise of two classes' labels, by five folds of AdaBoost.

    Rows that are alike lie in one fold, whatever their labels: a label that is wrong shall be
    judged by neither its copies nor its opposites. So the order of rows does not matter either.
    """
    alike = mixed(sample.code_hashes)
    fold = np.unique(alike, return_inverse=True)[1] % _FOLDS
    wrong = np.zeros(len(sample))
    first = []
    for k in range(_FOLDS):
        inside, outside = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if len(inside) and len(outside):
            rows = Rows(sample.cells.take(outside), take_rows(sample.raw, outside), sample.engine)
            guess, error = _judged(sample.among(inside), learner, n_rounds, rows)
            wrong[outside] = guess != (sample.y[outside] > 0)
            first.append(error)
    return NoiseLevel(sample.mean(wrong), float(np.mean(first)) if first else 0.0)


def _judged(
    part: Sample, learner: WeakLearner, n_rounds: int, rows: Rows
) -> tuple[NDArray[np.bool_], float]:
    """Which rows AdaBoost takes for the second class, and the error of its first rule."""
    if (part.y == part.y[0]).all():  # a learner may refuse what has one class
        return np.full(len(rows), part.y[0] > 0), 0.0
    booster = AdaBoost()
    learn, history = learner.bind(part), History()
    played = play(
        booster, part, learn, state=booster.begin(part), history=history, n_rounds=n_rounds
    )
    first = float(history["epsilon"][0]) if history else 0.5
    return np.asarray(played.state.ensemble(rows) > 0), first


_ROUNDS = 100  # of the boosters that tell how noisy labels are, however many are to follow
_NONE = 1e-6  # an error so small that nothing is given up


@parameters.declared
class TimedBoosting(TwoClassBoosting):
    """Boosts two classes for a time that follows from the error to aim at."""

    epsilon: Any = "auto"

    epsilon_: float = field(init=False)  # the error that was aimed at

    _fixed_votes = "a vote is what keeps the mean potential in the time it takes"
    _leniency = 1.0  # the error to aim at, in errors on examples left out
    _most = 1.0  # no error to aim at may be as large

    @abstractmethod
    def _booster_towards(self, epsilon: float) -> TimedBooster:
        """The booster that aims at an error."""

    @property
    def _given_epsilon(self) -> float | None:
        """The error to aim at by the parameters; None where it is to be found."""
        return None if self.epsilon == "auto" else float(self.epsilon)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not (isinstance(self.epsilon, str) and self.epsilon == "auto"):
            limits: dict[str, Any] = {"least": 1e-100, "strict": True, "others": "'auto'"}
            parameters.real("epsilon", self.epsilon, None, self._most, **limits)

    def _booster_of_two(self, sample: Sample) -> Booster:
        raise NotImplementedError("the learner is needed too: _make_booster")

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        given = self._given_epsilon
        if given is not None:
            epsilon = given
        elif self._goes_on:
            epsilon = self.epsilon_
        else:
            epsilon = self._aim(sample, learner)
        two = self._booster_towards(epsilon)
        return two if sample.binary else self._booster_of_many(sample, learner, two)

    def _settings(self) -> dict[str, Any]:
        found = {"epsilon": self.epsilon_} if self._given_epsilon is None else {}
        return super()._settings() | found

    def _aim(self, sample: Sample, learner: WeakLearner) -> float:
        """The error that "auto" aims at; of several binary problems their mean."""
        parts = [sample]
        if not sample.binary:
            panel = self._booster_of_many(sample, learner, self._booster_towards(_NONE))
            assert isinstance(panel, Panel)
            parts = list(panel.samples(sample))
        levels = [noise_level(part, learner, _ROUNDS) for part in parts]
        noise = NoiseLevel(*np.mean([(n.error, n.first) for n in levels], axis=0).tolist())
        if noise.by_heart:
            return _NONE
        least = 0.5 / sample.m  # half an example
        return min(self._leniency * max(noise.error, least), 0.9 * self._most)

    def _facts(
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        booster = inputs.booster.booster if isinstance(inputs.booster, Panel) else inputs.booster
        assert isinstance(booster, TimedBooster)
        return super()._facts(inputs, state, history, stop) | {"epsilon_": booster.epsilon}


@parameters.declared
class BrownBoostClassifier(TimedBoosting):
    """BrownBoost: it gives up the examples that stay wrong, in the time that it has.

    Weights exp(-(y F + s)^2 / c) rise with the error and fall again: with s the time left, an
    example far on the wrong side weighs nothing. Votes keep an average potential at epsilon while
    the time c runs out; then the training error is at most epsilon.

    Parameters
    ----------
    n_estimators : int, default 100
        Boosting rounds at most. Where they end before the time does, nothing is guaranteed.
    epsilon : float in (0, 1) or "auto", default "auto"
        The training error to aim at. An example that is given up counts twice: epsilon should be
        about twice the share of labels that cannot be learnt; near 0 it is AdaBoost. "auto"
        takes 1.5 times the error of AdaBoost, with the same learner and 100 rounds, on rows held
        out in five folds; or 1e-6 where its single rules overfit the labels. Several problems, of
        more classes, share one. ``epsilon_`` holds it. With a slow learner these folds take most of
        the time.
    c : float above 0, optional
        The time, in place of epsilon: it aims at the error ``epsilon_`` = 1 - erf(sqrt(c)). A
        long time gives up little, a short one soon.
    learning_rate : 1.0
        Votes are fixed by the algorithm.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by AdaBoost's link, 1/(1 + exp(-2F)), or fitted in five folds. The confidence
        erf(F / sqrt(c)) of the algorithm is in ``confidence``: it is no probability.

    Attributes
    ----------
    epsilon_ : float
        The error that was aimed at.
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import BrownBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = BrownBoostClassifier(epsilon=0.1).fit(X, y)
    >>> model.stop_reason_
    "the booster's time has run out"
    >>> print(model.certify(X, y)[0])
    brownboost-train: training error <= epsilon, once no time is left: 0 <= 0.1 (holds)
    """

    c: float | None = field(default=None, metadata=ADDED)

    _leniency = 1.5

    @property
    def _given_epsilon(self) -> float | None:
        if self.c is not None:
            return BrownBoost.of_time(float(self.c)).epsilon
        return super()._given_epsilon

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.c is None:
            return
        parameters.real("c", self.c, None, 200.0, least=1e-12, others="None")
        if self.epsilon != "auto":
            raise ValueError(
                f"epsilon={show(self.epsilon)} and c={show(self.c)} are both given, and each of "
                "them determines the time: pass one of them."
            )

    def _booster_towards(self, epsilon: float) -> BrownBoost:
        return BrownBoost(epsilon)

    def confidence(self, X: Any) -> NDArray[np.float64]:
        """erf(F / sqrt(c)), between -1 and 1: how sure the vote is, in the measure of epsilon."""
        F = self.decision_function(X)
        return np.asarray(erf(F / np.sqrt(BrownBoost(self.epsilon_).c)))


@parameters.declared
class NormalBoostClassifier(TimedBoosting):
    """NormalBoost: it gives up the examples that stay wrong, and aims at a margin.

    Like those of BrownBoost, votes keep an average potential while time runs out, and examples
    far on the wrong side weigh nothing; besides, all votes shrink with time, and the others
    shall get a margin of theta. With ``robust`` it is what is also known as RobustBoost.

    Parameters
    ----------
    n_estimators : int, default 100
        Boosting rounds at most. Where they end before the time does, nothing is guaranteed.
    epsilon : float in (0, 1/2), with robust in (0, 1), or "auto", default "auto"
        The share of examples to give up: about that of labels that cannot be learnt. "auto" takes
        0.75 (robust: 0.9) times the error of AdaBoost, with the same learner, on rows held out in
        five folds; or 1e-6 where its single rules overfit the labels. Several problems, of more
        classes, share one. ``epsilon_`` holds it. With a slow learner these folds take most of the
        time.
    theta : float of at least 0, default 0.0
        The margin y F that the others shall have.
    sigma_f : float, default 0.1
        How wide the potential is at the end; the narrower, the nearer it is to counting errors.
    robust : bool, default False
        Examples whose margin is below the goal of the time weigh nothing at all.
    learning_rate : 1.0
        Votes are fixed by the algorithm.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by AdaBoost's link, 1/(1 + exp(-2F)), or fitted in five folds.

    Attributes
    ----------
    epsilon_ : float
        The error that was aimed at.
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import NormalBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = NormalBoostClassifier(epsilon=0.1, theta=0.2).fit(X, y)
    >>> model.stop_reason_
    "the booster's time has run out"
    >>> print(model.certify(X, y)[0])
    normalboost-margin: share of y F <= 0.2 is at most 2 epsilon: 0 <= 0.2 (holds)
    """

    theta: float = 0.0
    sigma_f: float = 0.1
    robust: bool = False

    @property
    def _leniency(self) -> float:  # type: ignore[override]  # by a parameter
        return 0.9 if self.robust else 0.75

    @property
    def _most(self) -> float:  # type: ignore[override]
        return 1.0 if self.robust else 0.5

    def _check_parameters(self) -> None:
        parameters.switch("robust", self.robust)
        super()._check_parameters()
        parameters.real("theta", self.theta, None, 100.0, least=0.0)
        parameters.real("sigma_f", self.sigma_f, None, 100.0, least=1e-3)

    def _booster_towards(self, epsilon: float) -> NormalBoost:
        return NormalBoost(epsilon, float(self.theta), float(self.sigma_f), bool(self.robust))
