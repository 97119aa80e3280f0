"""Boosters that aim at the largest margin, or the largest soft margin."""

from __future__ import annotations

import logging
from typing import Any, Self

from ...base.booster import Booster
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import Sample
from ...boosters import AdaBoostStar, ArcGV, ERLPBoost, LPBoost, SoftBoost, TotalBoost
from ...intake import parameters
from ...theory.bounds import nu_star_rounds
from ..fit import FitInputs
from .classifier import TwoClassBoosting

log = logging.getLogger("weaklearn")


@parameters.declared
class AdaBoostStarClassifier(TwoClassBoosting):
    """AdaBoost*: a vote whose smallest margin is within nu of the largest there is.

    A vote is smaller than AdaBoost's by what a hypothesis needs to have the margin rho aimed at:
    alpha = 1/2 ln((1 + r)/(1 - r)) - 1/2 ln((1 + rho)/(1 - rho)), where r is the correlation of the
    hypothesis with the labels and rho the least r so far, less nu. The margin that can be reached
    need not be known.

    Parameters
    ----------
    nu : float, default 0.1
        How far the smallest margin may stay below the largest that any vote has; above 0 and at
        most 1.
    n_estimators : int, default 100
        Boosting rounds at most. The guarantee needs ``theory.bounds.nu_star_rounds(n, nu)`` of them
        for n examples, most often more than the default; where fewer were run the log of
        "weaklearn" says so, and so does ``certify``.
    learning_rate : float, default 1.0
        Factor on every vote; nothing is promised for others than 1.

    Examples
    --------
    >>> from weaklearn import AdaBoostStarClassifier, datasets
    >>> from weaklearn.theory.bounds import nu_star_rounds
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = AdaBoostStarClassifier(nu=0.1, n_estimators=nu_star_rounds(10, 0.1)).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 2)  # at least 1/3 - 0.1
    0.33
    >>> print(model.certify(X, y)[0].verdict)
    holds
    """

    nu: float = 0.1

    over_partitions = True

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("nu", self.nu, 0.0, 1.0)

    def _booster_of_two(self, sample: Sample) -> Booster:
        return AdaBoostStar(float(self.learning_rate), float(self.nu))

    def _finished(self, inputs: FitInputs) -> Self:
        needed = int(nu_star_rounds(inputs.prepared.sample.m, float(self.nu)))
        if self.n_iter_ < needed and not self._perfect and len(self.classes_) == 2:
            log.info(
                "%s: %d rounds were played; margins are guaranteed to be within nu=%g of the "
                "largest after n_estimators=%d",
                *(type(self).__name__, self.n_iter_, self.nu, needed),
            )
        return super()._finished(inputs)


@parameters.declared
class ArcGVClassifier(TwoClassBoosting):
    """arc-gv: boosting whose smallest margin tends to the largest there is.

    A vote is smaller than AdaBoost's by what a hypothesis needs to keep the margin reached:
    alpha = 1/2 ln((1 + r)/(1 - r)) - 1/2 ln((1 + rho)/(1 - rho)), where r is the correlation of the
    hypothesis with the labels and rho the smallest margin of the vote so far, or 0 while some
    example is still wrong. A hypothesis with r <= rho ends the fit: no vote for it helps.

    Examples
    --------
    >>> from weaklearn import ArcGVClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = ArcGVClassifier(n_estimators=3000).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 3)
    0.333
    """

    over_partitions = True

    def _booster_of_two(self, sample: Sample) -> Booster:
        return ArcGV(float(self.learning_rate))


_NOTHING = 1e-6  # a soft margin so small is none
_LONG = 100  # rounds, after which there should be one
_WORDS = "a number above 0 and at most 1, 'auto' or 'hard'"


@parameters.declared
class SoftMarginBoosting(TwoClassBoosting):
    """Votes of the largest soft margin, and caps on the weights of the examples.

    Parameters
    ----------
    nu : float in [1/m, 1], "auto" or "hard", default "auto"
        The share of the examples whose margins may fall short; no example weighs more than 1/(nu m)
        (a weighted one more in proportion). Set it above the share of examples that cannot be
        right: below it the best vote is often one that cancels to 0. "auto" takes twice the error
        of the first rule, at which that rule alone has a soft margin of 0; on clean data a smaller
        one is often better. "hard" is 1/m, where the soft margin is the smallest margin: for clean
        labels. Where no vote has a soft margin above 0, a ``BoostingWarning`` says so.
    accuracy : float above 0, default 0.01
        How far the soft margin may be from the largest that any vote has.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.
    """

    nu: Any = "auto"
    accuracy: float = 0.01

    _fixed_votes = "the votes are those that solve a linear program"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("accuracy", self.accuracy, 0.0, 1.0)
        if isinstance(self.nu, str):
            if self.nu not in ("auto", "hard"):
                hint = parameters.nearest(self.nu, ["auto", "hard"])
                raise ValueError(f"nu={show(self.nu)} is not allowed: it must be {_WORDS}.{hint}")
            return
        try:
            parameters.real("nu", self.nu, 0.0, 1.0)
        except (TypeError, ValueError) as error:
            message = f"nu={show(self.nu)} is not allowed: it must be {_WORDS}."
            raise type(error)(message) from None

    def _finished(self, inputs: FitInputs) -> Self:
        ended = self._final or self.n_iter_ >= _LONG
        if ended and self.nu != "auto" and self.n_iter_ > 0 and len(self.classes_) == 2:
            self._warn_of_none(float(self.history_["value"][-1]))
        return super()._finished(inputs)

    def _warn_of_none(self, value: float) -> None:
        """Warns where the largest soft margin is not above 0."""
        if value <= _NOTHING:
            warn(
                f"no vote of the {self.n_iter_} rules has a soft margin above 0 at "
                f"nu={show(self.nu)}, so that their votes cancel out: as a rule some labels are "
                "wrong, or rules are too simple. Set nu above the share of wrong labels, or to "
                "'auto'; or give the learner more freedom.",
                BoostingWarning,
            )

    def _nu(self, sample: Sample) -> float | None:
        """nu as boosters take it: None for "auto"."""
        m = sample.m
        if isinstance(self.nu, str):
            return 1 / m if self.nu == "hard" else None
        nu = float(self.nu)
        if nu * m < 1 - 1e-9:
            raise ValueError(
                f"nu={show(self.nu)} is not allowed: with {m} examples it must be at least 1/{m} = "
                f"{1 / m:.6g}, and at most 1; nu='hard' is the least there is, for any m."
            )
        return nu


@parameters.declared
class ERLPBoostClassifier(SoftMarginBoosting):
    """ERLPBoost: LPBoost kept smooth by relative entropy, in a known number of rounds.

    As LPBoost looks for the weights that are hardest for the rules so far, but it also charges for
    their distance from those of the start: weights then move less from round to round, and fewer
    rounds are needed. Votes are found anew in every round, by a linear program.

    Parameters
    ----------
    accuracy : float above 0, default 0.01
        How far the soft margin may be from the largest that any vote has; the charge for distance
        is so small that it costs half of this.

    Examples
    --------
    >>> from weaklearn import ERLPBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = ERLPBoostClassifier(nu=0.2).fit(X, y)
    >>> model.n_iter_, round(float(model.history_["value"][-1]), 6)  # the soft margin
    (3, 0.333333)
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    def _booster_of_two(self, sample: Sample) -> Booster:
        return ERLPBoost(self._nu(sample), float(self.accuracy))


@parameters.declared
class LPBoostClassifier(SoftMarginBoosting):
    """LPBoost: the vote of the largest soft margin, by a linear program a round.

    The soft margin of a vote is the mean of its lowest margins, those of the share ``nu`` of the
    examples. Every round asks for a rule under the distribution that is hardest for the rules so
    far, and finds all votes anew; boosting ends when no rule can help any more. Then no vote of any
    rules has a larger soft margin, and at most the share nu of the examples has a margin below
    ``history_["rho"]``.

    Parameters
    ----------
    accuracy : float above 0, default 1e-6
        Boosting ends when no rule promises a soft margin larger by more than this.

    Examples
    --------
    >>> from weaklearn import LPBoostClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = LPBoostClassifier(nu="hard").fit(X, y)
    >>> model.n_iter_, round(float(model.margins(X, y).min()), 6)
    (4, 0.333333)
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    accuracy: float = 1e-6

    def _booster_of_two(self, sample: Sample) -> Booster:
        return LPBoost(self._nu(sample), float(self.accuracy))


@parameters.declared
class SoftBoostClassifier(SoftMarginBoosting):
    """SoftBoost: the largest soft margin up to an accuracy, in a known number of rounds.

    Weights stay as near to those of the start as they can, while every rule so far does worse under
    them by ``accuracy`` than the worst one did in its own round; when there are no such weights any
    more, boosting ends. Votes are found anew in every round, by a linear program.

    Examples
    --------
    >>> from weaklearn import SoftBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = SoftBoostClassifier(nu=0.2).fit(X, y)
    >>> round(float(model.history_["value"][-1]), 6)  # the soft margin
    0.333333
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    def _booster_of_two(self, sample: Sample) -> Booster:
        return SoftBoost(self._nu(sample), float(self.accuracy))


@parameters.declared
class TotalBoostClassifier(TwoClassBoosting):
    """TotalBoost: the largest margin up to an accuracy, in a known number of rounds.

    Weights stay as near to those of the start as they can, while every rule so far does worse under
    them by ``nu`` than the worst one did in its own round; when there are no such weights any more,
    the run is over. Votes are found anew in every round, by a linear program: those of the largest
    smallest margin. For data that a vote of the rules can separate; for others see
    ``SoftBoostClassifier``.

    Parameters
    ----------
    nu : float above 0 and at most 1, default 0.01
        How far the smallest margin may be from the largest that any vote has.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.

    Examples
    --------
    >>> from weaklearn import TotalBoostClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = TotalBoostClassifier(nu=0.05).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 6)
    0.333333
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    nu: float = 0.01

    _fixed_votes = "the votes are those that solve a linear program"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("nu", self.nu, 0.0, 1.0)

    def _booster_of_two(self, sample: Sample) -> Booster:
        return TotalBoost(float(self.nu))
