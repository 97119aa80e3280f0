"""The weak learners of the founding experiments, by the names of the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..estimators.trees.bagging import BaggingClassifier
from ..estimators.trees.stump import DecisionStumpClassifier
from ..estimators.trees.tree import DecisionTreeClassifier


def find_attr_test() -> DecisionStumpClassifier:
    """FindAttrTest: the best test on one attribute, with an answer of its own where it is missing.

    A category equals a value or not, a number is above a threshold or below.
    """
    return DecisionStumpClassifier(categorical="equality", missing="branch")


def c45() -> DecisionTreeClassifier:
    """C4.5 with its default options: gain ratio, two examples a branch, pruned pessimistically."""
    return DecisionTreeClassifier(
        criterion="gain_ratio",
        min_samples_leaf=2,
        pruning="pessimistic",
        categorical="multiway",
        missing="fraction",
    )


def by_voting(bag: BaggingClassifier, X: Any) -> NDArray[Any]:
    """The class that most members of a bag predict; the first of equals.

    The papers count votes, where ``bag.predict`` averages probabilities.
    """
    classes = np.asarray(bag.classes_)
    votes = np.zeros((len(X), len(classes)), np.int64)
    for member in bag.estimators_:
        codes = np.searchsorted(classes, member.predict(X))
        votes[np.arange(len(X)), codes] += 1
    return np.asarray(classes[votes.argmax(axis=1)])
