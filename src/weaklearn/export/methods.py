"""Export methods of fitted models: scorecard, SQL, C, Python, ONNX.

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
    from .c import c_source

    check_is_fitted(self)
    return _written(c_source(_exported(self), name), path)


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
    from .onnx import load_onnx, onnx_model

    check_is_fitted(self)
    load_onnx()
    columns = self._schema.columns
    model = onnx_model(
        _exported(self, as_trees=True),
        all(column.kind is Kind.NUMBER for column in columns),
    )
    if path is not None:
        from ..files.disk import write_out

        write_out(path, model.SerializeToString())
    return model


def to_python(self: Any, path: Path | None = None) -> str:
    """Python source that imports only math and datetime; also written to ``path`` if given.

    ``score(row)`` (``scores(row)`` for several classes), ``predict_proba(row)`` and
    ``predict(row)`` of a row such as a dict from column names to values, or a list where the
    columns have no names. None, NaN and NA are missing; times are a datetime, a date, a
    Timestamp or a timedelta, or an integer, of units that the comment at the head names.
    """
    from .python import python_source

    check_is_fitted(self)
    source = python_source(_exported(self), self._schema.names is not None)
    return _written(source, path)


def to_scorecard(self: Any) -> Scorecard:
    """A table of all bins with their contributions, to be added up by hand.

    ``to_frame()`` makes a DataFrame of it, ``to_csv(path)`` a file.
    """
    from .scorecard import scorecard_of

    check_is_fitted(self, "ensemble_")
    return scorecard_of(self)


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
    from .sql import sql_source

    check_is_fitted(self, "ensemble_")
    return sql_source(_exported(self), table, keep, quote)


def model_ir(self: Any, as_trees: bool) -> ModelIR:
    """The model as exports write it; with ``as_trees`` terms and stumps are trees."""
    from ..base.trees.term import TermSum
    from .model_ir import term_ir
    from .trees import tree_ir

    of_terms = isinstance(self._ensemble, TermSum)
    return term_ir(self) if of_terms and not as_trees else tree_ir(self, as_trees)


def _exported(model: Any, as_trees: bool = False) -> ModelIR:
    try:
        found: ModelIR = model._model_ir(as_trees)
        return found
    except NoTreeSum as error:
        raise NoTreeSum(error.why, error.to_export) from None


def _written(source: str, path: Path | None) -> str:
    if path is not None:
        from ..files.disk import write_out

        write_out(path, source.encode("utf-8"))
    return source
