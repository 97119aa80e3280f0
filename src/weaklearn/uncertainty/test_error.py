"""``certify`` for classifiers without theorems of their own: bounds from test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ..base.certificate import Certificates
from ..base.messages.warnings import warn
from ..base.numeric.hashing import GOLDEN, mixed
from ..base.rows import Cells
from ..intake import later, parameters
from ..intake.labels import codes_among
from ..production.row_sketch import row_keys
from ..theory.distinct import COPIES, Distinct

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
    *,
    repeats: str = COPIES,
) -> Certificates:
    """Bounds on the true error, the tightest first.

    X and y are the rows of fit, and serve where a theorem speaks of them; X_test and y_test
    are rows that the model has never seen. Rows that it has seen are found by their content.
    All statements hold at once with probability 1 - delta: where both kinds of rows are given,
    each has one half of delta. Rows that are equal, label included, count as one; with
    ``repeats="draws"`` they are taken for independent draws that are equal by chance.
    """
    from ..theory.certificates.held_out import held_out

    check_is_fitted(self)
    parameters.real("delta", delta, 0.0, 0.999999)
    together(X, y, X_test, y_test)
    share = delta / 2 if X is not None and X_test is not None else delta
    found = [] if X is None else list(self._from_training(X, y, share, repeats))
    if X_test is not None:
        found += held_out(judged_rows(self, X_test, y_test, repeats), share)
    if not found:
        return Certificates([], "rows not used in fitting are needed: pass X_test and y_test")
    return Certificates.ranked(found, all_hold(delta), whose_errors(self))


def all_hold(delta: float) -> str:
    """The note on several certificates of how probable they are."""
    return f"all hold at once with probability {1 - delta:g}"


def whose_errors(model: Any) -> str:
    """The note on the certificates of a model that was given a threshold."""
    if model._threshold is None:
        return ""
    return (
        "those of test rows are of the threshold that the model was given, if it was "
        "chosen on other rows, and those of training rows of the model's own"
    )


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


def seen_rows(model: Any) -> RowSketch | None:
    """The sketch of the training rows, and of those that a threshold was chosen on."""
    known = row_sketch(model)
    chosen_on = None if model._threshold is None else model._decision.rows
    return known if known is None or chosen_on is None else known.joined(chosen_on)


def judged_rows(
    model: Any, X: Any, y: Any, repeats: str = COPIES, **given: Any
) -> certificates.Held:
    """Error counts on rows: all of them, and those that are provably not training rows."""
    from ..theory.certificates.held_out import Held, Tally

    cells = model._judged_cells(X)
    wrong, labels = _wrong(model.predict(X, **given), model.classes_, y)
    rows = distinct_examples(cells, labels, repeats)
    sketch = seen_rows(model)
    if sketch is None:
        return Held(Tally.of(rows, wrong), why_not=_UNKNOWN)
    found = sketch.look(cells)
    if found.found == 0:
        checked = found.checked if found.decided else ""
        return Held(Tally.of(rows, wrong), checked=checked, undecided=found.undecided)
    where = "" if sketch is row_sketch(model) else ", or when the threshold was chosen"
    warn(
        f"{found.words} in training{where}: as test rows they are refused, and the certificates "
        "are of other rows. Pass X_test and y_test that were not used in fitting."
    )
    new = sketch.new(cells)
    seen = found.n - int(np.count_nonzero(new)) - found.undecided
    tallies = Tally.of(rows, wrong), Tally.of(rows.taken(new), wrong)
    return Held(*tallies, why_not=found.words, seen=seen, undecided=found.undecided)


def _wrong(answers: Any, classes: Any, y: Any) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Mask of wrong predictions, and a code for the labels of each row.

    Of several labels a row it is wrong where any is.
    """
    predicted = np.asarray(answers.toarray() if hasattr(answers, "toarray") else answers)
    if predicted.ndim == 1:
        codes = codes_among(classes, y, len(predicted), "y_test", allow_unknown=True)
        return np.asarray((codes < 0) | (predicted != classes[codes])), codes
    signs, _ = later.read_indicator(y, len(predicted), argument="y_test", known=classes)
    wrong = np.asarray(((predicted > 0) != (signs > 0)).any(axis=1))
    return wrong, later.label_keys(signs).view(np.int64)


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
