"""ID3Classifier: the textbook's decision tree."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...base.sample import Sample
from ...base.types import Floats
from ...engines import choose
from ...intake import parameters
from ...intake.prepare import Prepared, Reading, Target, prepare
from ...learners.impurity import decreases, impurity
from ...learners.tree import TreeLearner
from .base import ClassTree, limit

Pruning = Literal[None, "pessimistic"]


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
    pruning: Pruning = None
    unseen: parameters.Unseen = "missing"
    class_weight: Any = None
    n_jobs: int | None = None

    def _native_learner(self) -> TreeLearner:
        parameters.one_of("unseen", self.unseen, parameters.Unseen)
        return TreeLearner(
            criterion="entropy",
            exact=self.exact,
            categorical="multiway",
            missing=self.missing,
            max_depth=limit("max_depth", self.max_depth, 1),
            split_zero_gain=True,
            pruning=parameters.one_of("pruning", self.pruning, Pruning),
        )

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        return prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            binning=learner.binning,
            target=Target(class_weight=self.class_weight),
            reading=Reading(categorical_features=self.categorical_features),
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
