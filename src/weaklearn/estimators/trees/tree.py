"""Decision trees for people: DecisionTreeClassifier and DecisionTreeRegressor."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import Bunch

from ...base.messages.table import Spelled
from ...base.trees.tree import Tree
from ...engines import choose
from ...inspection.rule_text import value_text
from ...intake import parameters
from ...intake.prepare import Prepared, prepare
from ...learners.impurity import decreases, impurity
from ...learners.pruning import path
from ...learners.tree import TreeLearner
from ...uncertainty.conformal import IntervalPrediction
from ..constraints import refuse_many_classes
from .base import ClassTree, TreeEstimator, read_learner

Floats = NDArray[np.float64]


class DecisionTreeClassifier(ClassTree):
    """A decision tree of the CART and C4.5 families, grown exactly and told in plain words.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "sqrt", "error"}, default "gini"
        What a test should lower: Gini's index; entropy; C4.5's gain for each bit of the split,
        among tests of at least average gain; the sum of sqrt(p (1 - p)), boosting's own criterion;
        the error.
    max_depth, max_leaf_nodes : int, optional
        At most so many tests one after another (1 or more), so many leaves (2 or more); with
        the latter the test that gains most is taken first.
    min_samples_split, min_samples_leaf : int or float, default 2 and 1
        Fewer examples are not split, and no branch gets fewer; a float is a share of them all.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight in a leaf; 0.5 at most.
    max_features : int, float, {"sqrt", "log2"}, optional
        Try so many features at each split, drawn afresh; all by default.
    min_impurity_decrease : float, default 0.0
        A test must lower the impurity of the whole tree by so much.
    pruning : {None, "pessimistic", "cost_complexity"}, default None
        C4.5's pruning by an upper limit of the errors to expect, or CART's by ``ccp_alpha``.
    ccp_alpha : float, optional
        What a leaf costs: the subtree of least impurity + ccp_alpha * leaves is kept. With
        pruning="cost_complexity" and none given, it is found by five folds (``ccp_alpha_``).
    exact : bool, default True
        Thresholds between any two neighbouring values, or between 255 bins a column.
    categorical : {"subset", "equality", "multiway"}, default "subset"
        Tests on a category: a set of levels (for more than two classes, one level), one level, or
        a branch for each.
    missing : {"side", "branch", "fraction", "error"}, default "side"
        Missing values follow the better side, have a branch of their own, go down every branch in
        parts (C4.5), or are refused. Where training had none, they follow the heaviest branch.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw is taken for a missing value, or refused.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the probability of the second class may only rise (1) or fall (-1).
    class_weight : None, "balanced" or dict
    categorical_features : "from_dtype", None, or columns by mask, number or name
    random_state : None, int below 2**32, RandomState or Generator
        Seeds ``max_features``; nothing else is random. None is 0.
    n_jobs : int, optional
        Threads; the tree is the same for any number.

    Attributes
    ----------
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_, feature_importances_,
    max_features_, n_outputs_, ccp_alpha_

    Examples
    --------
    >>> from weaklearn import DecisionTreeClassifier
    >>> X = [[1, 1], [1, 5], [4, 1], [4, 5]]
    >>> tree = DecisionTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> print(tree.to_text())
    x[0] <= 2.5: no (2)
    x[0] > 2.5
    |   x[1] <= 3: no (1)
    |   x[1] > 3: yes (1)
    (in brackets: training examples)

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees; Quinlan (1993),
    C4.5: Programs for Machine Learning.
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        min_impurity_decrease: float = 0.0,
        pruning: str | None = None,
        ccp_alpha: float | None = None,
        exact: bool = True,
        categorical: str = "subset",
        missing: str = "side",
        unseen: str = "missing",
        monotonic_cst: Any = None,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.exact = exact
        self.categorical = categorical
        self.missing = missing
        self.unseen = unseen
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _native_learner(self) -> TreeLearner:
        criteria = ["gini", "entropy", "gain_ratio", "sqrt", "error"]
        parameters.one_of("criterion", self.criterion, criteria)
        parameters.one_of("pruning", self.pruning, [None, "pessimistic", "cost_complexity"])
        return read_learner(self)

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        prepared = prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            class_weight=self.class_weight,
            name=type(self).__name__,
            categorical_features=self.categorical_features,
            refuses_missing=self.missing == "error",
            binning=learner.binning,
        )
        refuse_many_classes(self.monotonic_cst, prepared.classes)
        return prepared

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The values of ccp_alpha at which the tree changes, and the impurity of each subtree."""
        _, learner, tree = self._grown(X, y, sample_weight)
        mixed = impurity(tree.values[tree.value], learner.criterion)
        leaves = tree.is_leaf
        least = float((tree.weight * mixed)[leaves].sum() / tree.weight[0])
        return _path_of(tree, learner, least)


class DecisionTreeRegressor(IntervalPrediction, RegressorMixin, TreeEstimator):
    """A regression tree: the mean of the rows at every leaf, tests that lower the squared error.

    The parameters are those of :class:`DecisionTreeClassifier` where they make sense for numbers.

    Examples
    --------
    >>> from weaklearn import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 7.0])
    >>> tree.predict([[0], [9]]).tolist()
    [1.0, 7.0]

    Reference: Breiman, Friedman, Olshen and Stone (1984), chapter 8.
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        min_impurity_decrease: float = 0.0,
        pruning: str | None = None,
        ccp_alpha: float | None = None,
        exact: bool = True,
        categorical: str = "subset",
        missing: str = "side",
        unseen: str = "missing",
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.exact = exact
        self.categorical = categorical
        self.missing = missing
        self.unseen = unseen
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _native_learner(self) -> TreeLearner:
        parameters.one_of("criterion", self.criterion, ["squared_error"])
        parameters.one_of("pruning", self.pruning, [None, "cost_complexity"])
        return read_learner(self)

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        return prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            class_weight=None,
            name=type(self).__name__,
            categorical_features=self.categorical_features,
            refuses_missing=self.missing == "error",
            regression=True,
            binning=learner.binning,
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Grows the tree on weighted rows; whole weights count as repetitions."""
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> Floats:
        """The mean at each row's leaf."""
        return self._values(X)[:, 0]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The values of ccp_alpha at which the tree changes, and the variance left by each."""
        prepared, learner, tree = self._grown(X, y, sample_weight)
        sample = prepared.sample
        spread = sample.y - tree.values[tree.value[0], 0]
        whole = float(sample.prior_shares @ spread**2)
        return _path_of(
            tree, learner, max(0.0, whole - float(decreases(tree, "squared_error").sum()))
        )

    def _answer(self, node: int) -> Spelled:
        value = float(self.tree_.values[self.tree_.value[node], 0])
        return Spelled(value, value_text(value))

    def _error(self, node: int) -> float | None:
        return None


def _path_of(tree: Tree, learner: TreeLearner, least: float) -> Bunch:
    """A pruning path as scikit-learn gives it; ``least`` is the impurity of the whole tree."""
    found = path(tree, decreases(tree, learner.criterion))
    return Bunch(ccp_alphas=found.alphas, impurities=least + found.lost)
