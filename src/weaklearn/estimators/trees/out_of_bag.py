"""Out-of-bag answers: of rows from those of their copies, and where there are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.warnings import DataWarning, warn
from ...base.sample import Sample
from ...base.types import Floats
from ...ensembles import Bags, OutOfBag
from ...intake.prepare import Prepared
from ...learners.foreign import labels_of
from ...losses.links import Calibration
from ...prediction.outputs import side_by_side
from ...uncertainty.calibration import fit_power

_LEAST_MEMBERS = 25  # a third of which answer for an example out of bag
_LEAST_EXAMPLES = 5  # of every class
MOST_COPIES = 2**24  # examples that out-of-bag answers are kept of, and draws beyond one an example


def unseen_answers(predicted: Iterable[Floats], bags: Bags, prepared: Prepared) -> OutOfBag:
    """The answers of each member for the examples that its bag leaves out, added up."""
    rows, y = bags.row_of_example, prepared.sample.y
    width = y.shape[1] if y.ndim == 2 else max(1, len(prepared.classes))
    found = OutOfBag.empty(len(rows), width)
    for b, answers in enumerate(predicted):
        unseen = bags.unseen(b)
        found.add(answers[rows[unseen]], unseen)
    return found


def calibrates(
    self: Any, prepared: Prepared, facts: dict[str, Any], bags: Bags, resumed: bool
) -> bool:
    """Whether a forest is to be calibrated, and out-of-bag answers are many enough, and not too
    many, to do so.
    """
    if self.calibrate is None or (resumed and facts["_content"] != self._content):
        return False
    sample, n_members = prepared.sample, len(facts["trees_"])
    left_out = bags.replacement or bags.n_draws < sample.m
    few = sample.n_classes < 2 or n_members < _LEAST_MEMBERS
    return left_out and not few and sample.m <= max(MOST_COPIES, len(sample))


def calibrated(found: OutOfBag, sample: Sample, bags: Bags) -> Calibration | None:
    """What makes probabilities of average shares, by those of unseen examples; None where a class
    has too few of these.
    """
    rows = bags.row_of_example[found.covered]
    codes = sample.codes.astype(np.int64)[rows]
    if np.bincount(codes, minlength=sample.n_classes).min() < _LEAST_EXAMPLES:
        return None
    weights = None if sample.importance is None else sample.importance[rows]
    return fit_power(found.average[found.covered], codes, weights)


def warn_of_uncovered(covered: int, m: int) -> None:
    """Warns where some of m examples are in every bag."""
    if covered == 0:
        warn(
            "every example is in every bag, so that there is no out-of-bag score: raise "
            "n_estimators, or lower max_samples.",
            DataWarning,
        )
    elif covered < m:
        warn(
            "Some inputs do not have OOB scores. This probably means too few estimators were used "
            f"to compute any reliable oob estimates: {m - covered} of {m} examples are in every "
            "bag; raise n_estimators, or lower max_samples.",
            DataWarning,
        )


def by_row(average: Floats, rows: NDArray[np.int64], n_rows: int) -> Floats:
    """The mean over a row's copies that have an answer."""
    if len(rows) == n_rows:
        by_row = np.empty_like(average)
        by_row[rows] = average
        return by_row
    known = ~np.isnan(average[:, 0])
    counts = np.bincount(rows[known], minlength=n_rows)
    sums = [np.bincount(rows[known], column[known], n_rows) for column in average.T]
    with np.errstate(invalid="ignore"):
        return np.column_stack(sums) / np.where(counts > 0, counts, np.nan)[:, None]


def check_copies(sample: Sample) -> None:
    """Out-of-bag answers are those of every copy: there may not be too many of them."""
    if sample.m > max(MOST_COPIES, len(sample)):
        raise ValueError(
            f"oob_score follows every copy of a row, and sample_weight counts {sample.m} of them; "
            f"divide the weights, so that they sum to at most {MOST_COPIES}."
        )


def labels_or_numbers(prepared: Prepared) -> NDArray[Any]:
    """The targets as the user gave them: labels or numbers; of several outputs a column each."""
    sample, outputs = prepared.sample, prepared.outputs
    if outputs is not None and outputs.classes:
        return side_by_side(outputs.labels)
    return sample.y if sample.n_classes == 0 else labels_of(sample, sample.y)
