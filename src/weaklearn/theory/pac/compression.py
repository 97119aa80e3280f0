"""Compression schemes: a hypothesis rebuilt from the few examples that were kept, and checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import Table, Tabular
from ...base.messages.value_text import show
from ...base.sample import take_rows
from ...base.types import Floats
from .. import bounds
from ..distinct import Distinct, keys_of
from .distribution import answers, n_rows, trained

Hypothesis = Callable[[Any], NDArray[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Compressed(Tabular):
    """The rows kept, whether they rebuild the hypothesis, and the bound on the true error.

    ``hypothesis`` is the one rebuilt from the kept rows alone. Where ``verified`` is False it
    answers differently from the learner's own, and there is no ``bound``. Of the m rows
    ``different`` count as draws, and the bound takes the error among these where it is larger.
    """

    kept: NDArray[np.intp]
    m: int
    different: int
    error: float  # on all m rows
    verified: bool
    bound: float | None
    delta: float
    hypothesis: Hypothesis = field(repr=False)

    @property
    def kappa(self) -> int:
        return len(self.kept)

    @property
    def vacuous(self) -> bool:
        return self.bound is not None and self.bound >= 1

    def table(self) -> Table:
        rows = [
            ("examples", self.m),
            *([("different ones", self.different)] if self.different < self.m else []),
            ("kept", self.kappa),
            ("rebuilt from them alone", self.verified),
            ("training error", self.error),
            (f"true error, at most (confidence {1 - self.delta:g})", self.bound),
        ]
        return Table("compression", ["", "value"], rows)


def compression_scheme(
    scheme: Any,
    X: Any,
    y: Any,
    *,
    keep: Any = None,
    kappa: int | None = None,
    delta: float = 0.05,
    repeats: str = "copies",
) -> Compressed:
    r"""Compresses a hypothesis to a few of its examples, rebuilds it from them, and bounds it.

    .. math:: err(h) \le \frac{m}{m - \kappa} \widehat{err}(h)
              + \sqrt{\frac{\kappa \ln m + \ln(1/\delta)}{2(m - \kappa)}}, \qquad
              err(h) \le \frac{\kappa \ln m + \ln(1/\delta)}{m - \kappa}
              \text{ if } \widehat{err}(h) = 0

    Guarantee: with probability at least 1 - delta over m independent examples (rows that are equal,
    label included, count as one), where the hypothesis is a function of kappa of the examples that
    was fixed beforehand. That it is one is checked here: what is rebuilt from the
    kept rows must answer every row as the learner's hypothesis does. Where kappa was not fixed, but
    came out of the examples, only the share delta/((kappa + 1)(kappa + 2)) is spent on it, so that
    the bound holds for all kappa at once.

    Parameters
    ----------
    scheme : "threshold", "midpoint", "rectangle", a pair of functions, or an estimator
        ``"threshold"`` is x >= nu with the data point nu of least training error (kappa = 1),
        ``"midpoint"`` the same half way to the point before it (kappa = 2), ``"rectangle"`` the
        tightest axis-aligned rectangle around the positive examples (kappa = 2d). Rules that are
        never positive keep a negative example, or nothing. A pair is
        ``compress(X, y)``, which returns the numbers of the rows to keep, and
        ``rebuild(X_kept, y_kept)``, which returns a function of X. An estimator is trained on all
        rows and again on those that ``keep`` names.
    X, y : the examples; labels -1 and +1 for the schemes known by name
    keep : array of row numbers, or function of (fitted estimator, X, y) that returns them
    kappa : int, optional
        The most rows that the scheme keeps, whatever the examples; known for those with a name.
    delta : float, default 0.05
    repeats : {"copies", "draws"}, default "copies"
        How rows came to be equal: as copies, which count once, or as draws of their own.

    >>> X = np.array([[1.0], [2.0], [4.0], [5.0], [7.0], [8.0]])
    >>> found = compression_scheme("threshold", X, [-1, -1, -1, 1, 1, 1], delta=0.5)
    >>> found.kept.tolist(), found.verified, round(found.bound, 4)
    ([3], True, 0.497)
    >>> from sklearn.svm import SVC
    >>> y = np.where(X[:, 0] > 4.5, 1, -1)
    >>> svm = compression_scheme(SVC(kernel="linear", C=1e6), X, y, keep=lambda s, X, y: s.support_)
    >>> svm.kept.tolist(), svm.verified
    ([2, 3], True)

    Reference: Littlestone and Warmuth (1986), Relating data compression and learnability; Schapire
    and Freund, Boosting, Theorem 2.8.
    """
    labels = np.asarray(y)
    m = n_rows(X)
    if labels.shape != (m,) or m == 0:
        raise ValueError(f"y has shape {labels.shape} for {m} rows of X; pass one label a row.")
    X = X if hasattr(X, "shape") else np.asarray(X)
    kept, own, rebuild = _compress(scheme, X, labels, keep)
    if kappa is None and isinstance(scheme, str):
        kappa = {"threshold": 1, "midpoint": 2}.get(scheme, 2 * int(np.prod(X.shape[1:])))
    if kappa is not None and len(kept) > kappa:
        raise ValueError(f"kappa must be at least {len(kept)}, the rows kept, got {kappa}.")
    rebuilt = rebuild(take_rows(X, kept), labels[kept])
    predictions = answers(rebuilt, X)
    verified = own is None or bool(np.array_equal(predictions, own))
    examples = Distinct.of(keys_of(X, labels), repeats=repeats)
    wrong, bound = predictions != labels, None
    if verified:
        bound = _bound(examples.share(wrong), examples, kappa, len(kept), delta)
    error = float(np.mean(wrong))
    return Compressed(kept, m, examples.m, error, verified, bound, float(delta), rebuilt)


def _bound(error: float, examples: Distinct, kappa: int | None, kept: int, delta: float) -> float:
    """Where there is no training error the better of two.

    That costs no confidence: a true error e above the second is caught by the event of the first,
    and one below it is not in doubt unless there is no error on the rows left out.
    """
    if kappa is None:
        kappa, delta = kept, delta / ((kept + 1) * (kept + 2))
    m = examples.m
    if m <= kappa < examples.n:  # all that is different may have been kept
        return 1.0
    upper = float(bounds.compression_upper(error, m, kappa, delta))
    if error > 0:
        return upper
    return min(upper, float(bounds.compression_consistent(m, kappa, delta)))


def _compress(
    scheme: Any, X: Any, y: NDArray[Any], keep: Any
) -> tuple[NDArray[np.intp], NDArray[Any] | None, Callable[[Any, Any], Hypothesis]]:
    """The rows kept, the answers of the learner's own hypothesis, and how it is rebuilt."""
    if isinstance(scheme, str):
        if scheme not in _NAMED:
            listed = ", ".join(map(repr, _NAMED))
            raise ValueError(f"scheme={show(scheme)} is not allowed: it must be one of {listed}.")
        if not np.isin(y, (-1, 1)).all():
            raise ValueError(f"y must hold -1 and +1 for the scheme {show(scheme)}.")
        learn, compress, rebuild = _NAMED[scheme]
        rows = _table(X)
        return _rows(compress(rows, y), len(y)), learn(rows, y)(rows), rebuild
    if isinstance(scheme, (tuple, list)):
        pick, rebuild = scheme
        return _rows(pick(X, y), len(y)), None, rebuild
    if keep is None:
        raise ValueError("keep is None: say which rows the estimator can be trained again from.")
    model = trained(scheme, X, y)
    chosen = keep(model, X, y) if callable(keep) else keep
    return _rows(chosen, len(y)), answers(model, X), lambda X, y: trained(scheme, X, y).predict


def _rows(kept: Any, m: int) -> NDArray[np.intp]:
    rows = np.asarray(kept, dtype=np.intp).ravel()
    if len(rows) and not (rows.min() >= 0 and rows.max() < m):
        raise ValueError(f"keep must hold numbers of rows below {m}, got {rows.tolist()}.")
    return rows


# ------------------------------------------------------------------------------ the named schemes


def _table(X: Any) -> Floats:
    rows = np.asarray(X, np.float64)
    return rows if rows.ndim == 2 else rows.reshape(-1, 1)


def _line(X: Any) -> Floats:
    rows = _table(X)
    if rows.shape[1] != 1:
        raise ValueError(f"X has {rows.shape[1]} columns; a threshold rule is for one.")
    return rows[:, 0]


def _at_least(nu: float) -> Hypothesis:
    return lambda X: np.where(_line(X) >= nu, 1, -1)


def _start(x: Floats, y: NDArray[Any]) -> int | None:
    """The row whose value, as nu of the rule x >= nu, has fewest errors; None: never +1 has."""
    order = np.lexsort((-y, x))  # of equal values a positive row comes first
    _, first = np.unique(x[order], return_index=True)
    ups_below = np.concatenate([[0], np.cumsum(y[order] > 0)])[first]
    downs_from = np.count_nonzero(y < 0) - (first - ups_below)
    mistakes = ups_below + downs_from
    if mistakes.min() > np.count_nonzero(y > 0):
        return None
    return int(order[first[np.argmin(mistakes)]])


def _learn_threshold(X: Floats, y: NDArray[Any], midpoint: bool = False) -> Hypothesis:
    x = _line(X)
    start = _start(x, y)
    if start is None:
        return _at_least(np.inf)
    below = x[x < x[start]]
    return _at_least(_middle(below.max(), x[start]) if midpoint and len(below) else x[start])


def _keep_threshold(X: Floats, y: NDArray[Any]) -> list[int]:
    x = _line(X)
    start = _start(x, y)
    return [int(np.lexsort((y, -x))[0]) if start is None else start]


def _keep_midpoint(X: Floats, y: NDArray[Any]) -> list[int]:
    x, (start,) = _line(X), _keep_threshold(X, y)
    below = np.flatnonzero(x < x[start])
    if y[start] < 0 or not len(below):
        return [start]
    return [int(below[np.argmax(x[below])]), start]


def _middle(low: float, high: float) -> float:
    return float(low / 2 + high / 2)


def _rebuild_threshold(X: Any, y: Any) -> Hypothesis:
    """From a positive row x >= nu, from two the middle; from a negative one the rule never +1."""
    x = np.sort(_line(X))
    if len(x) == 2:
        return _at_least(_middle(*x))
    return _at_least(float(x[0]) if y[0] > 0 else np.inf)


def _keep_rectangle(X: Floats, y: NDArray[Any]) -> NDArray[Any]:
    ups = np.flatnonzero(y > 0)
    if not len(ups):
        return ups
    return np.unique(ups[np.concatenate([X[ups].argmin(axis=0), X[ups].argmax(axis=0)])])


def _rectangle(X: Any, y: Any) -> Hypothesis:
    inside = _table(X)[np.asarray(y) > 0]
    low, high = inside.min(axis=0, initial=np.inf), inside.max(axis=0, initial=-np.inf)
    return lambda X: np.where(((low <= _table(X)) & (_table(X) <= high)).all(axis=1), 1, -1)


_Scheme = tuple[Callable[..., Hypothesis], Callable[..., Any], Callable[..., Hypothesis]]
_NAMED: dict[str, _Scheme] = {  # learn, keep, rebuild
    "threshold": (_learn_threshold, _keep_threshold, _rebuild_threshold),
    "midpoint": (partial(_learn_threshold, midpoint=True), _keep_midpoint, _rebuild_threshold),
    "rectangle": (_rectangle, _keep_rectangle, _rectangle),
}
