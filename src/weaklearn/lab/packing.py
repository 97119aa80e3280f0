"""Arrays as text for a page: bytes deflated, in base64."""

from __future__ import annotations

import base64
import zlib
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(rows: NDArray[Any]) -> str:
    """Numbers as little-endian float32, one row after another."""
    return _text(np.asarray(rows, "<f4").tobytes())


def packed_steps(rows: NDArray[np.uint8]) -> str:
    """Bytes, each row as its difference from the one before: little changes between rounds."""
    steps = rows.copy()
    steps[1:] -= rows[:-1]
    return _text(steps.tobytes())


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def finite_or_none(value: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinities: None in their place."""
    value = float(value)
    return value if isfinite(value) else None
