"""Halfspaces, and sums of kernels with examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.offered import fact
from ..base.types import Floats
from ..files.check import integer, need, one_of
from ..files.error import Flaw
from ..intake.texts import texts_of
from ..online.kernels import MOST_DEGREE, NAMES, Kernel, named
from ..prediction import kernels, signs
from .model import Model

_MOST_CELLS = 2**27  # a gigabyte of examples that were kept


class KernelClassifier(Model):
    """A halfspace or a sum of kernels, by its sign."""

    support_vectors_: Any

    def _restore(self) -> None:
        if fact(self, "coef_") is None:
            self._kernel = _kernel_of(self.parameters)
            if type(self.support_vectors_) is tuple:
                self.support_vectors_ = _spread(*self.support_vectors_)

    decision_function = kernels.decision_function
    predict = signs.predict

    def _points(self, X: Any) -> Any:
        """Texts, or rows of numbers, none of them missing."""
        if self._schema is None:
            return texts_of(X)
        return self._complete(X)


def _kernel_of(parameters: dict[str, Any]) -> Kernel:
    """The kernel that the parameters stand for."""
    given = parameters.get("kernel")
    if isinstance(given, Kernel):
        return given
    if not isinstance(given, str):
        raise Flaw("kernel is neither a name nor a kernel")
    order = parameters.get("degree", 2)
    one_of(*NAMES)("kernel", given)
    integer(1, MOST_DEGREE)("degree", order)
    return named(given, int(order))


def _spread(start: Any, column: Any, cell: Any, width: int) -> Floats:
    """A sparse matrix in one block."""
    n = len(start) - 1
    need(n * width <= _MOST_CELLS, "support_vectors_ are too many for the runtime")
    spread = np.zeros((n, width))
    spread[np.repeat(np.arange(n), np.diff(start)), column] = cell
    return spread
