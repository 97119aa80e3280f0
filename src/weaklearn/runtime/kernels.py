"""Sums of kernels with examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.types import Floats
from ..files.check import array, integer, listed, maybe, need, one_of, text
from ..files.error import Flaw
from ..intake.texts import texts_of
from ..online.kernels import NAMES, Kernel, named
from ..prediction import kernels, signs
from .held import Held
from .linear import HalfspaceClassifier, full_rows
from .model import Classifier, Model, labels, numbers

_MOST_CELLS = 2**27  # a gigabyte of examples that were kept
_VECTORS = "support_vectors_"


class KernelClassifier(Classifier):
    """A sum of kernels, by its sign."""

    support_vectors_: Any
    _needed = {
        "_schema": maybe(numbers),
        "classes_": labels,
        _VECTORS: lambda name, value: None,  # looked at below
        "dual_coef_": array("f"),
    }

    @classmethod
    def of(cls, source: Held) -> Model:
        """A halfspace, where the kernel is none."""
        return HalfspaceClassifier(source) if "coef_" in source.state else cls(source)

    def _check(self) -> None:
        super()._check()
        self._check_two()
        self._kernel = _kernel_of(self.parameters)
        texts = self._schema is None
        takes = self._kernel.takes
        need(takes != ("numbers" if texts else "texts"), "the kernel compares other examples")
        if texts:
            listed(text)(_VECTORS, self.support_vectors_)
        else:
            self.support_vectors_ = _spread(self.support_vectors_, self._schema.n_features)
        n = len(self.support_vectors_)
        need(n == len(self.dual_coef_), "there is not a coefficient for each support vector")

    decision_function = kernels.decision_function
    predict = signs.predict

    def _points(self, X: Any) -> Any:
        return texts_of(X) if self._schema is None else full_rows(self, X)


def _kernel_of(parameters: dict[str, Any]) -> Kernel:
    """The kernel that the parameters stand for."""
    given = parameters.get("kernel")
    if isinstance(given, Kernel):
        return given
    if not isinstance(given, str):
        raise Flaw("kernel is neither a name nor a kernel")
    order = parameters.get("degree", 2)
    one_of(*NAMES)("kernel", given)
    integer(1, 10_000)("degree", order)
    return named(given, int(order))


def _spread(vectors: Any, width: int) -> Floats:
    """Rows of numbers in one block; sparse ones come as starts, columns, cells and width."""
    if type(vectors) is not tuple:
        array("f", 2)(_VECTORS, vectors)
        need(vectors.shape[1] == width, f"{_VECTORS} have not {width} columns")
        return np.ascontiguousarray(vectors, np.float64)
    need(len(vectors) == 4, f"{_VECTORS} is no sparse matrix")
    start, column, cell, d = vectors
    for part, kind in ((start, "i"), (column, "i"), (cell, "f")):
        array(kind)(_VECTORS, part)
    need(d == width, f"{_VECTORS} have not {width} columns")
    sound = len(start) > 0 and start[0] == 0 and start[-1] == len(cell) == len(column)
    need(sound and (np.diff(start) >= 0).all(), f"{_VECTORS} has rows that overlap")
    inside = len(column) == 0 or (column.min() >= 0 and column.max() < d)
    need(inside, f"{_VECTORS} has a cell in no column")
    need((len(start) - 1) * d <= _MOST_CELLS, f"{_VECTORS} are too many for the runtime")
    spread = np.zeros((len(start) - 1, d))
    spread[np.repeat(np.arange(len(spread)), np.diff(start)), column] = cell
    return spread
