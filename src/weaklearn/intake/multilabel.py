"""A y with a column for each class: several labels a row, or shares of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.numeric.hashing import Keys, mixed
from ..base.types import Array, Floats
from .labels import check_column_names, column_names_of

Signs = NDArray[np.int8]


@dataclass(frozen=True)
class Indicator:
    """The form of a multilabel y: its label names, the value of an absent label, and sparsity."""

    names: Array
    absent: int = 0
    sparse: bool = False

    def written(self, has: NDArray[np.bool_]) -> Any:
        """Predicted labels in the form of the training y."""
        if self.sparse:
            return sp.csr_matrix(has.astype(np.int64))
        return np.where(has, 1, self.absent).astype(np.int64)


def is_indicator(y: Any) -> bool:
    """Whether y is an indicator matrix with more than one column."""
    if isinstance(y, (list, tuple)):
        rows = len(y) > 0 and all(isinstance(row, (list, tuple, np.ndarray)) for row in y)
        return bool(rows and np.ndim(y[0]) == 1 and len({len(row) for row in y}) == 1 < len(y[0]))
    shape: tuple[int, ...] = getattr(y, "shape", ())
    return len(shape) == 2 and shape[1] > 1


def labels_in_table(y: Any) -> bool:
    """Whether y is an indicator matrix; lists or sets of labels per row are refused."""
    _refuse_sets(y)
    return is_indicator(y)


def _refuse_sets(y: Any) -> None:
    """Refuses lists or sets of labels per row, and names MultiLabelBinarizer."""
    if not isinstance(y, (list, tuple)) and str(getattr(y, "dtype", "")) != "object":
        return
    collections = (list, tuple, set, frozenset)
    if not any(issubclass(kind, collections) for kind in set(map(type, y))):
        return
    rows = [row for row in y if isinstance(row, collections)]
    even = len(rows) == len(y) and len({len(row) for row in rows}) == 1
    for row in rows:
        names = len(row) > 1 and any(isinstance(label, str) for label in row)
        if isinstance(row, (set, frozenset)) or names or not even:
            raise ValueError(
                f"Unknown label type: y holds {show(row)}, a collection of labels; where rows may "
                "have several, pass a table of 0 and 1 with a column for each label: "
                "sklearn.preprocessing.MultiLabelBinarizer().fit_transform(y) makes one."
            )


def read_indicator(
    y: Any, n_rows: int, *, argument: str = "y", known: Array | None = None
) -> tuple[Signs, Indicator]:
    """+1 for the labels that a row has and -1 for the others, and the form of y.

    ``known``, if given, are the names of the labels in training.
    """
    if not is_indicator(y):
        raise ValueError(
            f"{argument} must be a table of labels, as y was in training: one column per label."
        )
    names, sparse = _names(y) if known is None else known, sp.issparse(y)
    table = np.asarray(y.toarray() if sparse else y)
    if len(table) != n_rows:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows, {argument} has {len(table)}; pass one per row."
        )
    if known is not None and table.shape[1] != len(known):
        raise ValueError(
            f"{argument} has {table.shape[1]} columns of labels; the model was trained with "
            f"{len(known)}."
        )
    if known is not None:
        check_column_names(y, known.tolist(), argument)
    if table.dtype.kind == "O":
        for (row, column), value in np.ndenumerate(table):
            if not isinstance(value, (bool, int, float, np.bool_, np.number)):
                _refuse(table, row, column, argument)
        table = table.astype(np.float64)
    if table.dtype.kind not in "biuf":
        _refuse(table, 0, 0, argument)
    absent = -1 if (table == -1).any() else 0
    fine = (table == 1) | (table == absent)
    if not fine.all():
        row, column = np.argwhere(~fine)[0].tolist()
        _refuse(table, row, column, argument)
    signs = np.where(table == 1, 1, -1).astype(np.int8)
    listed = np.arange(signs.shape[1]) if names is None else names
    return signs, Indicator(listed, absent, sparse)


def _names(y: Any) -> Array | None:
    columns = getattr(y, "columns", None)
    names = [] if columns is None else list(columns)
    if (
        not names
        or not all(isinstance(name, str) for name in names)
        or len(set(names)) < len(names)
    ):
        return None
    listed = np.empty(len(names), object)
    listed[:] = names
    return listed


def _refuse(table: Array, row: int, column: int, argument: str) -> NoReturn:
    value = table[row, column]
    nan = "Input y contains NaN: " if value != value else ""
    raise ValueError(
        f"{nan}{argument}[{row}, {column}] is {show(value)}; a table of labels holds 1 where a row "
        "has the label and 0 (or everywhere -1) where not; for one class per row pass one column."
    )


def rows_right(answers: Any, y: Any, names: Array) -> NDArray[np.bool_]:
    """Which rows have the labels of y and no others, in the answers of a model with these names."""
    sparse = sp.issparse(answers)
    table = np.asarray(answers.toarray() if sparse else answers)
    signs, _ = read_indicator(y, len(table), known=names)
    right: NDArray[np.bool_] = ((table > 0) == (signs > 0)).all(axis=1)
    return right


def label_keys(signs: Signs) -> Keys:
    """A hash of the labels of each row."""
    of_label = mixed(np.arange(1, signs.shape[1] + 1, dtype=np.uint64))
    keys = np.zeros(len(signs), np.uint64)
    for column, key in zip(signs.T, of_label, strict=True):
        keys += np.where(column > 0, key, np.uint64(0))
    return mixed(keys)


_NEAR = 1e-6  # how near to 1 the shares of a row must add up; they are then made to


@dataclass(frozen=True)
class LabelTable:
    """The names of the columns, and what the rows of the sample hold.

    ``numbers``: -1 and +1 of each label where rows may have several, in the form that ``indicator``
    tells; else the shares of the classes, of two classes 2 q - 1 with q that of the second.
    """

    names: Array
    numbers: Floats
    indicator: Indicator | None


def read_label_table(y: Any, *, argument: str = "y", known: LabelTable | None = None) -> LabelTable:
    """The table of a y with several columns; ``known`` is that of the training.

    Numbers between 0 and 1 are shares, 0 and 1 alone are labels. Rows of fractions that happen to
    hold a single 1 each might be either, and are refused where nothing is known.
    """
    of_shares = _fractions(y) if known is None else known.indicator is None
    if not of_shares:
        before = None if known is None else known.names
        signs, indicator = read_indicator(y, _length(y), argument=argument, known=before)
        if known is None:
            _refuse_ambiguous(y, signs)
        return LabelTable(indicator.names, signs.astype(np.float64), indicator)
    table = np.asarray(y, np.float64) if labels_in_table(y) else np.zeros((0, 0))
    if known is not None and table.shape[1] != len(known.names):
        raise ValueError(
            f"{argument} must hold the shares of {len(known.names)} classes, as y in training: a "
            "column for each."
        )
    shares = _checked_shares(table, argument)
    names = column_names_of(y)
    classes = np.array(names, object) if names else np.arange(shares.shape[1])
    if known is not None:
        check_column_names(y, known.names.tolist(), argument)
        classes = known.names
    two = shares.shape[1] == 2
    return LabelTable(classes, 2 * shares[:, 1] - 1 if two else shares, None)


def _length(y: Any) -> int:
    table: Any = y
    return int(table.shape[0]) if sp.issparse(y) else len(y)


def _fractions(y: Any) -> bool:
    """Whether a table holds floats of which some are neither 0, 1 nor -1."""
    if sp.issparse(y):
        return False
    table = np.asarray(y)
    if table.dtype.kind == "O":
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError):
            return False
    return bool(table.dtype.kind == "f" and not np.isin(table, (-1.0, 0.0, 1.0)).all())


def _refuse_ambiguous(y: Any, signs: Any) -> None:
    """Refuses floats with a single 1 a row: labels, or shares of which each row has one alone."""
    floats = not sp.issparse(y) and np.asarray(y).dtype.kind == "f"
    if floats and len(signs) and ((signs > 0).sum(axis=1) == 1).all():
        raise ValueError(
            "y holds floats with a single 1 a row, which may be one class a row or several labels: "
            "pass np.argmax(y, axis=1) for one class, or y.astype(int) for labels."
        )


def _checked_shares(table: Floats, argument: str) -> Floats:
    """Shares of classes that add up to 1 in each row."""
    fine = np.isfinite(table) & (table >= 0) & (table <= 1)
    if not fine.all():
        row, column = np.argwhere(~fine)[0].tolist()
        value = float(table[row, column])
        nan = f"Input {argument} contains NaN: " if value != value else ""
        raise ValueError(
            f"{nan}{argument}[{row}, {column}] is {show(value)}; a table of several columns holds "
            "0 and 1, a column for each label, or the share of each class, numbers from 0 to 1 "
            "that add up to 1 in a row."
        )
    totals = table.sum(axis=1)
    wrong = np.abs(totals - 1) > _NEAR
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"the shares of {argument}[{row}] add up to {totals[row]:.6g}: they must add up to 1; "
            f"divide each row by its sum: {argument} / {argument}.sum(axis=1, keepdims=True)."
        )
    return np.asarray(table / totals[:, None])
