"""Weights of rows, and the rows of X and y that count: those of a weight above 0."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.messages.value_text import show
from ..base.sample import take_rows
from ..base.types import Floats, Partitions
from .elsewhere import in_files
from .labels import as_array, name_of, read_labels
from .object_column import is_missing
from .raw_column import EXACT
from .sparse import settled


@dataclass(frozen=True)
class Given:
    """X, y and weights without the rows of weight 0; ``used`` marks the rows kept: None, all.

    Weights that are all whole numbers are ``copies`` too. ``target`` is the name that y came with.
    """

    X: Any
    y: Any
    weights: Floats | None
    copies: NDArray[np.int64] | None
    used: NDArray[np.bool_] | None
    target: str | None

    @property
    def n_dropped(self) -> int:
        return 0 if self.used is None else int(np.count_nonzero(~self.used))


def for_all_rows(values: Floats, used: NDArray[np.bool_] | None) -> Floats:
    """Values of the rows that count, for every row of X: NaN for the others."""
    if used is None:
        return values
    everyone = np.full((len(used), *values.shape[1:]), np.nan)
    everyone[used] = values
    return everyone


def given_rows(X: Any, y: Any, sample_weight: Any, over: Partitions) -> Given:
    """The rows that count."""
    used, target = None, X.target if in_files(X) else name_of(y)
    if over.size > 1:
        target = next((name for name in over.gather(target) if name is not None), None)
    in_lines = getattr(X, "format", None) in ("csr", "csc")  # by rows or by columns
    if sp.issparse(X) and (sample_weight is not None or not in_lines):
        checked = settled(X)  # rows of it may be left out, or drawn
        X = checked if in_lines else checked.tocsr()
    weights = read_weights(sample_weight, 0 if sample_weight is None else _rows_of(X), over)
    if weights is not None and not weights.all():
        used = weights > 0
        kept = np.flatnonzero(used)
        y = _take_labels(y, kept, len(weights))
        X, weights = take_rows(X, kept), weights[kept]
    return Given(X, y, weights, counts(weights, over), used, target)


def _rows_of(X: Any) -> int:
    try:
        return int(_num_samples(X))
    except TypeError:
        return int(np.asarray(X).shape[0]) if np.ndim(X) else 1


def _take_labels(y: Any, kept: NDArray[np.intp], n_rows: int) -> Any:
    """The labels of the kept rows."""
    if y is None or _num_samples(y) != n_rows:
        read_labels(y, n_rows)  # which refuses them
    return take_rows(y, kept)


def read_weights(
    sample_weight: Any, n_rows: int, over: Partitions | None = None
) -> NDArray[np.float64] | None:
    """One weight per row, none negative, not all zero; None where none are given.

    With ``over``, a partition may hold zeros only, and all are given weights or none is.
    """
    if over is not None and over.size > 1:
        _refuse_some_given(over.gather(sample_weight is not None))
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        array = np.full(n_rows, sample_weight)
    else:
        array = as_array(sample_weight)
    if array.dtype.kind == "O" and array.ndim == 1:
        text = next((v for v in array.tolist() if isinstance(v, (str, bytes))), None)
        if text is not None:
            raise ValueError(
                f"sample_weight does not consist of numbers (it holds {show(text)}); pass one "
                "number per row."
            )
        array = np.array([math.nan if is_missing(v) else v for v in array.tolist()], object)
    try:
        if array.dtype.kind not in "fbiuO":
            raise TypeError(f"type {array.dtype}")
        weights = np.array(array, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"sample_weight does not consist of numbers ({error}); pass one number per row."
        ) from error
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array: sample_weight "
            f"has shape {weights.shape}, expected ({n_rows},)."
        )
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: sample_weight has "
            f"{len(weights)} values, X has {n_rows} rows; pass one per row."
        )
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        row = int(np.argmax(bad))
        value = "NaN" if np.isnan(weights[row]) else show(weights[row])
        negative = -math.inf < weights[row] < 0
        prefix = "Negative values in data passed to `sample_weight`: " if negative else ""
        value += ", a negative weight" if negative else ""
        raise ValueError(
            f"{prefix}sample_weight[{row}] is {value}; pass finite numbers >= 0, with 0 for a row "
            "to be left out."
        )
    some = np.array([weights.any()], np.int64)
    if not (some if over is None else over.maximum(some))[0]:
        raise ValueError(
            "sample_weight holds zero weights only: all weights are zero, and at least one must "
            "be positive."
        )
    return weights


def _refuse_some_given(given: list[bool]) -> None:
    """Refuses weights that some partitions have and others have not."""
    if any(given) and not all(given):
        raise ValueError(
            f"sample_weight is given in partition {given.index(True)} and not in partition "
            f"{given.index(False)}; pass one weight for every row, or none."
        )


def counts(
    weights: NDArray[np.float64] | None, over: Partitions | None = None
) -> NDArray[np.int64] | None:
    """Integer (frequency) weights whose sum is below 2**53; None for other sample weights.

    With ``over``, those of all partitions must be integers, and their sum so small.
    """
    if weights is None:
        return None
    repeats = _whole(weights)
    own = EXACT if repeats is None else int(repeats.sum())
    return repeats if (own if over is None else sum(over.gather(own))) < EXACT else None


def _whole(weights: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """The weights as integers; None where some are none, or their sum could overflow."""
    with np.errstate(over="ignore"):
        if not (weights == np.floor(weights)).all() or weights.sum() > 2 * EXACT:
            return None
    return weights.astype(np.int64)
