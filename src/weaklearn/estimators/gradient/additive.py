"""AdditiveBoostingClassifier and AdditiveBoostingRegressor: the glass box."""

from __future__ import annotations

import copy
import functools
import logging
from dataclasses import field, replace
from operator import attrgetter
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ...base.added_field import ADDED
from ...base.error_context import error_context
from ...base.messages.warnings import BoostingWarning, warn
from ...base.numeric.total import mean, total
from ...base.trees.term import TermSum
from ...base.types import Floats, Partitions
from ...boosters.gradient import GradientBoosting
from ...callbacks import Line
from ...export import methods as export
from ...inspection import explanation
from ...intake import parameters
from ...intake.parts import Division, Part, division
from ...intake.prepare import Prepared
from ...intake.weights import for_all_rows
from ...losses.regression import Quantile
from ...production.provenance import after_fit
from ..fit import column_names
from ..model import assign, in_one_step
from . import tree_controls
from .additive_edit import Editing
from .additive_fit import LARGE, Pair, TermDescent
from .bagged_terms import Bag, averaged
from .base import DescendingModel, is_auto
from .fit import content_of, curvature_scale, rounds_at_most
from .folds import SideBySide
from .judging import Measure, judge_of_parts, patience
from .out_of_bag import out_of_bag
from .predictions import ClassAnswers, NumberAnswers

log = logging.getLogger("weaklearn")

_MOST_ROUNDS = 5000
_MOST_BAGS = 1000
# Fitted names that not every fit sets: those of an earlier one are forgotten.
_NOT_ALWAYS = (
    *("feature_names_in_", "oob_score_", "oob_loss_", "oob_decision_function_"),
    *("validation_scores_", "_edits", "_has_offset"),
)


@parameters.declared_in_order
class AdditiveModel(Editing, DescendingModel):
    """What both glass boxes share: an intercept, functions of one column, functions of pairs.

    Parameters
    ----------
    n_estimators : "auto" or int, default "auto"
        Boosting rounds. "auto" finds the number on the examples that each bag does without. A
        number means exactly that many for the columns, and as many for the pairs.
    learning_rate : float, default 0.1
        Factor on the step of every round.
    max_leaf_nodes : "auto" or int, default "auto"
        The most steps a round may add to a function of one column; "auto" is 24, and below 10,000
        examples 3, at cuts drawn at random. A round for a pair may use 4 to 8.
    n_pairs : "auto" or int, default "auto"
        The most functions of two columns, without those that gain no more than chance would; "auto"
        is 10, and below 10,000 examples 30, without those that clearly gain less.
    pairs : sequence of pairs of columns by name or number, optional
        Just these, in place of those that would be found.
    n_bags : int, default 5
        Models that are averaged, each without its own part of the examples: they give the number of
        rounds, the bands, and the out-of-bag score. 1 holds out ``validation_fraction`` and gives
        no bands.
    subsample : float, default 0.7
        The share of a bag that each round learns from.
    max_features : int or float, default 1.0
        How many columns each round chooses among, or their share.
    min_hessian_leaf : float, default 0.001
        The least sum of hessians in a step of a round, in the unit of ``l2_regularization``.
    l1_regularization : float, default 0.0
        By so much the gradient of a step is drawn towards 0.
    max_step : float, optional
        The largest step of a round, before the learning rate.
    feature_weights : numbers per column, or dict from column name to number, optional
        What a column's chance to be drawn (``max_features``) is in proportion to; 0: it is not
        used.
    feature_factors : numbers per column, or dict from column name to number, optional
        What the gain of a column is multiplied by; 0: it is not used.
    min_samples_category : int, default 5
        Categories of fewer examples share a step, with those never seen.
    category_smoothing : float, default 10.0
        By how many average examples rates of categories are smoothed before they are ordered.
    max_bins : int, default 255
        The most steps of a function; columns of more different values are cut into so many bins.
    monotonic_cst : sequence of -1, 0, 1 per column, or dict from name to these, optional
        The whole model then rises or falls with the column, whatever the others are (to rounding).
    validation_fraction : float, default 0.15
        With n_bags=1: the share of the examples held out.
    """

    loss: Any = field(default=None, kw_only=False)
    quantile: Any = field(init=False)  # regressors declare it
    alpha: float = field(init=False)
    power: float = field(init=False)
    n_estimators: int | Literal["auto"] = "auto"
    learning_rate: float = 0.1
    max_leaf_nodes: int | Literal["auto"] = "auto"
    n_pairs: int | Literal["auto"] = "auto"
    pairs: Any = None
    n_bags: int = 5
    min_samples_leaf: int = 5
    l2_regularization: float = 1.0
    subsample: float = 0.7
    max_features: int | float = 1.0
    min_hessian_leaf: float = field(default=0.001, metadata=ADDED)
    l1_regularization: float = field(default=0.0, metadata=ADDED)
    max_step: float | None = field(default=None, metadata=ADDED)
    feature_weights: Any = field(default=None, metadata=ADDED)
    feature_factors: Any = field(default=None, metadata=ADDED)
    min_samples_category: int = field(default=5, metadata=ADDED)
    category_smoothing: float = field(default=10.0, metadata=ADDED)
    max_bins: int = 255
    monotonic_cst: Any = None
    categorical_features: Any = "from_dtype"
    class_weight: Any = field(default=None, init=False)  # classifiers declare it
    validation_fraction: float = 0.15
    n_iter_no_change: int = 50
    tol: float = 0.0
    scoring: Any = field(default=None, metadata=ADDED)
    cv: Any = None
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    # Set by fit.
    ensemble_: TermSum = field(init=False)

    over_partitions = True
    _rare = property(attrgetter("min_samples_category"))
    _out_of_bag = out_of_bag

    def _check_for_dataset(self) -> None:
        pass

    explain = explanation.explain
    to_c, to_javascript, to_json = export.to_c, export.to_javascript, export.to_json
    to_onnx, to_pmml, to_python = export.to_onnx, export.to_pmml, export.to_python
    to_sql, to_scorecard = export.to_sql, export.to_scorecard
    _model_ir = export.model_ir

    # ------------------------------------------------------------------------------------ fitting

    _other_rates = ""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        tree_controls.check_steps(self)
        if not is_auto(self.n_pairs):
            parameters.integer("n_pairs", self.n_pairs, 0, others="'auto'")
        parameters.integer("n_bags", self.n_bags, 1, _MOST_BAGS)
        if is_auto(self.learning_rate):
            raise ValueError("learning_rate='auto' is not allowed; pass a number.")
        if self.max_leaf_nodes is None:
            raise ValueError("max_leaf_nodes=None is not allowed; pass a number.")

    @in_one_step
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, groups: Any = None
    ) -> Self:
        """Learns the functions.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed. A
            ``pyarrow.dataset.Dataset``, such as a folder of Parquet files, may be larger than
            memory; y, weights, offset and groups are then names of its columns.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        offset : array-like of n numbers, optional
            A score known beforehand (such as the logarithm of an exposure): the terms add to it.
        groups : array-like of n ids, optional
            Rows of a group stay together in the bags; handed to ``cv``, whose splits are the bags.
        """
        self._check_parameters()
        seed = parameters.seed("random_state", self.random_state)
        prepared = self._prepare(X, y, sample_weight, False)
        asked = tree_controls.asked_pairs(self, prepared.schema)
        loss = self._resolve_loss(prepared)
        known = self._offset(offset, prepared, loss)
        booster = GradientBoosting(loss, float(self.learning_rate), known)
        if prepared.sample.n_classes == 1:
            self._keep_terms(prepared, booster, TermSum(np.zeros(1), ()), None, seed)
            return self
        parts = division(prepared, self.cv, groups, (X, y), needed=True)
        descent = self._descent_of(prepared, booster, parts, seed)
        rounds = None if self._finds_rounds else int(self.n_estimators)
        if descent.side.n_unseen == 0:
            rounds = rounds or 1
        self._play_stages(descent, asked, rounds)
        bags = [Bag(*descent.tables(k)) for k in range(len(descent.side.models))]
        terms = averaged(prepared.sample, descent.coarse, bags, descent.pairs)
        self._keep_terms(prepared, booster, terms, descent, seed)
        if descent.interrupt is not None:
            raise descent.interrupt
        return self

    def _play_stages(
        self, descent: TermDescent, asked: list[Pair] | None, rounds: int | None
    ) -> None:
        line = Line()

        def show_progress(stage: str, t: int, loss: float) -> None:
            if line.is_due(t, 100):
                name = type(self).__name__
                line.write(f"{name}: round {t} of the {stage}, out-of-bag loss {loss:.4g}")

        first = descent.sample.engine.collective.rank == 0
        descent.watch = show_progress if self.verbose and first else None
        try:
            descent.play_mains(rounds)
            if descent.interrupt is None:
                most = None if is_auto(self.n_pairs) else int(self.n_pairs)
                descent.play_pairs(descent.rank(most) if asked is None else asked, rounds)
        finally:
            if descent.watch is not None:
                line.close()

    def _descent_of(
        self, prepared: Prepared, booster: GradientBoosting, division: Division, seed: int
    ) -> TermDescent:
        sample, content = prepared.sample, content_of(booster, prepared.sample)
        fraction = float(self.validation_fraction)
        bags = division.folds(sample, content, int(self.n_bags), fraction, seed)
        judge = judge_of_parts(self, prepared, booster, content, bags)
        bags = bags or [Part(sample.copies_or_ones, np.zeros(len(sample), np.int64))]
        side = SideBySide(booster, sample, bags, judge)
        with error_context("before the first round"):
            scale = curvature_scale(booster, sample)
        learner = self._learner(prepared, seed, scale)
        steps = tree_controls.of_steps(self, prepared.schema, scale)
        learner = replace(learner, **self._steps(prepared), **steps)
        wait = functools.partial(patience, self)
        most = _MOST_ROUNDS
        if side.K > 1:
            most = rounds_at_most(most, len(side.F) * side.n_rows, prepared.schema.n_features)
        return TermDescent(side, learner, content, wait, most)

    def _steps(self, prepared: Prepared) -> dict[str, Any]:
        """The settings of a learner by which a round adds so many steps."""
        if self.max_leaf_nodes == "auto":
            few = prepared.sample.m < LARGE
            return {"max_leaf_nodes": 3 if few else 24, "random_cuts": few}
        return {"max_leaf_nodes": int(self.max_leaf_nodes or 0)}

    def _keep_terms(
        self,
        prepared: Prepared,
        booster: GradientBoosting,
        terms: TermSum,
        descent: TermDescent | None,
        seed: int,
    ) -> None:
        """Assigns every fitted name in one step."""
        facts = column_names(prepared.schema) | {
            "_seed": seed,
            "_loss": booster.loss,
            "_origin": after_fit(prepared.sample, ensemble=terms),
            "ensemble_": terms,
            "n_iter_": 0,
            "validation_losses_": np.array([]),
        }
        if booster.offset is not None:
            facts["_has_offset"] = True
        if not self._regression:
            facts["classes_"] = prepared.classes
        if descent is not None:
            stages = [played for played in (descent.mains, descent.crossed) if played is not None]
            facts["n_iter_"] = sum(played.rounds for played in stages)
            facts[Measure.of(self).kept] = np.concatenate(
                [played.losses[: played.rounds + 1] for played in stages]
            )
            later = copy.copy(self)  # what was learnt, to be judged before it is kept
            later.__dict__.update(facts)
            facts |= later._out_of_bag(prepared, descent)
        assign(self, facts, forget=_NOT_ALWAYS)
        log.debug("%s: %d terms, %d rounds", type(self).__name__, len(terms), facts["n_iter_"])
        if len(terms) == 0 and prepared.sample.n_classes != 1:
            warn("nothing was learnt: the model answers the same for every row.", BoostingWarning)

    def _oob_score(self, F: Floats, y: NDArray[Any], weight: Floats, over: Partitions) -> float:
        """The quality of scores F, (n, K): accuracy for labels, R^2 or the like for numbers."""
        raise NotImplementedError


@parameters.declared_in_order
class AdditiveBoostingClassifier(ClassAnswers, AdditiveModel):
    """A glass box: an intercept, one function a column and a few of two columns, boosted and added.

    The score of a row is read off a table, a look-up a column, however many rounds were played; it
    is the log-odds of two classes, and for more classes there is a function a class. Functions are
    the mean of ``n_bags`` models; those of pairs hold only what neither column says alone, and
    every function has the mean 0 over the training rows.

    Parameters
    ----------
    loss : "log_loss", "exponential", a loss object, or functions (gradient, curvature, value)
        What is minimised; "exponential" is for two classes, with probabilities 1/(1 + exp(-2F)).

    Attributes
    ----------
    shapes_, intercept_, pairs_, ensemble_, n_features_in_, feature_names_in_, n_iter_,
    validation_losses_, oob_loss_, oob_score_, oob_decision_function_, feature_importances_,
    edits_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn import AdditiveBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = AdditiveBoostingClassifier().fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.97
    """

    loss: Any = field(default="log_loss", kw_only=False)
    class_weight: Any = None

    def _oob_score(self, F: Floats, y: NDArray[Any], weight: Floats, over: Partitions) -> float:
        right = (F[:, 0] > 0) == (y > 0) if F.shape[1] == 1 else F.argmax(axis=1) == y
        everything = total(np.ones(len(y)), weight, over)
        return total(right.astype(np.float64), weight, over) / everything


@parameters.declared_in_order
class AdditiveBoostingRegressor(NumberAnswers, AdditiveModel):
    """A glass box: an intercept, one function a column and a few of two columns, boosted and added.

    The score of a row is read off a table, a look-up a column, however many rounds were played.
    Functions are the mean of ``n_bags`` models; those of pairs hold only what neither column says
    alone, and every function has the mean 0 over the training rows.

    Parameters
    ----------
    loss : one of ``weaklearn.losses.FOR_NUMBERS``, a loss object, or functions (gradient,
        curvature, value)
        What is minimised; "squared_error" by default.

    Attributes
    ----------
    shapes_, intercept_, pairs_, ensemble_, n_features_in_, feature_names_in_, n_iter_,
    validation_losses_, oob_loss_, oob_score_, oob_decision_function_, feature_importances_,
    edits_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import AdditiveBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = AdditiveBoostingRegressor().fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5
    """

    loss: Any = field(default="squared_error", kw_only=False)
    quantile: Any = 0.5
    alpha: float = 0.9
    power: float = 1.5

    def _out_of_bag(self, prepared: Prepared, descent: TermDescent) -> dict[str, Any]:
        facts = super()._out_of_bag(prepared, descent)
        F, _ = descent.unseen_scores()
        facts["oob_prediction_"] = for_all_rows(self._answer(F.T), prepared.used)
        return facts

    def _oob_score(self, F: Floats, y: NDArray[Any], weight: Floats, over: Partitions) -> float:
        answers = self._answer(F)
        levels = self._loss.leaf_quantiles if self.loss == "quantile" else None
        if levels is None:
            errors = (y - answers) ** 2, (y - mean(y, weight, over)) ** 2
            return _share_gone(*(total(each, weight, over) for each in errors))
        shares = []
        for level, column in zip(levels, answers.reshape(len(y), len(levels)).T, strict=True):
            loss = Quantile(level)
            best = np.full(len(y), loss.best_constant(y, weight, over)[0])
            found = (total(loss.value(y, F), weight, over) for F in (column, best))
            shares.append(_share_gone(*found))
        return float(np.mean(shares))


def _share_gone(left: float, before: float) -> float:
    """The share of an error that a model has taken away; of none, 1 where it has none either."""
    return 1.0 - left / before if before > 0 else float(left == 0)
