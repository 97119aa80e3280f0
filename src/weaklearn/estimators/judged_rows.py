"""Test rows: the errors of a model on them, and whether it has seen them before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..theory.held_out import Held
from .setup import codes_among

_UNKNOWN = (
    "this model does not know which rows it was trained on, as one of an earlier version or of a "
    "stream; fit it again"
)


def judged_rows(model: Any, X: Any, y: Any, **given: Any) -> Held:
    """The errors of a classifier on rows, of all and of those that its fit had not looked at."""
    cells = model._judged_cells(X)
    n = cells.n_rows
    wrong = _wrong(np.asarray(model.predict(X, **given)), model.classes_, y)
    errors = int(np.count_nonzero(wrong))
    origin = getattr(model, "_origin", None)
    seen = None if origin is None else origin.seen
    if seen is None:
        return Held(n, errors, 0, 0, why_not=_UNKNOWN)
    found = seen.look(cells)
    untold = found.n - found.told
    if found.found == 0:
        return Held(n, errors, n, errors, found.checked if found.told else "", untold=untold)
    new = seen.new(cells)
    counts = (int(np.count_nonzero(new)), int(np.count_nonzero(wrong & new)))
    return Held(n, errors, *counts, why_not=found.words, untold=untold)


def _wrong(said: NDArray[Any], classes: Any, y: Any) -> NDArray[np.bool_]:
    """Where labels are not those said; of a table of labels, where one of a row is not."""
    if said.ndim == 1:
        codes = codes_among(classes, y, len(said), "y_test", strangers=True)
        return np.asarray((codes < 0) | (said != classes[codes]))
    return np.asarray((said != np.asarray(y)).any(axis=1))
