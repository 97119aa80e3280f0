"""What experts say, out of any table: one column an expert, a missing cell where it sleeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ...base.messages.value_text import show
from ...base.types import Ints
from ...engines import on_threads
from ...intake.arrays import Names
from ...intake.label_kind import kind_of
from ...intake.object_column import is_missing
from ...intake.raw_column import Kind, Raw, unnamed
from ...intake.schema import open_table
from ...intake.sparse import compressed
from ...online.experts import Advice, Codes


@dataclass(frozen=True, eq=False)
class GivenAdvice:
    """Labels of awake experts, row after row: who gives them, and where each row starts."""

    n_experts: int
    names: Names
    start: Ints
    expert: Codes
    labels: NDArray[Any]  # float64, or objects

    def __len__(self) -> int:
        return len(self.start) - 1


def read_advice(X: Any) -> GivenAdvice:
    """Reads a table of labels: numbers or texts, with NaN or None for sleepers.

    In a sparse matrix those with an entry are awake, also where it is 0.
    """
    if sp.issparse(X):
        return _of_sparse(X)
    if isinstance(X, (list, tuple)):
        X = _rows(X)
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "fiub":
        return _of_numbers(X, None)
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU":
        return _of_objects(X.astype(object), None)
    table = open_table(X)
    if table.matrix is not None:
        return _of_numbers(table.matrix, table.names)
    assert table.raws is not None
    return _of_objects(np.column_stack([_opened(raw) for raw in table.raws]), table.names)


def _rows(X: Any) -> NDArray[Any]:
    """Rows of numbers, of which None is missing, or of anything else."""
    try:
        return np.array(X, np.float64)
    except (TypeError, ValueError):
        pass
    lengths = {len(row) if isinstance(row, (list, tuple, np.ndarray)) else -1 for row in X}
    if len(lengths) != 1 or lengths == {-1}:
        raise ValueError(
            "X is no table: its rows must be lists of equal length, one label an expert, with None "
            "for those that sleep."
        )
    cells = np.empty((len(X), lengths.pop()), object)
    for i, row in enumerate(X):
        cells[i] = list(row)
    return cells


def _of_numbers(X: NDArray[Any], names: Names) -> GivenAdvice:
    if X.dtype.kind != "f" or X.dtype.itemsize not in (4, 8) or not X.dtype.isnative:
        X = X.astype(np.float64)
    start, expert, labels = on_threads().experts.present(np.ascontiguousarray(X))
    _check_finite(labels, start, expert)
    return GivenAdvice(X.shape[1], names, start, expert, labels)


def _of_sparse(X: Any) -> GivenAdvice:
    rows = compressed(X, sp.csr_array, unnamed)
    start, expert, labels = rows.indptr, rows.indices, rows.data
    awake = ~np.isnan(labels)
    if not awake.all():
        start = np.concatenate([[0], np.cumsum(awake)])[start]
        expert, labels = expert[awake], labels[awake]
    return GivenAdvice(
        rows.shape[1],
        None,
        np.ascontiguousarray(start, np.int64),
        np.ascontiguousarray(expert, np.int32),
        np.ascontiguousarray(labels, np.float64),
    )


def _of_objects(X: NDArray[Any], names: Names) -> GivenAdvice:
    awake = np.array([[not is_missing(cell) for cell in row] for row in X.tolist()], bool)
    awake = awake.reshape(X.shape)
    start = np.concatenate([[0], np.cumsum(awake.sum(axis=1))]).astype(np.int64)
    labels = X[awake]
    numbers = all(isinstance(v, (int, float, np.number, np.bool_)) for v in labels.tolist())
    return GivenAdvice(
        X.shape[1],
        names,
        start,
        np.nonzero(awake)[1].astype(np.int32),
        labels.astype(np.float64) if numbers else labels,
    )


def _opened(raw: Raw) -> NDArray[Any]:
    """A column as objects, None where it is missing."""
    if raw.kind is Kind.CATEGORY:
        known = np.array([*raw.labels, None], object)
        return np.asarray(known[raw.values])
    values = raw.values.astype(object)
    gone = raw.missing if raw.missing is not None else np.array([is_missing(v) for v in values])
    values[gone] = None
    return values


def _check_finite(labels: NDArray[Any], start: Ints, expert: Codes) -> None:
    bad = np.flatnonzero(np.isinf(labels))
    if len(bad):
        row = int(np.searchsorted(start, bad[0], side="right")) - 1
        raise ValueError(
            f"X, row {row}, column {expert[bad[0]]} holds {labels[bad[0]]}; pass labels, with NaN "
            "for an expert that sleeps."
        )


def coded(
    given: GivenAdvice, truth: NDArray[Any], known: NDArray[Any] | None
) -> tuple[Advice, Codes, NDArray[Any]]:
    """Advice and true labels as codes into all labels so far, sorted; and these."""
    parts = [given.labels, truth] if known is None else [given.labels, truth, known]
    if len({kind_of(part) for part in parts if len(part)}) > 1:
        examples = [show(part.tolist()[0]) for part in (given.labels, truth) if len(part)]
        raise ValueError(
            f"experts and y do not speak of the same labels: they hold {' and '.join(examples)}; "
            "pass all labels as numbers, all as texts, or all as dates."
        )
    if known is None:
        classes = _unique(truth)
    elif _among(truth, known).all():
        classes = known
    else:
        classes = _unique(np.concatenate([known, truth]))
    if len(given.labels):
        strange = given.labels[~_among(given.labels, classes)]
        if len(strange):
            classes = _unique(np.concatenate([classes, _narrowed(strange, classes)]))
    label = np.searchsorted(classes, given.labels).astype(np.int32)
    own = np.searchsorted(classes, truth).astype(np.int32)
    return Advice(given.start, given.expert, label), own, classes


def _among(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.bool_]:
    if len(classes) == 0:
        return np.zeros(len(labels), bool)
    place = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.asarray(classes[place] == labels)


def _unique(labels: NDArray[Any]) -> NDArray[Any]:
    if labels.dtype.kind != "O":
        return np.unique(labels)
    listed = np.empty(len(set(labels.tolist())), object)
    try:
        listed[:] = sorted(set(labels.tolist()))
    except TypeError:
        raise ValueError(
            "labels of experts and of y are of types that have no common order; pass all of them "
            "as numbers, or all as texts."
        ) from None
    return listed


def _narrowed(labels: NDArray[Any], like: NDArray[Any]) -> NDArray[Any]:
    """Numbers of the type of others, where that is the same number."""
    if like.dtype.kind in "iub" and labels.dtype.kind == "f":
        narrow = labels.astype(like.dtype)
        return narrow if (narrow == labels).all() else labels
    return labels
