"""Explanations of linear models: weight times value for every column."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.value_text import row_number
from ..intake.numeric_rows import read_lines
from ..intake.raw_column import Kind, Raw
from ..prediction.rows import two_classes
from .explanation import Explanation
from .rule_text import feature_name


def explain(self: Any, X: Any, *, positive: Any = None) -> Explanation:
    """What every column adds to the score of every row: its weight times its value.

    The base is the intercept.

    ``positive`` is the class, of two, whose score it is: the model's own, else ``classes_[1]``.

    >>> from weaklearn import Perceptron
    >>> model = Perceptron().fit([[1.0, 2.0], [3.0, 1.0], [4.0, 0.0]], [0, 1, 1])
    >>> why = model.explain([[2.0, 2.0]])
    >>> bool((why.scores == model.decision_function([[2.0, 2.0]])).all())
    True
    """
    check_is_fitted(self)
    if not self._is_linear:
        raise TypeError(
            f"this {type(self).__name__} has no linear score, and so no parts for columns; use "
            "sklearn.inspection.permutation_importance."
        )
    weights, intercept = self.coef_, self.intercept_
    rows: Any = read_lines(self._schema, X)
    x = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        parts = x[:, :, None] * weights.T[None]
        bad = np.flatnonzero(~np.isfinite(np.abs(parts).sum(axis=1)).all(axis=1))
    if len(bad):
        raise ValueError(
            f"Input X contains values too large: the parts of row {row_number(bad[0])} have no "
            "sum; scale the columns."
        )
    one, d = len(weights) == 1, x.shape[1]
    two = len(self.classes_) == 2
    return Explanation(
        base=float(intercept[0]) if one else intercept,
        contributions=parts[:, :, 0] if one else parts,
        names=tuple(feature_name(self._schema, j) for j in range(d)),
        features=tuple((j,) for j in range(d)),
        outputs=() if one else tuple(map(str, self.classes_)),
        scale=f"score of {self.classes_[1]}" if two else "score",
        cells={j: Raw(f"column {j}", Kind.NUMBER, x[:, j]) for j in range(d)},
        classes=two_classes(self) if one else (),
    ).of_positive(self, positive)
