"""Structural risk minimisation: training error and size weighed against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import Table, Tabular
from .. import bounds


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
