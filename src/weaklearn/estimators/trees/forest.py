"""RandomForestClassifier and RandomForestRegressor: trees on bags, features drawn at each split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from ...base.added_field import ADDED
from ...base.history import History
from ...base.numeric.magnitude import SUMMED
from ...base.rows import Rows
from ...base.trees.grove import Grove
from ...base.trees.tree import Tree
from ...base.types import Floats
from ...callbacks import Progress
from ...engines import choose
from ...ensembles import Bags
from ...export import methods as export
from ...inspection import explainable
from ...inspection.tree_sum import TreeSum, sum_of
from ...intake import parameters
from ...intake.prepare import RARE, Prepared, Reading, Target, prepare
from ...intake.schema import Schema
from ...learners.pruning import importances
from ...learners.tree import TreeLearner
from ...prediction import averages
from ..constraints import monotonic, refuse_many_classes
from . import one_output
from .averaged_ensemble import Averaging, Facts
from .averages import ClassAverage, NumberAverage
from .base import path_matrix
from .criteria import Criterion, NumberCriterion, check_rates
from .out_of_bag import calibrates
from .several_outputs import refuse_settings, refuse_several, several_tags
from .tree import DecisionTreeClassifier, DecisionTreeRegressor
from .tree_parameters import MaxFeatures, read_learner


@parameters.declared_in_order
class Forest(Averaging):
    """What both forests share: growing the trees, predicting, explaining.

    Parameters
    ----------
    n_estimators : int, default 100
        Trees.
    max_depth : int, optional
        At most so many tests one after another; trees grow in full by default.
    max_leaf_nodes : int, optional
        At most so many leaves in a tree.
    min_samples_split : int or float, default 2
        A node of fewer examples is not split; a float is a share of them all.
    min_samples_leaf : int or float, default 1
        No branch gets fewer examples; a float is a share of them all.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight in a leaf; 0.5 at most.
    max_features : {"sqrt", "log2"}, int, float or None, default 0.5
        How many features are drawn at each split: a number, a share, or None for all.
    min_impurity_decrease : float, default 0.0
        A test must lower the impurity of the whole tree by so much.
    ccp_alpha : float, optional
        What a leaf costs: of each tree the subtree of least impurity + ccp_alpha * leaves is kept.
    bootstrap : bool, default True
        Draw a bag for each tree; without, every tree sees all examples.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the prediction may only rise (1) or fall (-1).
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw is taken for a rare one, or for a missing value where
        none was rare; or it is refused.
    exact : bool, default False
        Thresholds between any two neighbouring values, at the price of time.
    warm_start : bool, default False
        Keep the trees there are, and grow those that are lacking.
    """

    of_output, _keep_output = one_output.of_output, one_output.keep_of_trees
    explain = explainable.explain
    interactions = explainable.interactions
    shapes = explainable.shapes
    to_frame = explainable.to_frame
    tree = explainable.tree
    to_shap_trees = explainable.to_shap_trees
    to_c = export.to_c
    to_javascript = export.to_javascript
    to_json = export.to_json
    to_onnx = export.to_onnx
    to_pmml = export.to_pmml
    to_python = export.to_python
    to_sql = export.to_sql
    _explained_sum = explainable.shares_explained
    _explained_scale = explainable.share_scale
    _model_ir = export.model_ir

    n_estimators: int = field(default=100, kw_only=False)
    criterion: Any = "squared_error"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: MaxFeatures = 0.5
    min_impurity_decrease: float = 0.0
    ccp_alpha: float | None = field(default=None, metadata=ADDED)
    bootstrap: bool = True
    max_samples: int | float | None = None
    oob_score: Any = False
    class_weight: Any = field(default=None, init=False)  # classifiers declare it
    calibrate: Any = field(default=None, init=False)
    monotonic_cst: Any = None
    categorical_features: Any = "from_dtype"
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    exact: bool = False
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    _tree_holder = "trees_"
    _members_are = "trees"

    # Set by fit.
    trees_: Grove = field(init=False)
    n_outputs_: int = field(init=False)
    n_features_in_: int = field(init=False)
    _schema: Schema = field(init=False)
    _gaps: frozenset[int] = field(init=False)
    _criterion: str = field(init=False)

    _criteria: ClassVar[Any] = NumberCriterion  # what ``criterion`` may be

    # Settings of a tree that are the same in every forest.
    splitter = "best"
    categorical = "subset"
    missing = "side"
    pruning = None

    # ------------------------------------------------------------------------------------ fitting

    def _learner(self) -> TreeLearner:
        return read_learner(self)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("criterion", self.criterion, self._criteria)
        parameters.one_of("calibrate", self.calibrate, ("auto", None))
        parameters.max_features(self.max_features)
        parameters.reading(self)
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError(
                f"max_samples={self.max_samples} is for bags that are drawn, and bootstrap=False "
                "draws none: leave it at None, or set bootstrap=True."
            )

    _calibrates = calibrates

    def _prepare(self, X: Any, y: Any, weight: Any, learner: Any, resumed: bool) -> Prepared:
        prepared = prepare(
            X,
            y,
            weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            binning=learner.binning,
            known=(self._schema, self._known_classes) if resumed else None,
            columns=self.columns,
            target=Target(
                class_weight=self.class_weight,
                regression=not is_classifier(self),
                largest=SUMMED,
                outputs=True,
            ),
            reading=Reading(
                categorical_features=self.categorical_features, rare=RARE, names_aside=True
            ),
        )
        refuse_settings(self, learner, prepared)
        check_rates(learner.criterion, prepared.sample)
        monotonic(self.monotonic_cst, prepared.schema)  # which refuses columns that have no order
        refuse_many_classes(self.monotonic_cst, prepared.classes)
        return prepared

    def _trained(self, learner: Any, prepared: Prepared, bags: Bags, resumed: bool) -> Facts:
        wanted = monotonic(self.monotonic_cst, prepared.schema)
        learner = replace(learner, seed=bags.seed, monotonic=wanted)
        known = self.trees_ if resumed else Grove([])
        return {
            "_gaps": _columns_with_gaps(prepared),
            "_criterion": learner.criterion,
            "n_outputs_": prepared.n_outputs,
            "trees_": known.plus(self._grown(prepared, learner, bags, len(known))),
        }

    def _grown(
        self, prepared: Prepared, learner: TreeLearner, bags: Bags, first: int
    ) -> list[Tree]:
        """The trees from ``first`` on: at once, or in parts where progress is to be shown."""
        n, sample = self.n_estimators, prepared.sample
        settings = learner.settings(sample)
        grower = sample.engine.trees.grower(sample, settings, prepared.n_outputs)
        part = max(1, min(n, 2 * sample.engine.threads)) if self.verbose else n
        progress = Progress(n, type(self).__name__, first)
        trees: list[Tree] = []
        while first + len(trees) < n:
            fresh = grower.forest(
                min(part, n - first - len(trees)),
                bootstrap=bags.replacement,
                n_draws=bags.n_draws,
                seed=bags.seed,
                canonical=bags.order,
                first=first + len(trees),
            )
            trees += [learner.pruned(tree, sample.engine) for tree in fresh]
            if self.verbose:
                progress(first + len(trees), None, History([{}]))
        progress.close()
        return trees

    @property
    def _n_members(self) -> int:
        return len(self.trees_)

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        X = self._schema.matched(X, self.columns)
        cells = self._schema.read(X, unseen=self.unseen)
        return Rows(cells, X, choose(self.n_jobs))

    def _answers(self, facts: Facts, rows: Rows, classes: Any) -> Iterator[Floats]:
        answers: Iterator[Floats] = facts["trees_"].answers(rows)
        return answers

    _average = averages.forest_average

    def _tree_sum(self) -> TreeSum:
        check_is_fitted(self)
        refuse_several(self, "explanations and exports are")
        return sum_of(self.trees_)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the leaf where each row ends up, (rows, trees)."""
        rows = self._rows(X)
        return self.trees_.apply(rows).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Which nodes each row passes, tree after tree, and where each tree's columns begin."""
        leaves = self.apply(X)
        parts = [path_matrix(tree, leaves[:, b]) for b, tree in enumerate(self.trees_)]
        starts = np.cumsum([0, *(len(tree) for tree in self.trees_)])
        return csr_matrix(hstack(parts, format="csr")), starts

    # --------------------------------------------------------------------------------- describing

    @property
    def estimators_(self) -> list[Any]:  # type: ignore[override]
        """The trees as fitted estimators, to be read: rules, text, pictures."""
        check_is_fitted(self)
        if "_estimators" not in self.__dict__:
            self._estimators = [self._estimator(b, tree) for b, tree in enumerate(self.trees_)]
        return self._estimators

    def _estimator(self, b: int, tree: Tree) -> Any:
        estimator = DecisionTreeClassifier() if is_classifier(self) else DecisionTreeRegressor()
        known = estimator.get_params()
        shared = {name: value for name, value in self.get_params().items() if name in known}
        estimator.set_params(**(shared | {"random_state": b}))
        gaps = self._gaps.intersection(tree.feature.tolist())
        classes, outputs = self._known_classes, {"n_outputs_": self.n_outputs_}
        several = list(classes) if isinstance(classes, tuple) else classes
        return estimator._keep(tree, self._schema, several, self._criterion, gaps, outputs)

    @property
    def feature_importances_(self) -> Floats:
        """The decrease of impurity that each feature brings, averaged over the trees; sum 1."""
        check_is_fitted(self)
        each = [importances(tree, self._criterion, self.n_features_in_) for tree in self.trees_]
        total = np.sum(each, axis=0)
        mass = total.sum()
        return np.asarray(total / mass if mass > 0 else total)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        several_tags(tags, True)
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        dropped = ("_estimators", "_bags", "_used")
        return {name: value for name, value in state.items() if name not in dropped}


def _columns_with_gaps(prepared: Prepared) -> frozenset[int]:
    """The columns of which training had missing values."""
    describe = prepared.sample.coded.describe
    return frozenset(j for j in range(prepared.schema.n_features) if describe(j)["has_missing"])


@parameters.declared_in_order
class RandomForestClassifier(ClassAverage, Forest):
    """A random forest: trees grown in full on bootstrap samples, random features at each split.

    Before each split, k of the d features are drawn without replacement and only these are
    searched; where none of them tells the examples apart, others are drawn until one does. The
    class shares of the leaves are averaged over the trees, and the largest average wins, the
    smallest label on ties. With k = d this is bagging of trees.

    Thresholds lie between at most 255 bins a column, found once for all trees. A split on
    categories puts any set of them on one side (for more than two classes, one of them), and must
    gain more than chance would with so many of them; those seen fewer than 5 times are taken
    together, and so is one never seen. A column of texts that hardly
    ever repeat is not split on. Missing values follow the better side.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "sqrt", "error"}, default "gini"
        What a test should lower: Gini's index; entropy (also "log_loss"); C4.5's gain ratio; the
        sum of sqrt(p (1 - p)); the error.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the probability of the second class may only rise (1) or fall (-1).
    oob_score : bool or function of (y, predicted), default False
        Score every example by the trees whose bag left it out; accuracy by default.
    calibrate : "auto" or None, default "auto"
        Probabilities are powers of average shares, with the exponent by which labels are most
        likely out of bag; the shares with None, fewer than 25 trees, or fewer than 5 examples of a
        class out of bag.

    Attributes
    ----------
    trees_, estimators_, estimators_samples_, classes_, n_classes_, n_features_in_,
    feature_names_in_, feature_importances_, calibration_, oob_score_, oob_decision_function_,
    oob_coverage_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(oob_score=True).fit(X, y)
    >>> round(forest.oob_score_, 2), forest.oob_coverage_
    (0.95, 1.0)
    >>> forest.predict_proba(X[:1]).round(2).tolist(), forest.predict_std(X[:1]).shape
    ([[1.0, 0.0, 0.0]], (1, 3))

    Reference: Breiman (2001), Random forests.
    """

    _criteria = Criterion

    criterion: Criterion = "gini"
    max_features: MaxFeatures = "sqrt"
    class_weight: Any = None
    calibrate: Literal["auto", None] = field(default="auto", metadata=ADDED)


@parameters.declared_in_order
class RandomForestRegressor(NumberAverage, Forest):
    """A random forest for numbers: the means of the leaves, averaged over the trees.

    Half of the features are drawn at each split (``max_features=0.5``): over 17 tables that gave
    2 % less squared error than all of them, and 10 % less than a third.

    Parameters
    ----------
    criterion : {"squared_error", "friedman_mse", "absolute_error", "poisson"}, \
default "squared_error"
        What a test should lower: the squared error (also "friedman_mse"); the absolute error,
        leaves then answering the median; half the Poisson deviance, for counts and rates, where
        no leaf answers 0. By absolute error categories are asked for one at a time.
    oob_score : bool or function of (y, predicted), default False
        Score every example by the trees whose bag left it out; R^2 by default.

    Attributes
    ----------
    trees_, estimators_, estimators_samples_, n_features_in_, feature_names_in_,
    feature_importances_, oob_score_, oob_prediction_, oob_coverage_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(oob_score=True).fit(X, y)
    >>> round(forest.oob_score_, 1), forest.predict_std(X[:3]).shape
    (0.4, (3,))

    Reference: Breiman (2001), Random forests.
    """

    criterion: NumberCriterion = "squared_error"
