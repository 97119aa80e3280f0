"""One output of trees, forests and bags that answer for several."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.offered import fact
from ...base.trees.grove import Grove
from ...base.trees.tree import Tree
from ...intake import parameters
from ...prediction.outputs import n_outputs

# What is known of all outputs together.
_OF_ALL = (
    *("_estimators", "_origin", "n_outputs_", "oob_score_", "oob_coverage_"),
    *("oob_decision_function_", "oob_prediction_"),
)


def of_output(self: Any, number: int) -> Any:
    """A copy that answers for one output alone, counted from 0: to be explained, or exported.

    Its tests are those that all outputs have chosen together, and so is their decrease of impurity.

    >>> import numpy as np
    >>> from weaklearn import RandomForestClassifier
    >>> X = np.arange(60.0).reshape(30, 2)
    >>> both = RandomForestClassifier(10).fit(X, np.column_stack([X[:, 0] > 9, X[:, 1] > 40]))
    >>> one = both.of_output(1)
    >>> bool((one.predict(X) == both.predict(X)[:, 1]).all()), one.explain(X).contributions.shape
    (True, (30, 2))
    """
    check_is_fitted(self)
    parameters.integer("number", number, 0, n_outputs(self) - 1)
    found = copy(self)
    if n_outputs(self) == 1:
        return found
    classes, columns = fact(self, "classes_"), slice(number, number + 1)
    for name in _OF_ALL:
        found.__dict__.pop(name, None)
    if classes is not None:
        first = sum(map(len, classes[:number]))
        found.classes_ = classes[number]
        found.n_classes_ = len(found.classes_)
        columns = slice(first, first + found.n_classes_)
    found._keep_output(number, columns)
    return found


def keep_of_tree(self: Any, number: int, columns: slice) -> None:
    """Leaves the tree the values of one output."""
    self.tree_, self.n_outputs_ = _some(self.tree_, columns), 1


def keep_of_trees(self: Any, number: int, columns: slice) -> None:
    """Leaves every tree the values of one output."""
    self.trees_, self.n_outputs_ = Grove(_some(tree, columns) for tree in self.trees_), 1


def keep_of_members(self: Any, number: int, columns: slice) -> None:
    """Takes every member for one output."""
    for member in self.estimators_:
        if fact(member, "tree_") is None and fact(member, "trees_") is None:
            raise TypeError(
                f"of_output is for bags of trees and of forests, and a member is of type "
                f"{type(member).__name__}; fit a model for each output."
            )
    self.estimators_ = [of_output(member, number) for member in self.estimators_]


def _some(tree: Tree, columns: slice) -> Tree:
    """A tree whose leaves answer with some of their values."""
    return replace(tree, values=np.ascontiguousarray(tree.values[:, columns]))
