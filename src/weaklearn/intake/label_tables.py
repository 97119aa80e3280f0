"""A y with a column for each class: several labels a row, or shares of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..base.messages.value_text import show
from ..base.types import Array, Floats
from .labels import column_names_of
from .multilabel import Indicator, labels_in_table, read_indicator

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
        n_labels = None if known is None else len(known.names)
        signs, indicator = read_indicator(y, _length(y), argument=argument, n_labels=n_labels)
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
    two = shares.shape[1] == 2
    return LabelTable(classes, 2 * shares[:, 1] - 1 if two else shares, None)


def is_label_table(y: Any) -> bool:
    """Whether y has several columns in memory."""
    return labels_in_table(y)


def _length(y: Any) -> int:
    return int(sp.csr_matrix(y).shape[0]) if sp.issparse(y) else len(y)


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
