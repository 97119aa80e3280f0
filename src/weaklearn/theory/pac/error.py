"""The errors of a hypothesis: on its training data, on other data, and in truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...base.messages.table import Table, Tabular
from .distribution import FiniteDistribution, answers


@dataclass(frozen=True, repr=False)
class Errors(Tabular):
    """Error rates on the training data, on other data and in truth; None where not requested.

    ``gap`` is the overfitting gap: how much worse the hypothesis is than on its training data, by
    the true error where that is known, else by the test error.
    """

    training: float | None = None
    weighted: float | None = None
    test: float | None = None
    generalisation: float | None = None
    approximation: float | None = None  # the least true error in the class
    estimation: float | None = None  # how far the hypothesis is from that

    @property
    def accuracy(self) -> float | None:
        """The share of right answers: in truth where known, else on the test, else the training."""
        known = (self.generalisation, self.test, self.training)
        return next((1 - error for error in known if error is not None), None)

    @property
    def gap(self) -> float | None:
        beyond = self.test if self.generalisation is None else self.generalisation
        return None if beyond is None or self.training is None else beyond - self.training

    def table(self) -> Table:
        rows = [
            ("training error", self.training),
            ("weighted training error", self.weighted),
            ("test error", self.test),
            ("generalisation error", self.generalisation),
            ("overfitting gap", self.gap),
            ("accuracy", self.accuracy),
            ("approximation error", self.approximation),
            ("estimation error", self.estimation),
        ]
        return Table("errors", ["", "value"], [row for row in rows if row[1] is not None])


def errors(
    h: Any,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    distribution: Any = None,
    hypotheses: Sequence[Any] | None = None,
) -> Errors:
    r"""The errors of a hypothesis h, by their definitions.

    .. math:: \widehat{err}(h) = \frac{1}{m} \#\{i : h(x_i) \ne y_i\}, \qquad
              err(h) = \Pr_{(x, y)}[h(x) \ne y]

    Guarantee: for a fixed h the expectation of the training error is the true error. With a class
    of ``hypotheses``, the true error is the approximation error (the least in the class) plus the
    estimation error, all exact, as is everything over a finite ``distribution``.

    Parameters
    ----------
    h : an estimator with predict, a function of X, or an array of labels of X
    X, y : the training examples, with an optional ``sample_weight``
    X_test, y_test : other examples
    distribution : (X, y, p), a dict from (x, y) to p, or a FiniteDistribution
    hypotheses : sequence of hypotheses, of which h is one; it needs the distribution

    >>> D = {(0, -1): "1/2", (1, 1): "3/8", (1, -1): "1/8"}
    >>> def threshold(v):
    ...     return lambda X: np.where(np.asarray(X) >= v, 1, -1)
    >>> found = errors(threshold(2), [0, 0, 1], [-1, -1, 1], distribution=D,
    ...                hypotheses=[threshold(v) for v in (0, 1, 2)])
    >>> print(found)
                           value
    training error        0.3333
    generalisation error   0.375
    overfitting gap      0.04167
    accuracy               0.625
    approximation error    0.125
    estimation error        0.25

    Reference: Schapire and Freund, Boosting, sections 1.1 and 2.1.1; Shalev-Shwartz and Ben-David,
    Understanding Machine Learning, on the bias-complexity tradeoff.
    """
    training = weighted = test = None
    if X is not None:
        wrong = answers(h, X) != _labels("y", X, y)
        training = float(np.mean(wrong))
        if sample_weight is not None:
            weighted = _weighted(wrong, sample_weight)
    if X_test is not None:
        test = float(np.mean(answers(h, X_test) != _labels("y_test", X_test, y_test)))
    true = least = None
    if distribution is not None:
        table = FiniteDistribution.of(distribution)
        true = table.error(h)
        if hypotheses is not None:
            least = min(table.error(other) for other in hypotheses)
    elif hypotheses is not None:
        raise ValueError("hypotheses is given without distribution, by which they are compared.")
    return Errors(
        training, weighted, test, _float(true), _float(least),
        None if true is None or least is None else float(true - least),
    )  # fmt: skip


def _float(x: Fraction | None) -> float | None:
    return None if x is None else float(x)


def _labels(name: str, X: Any, y: Any) -> Any:
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    given = np.asarray(y)
    if given.shape != (rows,) or rows == 0:
        raise ValueError(
            f"{name} has shape {given.shape} for {rows} rows; pass one label a row, and a row or "
            "more."
        )
    return given


def _weighted(wrong: Any, sample_weight: Any) -> float:
    weight = np.asarray(sample_weight, np.float64)
    if weight.shape != wrong.shape or not (np.isfinite(weight).all() and (weight >= 0).all()):
        raise ValueError(
            f"sample_weight has shape {weight.shape}; pass a finite number of at least 0 for each "
            f"of {len(wrong)} rows."
        )
    if weight.sum() == 0:
        raise ValueError("sample_weight has only zero weights; one must be above 0.")
    return float(weight[wrong].sum() / weight.sum())
