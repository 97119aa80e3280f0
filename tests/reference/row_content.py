"""Keys and hashes of the rows of a dense matrix, in numpy: what ``_core.read_rows`` computes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weaklearn.base.numeric.hashing import GOLDEN, Keys, mixed

_NAN = np.array([np.nan]).view(np.uint64)[0]
_MISSING = np.uint64(0x4D495353)


def row_keys(X: NDArray[np.float64], factors: Keys) -> Keys:
    """Sums of bits, folded, times the factor of each column; all NaN are equal."""
    bits = (X + 0.0).view(np.uint64)  # -0.0 is 0.0
    bits[np.isnan(X)] = _NAN
    bits ^= bits >> np.uint64(32)
    bits ^= bits >> np.uint64(15)
    return np.asarray((bits * factors).sum(axis=1, dtype=np.uint64))


def row_hashes(X: NDArray[np.float64]) -> Keys:
    """Sums of mixed bits by column; a zero adds nothing."""
    seeds = mixed(GOLDEN * np.arange(1, X.shape[1] + 1, dtype=np.uint64))
    terms = mixed(seeds ^ mixed(np.ascontiguousarray(X).view(np.uint64)))
    terms[X == 0] = 0
    terms = np.where(np.isnan(X), mixed(seeds + _MISSING), terms)
    return np.asarray(terms.sum(axis=1, dtype=np.uint64))
