"""RankBoost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples, check_is_fitted

from ...base.booster import Booster, State
from ...base.certificate import Certificate, Certificates
from ...base.hypothesis import Form, WeakLearner
from ...base.messages.warnings import deferred_warnings
from ...base.sample import Sample
from ...base.types import Floats
from ...boosters import RankBoost as Ranking
from ...boosters.parts.preferences import Feedback, Grades
from ...intake import parameters
from ...intake.preferences import graded, pairs_of
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...intake.weights import counts, read_weights
from ...learners.adapters import ClippedLearner, SignedLearner
from ...learners.function import NumberFunctionLearner
from ..fit import with_callbacks
from ..model import in_one_step
from .base import Boosting, Score
from .inspection import recorded
from .weak_learner import learner_for
from .weak_regressor import is_function, is_of_numbers, regressor_for

_SOURCE = (
    "Freund, Iyer, Schapire and Singer (2003), An Efficient Boosting Algorithm for Preferences"
)


@parameters.declared
class RankBoost(Boosting):
    """RankBoost: puts items in order, from preferences between pairs of them.

    In every round a rule is asked for that puts the items of many heavy pairs on different sides,
    the better one above; it gets the vote 1/2 ln(W+/W-), with W+ and W- the weights of the pairs in
    order and the wrong way round; and the pairs it got wrong gain weight. Where preferences come
    from grades, pairs are never listed: time grows with the items, not with the pairs.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact decision stumps by default; "tree" is a C4.5-style tree. The learner, a stump or tree
        of this library, or a scikit-learn classifier or Pipeline, is asked which items should go up
        (+1) and which down (-1).
        A regressor is fitted to these two and its answers are held within them; a function of
        (X, y, D) gives a function from X to [-1, 1], such as a feature that is clipped.
    smoothing : float, optional
        Added to W+ and W-, in shares of the weight of all pairs; None means half a pair. It keeps
        the vote of a rule finite that puts no pair the wrong way round.
    early_stopping : bool, default False
        Stop when the share of pairs in order no longer grows, among ``X_val`` or a held-out
        fraction of the rows.
    scoring : None, str or callable
        What early stopping looks at; the share of pairs in order by default. A function of
        (model, X, y) is given the rows with their grades.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_, estimators_,
    estimator_weights_, feature_importances_
        The record holds r, W_plus, W_minus, alpha, Z, product_Z and rank_loss; members answer +1
        for items that go up and -1 for items that go down.

    Examples
    --------
    >>> from weaklearn import RankBoost
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 2]
    >>> model = RankBoost(n_estimators=10).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> liked = RankBoost(n_estimators=10).fit(X, pairs=[(0, 2), (1, 3)])  # 2 above 0, 3 above 1
    >>> liked.score(X, pairs=[(0, 3)])
    1.0
    """

    learning_rate: float = 1.0
    smoothing: float | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)

    @in_one_step
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        group: Any = None,
        pairs: Any = None,
        pair_weight: Any = None,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        group_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Learns an order from grades, or from pairs.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
        y : array-like of n grades, optional
            An item of higher grade should be above one of lower grade.
        group : array-like of n ids, optional
            Only items of the same group are compared, such as the answers to one question.
        pairs : array-like of shape (k, 2), in place of y
            Row numbers (low, high): the second item should be above the first. A pair that is
            listed twice counts twice, and two that contradict each other may both be there.
        pair_weight : array-like of k weights, optional
        sample_weight : array-like of n weights, optional
            Of items; a pair weighs as the product of its two.
        X_val, y_val, group_val, sample_weight_val : optional
            Rows with grades to score every round on. With early_stopping=True they choose the
            number of rounds; otherwise their score is only recorded.
        """
        if pairs is not None:
            if self.early_stopping:
                raise ValueError(
                    "early_stopping=True holds rows out, and pairs would lose their partners; set "
                    "it to False, or pass grades y in place of pairs."
                )
            _refuse_with_pairs(y=y, group=group, X_val=X_val)
            return self._fit_pairs(X, pairs, pair_weight, sample_weight)
        _check_grades(y, pair_weight, _num_samples(X))
        target = graded(y, group, _num_samples(X))
        if y_val is not None and X_val is not None:
            y_val = graded(y_val, group_val, _num_samples(X_val), ("y_val", "group_val"))
        return self._fit_grades(X, target, sample_weight, X_val, y_val, sample_weight_val)

    @with_callbacks
    def _fit_grades(self, *data: Any) -> Self:
        return self._fit(*data)

    @with_callbacks
    def _fit_pairs(self, X: Any, pairs: Any, pair_weight: Any, sample_weight: Any) -> Self:
        resumed = self._goes_on
        target = np.full(_num_samples(X), -1.0)  # no grades
        with deferred_warnings():
            self._check_parameters()
            inputs = self._inputs(X, target, sample_weight, resumed=resumed)
            sample, used = inputs.prepared.sample, inputs.prepared.used
            feedback = pairs_of(sample, sample.weights, used, pairs, pair_weight)
            inputs = replace(inputs, booster=self._ranking(feedback))
        return self._run(inputs, resumed, (X, target, sample_weight))

    # -------------------------------------------------------------------------------------- playing

    def _target(self) -> Target:
        return Target(regression=True)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return SignedLearner(self._ranker(seed, schema))

    def _ranker(self, seed: int, schema: Schema | None) -> WeakLearner:
        """A learner of -1 and +1, or of numbers between them."""
        if is_of_numbers(self.estimator):
            return ClippedLearner(regressor_for(self.estimator, seed, schema))
        if is_function(self.estimator):
            return NumberFunctionLearner(self.estimator, bounded=True)
        learner = learner_for(self.estimator, False, self.n_estimators, seed, 0.0, schema)
        return ClippedLearner(learner) if learner.form is Form.NUMBERS else learner

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return self._ranking(None)

    def _ranking(self, feedback: Feedback | None) -> Ranking:
        smoothing = None if self.smoothing is None else float(self.smoothing)
        return Ranking(feedback, float(self.learning_rate), smoothing)

    def _check_sample(self, sample: Sample) -> None:
        graded = bool((sample.y >= 0).all())
        if graded and Grades.of(sample.engine, sample.y, None).n_pairs == 0:
            raise ValueError(
                f"no group holds two grades, with n_samples={len(sample)}: there is nothing to "
                "put in order. (Without group= all rows are one group.)"
            )

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        judge = Grades.of(prepared.sample.engine, validation.y, validation.weights)
        if judge.n_pairs == 0:
            raise ValueError("the rows to score on have no two grades in a group; pass others.")

        def score(F: Floats, state: State) -> float:
            return 1 - judge.rank_loss(F, ties=0.5)

        return score

    def _nothing_learnt(self, prepared: Prepared) -> str:
        return "every item will have the same score"

    # --------------------------------------------------------------------------------------- asking

    _vote_classes = np.array(["down", "up"], object)

    def _member_classes(self) -> list[NDArray[Any]]:
        return [np.array([-1, 1])] * self.n_iter_

    def predict(self, X: Any) -> Floats:
        """The score of each item: the higher, the further up."""
        rows = self._rows(X)
        return np.asarray(self.ensemble_(rows))

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The scores after 1, 2, ... members."""
        rows = self._rows(X)
        yield from self.ensemble_.stages(rows)

    def score(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        group: Any = None,
        pairs: Any = None,
        pair_weight: Any = None,
    ) -> float:
        """The share of the pairs in order, those of equal scores counted half.

        Of two grades and no groups that is the area under the ROC curve.
        """
        F = self.predict(X)
        feedback = self._asked(X, y, sample_weight, group, pairs, pair_weight)
        return 1 - feedback.rank_loss(F, ties=0.5)

    def _asked(
        self, X: Any, y: Any, sample_weight: Any, group: Any, pairs: Any, pair_weight: Any
    ) -> Feedback:
        """The preferences among rows that are not trained on."""
        rows = self._rows(X)
        weights = read_weights(sample_weight, len(rows))
        repeats = weights if weights is None else counts(weights)
        mass = weights if repeats is None else repeats
        if pairs is not None:
            _refuse_with_pairs(y=y, group=group)
            return pairs_of(rows, mass, None, pairs, pair_weight)
        _check_grades(y, pair_weight, len(rows))
        feedback = Grades.of(rows.engine, graded(y, group, len(rows)), mass)
        if feedback.n_pairs == 0:
            raise ValueError("no group of y holds two grades: there is nothing to score.")
        return feedback

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
        sample_weight: Any = None,
        *,
        group: Any = None,
        pairs: Any = None,
        pair_weight: Any = None,
    ) -> Certificates:
        """What is guaranteed of the training pairs, and what was observed.

        X and all that says what is preferred are those of fit: the pairs not in order are counted
        anew; without them the record alone is used. X_test, y_test and delta are taken as
        elsewhere; no theorem here speaks of pairs to come, and ``score`` tells how many of theirs
        are in order.
        """
        check_is_fitted(self, "ensemble_")
        parameters.real("delta", delta, 0.0, 0.999999)
        if X is None:
            _refuse_without_rows(y=y, group=group, pairs=pairs, sample_weight=sample_weight)
        id, statement = "rank-train", "training pairs not in order <= product of Z_t"
        if self.n_iter_ == 0:
            why = "no hypothesis was kept"
            return Certificates([Certificate.not_applicable(id, statement, _SOURCE, why)])
        bound, loss = (float(recorded(self, name)[-1]) for name in ("product_Z", "rank_loss"))
        checked = "the recorded rounds"
        if X is not None:
            feedback, F = self._trained_on(X, y, sample_weight, group, pairs, pair_weight)
            log_loss, loss = feedback.weighed(F).log_loss, feedback.rank_loss(F)
            if not abs(log_loss - log(bound)) <= 1e-6:
                why = (
                    f"these are not the pairs of training: the logarithm of their mean exponential "
                    f"loss is {log_loss:.6g}, that of the product of the normalisers "
                    f"{log(bound):.6g}; pass X, y or pairs, group and weights as in fit"
                )
                return Certificates([Certificate.not_applicable(id, statement, _SOURCE, why)])
            checked = "the mean exponential loss of the pairs equals the product of the normalisers"
        return Certificates([Certificate(id, statement, _SOURCE, (checked,), (), bound, loss)])

    def _trained_on(
        self, X: Any, y: Any, sample_weight: Any, group: Any, pairs: Any, pair_weight: Any
    ) -> tuple[Feedback, Floats]:
        """The preferences of the fit, from the same arguments, and the scores of their items."""
        if pairs is None:
            _check_grades(y, pair_weight, _num_samples(X))
            target = graded(y, group, _num_samples(X))
        else:
            _refuse_with_pairs(y=y, group=group)
            target = np.full(_num_samples(X), -1.0)
        prepared = self._prepare_again(X, target, sample_weight)
        sample = prepared.sample
        feedback: Feedback
        if pairs is None:
            feedback = Grades.of(sample.engine, sample.y, sample.weights)
        else:
            feedback = pairs_of(sample, sample.weights, prepared.used, pairs, pair_weight)
        return feedback, np.asarray(self.ensemble_(sample))


def _refuse_without_rows(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} is given without X: pass the training rows too.")


def _refuse_with_pairs(**given: Any) -> None:
    for name, value in given.items():
        if value is not None and value is not False:
            raise ValueError(
                f"{name} is given with pairs, which say themselves what is compared; leave one out."
            )


def _check_grades(y: Any, pair_weight: Any, n: int) -> None:
    if y is None:
        raise ValueError(
            "RankBoost requires y to be passed, but the target y is None: pass grades, or pairs= "
            "of row numbers (low, high)."
        )
    if pair_weight is not None:
        raise ValueError("pair_weight is given without pairs; weights of items are sample_weight.")
