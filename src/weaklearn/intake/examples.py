"""The rows to learn from, encoded, with what they hold beside X."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.fixed_point import scale_weights
from ..base.sample import take_rows
from ..base.types import Floats, Partitions
from . import later
from .cells import Cells
from .weights import counts

if TYPE_CHECKING:
    from .multilabel import Signs
    from .outputs import Outputs


@dataclass(frozen=True)
class Examples:
    """Encoded rows beside X itself, class codes or numbers, and weights of either kind."""

    X: Any
    cells: Cells
    codes: NDArray[np.int64]
    target: Floats | None
    copies: NDArray[np.int64] | None
    importance: Floats | None
    signs: Signs | None = None  # of all labels, where rows may have several
    name: str | None = None  # that y came with
    outputs: Outputs | None = None

    def take(self, rows: NDArray[np.intp]) -> Examples:
        def some(array: NDArray[Any] | None) -> Any:
            return None if array is None else array[rows]

        return replace(
            self,
            X=take_rows(self.X, rows),
            cells=self.cells.take(rows),
            codes=self.codes[rows],
            target=some(self.target),
            copies=some(self.copies),
            importance=some(self.importance),
            signs=some(self.signs),
            outputs=None if self.outputs is None else self.outputs.take(rows),
        )


def with_factor(
    examples: Examples, factor: Floats, used: NDArray[np.bool_] | None, over: Partitions
) -> tuple[Examples, NDArray[np.bool_] | None]:
    """The examples weighted by the factors of their classes; those of factor 0 are dropped."""
    copies, importance = examples.copies, examples.importance
    with np.errstate(over="ignore"):
        integral = counts(factor if copies is None else copies * factor, over)
    if importance is None and integral is not None:  # as if given as sample_weight
        copies = integral
    else:
        importance = (
            scale_weights(factor, over)
            if importance is None
            else later.product(importance, factor, over)
        )
    examples = replace(examples, copies=copies, importance=importance)
    if factor.all():
        return examples, used
    return examples.take(np.flatnonzero(factor)), narrowed(used, factor > 0)


def narrowed(used: NDArray[np.bool_] | None, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask of the rows still used, over all rows of X."""
    if used is None:
        return still
    fewer = used.copy()
    fewer[used] = still
    return fewer
