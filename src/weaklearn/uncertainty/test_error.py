"""``certify`` for classifiers without theorems of their own: bounds from test rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ..base.certificate import Certificates
from ..intake import parameters
from ..intake.labels import codes_among

if TYPE_CHECKING:
    from ..production.row_sketch import RowSketch
    from ..theory import certificates


def certify(
    self: Any,
    X: Any = None,
    y: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    delta: float = 0.05,
) -> Certificates:
    """Bounds on the true error, the tightest first.

    X and y are the rows of fit, and serve where a theorem speaks of them; X_test and y_test
    are rows that the model has never seen. Rows that it has seen are found by their content.
    All statements hold at once with probability 1 - delta: where both kinds of rows are given,
    each has one half of delta.
    """
    from ..theory.certificates.held_out import held_out

    check_is_fitted(self)
    parameters.real("delta", delta, 0.0, 0.999999)
    together(X, y, X_test, y_test)
    share = delta / 2 if X is not None and X_test is not None else delta
    found = [] if X is None else list(self._from_training(X, y, share))
    if X_test is not None:
        found += held_out(judged_rows(self, X_test, y_test), share)
    if not found:
        return Certificates([], "rows not used in fitting are needed: pass X_test and y_test")
    return Certificates.ranked(found, f"all hold at once with probability {1 - delta:g}")


def together(X: Any, y: Any, X_test: Any, y_test: Any) -> None:
    """Raises ValueError unless rows come with their labels."""
    if (X is None) != (y is None) or (X_test is None) != (y_test is None):
        raise ValueError("pass X together with y, and X_test together with y_test.")


_UNKNOWN = (
    "this model does not know which rows it was trained on, as one of a stream or one saved with "
    "profile=False; fit it again"
)


def row_sketch(model: Any) -> RowSketch | None:
    """The sketch of the training rows; None where the model has none."""
    origin = model._origin
    return None if origin is None else origin.row_sketch


def judged_rows(model: Any, X: Any, y: Any, **given: Any) -> certificates.Held:
    """Error counts on rows: all of them, and those that are provably not training rows."""
    from ..theory import certificates

    cells = model._judged_cells(X)
    n = cells.n_rows
    wrong = _wrong(np.asarray(model.predict(X, **given)), model.classes_, y)
    errors = int(np.count_nonzero(wrong))
    sketch = row_sketch(model)
    if sketch is None:
        return certificates.Held(n, errors, 0, 0, why_not=_UNKNOWN)
    found = sketch.look(cells)
    undecided = found.n - found.decided
    if found.found == 0:
        return certificates.Held(
            n, errors, n, errors, found.checked if found.decided else "", undecided=undecided
        )
    new = sketch.new(cells)
    counts = (int(np.count_nonzero(new)), int(np.count_nonzero(wrong & new)))
    return certificates.Held(n, errors, *counts, why_not=found.words, undecided=undecided)


def _wrong(predicted: NDArray[Any], classes: Any, y: Any) -> NDArray[np.bool_]:
    """Mask of wrong predictions; of several labels per row, where any is wrong."""
    if predicted.ndim == 1:
        codes = codes_among(classes, y, len(predicted), "y_test", allow_unknown=True)
        return np.asarray((codes < 0) | (predicted != classes[codes]))
    return np.asarray((predicted != np.asarray(y)).any(axis=1))
