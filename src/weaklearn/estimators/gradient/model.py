"""Gradient boosting with trees: what the classifier and the regressor share."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import field, replace
from operator import attrgetter
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ...base.added_field import ADDED
from ...base.booster import Played, Stop
from ...base.history import History
from ...base.loss import Loss
from ...base.messages.warnings import BoostingWarning, deferred_warnings, warn
from ...base.sample import Sample
from ...base.types import Floats
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.dropout import DroppingBoosting
from ...boosters.gradient import GradientBoosting, Slope
from ...export import methods as export
from ...inspection import explainable
from ...inspection.explanation import Explanation
from ...intake import parameters
from ...intake.parts import Division, division
from ...intake.prepare import Prepared
from ...intake.validation_sets import Judged, ValidationSet, validation_sets, with_sets
from ...learners.gradient_tree import GradientTreeLearner
from .. import callback_support
from ..fit import Fit, column_names, run, warn_unused_patience, with_callbacks
from . import leaf_rules, life, tree_controls
from .base import DescendingModel, is_auto
from .fit import Descent, check_going_on, check_same_loss, descent_of, kept, start
from .judging import Measure

log = logging.getLogger("weaklearn")

Data = tuple[Any, Any, Any]  # X, y and weights
_LARGE = 10_000  # examples from which on trees may be larger and steps longer


@parameters.declared_in_order
class GradientBoostingModel(DescendingModel):
    """A sum of trees that descends a loss; subclasses say what is predicted.

    Parameters
    ----------
    n_estimators : "auto" or int, default "auto"
        Boosting rounds. "auto" finds the number on examples not learnt from: up to 50,000 of them
        by five folds, after which one model learns from all; beyond that by one held-out fraction,
        and so where classes times examples exceed 1,000,000: then for 2,000 rounds at most, or as
        many as classes times examples times columns have place in 4e9, but 50 in any case. Where
        ``X_val`` is given, those rows choose the number. An integer means exactly that many.
    learning_rate : "auto" or float, default "auto"
        Factor on every tree; "auto" is 0.05, and 0.1 from 10,000 examples on.
    max_leaf_nodes : "auto", int or None, default "auto"
        The most leaves of a tree; "auto" is 15, and 31 from 10,000 examples on.
    max_depth : int or None, default None
        The most splits one after another.
    min_hessian_leaf : float, default 0.001
        No leaf gets a smaller sum of hessians, in the unit of ``l2_regularization``.
    l1_regularization : float, default 0.0
        What the sum of gradients in a leaf is brought nearer to 0 by, in units of the gradient.
    max_step : float, optional
        The largest value of a leaf, before the learning rate.
    path_smoothing : float, default 0.0
        So many examples of the value of the node above are mixed into that of every node.
    linear_leaves : bool, default False
        Leaves answer, besides their value, a linear function of the columns of numbers on their
        path, found by ridge regression; beyond the values that the leaf held in training it goes
        on as a constant. A row in which one of these columns is missing is answered the value.
    linear_l2 : float, default 1.0
        Added to the hessian of every slope, in the unit of ``l2_regularization``, columns counted
        in units of their standard deviation in the leaf.
    min_gain : float, default 0.0
        What a split must gain.
    subsample : float, default 0.7
        The share of the examples that each round learns from.
    keep_largest : float, default 0.0
        The share of the examples, those with the largest gradients, that each tree learns from in
        any case. Of the others ``subsample`` is drawn, and these count 1/subsample times.
    dropout : float, default 0.0
        The chance of every earlier round to be left out while a round is learnt: all come to count
        more alike. It needs a number of rounds.
    max_features : int or float, default 1.0
        How many columns each round may use, or their share.
    max_features_by_level, max_features_by_node : int or float, default 1.0
        How many of these columns are drawn for each level of a tree, and of those of its level for
        each node; or their share.
    feature_weights : sequence of one number per column, or dict from name to number, optional
        Chances of columns in these draws, in proportion; 0 leaves a column out. 1 if not named.
    feature_factors : sequence of one number per column, or dict from name to number, optional
        What the gain of splits on each column is multiplied by: below 1 for columns that should be
        used only where they gain much more. 1 if not named.
    min_samples_category : int, default 5
        Categories of fewer examples share one code, as do those that training never saw.
    category_smoothing : float, default 10.0
        So many examples of the node are mixed into each category before categories are put in
        order: rare ones so come to stand in the middle.
    splitter : {"best", "random"}, default "best"
        "random" draws one cut of each column at each node, and takes the best of these.
    forced_splits : dict, optional
        What every tree begins with: {"feature": name or number, "threshold": x, "left": such a
        dict, "right": such a dict}, the sides where wanted.
    max_bins : int, default 255
        Columns of more different values are cut into so many bins.
    interaction_cst : "no_interactions", "pairwise", or groups of columns, optional
        Columns that may stand on one path of a tree.
    early_stopping : bool, default False
        Hold rows out (or judge by X_val), and stop when the loss there no longer falls.
    validation_fraction : float, default 0.1
        The share of the rows held out, where no ``X_val`` is given.
    warm_start : bool, default False
        Continue from the rounds of the fit before.
    callbacks : list, optional
        Functions of (t, state, history) that may return True to stop, or scikit-learn callbacks.
    """

    loss: Any = field(default=None, kw_only=False)
    quantile: Any = field(init=False)  # regressors declare it
    alpha: float = field(init=False)
    power: float = field(init=False)
    n_estimators: int | Literal["auto"] = "auto"
    learning_rate: float | Literal["auto"] = "auto"
    max_leaf_nodes: int | Literal["auto"] | None = "auto"
    max_depth: int | None = None
    min_samples_leaf: int = 5
    l2_regularization: float = 1.0
    min_hessian_leaf: float = field(default=1e-3, metadata=ADDED)
    l1_regularization: float = field(default=0.0, metadata=ADDED)
    max_step: float | None = field(default=None, metadata=ADDED)
    path_smoothing: float = field(default=0.0, metadata=ADDED)
    linear_leaves: bool = field(default=False, metadata=ADDED)
    linear_l2: float = field(default=1.0, metadata=ADDED)
    min_gain: float = 0.0
    subsample: float = 0.7
    keep_largest: float = field(default=0.0, metadata=ADDED)
    dropout: float = field(default=0.0, metadata=ADDED)
    max_features: int | float = 1.0
    max_features_by_level: int | float = field(default=1.0, metadata=ADDED)
    max_features_by_node: int | float = field(default=1.0, metadata=ADDED)
    feature_weights: Any = field(default=None, metadata=ADDED)
    feature_factors: Any = field(default=None, metadata=ADDED)
    min_samples_category: int = field(default=5, metadata=ADDED)
    category_smoothing: float = field(default=10.0, metadata=ADDED)
    splitter: tree_controls.Splitter = field(default="best", metadata=ADDED)
    forced_splits: Any = field(default=None, metadata=ADDED)
    max_bins: int = 255
    monotonic_cst: Any = None
    interaction_cst: Any = None
    categorical_features: Any = "from_dtype"
    class_weight: Any = field(default=None, init=False)  # classifiers declare it
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 50
    tol: float = 0.0
    scoring: Any = field(default=None, metadata=ADDED)
    cv: Any = None
    warm_start: bool = False
    callbacks: Any = None
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    over_partitions = True
    options_of_all_rows = (*DescendingModel.options_of_all_rows, *tree_controls.OF_ALL_ROWS)

    refit, update, truncate = life.refit, life.update, life.truncate

    rules, apply = leaf_rules.rules, leaf_rules.apply
    feature_importances_ = property(leaf_rules.feature_importances)
    interactions, shapes = explainable.interactions, explainable.shapes
    to_frame, tree = explainable.to_frame, explainable.tree
    to_shap_trees = explainable.to_shap_trees
    to_c, to_javascript, to_json = export.to_c, export.to_javascript, export.to_json
    to_onnx, to_pmml, to_python = export.to_onnx, export.to_pmml, export.to_python
    to_sql, to_scorecard = export.to_sql, export.to_scorecard
    _model_ir = export.model_ir
    _tree_sum = explainable.tree_sum_of_ensemble
    _explained_sum = explainable.scores_explained

    if callback_support.SUPPORTED:
        set_callbacks = callback_support.set_callbacks
        _init_callback_context = callback_support.init_callback_context

    _dropping: ClassVar[Any] = None  # set by fit with dropout: the rate, and the learning rate

    _rare = property(attrgetter("min_samples_category"))

    @property
    def _judges_rounds(self) -> bool:
        return self._finds_rounds or self.early_stopping

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        tree_controls.check(self)
        parameters.switch("early_stopping", self.early_stopping)
        parameters.switch("warm_start", self.warm_start)
        callback_support.check_callbacks(self.callbacks)

    def _check_for_dataset(self) -> None:
        pass

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        offset: Any = None,
        offset_val: Any = None,
        groups: Any = None,
    ) -> Self:
        """Descends the loss on X and y.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed. A
            ``pyarrow.dataset.Dataset``, such as a folder of Parquet files, may be larger than
            memory; y, weights, offset and groups are then names of its columns.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to judge every round by, in place of a held-out fraction. With n_estimators="auto"
            or early_stopping=True they choose the number of rounds, and so the model: rows meant
            for testing do not belong here. Otherwise their loss is only recorded. Dicts hold
            several sets by name: the first judges, and all are in ``history_``, as "name_loss".
        offset : array-like of n numbers, optional
            A score known beforehand (such as the logarithm of an exposure): the trees add to it.
        offset_val : array-like of numbers, optional
            The same for the rows of X_val.
        groups : array-like of n ids, optional
            Rows of a group stay together where rows are dealt to folds or held out, and are handed
            to ``cv``.
        """
        judged = {"y_val": y_val, "sample_weight_val": sample_weight_val, "offset_val": offset_val}
        return self._learn((X, y, sample_weight), offset, groups, X_val, judged)

    def _learn(self, data: Data, offset: Any, groups: Any, X_val: Any, judged: Judged) -> Self:
        """Fits ``data``: X, y and weights; ``judged`` are what comes with X_val, by name."""
        resumed = bool(self.warm_start) and self.__sklearn_is_fitted__()
        with deferred_warnings():
            self._check_parameters()
            tree_controls.check_dropout(self, resumed)
            sets = validation_sets(X_val, judged)
            descent = self._descent(data, offset, groups, sets, resumed)
            if resumed:
                life.warn_of_other_rows(self, descent)
        run(self, start(self, descent, resumed), data)
        return self

    def _descent(
        self,
        data: Data,
        offset: Any,
        groups: Any,
        sets: list[ValidationSet],
        resumed: bool,
    ) -> Descent:
        """Everything read, ready for the first round; ``sets`` are those of X_val."""
        if offset is not None and any(rest[2] is None for _, _, rest in sets):
            raise ValueError("offset is given, and X_val without offset_val: pass that too.")
        seed = self._seed if resumed else parameters.seed("random_state", self.random_state)
        prepared = self._prepare(*data, resumed)
        prepared, loss = self._with_loss(prepared, groups)
        tree_controls.check_loss(self, loss)
        if resumed:
            check_same_loss(self, loss)
        offset = self._offset(offset, prepared, loss)
        booster = tree_controls.booster(self, loss, self._rate(prepared.sample), offset, seed)
        if sets:
            if not self._judges_rounds:
                warn_unused_patience(self)
            prepared = self._with_sets(prepared, sets)
        needed = self._judges_rounds and not sets
        parts = self._division(prepared, groups, data, needed)
        descent = descent_of(self, prepared, booster, parts, seed)
        if resumed:
            check_going_on(self)
        return descent

    def _with_loss(self, prepared: Prepared, groups: Any) -> tuple[Prepared, Loss]:
        """The loss, and the rows with what it needs to know of their groups."""
        return prepared, self._resolve_loss(prepared)

    def _with_sets(self, prepared: Prepared, sets: list[ValidationSet]) -> Prepared:
        return with_sets(prepared, sets, self.columns)

    def _division(self, prepared: Prepared, groups: Any, data: Data, needed: bool) -> Division:
        return division(prepared, self.cv, groups, data, needed)

    def _rate(self, sample: Sample) -> float:
        auto = 0.05 if sample.m < _LARGE else 0.1
        return auto if is_auto(self.learning_rate) else float(self.learning_rate)

    def _leaves(self, sample: Sample) -> int | None:
        if is_auto(self.max_leaf_nodes):
            return 15 if sample.m < _LARGE else 31
        return None if self.max_leaf_nodes is None else int(self.max_leaf_nodes)

    def _learner(self, prepared: Prepared, seed: int, scale: float) -> GradientTreeLearner:
        return replace(
            super()._learner(prepared, seed, scale),
            max_leaf_nodes=self._leaves(prepared.sample),
            **tree_controls.settings(self, prepared.schema, scale),
        )

    def _facts(self, inputs: Descent, state: Slope, history: History) -> dict[str, Any]:
        return self._names(inputs, state.ensemble, history)

    def _names(self, inputs: Descent, ensemble: AdditiveTrees, history: History) -> dict[str, Any]:
        """The fitted names of an ensemble."""
        names: dict[str, Any] = {
            "_seed": inputs.seed,
            "_loss": inputs.booster.loss.unbound,
            "_gaps": inputs.gaps(ensemble),
            "ensemble_": ensemble,
            "history_": history,
            "n_iter_": len(ensemble),
        }
        if isinstance(inputs.booster, DroppingBoosting):
            names["_dropping"] = np.array([float(self.dropout), inputs.booster.learning_rate])
        if not self._regression:
            names["classes_"] = inputs.prepared.classes
        return column_names(inputs.prepared.schema) | names

    def _outcome(self, fit: Fit[Slope, Any], played: Played[Slope]) -> dict[str, Any]:
        descent: Any = fit.inputs
        descent.learn.release()  # before the rows are described, which takes memory too
        names = self._names(descent, kept(fit, played.state), played.history)
        names |= self._known_of_loss(descent.booster, descent.sample, names["ensemble_"])
        names["stop_reason_"] = str(self._stop(descent, played.stop))
        if descent.needed is not None:
            names[Measure.of(self).kept] = descent.needed.losses
        elif fit.early is not None:
            names[Measure.of(self).kept] = np.array(fit.early.wait.values)
        return names

    def _known_of_loss(
        self, booster: GradientBoosting, sample: Sample, ensemble: AdditiveTrees
    ) -> dict[str, Any]:
        """What the loss has found at the final scores, and predictions need."""
        return {}

    def _stop(self, descent: Descent, stop: Stop) -> Stop:
        """Why the rounds ended: with "auto", the validation rows that were given chose them."""
        chosen = self._finds_rounds and not self.early_stopping
        if chosen and descent.prepared.validation is not None:
            return Stop.VALIDATED if stop in (Stop.EARLY, Stop.ROUNDS) else stop
        return stop

    def _kept(self, fit: Fit[Slope, Any], played: Played[Slope]) -> None:
        log.debug("%s: %d rounds, %s", type(self).__name__, self.n_iter_, played.stop)
        if self.n_iter_ == 0 and fit.sample.n_classes != 1:
            warn(
                f"nothing was learnt ({played.stop}): the model answers the same for every row.",
                BoostingWarning,
            )

    # --------------------------------------------------------------------------------- predicting

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        yield from tree_controls.stages(self, self._rows(X))

    def explain(self, X: Any, *, offset: Any = None, positive: Any = None) -> Explanation:
        """What every column adds to the score of every row: its Shapley value, exactly.

        With the base, the mean score of the training examples, contributions add up to the score;
        with ``offset``, a known score of every row, to the score with that offset. ``positive`` is
        the class, of two, whose score it is: the model's own, else ``classes_[1]``.

        >>> import numpy as np
        >>> from weaklearn import GradientBoostingRegressor
        >>> X = np.arange(80.0).reshape(40, 2) % 7
        >>> model = GradientBoostingRegressor(n_estimators=5).fit(X, X[:, 0] * X[:, 1])
        >>> bool(np.allclose(model.explain(X).scores, model.predict(X)))
        True
        """
        rows = self._rows(X)
        known = self._known_scores(offset, len(rows))
        return explainable.explained_by_columns(self, X, known).of_positive(self, positive)
