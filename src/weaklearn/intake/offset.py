"""Offsets: scores of rows that are known beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.numeric.magnitude import SQUARED
from ..base.types import Floats


def read_offset(offset: Any, n: int, name: str) -> Floats:
    """One finite number a row."""
    try:
        values = np.array(offset, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} does not consist of numbers ({error}).") from error
    if values.shape != (n,):
        raise ValueError(
            f"{name} has the shape {values.shape}, and there are {n} rows; pass one number a row."
        )
    sound = np.abs(values) <= SQUARED
    if not sound.all():
        row = int(np.argmin(sound))
        raise ValueError(
            f"{name}[{row}] is {values[row]}; pass finite numbers of a size up to {SQUARED:g}."
        )
    return values
