"""Prediction of one row, given as a dict, a list or an array.

Plain rows (numbers, and categories known from training) go to the kernel as they are, without an
array and without a reading of X; all others take the way of ``predict``. Both give the same bits.
Nothing here needs more than numpy, so that the small runtime has the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
from typing import Any

import numpy as np

from ..base.ensemble import Ensemble, TreeVote
from ..base.messages.value_text import show
from ..base.messages.warnings import suppressed_warnings
from ..base.numeric.exponential import sigmoid_of
from ..base.offered import Method, fact, offers
from ..base.rows import Rows
from ..base.trees.packed import packed_once
from ..base.trees.term import TermSum
from ..base.votes.tree_sum import AdditiveTrees
from ..base.votes.weighted_sum import WeightedSum
from ..engines import on_threads
from ..intake.cells import Cells, KnownColumns
from ..intake.raw_column import Kind
from ..losses.links import numbers_of, of_sums, powers_of_shares
from ..prediction.outputs import n_outputs
from ..prediction.rows import classes_of
from ..prediction.votes import probabilities

Scores = Any  # a number, or an array of several; None where a row is not plain
ByRow = Callable[[list[Any]], Scores]
Answer = Callable[[Any], Any]


class Predictor:
    """A function from one row to its prediction; made by ``predictor()``.

    ``predictor(row)`` takes a dict by names (others than the columns of training are let lie), a
    list or tuple in the order of columns, or an array of one dimension. The answer is

    * of two classes the probability of ``classes_[1]``; where there are no probabilities the score,
      and where there are no scores 1.0 for ``classes_[1]`` and 0.0 otherwise;
    * of more classes an array of these, one a class;
    * of numbers the number, of several quantiles an array.

    It keeps nothing between calls: threads may share one.
    """

    __slots__ = ("_answer", "_codes", "_model", "_name", "_names", "_scores")

    def __init__(self, model: Any, name: str, way: tuple[ByRow, Answer] | None) -> None:
        schema: KnownColumns = model._schema
        self._model, self._name = model, name
        self._names = schema.names
        self._scores: Any = None if way is None else way[0]
        self._answer: Any = None if way is None else way[1]
        self._codes = _codes_of(schema) if way is not None else ()

    def __call__(self, row: Any) -> Any:
        """The prediction of one row."""
        kind = type(row)
        if kind is not list:
            row = self._listed(row)
        if self._scores is None:
            return self._slow(row)
        plain = row
        if self._codes:
            plain = self._coded(row)
            if plain is None:
                return self._slow(row)
        F = self._scores(plain)
        if F is None:
            tidy = _tidied(plain)
            F = None if tidy is None else self._scores(tidy)
        return self._slow(row) if F is None else self._answer(F)

    def _listed(self, row: Any) -> list[Any]:
        if isinstance(row, dict):
            if self._names is None:
                raise ValueError(
                    "the row is a dict, and the model was fitted without names of columns; pass a "
                    "list in the order of the columns."
                )
            try:
                return [row[name] for name in self._names]
            except KeyError as error:
                raise ValueError(
                    f"the row lacks the column {show(error.args[0])}; pass every column of "
                    "training, with None where a value is missing."
                ) from None
        if isinstance(row, np.ndarray):
            if row.ndim != 1:
                raise ValueError(
                    f"the row is an array of shape {row.shape}; pass one row, of one dimension, or "
                    "use predict for many."
                )
            found: list[Any] = row.tolist() if row.dtype.kind in "biufO" else list(row)
            return found
        if isinstance(row, tuple):
            return list(row)
        raise TypeError(
            f"the row is of type {type(row).__name__}; pass a dict, a list or an array of one row."
        )

    def _coded(self, row: list[Any]) -> list[Any] | None:
        """The row with category codes, NaN where missing; None where a category is unknown."""
        coded = row.copy()
        try:
            for j, codes in self._codes:
                value = row[j]
                if value is None:
                    coded[j] = nan
                    continue
                if type(value) not in _CATEGORY_TYPES:
                    return None
                coded[j] = codes[value]
        except (IndexError, KeyError):
            return None
        return coded

    def _slow(self, row: list[Any]) -> Any:
        """The prediction by the methods of the model, without warnings about column names."""
        expected = self._model._schema.n_features
        if len(row) != expected:
            raise ValueError(f"the row has {len(row)} values; pass {expected}, one a column.")
        cells = np.empty((1, expected), object)
        cells[0, :] = row
        with suppressed_warnings():
            return _by_methods(self._model, cells)

    def __repr__(self) -> str:
        return f"<predictor of one row, by {self._name}>"


_CATEGORY_TYPES = (str, float, int)
_NUMPYS = (np.floating, np.integer, np.bool_)


def _tidied(row: list[Any]) -> list[Any] | None:
    """The row with numpy scalars and bools as Python numbers, None as NaN; None if not numeric."""
    tidy = []
    for cell in row:
        if isinstance(cell, _NUMPYS):
            cell = cell.item()
        if cell is None:
            cell = nan
        elif type(cell) is bool:
            cell = float(cell)
        elif not isinstance(cell, (float, int)):
            return None
        tidy.append(cell)
    return tidy


def _codes_of(schema: KnownColumns) -> tuple[tuple[int, dict[Any, float]], ...]:
    """(column, {category: code}) of every categorical column."""
    return tuple(
        (j, {value: float(code) for value, code in column._code_of.items()})
        for j, column in schema.special.items()
        if column.kind is Kind.CATEGORY
    )


def _by_methods(model: Any, X: Any) -> Any:
    """The prediction of one row by the methods of the model."""
    if classes_of(model) is None:
        numbers = np.asarray(model.predict(X))
        return float(numbers[0]) if numbers.ndim == 1 else numbers[0]
    names: tuple[Method, ...] = ("predict_proba", "decision_function")
    for name in names:
        if offers(model, name):
            found = np.asarray(getattr(model, name)(X))
            return found[0] if model._indicator is not None else _one(found, len(model.classes_))
    chosen = (model.classes_ == np.asarray(model.predict(X))[0]).astype(np.float64)
    return _one(chosen[None], len(model.classes_))


def _one(found: Any, n_classes: int) -> Any:
    """The last entry for at most two classes, else all entries."""
    if found.ndim == 1:
        return float(found[0])
    return float(found[0, -1]) if found.shape[1] == n_classes <= 2 else found[0]


# --------------------------------------------------------------------------- the way of plain rows


def predictor_of(model: Any, name: str, settings: Mapping[str, Any]) -> Predictor:
    """The predictor of a fitted model with these parameters; messages call it by the name."""
    if model._schema.text_columns:
        raise TypeError(
            f"{name} has no predictor of one row: it reads texts, and a row of numbers is none; "
            "use predict with one row."
        )
    if n_outputs(model) > 1:
        raise TypeError(
            f"{name} has no predictor of one row: it has {n_outputs(model)} outputs a row; use "
            "predict with one row."
        )
    return Predictor(model, name, None if _strict(settings) else _way(model))


def _way(model: Any) -> tuple[ByRow, Answer] | None:
    """(function from a row to scores, function from scores to the answer), or None."""
    schema = model._schema
    ranked = any(column.kind is not Kind.CATEGORY for column in schema.special.values())
    if ranked or schema.empty:  # found by reading: ranks and missing values
        return None
    rows = _no_rows(schema)
    if model._tree_holder == "trees_":
        return _averaged(model, rows)
    if model._tree_holder == "tree_":
        return _one_tree(model, rows)
    vote: Any = model._ensemble
    if isinstance(vote, AdditiveTrees) and len(vote) > 0:
        return vote.forest(rows).by_row(vote.base), _of_loss(model)
    if type(vote) is TermSum:
        return vote.by_row(schema.n_features), _of_loss(model)
    if type(vote) not in (Ensemble, WeightedSum) or len(vote) == 0:
        return None
    scorer = vote.scorer(rows)
    if scorer is None:
        return None
    if type(vote) is WeightedSum:
        scores = scorer.by_row(np.array([vote.base]))
    elif isinstance(scorer, TreeVote):
        scores = _in_units(scorer.by_row(np.zeros(vote.n_outputs)), np.float64(vote.unit()))
    else:
        scores = scorer.by_row(vote.unit())
    return scores, _of_vote(model)


def _strict(settings: Mapping[str, Any]) -> bool:
    """Whether missing values are refused."""
    asked = (settings.get("missing"), getattr(settings.get("estimator"), "missing", None))
    return "error" in [a for a in asked if isinstance(a, str)]


def _no_rows(schema: KnownColumns) -> Rows:
    """An empty table with the columns of training, for packing."""
    n_categories = None
    if schema.special:
        n_categories = np.zeros(schema.n_features, np.int32)
        for j, column in schema.special.items():
            n_categories[j] = column.n_categories
    empty = np.empty((0, schema.n_features))
    return Rows(Cells(0, schema.n_features, empty, n_categories=n_categories), empty, on_threads())


def _in_units(scores: ByRow, unit: Any) -> ByRow:
    def scaled(row: list[Any]) -> Scores:
        found = scores(row)
        return None if found is None else found * unit

    return scaled


def _averaged(model: Any, rows: Rows) -> tuple[ByRow, Answer]:
    trees = model.trees_
    n, outputs = len(trees), trees[0].n_outputs
    classes = classes_of(model)
    calibration = fact(model, "calibration_")
    if calibration is not None:
        place = 1 if outputs == 2 else slice(None)

        def probability(F: Any) -> Any:
            shares = np.minimum(F[None] / n, 1.0)
            return powers_of_shares(shares, calibration.slope)[0, place]

        return trees.by_row(rows), probability
    if classes is not None and len(classes) == 2:
        return trees.by_row(rows), lambda F: float(F[1] / n)
    if outputs == 1:
        return trees.by_row(rows), lambda F: float(F / n)
    return trees.by_row(rows), lambda F: F / n


def _one_tree(model: Any, rows: Rows) -> tuple[ByRow, Answer]:
    scores = packed_once(model.tree_, rows).by_row(np.zeros(model.tree_.n_outputs))
    classes = classes_of(model)
    if classes is None:
        return scores, float
    if len(classes) == 1:
        return scores, lambda F: 1.0
    return scores, (lambda F: float(F[1])) if len(classes) == 2 else (lambda F: F)


def _of_loss(model: Any) -> Answer:
    """The function from the scores of gradient boosting to the answer."""
    loss, classes = model._loss, classes_of(model)
    if classes is None:

        def number(F: Any) -> Any:
            found = numbers_of(loss, np.reshape(F, (1, -1)))[0]
            return float(found) if np.ndim(found) == 0 else found

        return number
    K = len(classes)
    if K > 2 or model._indicator is not None:
        return lambda F: of_sums(loss, F[None], K)[0]
    if K == 2 and loss.log_odds is not None:
        scale = loss.log_odds
        return lambda F: sigmoid_of(scale * F)
    return lambda F: float(of_sums(loss, np.array([[F]]), K)[0, -1])


def _of_vote(model: Any) -> Answer:
    """The function from the score of a vote to the answer."""
    classes = classes_of(model)
    if classes is None:
        if fact(model, "loss_") is not None:
            return lambda F: float(model.loss_.inverse_link(np.array([F]))[0])
        return float
    K, calibration = len(classes), model.calibration_
    if model._indicator is not None:
        cut = model._cut
        return lambda F: probabilities(model, calibration(F[None] - cut))[0]
    if K == 1:
        return lambda F: 1.0
    if K > 2:
        return lambda F: model._link_some(calibration(F[None]))[0]
    if fact(model, "loss_") is not None:
        return lambda F: float(model._link_some(calibration(np.array([F])))[0, 1])
    return _pair(model, calibration.slope, calibration.shift, model._odds)


def _pair(model: Any, slope: float, shift: float, odds: float) -> Answer:
    """The function from a score F to 1/(1 + exp(-2F)), with the same bits as for many rows."""
    return lambda F: sigmoid_of(2 * (odds * (slope * F + shift)))
