"""Export methods of fitted models: scorecard, SQL, C, Python, JavaScript, JSON, ONNX, PMML.

Functions of a fitted model, which the classes that can do so have as methods; what is written comes
from the method ``_model_ir`` of the model.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from ..inspection.no_tree_sum import NoTreeSum
from ..intake.raw_column import Kind

if TYPE_CHECKING:
    from .model_ir import ModelIR
    from .scorecard import Scorecard

Path = str | os.PathLike[str]


def to_c(self: Any, path: Path | None = None, *, name: str = "model") -> str:
    """C99 source without dependencies; also written to ``path`` if given.

    ``double NAME_score(const double *x)``, or ``void NAME_scores(const double *x, double *F)``
    for several classes; ``NAME_probabilities(x, p)`` and ``NAME_predict(x)``. x holds all
    columns, NAN where missing; ``NAME_category(column, text)`` numbers categories, and
    ``NAME_rank(column, value)`` datetimes, timedeltas and wide integers.
    """
    check_is_fitted(self)
    return _written(_writers().c_source(_exported(self), name), path)


def to_javascript(self: Any, path: Path | None = None, *, name: str = "model") -> str:
    """JavaScript without dependencies; also written to ``path`` if given.

    An object ``name`` with ``predict(row)``, ``predictProba(row)``, ``scores(row)``,
    ``reasons(row, reference)``, ``classes`` and ``columns``, for browsers and for ``require``; a
    path that ends with ``.mjs`` gets an ECMAScript module that exports it. A row is an object by
    column names, or an array of all columns; null, undefined and NaN are missing. Datetimes are a
    Date (of UTC), a text such as ``"2024-05-01T12:00:00"``, or an integer of the units of the
    column, as timedeltas are. Reasons are Shapley values: what each of ``columns`` adds to the
    scores of the row beside those of the reference, a list of one number a score.
    """
    check_is_fitted(self)
    module = path is not None and os.fspath(path).endswith(".mjs")
    return _written(_writers().javascript_source(_exported(self), name, module), path)


def to_json(self: Any, path: Path | None = None) -> str:
    """The model as JSON, for an evaluator of your own; also written to ``path`` if given.

    docs/export.md describes the fields.
    """
    check_is_fitted(self)
    return _written(_writers().json_source(_exported(self)), path)


def to_onnx(self: Any, path: Path | None = None) -> Any:
    """An ONNX model with double thresholds, for runtimes anywhere; needs ``weaklearn[onnx]``.

    Where all columns are numbers the input is one table ``X``, (n, columns) of doubles, NaN
    where missing. Otherwise every column that is used is an input of its own, (n, 1), under its
    name ("column score" where that is the name of an output): doubles; texts for categories
    ("" is missing); and 64-bit integers for datetimes, timedeltas and wide integers (the least of
    them, which is NaT, is missing; units are named in the model's ``doc_string``). Outputs are
    ``label`` and ``probabilities``, or ``prediction``, and ``score``.

    Written to a file if one is named; answers the model in any case.
    """
    check_is_fitted(self)
    _writers().load_onnx()
    columns = self._schema.columns
    model = _writers().onnx_model(
        _exported(self, as_trees=True),
        all(column.kind is Kind.NUMBER for column in columns),
    )
    if path is not None:
        _writers().write_out(path, model.SerializeToString())
    return model


def to_pmml(self: Any, path: Path | None = None, *, target: str | None = None) -> str:
    """A PMML 4.4 document, for scoring engines; also written to ``path`` if given.

    A sum of regression trees, and what makes answers of it: the field ``target`` is predicted, by
    default under the name that the model stores, else "target"; for classes ``probability(CLASS)``
    is an output of each. Fields are columns by their names, of doubles or texts; datetimes and
    timedeltas are whole numbers of the units that the header names. What is absent is missing.
    """
    check_is_fitted(self)
    stored = None if self._origin is None else self._origin.target
    name = (stored or "target") if target is None else target
    return _written(_writers().pmml_source(_exported(self, as_trees=True), name), path)


def to_python(self: Any, path: Path | None = None) -> str:
    """Python source that imports only math and datetime; also written to ``path`` if given.

    ``score(row)`` (``scores(row)`` for several classes), ``predict_proba(row)`` and
    ``predict(row)`` of a row such as a dict from column names to values, or a list where the
    columns have no names. None, NaN and NA are missing; times are a datetime, a date, a
    Timestamp or a timedelta, or an integer, of units that the comment at the head names.
    """
    check_is_fitted(self)
    source = _writers().python_source(_exported(self), self._schema.names is not None)
    return _written(source, path)


def to_scorecard(self: Any) -> Scorecard:
    """A table of all bins with their contributions, to be added up by hand.

    For glass boxes and sums of stumps; of one tree it has a row for every leaf. ``to_frame()``
    makes a DataFrame of it, ``to_csv(path)`` a file.
    """
    check_is_fitted(self)
    try:
        card: Scorecard = _writers().scorecard_of(self)
    except NoTreeSum as error:
        raise NoTreeSum(error.why, error.to_export) from None
    return card


def to_sql(
    self: Any, table: str | Sequence[str] = "data", *, keep: Sequence[str] = (), quote: str = '"'
) -> str:
    """One SELECT of standard SQL: score, probabilities and prediction of every row.

    NULL is missing; a datetime or a timedelta is an integer, of units that the comment at the
    head names. Texts are standard literals, in which a backslash is a plain character. Levels
    never seen are taken as rare or missing ones, also where ``unseen`` is "error".

    Parameters
    ----------
    table : name, or tuple of names such as ("schema", "table")
    keep : names of columns to hand on, such as a key
    quote : what identifiers stand between: '"' (standard), '`' or '['
    """
    check_is_fitted(self)
    source: str = _writers().sql_source(_exported(self), table, keep, quote)
    return source


def model_ir(self: Any, as_trees: bool) -> ModelIR:
    """The model as exports write it; with ``as_trees`` terms and stumps are trees."""
    found: ModelIR = _writers().model_ir(self, as_trees)
    return found


def _writers() -> Any:
    """The functions that write, imported on the first export."""
    from . import writers

    return writers


def _exported(model: Any, as_trees: bool = False) -> ModelIR:
    if model._threshold is not None:
        raise ValueError(
            "the model predicts by a threshold of its own, which exports do not hold; export it "
            f"after set_threshold(None), and compare its scores, of {model.classes_[1]}, with "
            f"{model._threshold:.6g}."
        )
    try:
        found: ModelIR = model._model_ir(as_trees)
        return found
    except NoTreeSum as error:
        raise NoTreeSum(error.why, error.to_export) from None


def _written(source: str, path: Path | None) -> str:
    if path is not None:
        _writers().write_out(path, source.encode("utf-8"))
    return source
