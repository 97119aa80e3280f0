"""Step functions on the line as halfspaces over decision stumps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.types import Floats


class PiecewiseHalfspace(NamedTuple):
    """sign(sum of w_k sign(x - t_k)), with sign(0) = -1: called with x, the labels -1 and +1.

    The first threshold is -inf: its stump is the constant +1.
    """

    weights: Floats
    thresholds: Floats

    def score(self, x: ArrayLike) -> Floats:
        """The sum itself."""
        above = np.asarray(x, np.float64)[..., None] > self.thresholds
        return np.asarray(np.where(above, 1.0, -1.0) @ self.weights)

    def __call__(self, x: ArrayLike) -> NDArray[np.int64]:
        return np.where(self.score(x) > 0, 1, -1)


def piecewise_halfspace(cuts: ArrayLike, signs: Sequence[int] | None = None) -> PiecewiseHalfspace:
    r"""The step function that changes its sign at each cut, as a weighted vote of stumps.

    With :math:`-\infty = t_0 < t_1 < \dots < t_T = \infty` and :math:`g(x) = (-1)^k` on
    :math:`(t_{k-1}, t_k]`,

    .. math:: g(x) = \mathrm{sign}\Bigl(\sum_{k=1}^T w_k\, \mathrm{sign}(x - t_{k-1})\Bigr),
              \qquad w_1 = -1/2, \quad w_k = (-1)^k.

    So T stumps have every function of T alternating pieces among their votes. ``cuts`` are
    :math:`t_1, \dots, t_{T-1}` (the infinite ends may stand around them); ``signs``, -1 or +1 for
    each of the T pieces, may be any: equal neighbours are merged, and a first piece of +1 turns all
    weights round.

    >>> g = piecewise_halfspace([0.0, 1.0, 2.0])
    >>> g([-1.0, 0.0, 0.5, 1.5, 9.0])
    array([-1, -1,  1, -1,  1])
    >>> g.weights
    array([-0.5,  1. , -1. ,  1. ])
    >>> piecewise_halfspace([0.0, 1.0, 2.0], signs=[1, 1, -1, -1]).thresholds
    array([-inf,   1.])

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, section 10.3, whose
    w_1 = +1/2 is right for even T only.
    """
    t = _cuts(cuts)
    if signs is None:
        turn = 1.0
    else:
        s = _signs(signs, len(t) + 1)
        t, turn = t[s[1:] != s[:-1]], -float(s[0])
    w = np.where(np.arange(1, len(t) + 2) % 2 == 0, 1.0, -1.0)
    w[0] = -0.5
    return PiecewiseHalfspace(turn * w, np.concatenate([[-np.inf], t]))


def _cuts(cuts: Any) -> Floats:
    t = np.asarray(cuts, np.float64)
    if t.ndim != 1:
        raise ValueError(f"cuts has the shape {t.shape}; it must be a list of numbers.")
    t = t[1:] if len(t) and t[0] == -np.inf else t
    t = t[:-1] if len(t) and t[-1] == np.inf else t
    if not np.isfinite(t).all() or (t[1:] <= t[:-1]).any():
        raise ValueError("cuts is not allowed: it must be finite numbers, each above the last.")
    return t


def _signs(signs: Sequence[int], n: int) -> NDArray[np.int64]:
    s = np.asarray(signs)
    if s.shape != (n,) or not np.isin(s, [-1, 1]).all():
        raise ValueError(f"signs is not allowed: it must be -1 or +1 for each of the {n} pieces.")
    return s.astype(np.int64)
