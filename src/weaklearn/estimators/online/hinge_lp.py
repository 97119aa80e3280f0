"""HingeLPClassifier: the halfspace of least hinge loss, without any regularisation."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.warnings import deferred_warnings
from ...engines import choose
from ...inspection import linear_explanation
from ...intake import parameters
from ...intake.kernel_points import read_points
from ...online.hinge import least_hinge
from ...online.kernels import Linear, Points
from ...prediction import kernels
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from ..model import Model, in_one_step
from .distinct_examples import read_distinct
from .halfspace import BySign, with_constant


@parameters.declared
class HingeLPClassifier(BySign, SetPrediction, ClassifierMixin, Model):
    r"""The halfspace whose total hinge loss on the training rows is least, by a linear program.

    .. math:: \min_w \sum_i \xi_i, \quad y_i\, w \cdot x_i \ge 1 - \xi_i, \quad \xi_i \ge 0

    There is no intercept unless asked for.

    Guarantee: no halfspace has a smaller total. It is 0 where, and only where, some halfspace has
    all rows strictly on their sides, and never below the number of rows that are mistaken.

    Parameters
    ----------
    fit_intercept : bool, default False
        Whether a constant feature of 1 is added.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, in one row.
    hinge_loss_ : float
        The total hinge loss of the training rows, each as often as it counts.
    duality_gap_ : float
        By how much it exceeds the bound of the dual program: 0 up to rounding.
    mistakes_ : int
        How many training rows are on the wrong side, or on the border.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import HingeLPClassifier
    >>> model = HingeLPClassifier().fit([[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3]], [1, 1, 0])
    >>> model.hinge_loss_, model.predict([[3.0, 0.0]]).tolist()
    (0.0, [1])

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.5.
    """

    explain = linear_explanation.explain

    fit_intercept: bool = False
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        parameters.switch("fit_intercept", self.fit_intercept)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solves the program of weighted rows; an integer weight is so many copies."""
        self._check_parameters()
        with deferred_warnings():
            batch = read_distinct(
                X,
                y,
                sample_weight,
                kernel=Linear(),
                engine=choose(self.n_jobs),
                name=type(self).__name__,
            )
            rows = with_constant(batch.points) if self.fit_intercept else batch.points
            found = least_hinge(rows, batch.y, batch.count)
        assert batch.schema is not None
        self.__dict__.pop("feature_names_in_", None)
        if batch.schema.names is not None:
            self.feature_names_in_ = np.array(batch.schema.names, dtype=object)
        self.n_features_in_ = d = batch.schema.n_features
        self.coef_ = found.w[None, :d].copy()
        self.intercept_ = found.w[d:].copy() if self.fit_intercept else np.zeros(1)
        self.hinge_loss_ = found.total
        self.duality_gap_ = found.total - found.bound
        self.mistakes_ = batch.examples(found.margins <= 0)
        self.classes_ = batch.classes
        self._schema = batch.schema
        self._origin = after_fit(batch.sample)
        return self

    decision_function = kernels.decision_function

    def _points(self, X: Any) -> Points:
        check_is_fitted(self, "coef_")
        return read_points(self._schema, X)
