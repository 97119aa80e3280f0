"""Decision trees for people: DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import Bunch

from ...base.added_field import ADDED
from ...base.messages.table import Spelled
from ...base.sample import Sample
from ...base.trees.tree import Tree
from ...base.types import Floats
from ...inspection.rule_text import value_text
from ...intake import parameters
from ...intake.prepare import Prepared
from ...learners.pruning import decreases, impurity, impurity_of_numbers, path
from ...learners.tree import TreeLearner
from ...prediction import outputs
from ...uncertainty.conformal import IntervalPrediction
from ..constraints import refuse_many_classes
from .base import ClassTree, TreeEstimator
from .criteria import Criterion, NumberCriterion, check_rates
from .tree_parameters import Categorical, MaxFeatures, Missing, read_learner

Pruning = Literal[None, "pessimistic", "cost_complexity"]


@parameters.declared_in_order
class DecisionTree(TreeEstimator):
    """The parameters that both decision trees share.

    Parameters
    ----------
    max_depth : int, optional
        At most so many tests one after another, 1 or more.
    max_leaf_nodes : int, optional
        At most so many leaves, 2 or more; the test that gains most is then taken first.
    min_samples_split : int or float, default 2
        A node of fewer examples is not split; a float is a share of them all.
    min_samples_leaf : int or float, default 1
        No branch gets fewer examples; a float is a share of them all.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight in a leaf; 0.5 at most.
    max_features : int, float, {"sqrt", "log2"}, optional
        Try so many features at each split, drawn afresh; all by default.
    min_impurity_decrease : float, default 0.0
        A test must lower the impurity of the whole tree by so much.
    ccp_alpha : float, optional
        What a leaf costs: the subtree of least impurity + ccp_alpha * leaves is kept. With
        pruning="cost_complexity" and none given, it is found by five folds (``ccp_alpha_``).
    exact : bool, default True
        Thresholds between any two neighbouring values, or between 255 bins per column.
    categorical : {"subset", "equality", "multiway"}, default "subset"
        Tests on a category: a set of categories (for more than two classes, one of them), one
        category, or a branch for each.
    missing : {"side", "branch", "fraction", "error"}, default "side"
        Missing values follow the better side, have a branch of their own, go down every branch in
        parts (C4.5), or are refused. Where training had none, they follow the heaviest branch.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the prediction may only rise (1) or fall (-1).
    random_state : None, int below 2**32, RandomState or Generator
        Seeds ``max_features``; nothing else is random. None is 0.
    """

    splitter = "best"  # of a column all cuts are looked at
    _takes_outputs = True

    criterion: Any = "gini"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: MaxFeatures = None
    min_impurity_decrease: float = 0.0
    pruning: Pruning = None
    ccp_alpha: float | None = None
    exact: bool = True
    categorical: Categorical = "subset"
    missing: Missing = "side"
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    monotonic_cst: Any = None
    class_weight: Any = field(default=None, init=False)  # the classifier declares it
    categorical_features: Any = "from_dtype"
    random_state: Any = None
    n_jobs: int | None = None

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        prepared = super()._prepared(X, y, sample_weight, learner)
        check_rates(learner.criterion, prepared.sample)
        return prepared


@parameters.declared_in_order
class DecisionTreeClassifier(ClassTree, DecisionTree):
    """A decision tree of the CART and C4.5 families, grown exactly, with rules in plain words.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "sqrt", "error"}, default "gini"
        What a test should lower: Gini's index; entropy (also "log_loss"); C4.5's gain for each bit
        of the split, among tests of at least average gain; the sum of sqrt(p (1 - p)), boosting's
        own criterion; the error.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the probability of the second class may only rise (1) or fall (-1).
    pruning : {None, "pessimistic", "cost_complexity"}, default None
        C4.5's pruning by an upper limit of the errors to expect, or CART's by ``ccp_alpha``.

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

    criterion: Criterion = "gini"
    class_weight: Any = None

    def _native_learner(self) -> TreeLearner:
        parameters.one_of("criterion", self.criterion, Criterion)
        parameters.one_of("pruning", self.pruning, Pruning)
        return read_learner(self)

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        prepared = super()._prepared(X, y, sample_weight, learner)
        refuse_many_classes(self.monotonic_cst, prepared.classes)
        return prepared

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The values of ccp_alpha at which the tree changes, and the impurity of each subtree."""
        prepared, learner, tree = self._grown(X, y, sample_weight)
        _refuse_path(prepared)
        mixed = impurity(tree.values[tree.value], learner.criterion)
        leaves = tree.is_leaf
        least = float((tree.weight * mixed)[leaves].sum() / tree.weight[0])
        return _path_of(tree, learner, least)


@parameters.declared_in_order
class DecisionTreeRegressor(IntervalPrediction, RegressorMixin, DecisionTree):
    """A regression tree: the mean of the rows at every leaf, tests that lower the squared error.

    Parameters
    ----------
    criterion : {"squared_error", "friedman_mse", "absolute_error", "poisson"}, \
default "squared_error"
        What a test should lower: the squared error (also "friedman_mse"); the absolute error,
        leaves then answering the median; half the Poisson deviance, for counts and rates, where
        no leaf answers 0. By absolute error categories are asked for one at a time.
    pruning : {None, "cost_complexity"}, default None
        CART's pruning by ``ccp_alpha``.

    Examples
    --------
    >>> from weaklearn import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 7.0])
    >>> tree.predict([[0], [9]]).tolist()
    [1.0, 7.0]

    Reference: Breiman, Friedman, Olshen and Stone (1984), chapter 8.
    """

    criterion: NumberCriterion = "squared_error"
    pruning: Literal[None, "cost_complexity"] = None

    def _native_learner(self) -> TreeLearner:
        parameters.one_of("criterion", self.criterion, NumberCriterion)
        parameters.one_of("pruning", self.pruning, [None, "cost_complexity"])
        return read_learner(self)

    def predict(self, X: Any) -> Floats:
        """The mean at each row's leaf, or by absolute error the median.

        Of several outputs a column each.
        """
        return outputs.numbers(self._values(X))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The values of ccp_alpha at which the tree changes, and the impurity of each subtree."""
        prepared, learner, tree = self._grown(X, y, sample_weight)
        _refuse_path(prepared)
        sample = prepared.sample
        mixed = impurity_of_numbers(sample.y, sample.prior_shares, learner.criterion)
        lowered = float(decreases(tree, learner.criterion).sum())
        return _path_of(tree, learner, max(0.0, mixed - lowered))

    def _answer(self, node: int) -> str | Spelled:
        values = self.tree_.values[self.tree_.value[node]].tolist()
        if len(values) > 1:
            return ", ".join(map(value_text, values))
        return Spelled(values[0], value_text(values[0]))

    def _error(self, node: int) -> float | None:
        return None


def _refuse_path(prepared: Prepared) -> None:
    if prepared.n_outputs > 1:
        raise ValueError(
            f"y holds {prepared.n_outputs} outputs a row, and a pruning path is of one: pass a "
            "column of y."
        )


def _path_of(tree: Tree, learner: TreeLearner, least: float) -> Bunch:
    """A pruning path as scikit-learn gives it; ``least`` is the impurity of the whole tree."""
    found = path(tree, decreases(tree, learner.criterion))
    return Bunch(ccp_alphas=found.alphas, impurities=least + found.lost)


ID3Pruning = Literal[None, "pessimistic"]


@parameters.declared_in_order
class ID3Classifier(ClassTree):
    """ID3: split on the feature of largest information gain until every leaf is pure.

    Every column is a column of categories, numbers too, and a test has a branch for each value, in
    order of value; missing is a value like any other. The gain of a feature is the entropy of the
    node less the mean entropy of its branches, in bits. A node is split even where no gain is above
    0 (as in exclusive or), on the first feature that has two values there; a leaf that cannot be
    split answers its majority, of two classes in equal number the second.

    Guarantee: no error on a sample without contradictions.

    Parameters
    ----------
    max_depth : int, optional
        At most so many tests one after another.
    pruning : {None, "pessimistic"}, default None
        C4.5's pruning, which later replaced ID3's own.
    unseen : {"missing", "error"}, default "missing"
        A value that training never saw is taken for a missing one (which follows the heaviest
        branch where training had none), or refused.

    Attributes
    ----------
    root_gains_ : ndarray
        The information gain of every feature at the root, in bits.
    entropy_ : float
        The entropy of the classes at the root, in bits.
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_, feature_importances_

    Examples
    --------
    >>> from weaklearn import ID3Classifier
    >>> xor = ID3Classifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
    >>> xor.root_gains_.tolist(), xor.get_n_leaves(), xor.description_length()
    ([0.0, 0.0], 4, 14)
    >>> print(xor.to_text())
    x[0] = 0
    |   x[1] = 0: -1 (1)
    |   x[1] = 1: 1 (1)
    x[0] = 1
    |   x[1] = 0: 1 (1)
    |   x[1] = 1: -1 (1)
    (in brackets: training examples)

    References
    ----------
    Quinlan (1986), Machine Learning 1.
    """

    # What a tree with more parameters would have them at.
    missing = "branch"
    exact = False  # there is no threshold to place
    categorical_features = "all"
    max_features = None
    monotonic_cst = None

    max_depth: int | None = None
    pruning: ID3Pruning = None
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    class_weight: Any = None
    n_jobs: int | None = None

    def _native_learner(self) -> TreeLearner:
        parameters.reading(self)
        return TreeLearner(
            criterion="entropy",
            exact=self.exact,
            categorical="multiway",
            missing=self.missing,
            max_depth=parameters.limit("max_depth", self.max_depth, 1),
            split_zero_gain=True,
            pruning=parameters.one_of("pruning", self.pruning, ID3Pruning),
        )

    def _facts_of(self, sample: Sample) -> dict[str, Any]:
        return {"root_gains_": root_gains(sample), "entropy_": float(entropy(_mass(sample)))}

    def to_dict(self) -> dict[str, Any]:
        """The tree as nested dicts.

        A leaf is ``{"leaf": label}``, a test ``{"feature": j, "gain": g, "children": {value:
        ...}}``, with None for missing values.
        """
        words, tree = self._words(), self.tree_
        gains = decreases(tree, "entropy") * tree.weight[0]  # of the whole tree, and below a node
        np.divide(gains, tree.weight, out=gains, where=tree.weight > 0)
        labels = self.classes_.tolist()
        made: list[dict[str, Any]] = [{} for _ in range(len(tree))]
        for node in range(len(tree)):
            if tree.width[node] == 0:
                code = self._codes(tree.values[[tree.value[node]]])[0]
                made[node]["leaf"] = labels[code]
                continue
            first, width = int(tree.first[node]), int(tree.width[node])
            values = words.values(node)
            made[node] |= {
                "feature": int(tree.feature[node]),
                "gain": float(gains[node]),
                "children": {values[k]: made[first + k] for k in range(width)},
            }
        return made[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False  # values of sparse columns are no categories
        tags.classifier_tags.poor_score = True  # numbers that training never saw say nothing
        return tags


def root_gains(sample: Sample) -> Floats:
    """The information gain of every column of categories over a whole sample, in bits."""
    mass = _mass(sample)
    total = mass.sum()
    gains = np.zeros(sample.cells.n_features)
    for j in range(len(gains)):
        if sample.column(j).dtype.kind == "f":  # without a value
            continue
        blocks = _mass(sample, sample.column(j))
        gains[j] = entropy(mass) - float(blocks.sum(axis=1) @ entropy(blocks)) / total
    return np.maximum(gains, 0.0)


def entropy(mass: Floats) -> Floats:
    """The entropy of masses of classes, along the last axis, in bits; 0 where there is none."""
    rows = np.atleast_2d(mass)
    total = rows.sum(axis=1, keepdims=True)
    shares = np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)
    return np.asarray(impurity(shares, "entropy").reshape(mass.shape[:-1]))


def _mass(sample: Sample, column: NDArray[Any] | None = None) -> Floats:
    """The weight of each class, or of each class at each value of a column.

    The weights are whole numbers of 2^-52, so that the sums do not depend on the order of rows.
    """
    K = max(sample.n_classes, 2)
    codes = (sample.y > 0).astype(np.int64) if sample.binary else sample.y.astype(np.int64)
    weights = sample.prior.exact
    if column is None:
        return np.asarray(np.bincount(codes, weights, K), np.float64)
    blocks = column.astype(np.int64) + 1  # missing first
    n = int(blocks.max()) + 1
    mass = np.bincount(blocks * K + codes, weights, n * K)
    return np.asarray(mass, np.float64).reshape(n, K)
