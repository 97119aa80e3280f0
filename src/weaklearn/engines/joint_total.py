"""Sums over the rows of all partitions."""

from __future__ import annotations

from math import inf

import numpy as np

from .. import _core
from ..base.types import Floats, Ints
from .collective import Collective


def joint_total(x: Floats, copies: Ints | None, threads: int, over: Collective) -> float:
    """The sum of x times copies, the same bits as ``_core.total`` of the rows of all partitions."""
    extents = over.gather(_core.extent(x, copies, threads))
    most = float(np.max([one for one, _ in extents]))  # NaN, where there is one
    if not 0 < most < inf:
        return most
    examples = sum(n for _, n in extents)
    whole, scale = _core.whole_total(x, copies, most, examples, threads)
    everything: int = over.sum(np.array([whole], np.int64)).tolist()[0]
    return float(everything / scale)
