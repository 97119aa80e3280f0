"""Boosters by a majority or with smooth weights, most of which know an edge ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Self

from ...base.added_field import ADDED
from ...base.booster import Booster
from ...base.history import History
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import Sample
from ...boosters import (
    AlphaBoost,
    BoostByMajority,
    GammaMajority,
    MadaBoost,
    MajorityOfThree,
    SmoothBoost,
)
from ...intake import parameters
from ...intake.parameters import refuse_changes
from ...intake.schema import Schema
from ..fit import FitInputs, with_callbacks
from .classifier import TwoClassBoosting
from .filtering import NEED_ALL_ROWS, Stream, fit_from_stream
from .three_by_rejection import ThreeByRejection
from .weak_learner import learner_for


@parameters.declared
class PromisedBoosting(TwoClassBoosting):
    """Boosts by votes of equal size a learner that promises the edge gamma in every round.

    Parameters
    ----------
    n_estimators : int, default 101
        Boosting rounds. Of an even number the vote may be a tie, which goes to the first class.
    gamma : float above 0 and below 0.5, default 0.1
        The edge that the learner promises: an error of at most 1/2 - gamma in every round.
    resample : bool or dict, default False
        Train on rows drawn by weight instead of weighting them, again until the rule has the edge
        gamma: True, or a dict of ``n_samples``, ``delta``, ``success_probability``, ``on_failure``
        ("best", "fail", "stop").
    learning_rate : float, default 1.0
        Must be 1: the votes are equal.
    """

    n_estimators: int = 101
    gamma: Any = 0.1
    resample: Any = False

    _fixed_votes = "every rule has one vote of the same size"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_gamma()

    def _check_gamma(self) -> None:
        parameters.real("gamma", self.gamma, 0.0, 0.5, strict=True)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        """The learner; where rows are drawn for it, a rule must have the edge it promised."""
        resample = self.resample
        if self.gamma is not None and (resample is True or isinstance(resample, Mapping)):
            resample = {"gamma": float(self.gamma)} | ({} if resample is True else dict(resample))
        share = self.min_weight_fraction_leaf
        return learner_for(self.estimator, resample, self.n_estimators, seed, share, schema)


@parameters.declared
class GammaMajorityClassifier(PromisedBoosting):
    """A plain majority of rules, boosted for an edge that is known ahead.

    Every rule has one vote. After each round the weights of the examples it got wrong are
    multiplied by (1/2 + gamma)/(1/2 - gamma). If every rule errs on at most 1/2 - gamma of the
    weight, more than ln m / (2 gamma^2) rounds leave no error on m examples. A learner that does
    worse is warned of once; boosting goes on, without that guarantee.

    Examples
    --------
    >>> from weaklearn import GammaMajorityClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = GammaMajorityClassifier(n_estimators=51, gamma=0.16).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0])
    gamma-majority: training error <= (1 - 4 gamma^2)^(T/2): 0 <= 0.0636228 (holds)
    """

    def _booster_of_two(self, sample: Sample) -> Booster:
        return GammaMajority(float(self.gamma))


@parameters.declared
class AlphaBoostClassifier(PromisedBoosting):
    """AdaBoost with one and the same vote in every round.

    With a small vote the sum grows along the path of votes of least total size, and towards the
    largest margin; with that of an edge gamma, alpha = 1/2 ln((1 + 2 gamma)/(1 - 2 gamma)), the
    rules are those of ``GammaMajorityClassifier``.

    Parameters
    ----------
    n_estimators : int, default 101
        Boosting rounds.
    alpha : float above 0, optional
        The vote, 0.1 by default.
    gamma : float above 0 and below 0.5, optional
        In place of alpha: the edge that the learner promises in every round.

    Examples
    --------
    >>> from weaklearn import AlphaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AlphaBoostClassifier(n_estimators=1000, alpha=0.01).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 3)  # 1/3 is the largest there can be
    0.332
    """

    alpha: float | None = None
    gamma: float | None = None

    _fixed_votes = "alpha is the vote itself"

    def _check_gamma(self) -> None:
        if self.gamma is not None and self.alpha is not None:
            raise ValueError(
                f"alpha={show(self.alpha)} and gamma={show(self.gamma)} are both given, and each "
                "of them determines the vote: pass one of them."
            )
        if self.gamma is not None:
            super()._check_gamma()
        if self.alpha is not None:
            parameters.real("alpha", self.alpha, 0.0, 1e6)

    def _booster_of_two(self, sample: Sample) -> Booster:
        if self.gamma is not None:
            return AlphaBoost(gamma=float(self.gamma))
        return AlphaBoost() if self.alpha is None else AlphaBoost(float(self.alpha))


@parameters.declared
class BoostByMajorityClassifier(PromisedBoosting):
    """A plain majority of rules, whose weights are planned backwards from the last round.

    An example weighs as much as a vote in this round is likely to decide it, if all later rules
    were right with probability 1/2 + gamma. Examples that are safe weigh little, and so do those
    that are wrong beyond hope, as mislabelled ones are. On large samples no booster that knows only
    gamma can promise less error. The lightest rows that have less than a millionth of the weights
    given are given up from the start: heavy ones are soon safe, and the votes would be cast for
    those that hardly count.

    Parameters
    ----------
    n_estimators : int, default 101
        The number of rounds T that the weights are planned for. Boosting ends before them where
        every example is decided. Of an even number the vote may be a tie, which goes to the first
        class.
    gamma : float above 0 and below 0.5, default 0.1
        The edge that the learner promises: an error of at most 1/2 - gamma in every round. A
        learner that does worse is warned of once; boosting goes on, without the guarantee.
    warm_start : bool, default False
        Goes on from the rounds already played, with the same gamma. Rounds that were interrupted
        or stopped go on to the model of one fit, as long as ``n_estimators`` stays. With another
        ``n_estimators`` the weights to come are those of the new plan, even where the old one had
        every example decided: the model is not that of one fit, and no guarantee speaks of it.
        A ``BoostingWarning`` says so, and so does ``certify``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``history_["potential"]`` is the mean potential before each round, a bound on the error at
        the end.

    Examples
    --------
    >>> from weaklearn import BoostByMajorityClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = BoostByMajorityClassifier(n_estimators=31, gamma=0.16).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0])
    bbm: training error <= Pr[Binomial(T, 1/2 + gamma) <= T/2]: 0 <= 0.0325216 (holds)
    """

    def _booster_of_two(self, sample: Sample) -> Booster:
        return BoostByMajority(int(self.n_estimators), float(self.gamma))

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {"n_estimators": self.n_estimators}

    @property
    def _is_over(self) -> bool:  # what one plan has decided, another has not
        return super()._is_over and bool(self._settled["n_estimators"] == self.n_estimators)

    def _check_going_on(self) -> None:
        planned = self._settled["n_estimators"]
        if planned != self.n_estimators:
            warn(
                f"warm_start=True goes on with a fit planned for n_estimators={planned} rounds by "
                f"a plan for {self.n_estimators}: the model is not that of one fit, and the "
                "guarantee is void. Set warm_start=False to boost from the first round.",
                BoostingWarning,
            )
        refuse_changes(self._settled, super()._settings())


@parameters.declared
class MajorityOfThreeClassifier(TwoClassBoosting):
    """The first booster: three rules, each learnt where those before it are of no use.

    The second rule sees as much weight where the first is wrong as where it is right; the third
    sees the examples on which the first two differ; their majority answers. If each errs on at most
    b of what it sees, the majority errs on at most 3 b^2 - 2 b^3. Boosted again, as the
    ``estimator`` of another one, majorities of majorities reach any accuracy.

    ``fit`` weighs the rows of a table; ``fit_stream`` draws examples from an oracle, and rejects
    those that the next rule shall not see.

    Parameters
    ----------
    n_estimators : int, default 3
        Boosting rounds at most. The third is always the last: of more a ``BoostingWarning`` says
        that they are not played.
    n_samples : int, default 1000
        Of a stream: how many examples each rule is learnt from. As many others estimate its error.
    epsilon : float above 0 and below 1, default 0.01
        Of a stream: an error, or a share of examples on which two rules differ, that is too small
        to wait for examples of it. The first rule alone is then the model.
    delta : float above 0 and below 1, default 0.05
        The probability with which that may be wrong.
    learning_rate : float, default 1.0
        Must be 1: the votes are equal.

    Examples
    --------
    >>> from weaklearn import MajorityOfThreeClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = MajorityOfThreeClassifier().fit(X, y)
    >>> model.n_iter_, model.score(X, y)
    (3, 1.0)
    >>> print(model.certify(X, y)[0])
    majority3: training error <= 3 b^2 - 2 b^3: 0 <= 0.216 (holds)

    From an oracle:

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> def examples():
    ...     X = rng.random((500, 2))
    ...     return X, X[:, 0] + X[:, 1] > 1
    >>> model = MajorityOfThreeClassifier().fit_stream(examples)
    >>> model.score(*examples()) > 0.8
    True
    """

    n_estimators: int = 3
    n_samples: int = field(default=1000, metadata=ADDED)
    epsilon: float = field(default=0.01, metadata=ADDED)
    delta: float = field(default=0.05, metadata=ADDED)

    _fixed_votes = "every rule has one vote of the same size"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.integer("n_samples", self.n_samples, 1, 2**31 - 1)
        for name in ("epsilon", "delta"):
            parameters.real(name, getattr(self, name), 0.0, 1.0, strict=True)

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
        if self.n_estimators > 3:
            warn(
                f"n_estimators={self.n_estimators} is more than a majority of three has: three "
                "rounds are played. Set n_estimators=3; for more rules boost again, with "
                "estimator=MajorityOfThreeClassifier().",
                BoostingWarning,
            )

    def _booster_of_two(self, sample: Sample) -> Booster:
        return MajorityOfThree()

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        streamed = sample.binary and "train_error" not in history
        return None if streamed else super()._train_score(ensemble, sample, history)

    @with_callbacks
    def fit_stream(self, oracle: Any) -> Self:
        """Fits the three rules on a stream of examples of two classes, by rejection sampling.

        The first rule is learnt from ``n_samples`` examples as they come. For each example of the
        second a coin says whether the first rule shall be right or wrong about it, and others are
        rejected; for the third, those on which the two agree. ``history_`` has the error of each
        rule on its own distribution, estimated by as many further examples.

        Parameters
        ----------
        oracle : iterator, iterable, or function
            Gives examples, drawn independently: each item, or answer of the function, is one
            example (x, y) or a batch (X, y) of any container that ``fit`` takes. It may be endless;
            where it ends (a function answers None), the rules so far are the model. The
            first ``n_samples`` examples tell the kinds of the columns and the two classes.
        """

        def rounds_on(inputs: FitInputs, stream: Stream) -> ThreeByRejection:
            limits = float(self.epsilon), float(self.delta)
            return ThreeByRejection(stream, int(self.n_samples), *limits)

        fit_from_stream(self, oracle, rounds_on, NEED_ALL_ROWS)
        return self


@parameters.declared
class MadaBoostClassifier(TwoClassBoosting):
    """MadaBoost: AdaBoost whose weights never exceed those of the start.

    Votes are AdaBoost's own, alpha = 1/2 ln((1 - epsilon)/epsilon), but an example weighs
    min(1, exp(-y F)): those that stay wrong, as mislabelled ones do, cannot draw all weight to
    themselves.

    Examples
    --------
    >>> from weaklearn import MadaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = MadaBoostClassifier(n_estimators=20).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0].verdict)
    holds
    """

    over_partitions = True
    _product_bounds = False

    def _booster_of_two(self, sample: Sample) -> Booster:
        return MadaBoost(float(self.learning_rate))


@parameters.declared
class SmoothBoostClassifier(PromisedBoosting):
    """SmoothBoost: a plain majority, under weights that stay near those of the start.

    Every rule has one vote. An example that is wrong weighs what it did at first, however often it
    was wrong; one that is right weighs less and less. Before the last round none weighs more than
    1/kappa times its first weight, so that mislabelled examples cannot draw the weight to
    themselves. It ends once less than kappa of the weight is left, or with a warning when a rule
    falls below the promised edge: on noisy labels that is where there is nothing left but noise.

    Parameters
    ----------
    kappa : float above 0 and below 1, default 0.05
        The share of the first weight at which boosting ends; fewer than kappa of the training
        examples are then wrong.
    gamma : float above 0 and below 0.5, default 0.03
        The edge that the learner promises: an error of at most 1/2 - gamma in every round. Margins
        of gamma / (2 + gamma) are aimed at.

    Examples
    --------
    >>> from weaklearn import SmoothBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = SmoothBoostClassifier(kappa=0.1, gamma=0.15, n_estimators=500).fit(X, y)
    >>> model.stop_reason_, model.score(X, y)
    ('too little weight is left', 1.0)
    """

    n_estimators: int = 200
    kappa: float = 0.05
    gamma: float = 0.03

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("kappa", self.kappa, 0.0, 1.0, strict=True)

    def _booster_of_two(self, sample: Sample) -> Booster:
        return SmoothBoost(float(self.kappa), float(self.gamma))
