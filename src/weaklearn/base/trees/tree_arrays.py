"""The names, types and codes of the arrays that a tree consists of."""

from __future__ import annotations

from typing import Any

import numpy as np

LEAF, THRESHOLD, SUBSET, MULTIWAY = range(4)  # what a node asks
EVERY_CHILD = -1  # ``missing``: a share of the row goes to every child

TYPES: dict[str, Any] = {
    "ask": np.uint8,
    "feature": np.int32,
    "threshold": np.float64,
    "first": np.int32,
    "width": np.int32,
    "missing": np.int32,
    "subset": np.int32,
    "value": np.int32,
    "weight": np.float64,
    "count": np.int64,
    "gain": np.float64,
    "subsets": np.uint64,
    "values": np.float64,
}
TABLES = ("subsets", "values")  # the other arrays have one entry per node,
SPARE = ("weight", "count", "gain")  # but for these, which may be empty
