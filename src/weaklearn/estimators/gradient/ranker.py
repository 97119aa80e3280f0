"""GradientBoostingRanker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ...base.booster import Played
from ...base.loss import Loss
from ...base.types import Floats, Ints
from ...boosters.gradient import Slope
from ...engines import choose
from ...intake import parameters
from ...intake.labels import read_target
from ...intake.parts import Division
from ...intake.prepare import Prepared
from ...intake.validation import Validation
from ...intake.validation_sets import ValidationSet
from ...intake.weights import counts, read_weights
from ...learners.gradient_tree import content_hashes
from ...losses.ranking import LambdaMART, check_grades, metric_of
from ...prediction import ranks
from ..fit import Fit, with_callbacks
from .model import Data, GradientBoostingModel
from .queries import (
    bound,
    check_weights,
    keys_of_queries,
    query_numbers,
    read_positions,
    with_keys,
)

_Losses = Literal["lambdamart"]
_GRADES = "grades are whole numbers from 0 on, larger where better"


@dataclass(frozen=True)
class _Groups:
    """The query of every row of X as a number, and where rows were shown."""

    numbers: Ints
    position: NDArray[np.int32] | None

    def position_of(self, used: NDArray[np.bool_] | None) -> NDArray[np.int32] | None:
        """Where the rows that count were shown."""
        return self.position if self.position is None or used is None else self.position[used]


@parameters.declared_in_order
class GradientBoostingRanker(GradientBoostingModel):
    """LambdaMART: trees that put the items of a query in order, the best ones first.

    Every pair of items of one query and of different grades pulls its scores apart, weighted by
    what exchanging the two would change in the metric; each round adds a tree that follows these
    pulls by a Newton step. The score of an item says how far up it belongs in its query.

    **Guarantee.** The same queries give the same model, bit for bit, in any order of rows, under
    any ids, and on any number of threads; a query of weight k counts as k copies of it.

    Parameters
    ----------
    loss : {"lambdamart"}, default "lambdamart"
        How pairs pull.
    metric : str, default "ndcg@10"
        "ndcg", "map" or "mrr", alone or with the number of first places that count. By it pairs are
        weighted and rounds are judged; the recorded loss is 1 - the mean metric.
    truncation : int or None, default None
        How many first places count where pairs are weighted; None means half as many again as in
        the metric.
    sigma : float, default 1.0
        How steeply a pair's pull falls with the difference of its scores.
    normalize : bool, default True
        Whether a pull is divided by 0.01 + the difference of the scores, and those of a query are
        scaled so that their sum L becomes log2(1 + L): queries then count more alike.
    position_norm : float, default 1.0
        With ``position`` in fit: how strongly estimates of position bias are drawn to 1.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, position_bias_, feature_importances_

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import GradientBoostingRanker
    >>> rng = np.random.default_rng(0)
    >>> X, query = rng.normal(size=(600, 3)), np.repeat(np.arange(60), 10)
    >>> stars = np.digitize(X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=600), [0, 1, 2])
    >>> model = GradientBoostingRanker(n_estimators=30).fit(X, stars, qid=query)
    >>> model.score(X, stars, qid=query) > 0.9  # the mean NDCG of the first ten
    True
    """

    loss: Any = field(default="lambdamart", kw_only=False)
    metric: str = "ndcg@10"
    truncation: int | None = None
    sigma: float = 1.0
    normalize: bool = True
    position_norm: float = 1.0
    subsample: float = 1.0
    scoring: Any = field(default=None, init=False)

    over_partitions = False
    predicts_datasets = False
    _regression = True

    def _check_for_dataset(self) -> None:
        super(GradientBoostingModel, self)._check_for_dataset()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("loss", self.loss, _Losses)

    def _named_loss(self, n_classes: int) -> Loss:
        metric_of(self.metric)
        if self.truncation is not None:
            parameters.integer("truncation", self.truncation, 1, None, "None")
        parameters.real("sigma", self.sigma, 0.0, 999.0)
        parameters.switch("normalize", self.normalize)
        parameters.real("position_norm", self.position_norm, None, 999.0, least=0.0)
        return LambdaMART(
            str(self.metric),
            None if self.truncation is None else int(self.truncation),
            float(self.sigma),
            bool(self.normalize),
            float(self.position_norm),
        )

    @with_callbacks
    def fit(  # type: ignore[override]  # rows alone are no queries
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        *,
        qid: Any = None,
        qid_val: Any = None,
        position: Any = None,
    ) -> Self:
        """Learns to put the items of a query in order.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Items, a row each, in any order: numbers, strings, categories, booleans, dates; missing
            values are allowed.
        y : array-like of n grades
            Whole numbers from 0 (of no use) on; an item of grade y gains 2^y - 1.
        sample_weight : array-like of n weights, optional
            Of queries: the rows of one have the same. Whole numbers count as repetitions of it.
        X_val, y_val, sample_weight_val, qid_val : optional
            Queries to judge every round by, in place of a held-out fraction of them. With
            n_estimators="auto" or early_stopping=True they choose the number of rounds.
        qid : array-like of n ids
            The query of each row: numbers, texts, or anything with a hash.
        position : array-like of n positions, optional
            Where each item was shown, 1 for first, when y was clicked together: the bias of
            positions is then estimated, and pairs are weighted against it.
        """
        n = _num_samples(X)
        groups = _Groups(
            query_numbers(qid, n), None if position is None else read_positions(position, n)
        )
        judged = {"y_val": y_val, "sample_weight_val": sample_weight_val, "qid_val": qid_val}
        return self._learn((X, y, sample_weight), None, groups, X_val, judged)

    # -------------------------------------------------------------------------------------- queries

    def _with_loss(self, prepared: Prepared, groups: _Groups) -> tuple[Prepared, Loss]:
        numbers, used = groups.numbers, prepared.used
        position = groups.position_of(used)
        if used is not None:
            numbers = np.unique(numbers[used], return_inverse=True)[1].reshape(-1)
        sample = replace(prepared.sample, queries=numbers)
        check_weights(sample.weights, numbers)
        prepared = replace(prepared, sample=sample)
        loss: Any = self._resolve_loss(prepared)
        _refuse_flat(loss.gains(sample.y), numbers)
        content = with_keys(content_hashes(sample), position)
        return prepared, bound(loss, sample.engine, sample.y, numbers, content, position)

    def _division(self, prepared: Prepared, groups: _Groups, data: Data, needed: bool) -> Division:
        """Folds of whole queries; those that hold the same stay together."""
        sample = prepared.sample
        numbers = sample.queries
        assert numbers is not None
        if needed and not numbers.any():
            raise ValueError(
                "qid names one query only, and queries are judged by others: pass more of them, or "
                "X_val, y_val and qid_val, or a number of rounds without early_stopping."
            )
        parts = super()._division(prepared, groups.numbers, data, needed)
        for number, part in enumerate(parts.splits, start=1):
            both = np.intersect1d(numbers[part.learnt > 0], numbers[part.judged > 0])
            if len(both):
                raise ValueError(
                    f"split {number} of cv divides the rows of {len(both)} queries, which are "
                    "learnt from or judged by as a whole: split queries, not rows."
                )
        if parts.groups is None:
            return parts
        content = with_keys(content_hashes(sample), groups.position_of(prepared.used))
        alike = np.unique(keys_of_queries(numbers, content)[0], return_inverse=True)[1]
        return replace(parts, groups=alike.reshape(-1)[numbers])

    def _with_sets(self, prepared: Prepared, sets: list[ValidationSet]) -> Prepared:
        prepared = super()._with_sets(prepared, [(name, X, rest[:2]) for name, X, rest in sets])
        given = [prepared.validation, *prepared.recorded]
        first, *others = (
            _with_queries(each, rest[2])
            for each, (_, _, rest) in zip(given, sets, strict=True)
            if each is not None
        )
        return replace(prepared, validation=first, recorded=tuple(others))

    def _outcome(self, fit: Fit[Slope, Any], played: Played[Slope]) -> dict[str, Any]:
        names = super()._outcome(fit, played)
        descent: Any = fit.inputs
        loss = descent.booster.loss
        if loss.queries.position is not None:
            F = names["ensemble_"](fit.sample)
            bias = descent.booster._adapted(fit.sample, np.ascontiguousarray(F.T)).queries.bias
            names["position_bias_"] = np.array([bias.clicked, bias.passed])
        return names

    # ----------------------------------------------------------------------------------- predicting

    predict = ranks.predict

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The scores after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield F[:, 0]

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, qid: Any = None) -> float:
        """The mean of ``metric`` over the queries; equal scores count as their mean order."""
        F = self.predict(X)
        return self._scored(F, y, sample_weight, qid)

    def staged_score(
        self, X: Any, y: Any, sample_weight: Any = None, *, qid: Any = None
    ) -> Iterator[float]:
        """The score after 1, 2, ... rounds."""
        for F in self.staged_predict(X):
            yield self._scored(F, y, sample_weight, qid)

    def _scored(self, F: Floats, y: Any, sample_weight: Any, qid: Any) -> float:
        n = len(F)
        grades, numbers = read_target(y, n, needs=_GRADES), query_numbers(qid, n)
        check_grades(grades)
        weight = read_weights(sample_weight, n)
        check_weights(weight, numbers)
        copies = None if weight is None else counts(weight)
        engine = choose(self.n_jobs)
        own: Any = self._loss
        queries = bound(own, engine, grades, numbers).queries
        mass = weight if copies is None else None
        return engine.queries.metric(queries, F[None], mass, copies)


def _with_queries(given: Validation, qid: Any) -> Validation:
    numbers = query_numbers(qid, len(given.y), "qid_val")
    check_grades(given.y, "y_val")
    check_weights(given.weights, numbers)
    return replace(given, queries=numbers)


def _refuse_flat(gains: Floats, numbers: Ints) -> None:
    """Raises ValueError where no query has two items of different gains."""
    n_queries = int(numbers.max()) + 1
    most, least = np.full(n_queries, -np.inf), np.full(n_queries, np.inf)
    np.maximum.at(most, numbers, gains)
    np.minimum.at(least, numbers, gains)
    if (most > least).any():
        return
    if n_queries == len(gains) > 1:
        raise ValueError(
            f"qid names {n_queries} queries, one for each row: items are put in order within their "
            "query, and none has two. Give the rows of one query the same id."
        )
    raise ValueError(
        f"no query holds two grades that differ for the metric, with n_queries={n_queries} and "
        f"n_samples={len(gains)}: there is nothing to put in order."
    )
