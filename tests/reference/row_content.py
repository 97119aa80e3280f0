"""Keys and hashes of rows and of examples, in numpy: what ``engines/rows.py`` computes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weaklearn.base.numeric.hashing import GOLDEN, Keys, mixed

_NAN = np.array([np.nan]).view(np.uint64)[0]
_MISSING = np.uint64(0x4D495353)
_SALTS = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))


def row_keys(X: NDArray[np.float64], factors: Keys) -> Keys:
    """Sums of bits, folded, times the factor of each column, mixed; all NaN are equal."""
    bits = (X + 0.0).view(np.uint64)  # -0.0 is 0.0
    bits[np.isnan(X)] = _NAN
    bits ^= bits >> np.uint64(32)
    bits ^= bits >> np.uint64(15)
    return mixed(np.asarray((bits * factors).sum(axis=1, dtype=np.uint64)))


def row_hashes(X: NDArray[np.float64]) -> Keys:
    """Sums of mixed bits by column; a zero adds nothing."""
    seeds = mixed(GOLDEN * np.arange(1, X.shape[1] + 1, dtype=np.uint64))
    terms = mixed(seeds ^ mixed(np.ascontiguousarray(X).view(np.uint64)))
    terms[X == 0] = 0
    terms = np.where(np.isnan(X), mixed(seeds + _MISSING), terms)
    return np.asarray(terms.sum(axis=1, dtype=np.uint64))


def hash_examples(
    rows: Keys, labels: Keys, weights: NDArray[np.float64] | None, copies: NDArray[np.int64] | None
) -> tuple[int, int]:
    """Sums of hashes, mixed in two ways, of rows with their labels, weights and copies."""
    keys = mixed(rows + (labels + np.uint64(1)) * GOLDEN)
    if weights is not None:
        keys = mixed(keys ^ weights.view(np.uint64))
    times = np.uint64(1) if copies is None else copies.astype(np.uint64)
    first, second = (int((mixed(keys ^ salt) * times).sum(dtype=np.uint64)) for salt in _SALTS)
    return first, second
