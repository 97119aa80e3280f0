"""The errors of a hypothesis, and of one that was chosen by its error or by its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import Table, Tabular
from ...base.messages.value_text import show
from .. import bounds
from .distribution import FiniteDistribution, answers, n_rows


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
    rows, given = n_rows(X), np.asarray(y)
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


# --------------------------------------------------------------------- chosen by the training error


@dataclass(frozen=True, repr=False)
class Sandwich(Tabular):
    """Three exact numbers in order, and how often each hypothesis is chosen."""

    expected_training: Fraction  # of the hypothesis chosen, on the sample that chose it
    best: Fraction  # the least true error of the class
    expected_true: Fraction  # of the hypothesis chosen
    chosen: tuple[Fraction, ...]

    @property
    def holds(self) -> bool:
        """Whether the three numbers are in the order of the theorem."""
        return self.expected_training <= self.best <= self.expected_true

    def table(self) -> Table:
        rows = [
            ("expected training error of the chosen", float(self.expected_training)),
            ("least true error in the class", float(self.best)),
            ("expected true error of the chosen", float(self.expected_true)),
        ]
        return Table("selection bias", ["", "value"], rows)


def erm_sandwich(distribution: Any, hypotheses: Sequence[Any], m: int) -> Sandwich:
    r"""The expected training and true errors of empirical risk minimisation, over all samples of
    size m.

    .. math:: E[\widehat{err}(\hat h)] \;\le\; err(h^*) \;\le\; E[err(\hat h)]

    Guarantee: for every distribution and class, where :math:`\hat h` is a hypothesis of least
    training error (here the first of equals) and :math:`h^*` one of least true error. The numbers
    are exact: every sample of m examples is gone through.

    Parameters
    ----------
    distribution : (X, y, p), a dict from (x, y) to p, or a FiniteDistribution
    hypotheses : sequence of functions of X, estimators with predict, or arrays of labels of X
    m : int
        Examples in a sample; few, for the number of samples grows fast.

    >>> D = {(0, 1): "1/4", (0, -1): "1/4", (1, 1): "1/4", (1, -1): "1/4"}  # labels are coin flips
    >>> def constant(label):
    ...     return lambda X: np.full(len(X), label)
    >>> found = erm_sandwich(D, [constant(-1), constant(1)], m=3)
    >>> found.expected_training, found.best, found.expected_true
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 2))

    Reference: Schapire and Freund, Boosting, Exercise 2-1.
    """
    table = FiniteDistribution.of(distribution)
    if not len(hypotheses):
        raise ValueError("hypotheses is empty: there is nothing to choose from.")
    if isinstance(m, bool) or not isinstance(m, (int, np.integer)) or m < 1:
        raise ValueError(f"m must be a whole number of at least 1, got {show(m)}.")
    wrong = np.array([table.wrong(h) for h in hypotheses], dtype=np.int64)
    true = [table.error(h) for h in hypotheses]
    chosen = [Fraction(0)] * len(true)
    training = Fraction(0)
    for p, counts in table.samples(int(m)):
        mistakes = wrong @ counts
        j = int(np.argmin(mistakes))
        chosen[j] += p
        training += p * Fraction(int(mistakes[j]), int(m))
    expected = sum((share * e for share, e in zip(chosen, true)), Fraction(0))
    return Sandwich(training, min(true), expected, tuple(chosen))


# ------------------------------------------------------------------------- chosen by error and size


@dataclass(frozen=True, eq=False, repr=False)
class RiskCurve(Tabular):
    """The bound against the size; ``best`` is the place of the hypothesis to choose.

    ``penalty`` is what the size adds to the training error. ``vacuous`` where no bound is below 1.
    """

    size: NDArray[np.float64]
    err: NDArray[np.float64]
    penalty: NDArray[np.float64]
    bound: NDArray[np.float64]
    best: int
    hypothesis: Any = None

    @property
    def vacuous(self) -> bool:
        return bool(self.bound[self.best] >= 1)

    def table(self) -> Table:
        chosen = np.arange(len(self.size)) == self.best
        columns = [self.size, self.err, self.penalty, self.bound, chosen]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        names = ["size", "training error", "penalty", "bound", "chosen"]
        return Table("risk by size", names, rows)


def srm_curve(
    err: Any,
    size: Any,
    m: int,
    delta: float = 0.05,
    *,
    hypotheses: Sequence[Any] | None = None,
    upper: Callable[..., Any] = bounds.size_regularised,
) -> RiskCurve:
    r"""The bound on the true error along hypotheses of growing size, and the one to choose.

    .. math:: \arg\min_h \; \widehat{err}(h) + \sqrt{\frac{s(h) \ln 4 + \ln(2/\delta)}{2m}}

    Guarantee: with probability at least 1 - delta the bound holds for all hypotheses at once, so
    that the least of them may be quoted for the hypothesis that has it. Training errors usually
    fall with the size, the penalty rises: the sum is least between too simple and too complex.

    Parameters
    ----------
    err, size : arrays
        Training errors on the m examples, and the sizes of the descriptions in bits, at least 1.
    m : int
    delta : float, default 0.05
    hypotheses : sequence, optional
        The one chosen is handed back as ``hypothesis``. Of equals it is the smallest.
    upper : function of (err, size, m, delta), default ``bounds.size_regularised``
        Another bound that grows with a size: ``bounds.bits_upper``, or for a class of VC dimension
        d ``lambda err, d, m, delta: bounds.vc_upper(err, m, d, delta)`` with the delta divided.

    >>> curve = srm_curve([0.4, 0.2, 0.12, 0.1, 0.09], [2, 8, 20, 80, 300], m=2000)
    >>> print(curve)
    size  training error  penalty   bound  chosen
       2             0.4  0.04019  0.4402      no
       8             0.2  0.06078  0.2608      no
      20            0.12  0.08862  0.2086     yes
      80             0.1   0.1693  0.2693      no
     300            0.09   0.3239  0.4139      no

    Reference: Vapnik (1982); Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.2.5;
    Schapire and Freund, Boosting, section 2.2.7.
    """
    rate, bits = np.broadcast_arrays(np.atleast_1d(np.asarray(err)), np.asarray(size))
    if rate.ndim != 1 or rate.size == 0:
        raise ValueError(
            f"err must be one number a hypothesis, got an array of shape {rate.shape}."
        )
    if hypotheses is not None and len(hypotheses) != len(rate):
        raise ValueError(
            f"hypotheses has {len(hypotheses)} entries and err has {len(rate)}; pass as many."
        )
    bound = np.asarray(upper(rate, bits, m, delta), np.float64)
    e, s = rate.astype(np.float64), bits.astype(np.float64)
    best = int(np.lexsort((s, bound))[0])
    chosen = None if hypotheses is None else hypotheses[best]
    return RiskCurve(s, e, bound - e, bound, best, chosen)
