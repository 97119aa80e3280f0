"""Equal rows among those that a statement is made from: copies are no further draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import GOLDEN, mixed
from ..base.sample import Cells
from ..production.row_sketch import row_keys
from ..theory.distinct import COPIES, Distinct


@dataclass(frozen=True)
class Counted:
    """Examples without columns, of which only the number is known."""

    n_rows: int


def distinct_examples(
    cells: Cells | Counted,
    labels: NDArray[Any],
    repeats: str = COPIES,
    copies: NDArray[np.int64] | None = None,
) -> Distinct:
    """The different examples, by the encoded row and its label, which is a number.

    Examples without columns are all taken to be different.
    """
    if isinstance(cells, Counted):
        return Distinct.rows(cells.n_rows)
    numbers = labels + 0.0 if labels.dtype.kind == "f" else labels.astype(np.int64)
    keys = mixed(row_keys(cells) + GOLDEN * (numbers.view(np.uint64) + np.uint64(1)))
    return Distinct.of(keys, copies, repeats)
