"""Explanations of every model whose score is a sum of stumps or trees.

Functions of a fitted model, which the classes that can do so have as methods. They ask the model
for ``_rows``, ``_tree_sum`` (its scores as sums of trees), ``_explained_sum`` (those that are
explained) and ``_explained_scale`` (what these are counted in).
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.table import printable
from ..base.offered import fact
from ..base.types import Floats
from ..prediction.rows import classes_of

if TYPE_CHECKING:
    from .explanation import Explanation
    from .member_tree import MemberTree
    from .shape import Shapes
    from .shapley import Interactions
    from .tree_sum import TreeSum


def explain(self: Any, X: Any, *, positive: Any = None) -> Explanation:
    """What every column adds to the score of every row; with the base this is the score.

    A sum of stumps is a sum of functions of one column each: the contribution of a column is
    what its stumps say, and the base what is said whatever the row holds. For trees it is the
    column's Shapley value, exactly: how far it moves the score from the mean of the training
    examples (the base), on average over all orders in which columns may become known, those not
    known yet being followed down both branches as the examples of the node were. Stumps keep no
    record of the examples: ``explain(X).centred(explain(X_train))`` starts from the mean too.

    ``positive`` is the class, of two, whose score is explained: by default the one that the model
    was given (by ``weaklearn fit``, ``tune_threshold`` or ``set_threshold``), else ``classes_[1]``,
    as in ``decision_function``; that of the other is its negative. ``scale`` names it.

    Scores of pairs of classes, and of the bits of a code, are explained one by one, before
    they are counted or decoded.

    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> why = model.explain(X)
    >>> bool(abs(why.scores - model.decision_function(X)).max() < 1e-12)
    True

    References
    ----------
    Lundberg, Erion and Lee (2018), Consistent individualized feature attribution for tree
    ensembles.
    """
    return explained_by_columns(self, X).of_positive(self, positive)


def interactions(self: Any, X: Any, *, positive: Any = None) -> Interactions:
    """SHAP interaction values: what every two columns do together to the score of every row.

    ``table()`` and ``to_frame()`` tell which pairs do most. ``positive`` is the class, of two,
    whose score it is: the model's own, else ``classes_[1]``. ``scale`` names it.

    >>> import numpy as np
    >>> from weaklearn import DecisionTreeRegressor
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    >>> model = DecisionTreeRegressor().fit(X, X[:, 0] * X[:, 1])
    >>> print(model.interactions(X).table())  # doctest: +NORMALIZE_WHITESPACE
    column  with  strength
    x[0]    x[1]      0.25
    strength: the mean size, over the rows, of what the two add together
    """
    from .shapley import interactions

    rows, scale = self._rows(X), self._explained_scale()
    (names, classes), summed = _score_names(self), self._explained_sum()
    found = interactions(summed, rows, self._schema, names, scale, classes)
    return found.of_positive(self, positive)


def shapes(self: Any, X: Any) -> Shapes:
    """The shape functions that an ensemble of stumps adds up, one per column, strongest first.

    X tells where rows lie, training's for instance. A shape has the cells of its column
    (``grid``), what is added in each (``values``) and how many rows are there (``counts``);
    ``weaklearn.show.ShapeFunctionDisplay.from_estimator(model, X=X)`` draws them.

    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> shape = AdaBoostClassifier(n_estimators=3).fit(X, y).shapes(X)["x[1]"]
    >>> shape.grid.edges.tolist(), shape.values.round(3).tolist()
    ([6.5], [-0.923, 0.923, -0.923])
    """
    from .shape import stump_shapes

    rows, summed = self._rows(X), self._explained_sum()
    outputs = tuple(_score_names(self)[0]) if summed.n_outputs > 1 else ()
    return stump_shapes(summed, rows, self._schema, outputs)


def to_frame(self: Any) -> Any:
    """The model as a pandas DataFrame: one line for every node of every tree.

    >>> from weaklearn import DecisionStumpClassifier
    >>> model = DecisionStumpClassifier().fit([[1.0], [2.0], [4.0]], ["no", "no", "yes"])
    >>> frame = model.to_frame()
    >>> frame["column"][0], frame["test"][0], float(frame["threshold"][0])
    ('x[0]', 'above', 3.0)
    >>> frame["value"].tolist()  # up to the threshold, above it, missing
    [nan, -1.0, 1.0, -1.0]
    """
    from .tree_text import node_table

    check_is_fitted(self)
    return node_table(self._tree_sum(), self._schema, list(_score_names(self)[0])).to_frame()


def tree(self: Any, number: int, output: Any = None) -> MemberTree:
    """One tree of the ensemble, to be printed, drawn by Graphviz, or read as rules.

    Parameters
    ----------
    number : int
        Which of the trees, counted from 0 in the order of their rounds.
    output : label, name or int, optional
        Where a model has several scores (classes, targets, quantiles) and a tree of its own for
        each of them: whose tree it is. Where a tree answers all of them at once: the only answer
        to show.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import GradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = GradientBoostingClassifier(n_estimators=5, max_depth=1).fit(X, y)
    >>> print(model.tree(0, output=0))
    tree 0 of 5, for 0: vote 0.05
    petal length (cm) <= 2.45: +2.727 (40)
    petal length (cm) > 2.45: -1.417 (68)
    (in brackets: training examples)
    """
    from .member_tree import tree_of

    return tree_of(self, number, output)


def to_shap_trees(self: Any, X: Any = None) -> dict[str, Any]:
    """The model as the dictionary that ``shap.TreeExplainer`` takes for a model.

    shap then finds the values of ``explain`` by itself, to rounding, draws its plots, and can
    compare with rows of a background, which ``explain`` does not. Columns must be numbers. Of two
    classes the score is that of ``classes_[1]``, whichever class the model speaks of.

    Parameters
    ----------
    X : rows, optional
        For models of stumps, which keep no record of the examples: the rows of training. What
        shap finds is then ``explain(rows).centred(explain(X))``.

    Examples
    --------
    >>> from weaklearn import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [3.0, 3.0, 5.0])
    >>> sorted(model.to_shap_trees())
    ['base_offset', 'input_dtype', 'internal_dtype', 'tree_output', 'trees']
    """
    from .shap_trees import shap_trees

    return shap_trees(self, X)


def explained_by_columns(model: Any, X: Any, known: Floats | None = None) -> Explanation:
    """The contributions of columns; ``known`` is the offset of each row, or None."""
    from .shapley import explained

    rows, summed = model._rows(X), model._explained_sum()
    (names, classes), scale = _score_names(model), model._explained_scale()
    found = explained(summed, rows, model._schema, names, scale, known, classes)
    return replace(found, numbers=classes_of(model) is None)


def _score_names(model: Any) -> tuple[Sequence[str], tuple[str, ...]]:
    """The names of the scores of a sum; and of two classes, that of scores above 0 last."""
    from .tree_sum import score_names, sides

    return score_names(model), sides(model)


def tree_sum_of_ensemble(self: Any) -> TreeSum:
    """The scores of an ensemble as sums of trees."""
    from .tree_sum import sum_of

    return sum_of(self.ensemble_)


def scores_explained(self: Any) -> TreeSum:
    """The tree sum that is explained for a vote: its scores."""
    found: TreeSum = self._tree_sum()
    return found


def score_scale(self: Any) -> str:
    """The unit of the scores of a vote."""
    from .tree_sum import unit_of_scores

    return unit_of_scores(self)


def shares_explained(self: Any) -> TreeSum:
    """The tree sum that is explained for class probabilities: the second of two, or all."""
    from .tree_sum import second_share

    summed: TreeSum = self._tree_sum()
    return second_share(summed) if summed.n_outputs == 2 else summed


def share_scale(self: Any) -> str:
    """The unit of class probabilities, or of the numbers of a regression.

    Where probabilities are calibrated, what trees add up to is the average share of a class.
    """
    classes = classes_of(self)
    if classes is None:
        return "prediction"
    unit = "probability" if fact(self, "calibration_") is None else "average share"
    return f"{unit} of {classes[1]}" if len(classes) == 2 else unit


def with_summary(model: Any, page: str) -> str:
    """scikit-learn's HTML of the estimator, followed by a summary of the fit."""
    if not model.__sklearn_is_fitted__():
        return page
    facts = [f"{model.n_iter_} rounds", f"stopped: {model.stop_reason_}"]
    if model.n_iter_ > 0 and model._train_accuracy is not None:
        facts.insert(0, f"training accuracy {model._train_accuracy:.4f}")
    try:
        shares = model.feature_importances_
        names = fact(model, "feature_names_in_")
        order = np.argsort(-shares, kind="stable")[:5]
        named = [f"x[{j}]" if names is None else printable(names[j]) for j in order]
        shown = [f"{name} {shares[j]:.2f}" for name, j in zip(named, order, strict=True)]
        facts.append("strongest features: " + ", ".join(shown))
    except AttributeError:
        pass
    line = " &middot; ".join(html.escape(fact) for fact in facts)
    return f"{page}<p style='font-family:monospace;margin:.4em 0'>{line}</p>"
