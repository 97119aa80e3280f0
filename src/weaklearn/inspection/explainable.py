"""Explanations of every model whose score is a sum of stumps or trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from ..base.sample import Rows
    from ..intake.schema import Schema
    from .explanation import Explanation
    from .shape import Shapes
    from .shapley import Interactions
    from .tree_sum import TreeSum

Floats = NDArray[np.float64]


class Summed:
    """``explain``, ``interactions``, ``shapes`` and ``to_frame`` of sums of stumps or trees."""

    _schema: Schema

    if TYPE_CHECKING:

        def _rows(self, X: Any) -> Rows: ...

    def _tree_sum(self) -> TreeSum:
        """The scores as sums of trees."""
        from .tree_sum import sum_of

        return sum_of(self.ensemble_)  # type: ignore[attr-defined]

    def _explained_sum(self) -> TreeSum:
        """The scores that are explained."""
        return self._tree_sum()

    def _explained_scale(self) -> str:
        """What they are counted in."""
        classes: Any = getattr(self, "classes_", ())
        return f"score of {classes[1]}" if len(classes) == 2 else "score"

    def _explained_offset(self, offset: Any, n: int) -> Floats | None:
        return None

    def explain(self, X: Any) -> Explanation:
        """What every column adds to the score of every row; with the base they add up to it.

        A sum of stumps is a sum of functions of one column each: the contribution of a column is
        what its stumps say, and the base what is said whatever the row holds. For trees it is the
        column's Shapley value, exactly: how far it moves the score from the mean of the training
        examples (the base), on average over all orders in which columns may become known, those not
        known yet being followed down both branches as the examples of the node were.

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
        return self._explain(X, None)

    def _explain(self, X: Any, offset: Any) -> Explanation:
        from .shapley import explained
        from .tree_sum import games_of

        rows = self._rows(X)
        known = self._explained_offset(offset, len(rows))
        scale, names = self._explained_scale(), games_of(self)
        return explained(self._explained_sum(), rows, self._schema, names, scale, known)

    def interactions(self, X: Any) -> Interactions:
        """What every two columns do together to the score of every row: SHAP's interaction values.

        ``table()`` and ``to_frame()`` tell which pairs do most.

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
        from .tree_sum import games_of

        rows = self._rows(X)
        return interactions(self._explained_sum(), rows, self._schema, games_of(self))

    def shapes(self, X: Any) -> Shapes:
        """The functions that an ensemble of stumps adds up, one a column, the strongest first.

        X tells where rows lie, training's for instance. A shape has the cells of its column
        (``grid``), what is added in each (``values``) and how many rows are there (``counts``);
        ``weaklearn.show.ShapeFunctionDisplay.from_estimator(model, X=X)`` draws them.

        >>> from weaklearn import AdaBoostClassifier, datasets
        >>> X, y = datasets.toy()
        >>> shape = AdaBoostClassifier(n_estimators=3).fit(X, y).shapes(X)["x[1]"]
        >>> shape.grid.edges.tolist(), shape.values.round(3).tolist()
        ([6.5], [-0.923, 0.923, -0.923])
        """
        from .stump_shapes import stump_shapes
        from .tree_sum import games_of

        rows, summed = self._rows(X), self._explained_sum()
        outputs = tuple(games_of(self)) if summed.n_outputs > 1 else ()
        return stump_shapes(summed, rows, self._schema, outputs)

    def to_frame(self) -> Any:
        """The whole model as a pandas DataFrame: a line for every node of every tree.

        >>> from weaklearn import DecisionStumpClassifier
        >>> model = DecisionStumpClassifier().fit([[1.0], [2.0], [4.0]], ["no", "no", "yes"])
        >>> frame = model.to_frame()
        >>> frame["column"][0], frame["test"][0], float(frame["threshold"][0])
        ('x[0]', 'above', 3.0)
        >>> frame["value"].tolist()  # up to the threshold, above it, missing
        [nan, -1.0, 1.0, -1.0]
        """
        from .node_table import node_table
        from .tree_sum import games_of

        check_is_fitted(self)
        return node_table(self._tree_sum(), self._schema, list(games_of(self))).to_frame()


class SummedShares(Summed):
    """The same where scores are shares of classes, or the numbers that are predicted."""

    def _explained_sum(self) -> TreeSum:
        from .tree_sum import second_share

        summed = self._tree_sum()
        return second_share(summed) if summed.n_outputs == 2 else summed

    def _explained_scale(self) -> str:
        classes = getattr(self, "classes_", None)
        if classes is None:
            return "prediction"
        return f"probability of {classes[1]}" if len(classes) == 2 else "probability"
