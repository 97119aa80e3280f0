"""DataFrames of any library, read through narwhals; no other file uses it."""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

import narwhals as nw
import numpy as np

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.types import Array
from ..datasets.data_table import DataTable
from .arrays import Names, Table, array_table, labeller
from .object_column import NUMERIC, array_raw, family, is_missing, object_raw, plain_number
from .raw_column import Kind, Raw, refuse_bytes, time_raw

_REFUSED = ("Array", "Binary", "List", "Struct", "Time")


def frame_table(X: Any) -> Table | None:
    """The table of a DataFrame or an Arrow table; None if X is neither."""
    X = _arrow_container(X)
    if nw.dependencies.is_into_series(X) or isinstance(X, nw.Series):
        raise ValueError(
            f"Expected 2D array, got 1D array instead: X is a {type(X).__name__}, one column or "
            "row; pass a DataFrame holding it, of one row as in df.iloc[[0]]."
        )
    if not nw.dependencies.is_into_dataframe(X):
        if isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame):
            raise TypeError(
                f"X is a lazy frame of type {type(X).__name__}; call .collect() on it first."
            )
        return None
    names = _names(X)
    frame = nw.from_native(X, eager_only=True)
    label = labeller(names)
    if _is_block(frame):
        return array_table(np.asarray(frame.to_numpy()), label, names)
    raws = [series_raw(series, label(j)) for j, series in enumerate(frame.iter_columns())]
    return Table(frame.shape, names, raws=raws)


def chosen_columns(X: Any, names: tuple[str, ...]) -> Any:
    """The named columns of a table of any kind, in that order; an X without names as it is."""
    X = _arrow_container(X)
    table = isinstance(X, DataTable)
    own = X.names if table else _names(X) if nw.dependencies.is_into_dataframe(X) else None
    if own is None or own == names:
        return X
    lacking = [name for name in names if name not in own]
    if lacking:
        raise ValueError(
            f"X lacks the column {show(lacking[0])}"
            + (f" and {len(lacking) - 1} more" if len(lacking) > 1 else "")
            + f"; columns='by_name' needs every column of training.{nearest(lacking[0], own)}"
        )
    if table:
        return X.select(names)
    return nw.from_native(X, eager_only=True).select(list(names)).to_native()


def _arrow_container(X: Any) -> Any:
    """A record batch or array of Arrow as a table or chunked array; other values unchanged."""
    if type(X).__module__.startswith("pyarrow"):
        import pyarrow

        if isinstance(X, pyarrow.RecordBatch):
            return pyarrow.Table.from_batches([X])
        if isinstance(X, pyarrow.Array):
            return pyarrow.chunked_array([X])
    return X


def _names(X: Any) -> Names:
    """The columns' names if they are texts, None if none is; a mixture is refused."""
    arrow = nw.dependencies.is_pyarrow_table(X)
    names = list(X.column_names if arrow else X.columns)
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        listed = "; ".join(
            f"{show(name)} at {[j for j, other in enumerate(names) if other == name]}"
            for name in repeated[:5]
        )
        raise ValueError(f"X has duplicated column names: {listed}; rename all but one of each.")
    types = sorted({type(name).__qualname__ for name in names})
    texts = [isinstance(name, str) for name in names]
    if any(texts) and not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {types} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example."
        )
    return tuple(names) if names and all(texts) else None


def _is_block(frame: nw.DataFrame[Any]) -> bool:
    """Whether ``to_numpy`` gives all values exactly as one matrix, often without a copy."""
    if frame.implementation.is_polars():
        return {type(kind).__name__ for kind in frame.schema.dtypes()} <= {"Float32", "Float64"}
    if not frame.implementation.is_pandas():
        return False
    types = set(frame.to_native().dtypes)
    if not all(isinstance(kind, np.dtype) and kind.kind in "fbiu" for kind in types):
        return False
    return len(types) == 1 or all(kind.kind == "f" for kind in types)


def series_raw(series: nw.Series[Any], where: str) -> Raw:
    """Open one column of a frame."""
    kind = type(series.dtype).__name__
    native = getattr(series.to_native(), "dtype", None)
    if isinstance(native, np.dtype):  # by all values: narwhals looks only at the first hundred
        return array_raw(np.asarray(series.to_numpy()), where)
    if str(native).startswith("period["):  # pandas' periods, each by its start
        return array_raw(np.asarray(series.to_native().dt.start_time.to_numpy()), where)
    if kind in _REFUSED:
        _refuse(where, kind)
    if kind in ("String", "Categorical", "Enum"):
        labels, codes = factorise(series)
        return category_raw(labels, codes, where)._replace(declared=kind != "String")
    if kind in ("Float32", "Float64"):  # a null comes as NaN
        return array_raw(np.asarray(series.to_numpy()), where)
    missing = np.asarray(series.is_null().to_numpy())
    if missing.all():
        return Raw(where, Kind.NUMBER, np.full(len(missing), np.nan))
    if kind == "Boolean" or series.dtype.is_integer():
        if "128" in kind:
            return object_raw(series.to_list(), where)
        # Filled first: with a null in it, an integer column would come as rounded floats.
        filled = series.fill_null(False if kind == "Boolean" else 0) if missing.any() else series
        return array_raw(np.asarray(filled.to_numpy()), where, missing if missing.any() else None)
    if kind == "Datetime":
        zone = getattr(series.dtype, "time_zone", None)
        return time_raw(np.asarray(series.to_numpy()), where, tz=zone)
    if kind == "Object":
        return object_raw(series.to_list(), where)
    return array_raw(np.asarray(series.to_numpy()), where)


def _refuse(where: str, kind: str) -> NoReturn:
    raise ValueError(
        f"X, {where} has type {kind}, which is neither number, text, category nor date; convert it "
        "to one or more such columns, or leave it out."
    )


def category_raw(labels: list[Any], codes: Array, where: str) -> Raw:
    """A categorical column with texts, numbers or booleans; other categories become texts."""
    present = [value for value in labels if not is_missing(value)]
    families = {family(type(value)) for value in present}
    if "bytes" in families:
        refuse_bytes(where)
    if "text" in families and len(families) > 1:
        odd = next(value for value in present if not isinstance(value, str))
        raise ValueError(
            f"X, {where} mixes text with other values among its categories, {show(odd)} for one; "
            "turn all of them to text."
        )
    numeric = families <= NUMERIC
    code_of: dict[Any, int] = {}
    places = [
        -1
        if is_missing(value)
        else code_of.setdefault(plain_number(value) if numeric else str(value), len(code_of))
        for value in labels
    ]
    # One more entry than labels, for the code -1 of a missing value.
    table = np.array([*places, -1], np.int64)
    return Raw(where, Kind.CATEGORY, table[codes], labels=tuple(code_of))


def factorise(series: nw.Series[Any]) -> tuple[list[Any], Array]:
    """The categories of a column, perhaps some unused, and the code of every row, or -1."""
    native: Any = series.to_native()
    if series.implementation.is_pandas():
        if hasattr(native, "cat"):
            return native.cat.categories.tolist(), native.cat.codes.to_numpy()
        codes, values = native.factorize()
        return values.tolist(), codes
    if series.implementation.is_pyarrow():
        encoded = native.dictionary_encode().unify_dictionaries().combine_chunks()
        indices = encoded.indices.cast("int64").fill_null(-1)
        return encoded.dictionary.to_pylist(), indices.to_numpy(zero_copy_only=False)
    labels = series.drop_nulls().unique().to_list()
    places = series.replace_strict(labels, list(range(len(labels))), return_dtype=nw.Int64)
    return labels, np.asarray(places.fill_null(-1).to_numpy(), np.int64)


def series_values(y: Any) -> Array | None:
    """The values of a Series, an Arrow array or a frame; None if y is none of them."""
    y = _arrow_container(y)
    if nw.dependencies.is_into_dataframe(y):
        columns = [_values(series) for series in nw.from_native(y, eager_only=True).iter_columns()]
        return np.stack(columns, axis=1) if len(columns) == 1 else np.empty(y.shape, object)
    if nw.dependencies.is_into_series(y):
        return _values(nw.from_native(y, series_only=True))
    return None


def _values(series: nw.Series[Any]) -> Array:
    kind = type(series.dtype).__name__
    native = getattr(series.to_native(), "dtype", None)
    if isinstance(native, np.dtype):
        return np.asarray(series.to_numpy())
    if kind in ("String", "Categorical", "Enum"):
        labels, codes = factorise(series)
        values = np.empty(len(labels) + 1, object)  # the last one, None, is for the code -1
        values[:-1] = labels
        return values[codes]
    plain = (
        kind != "Boolean"
        and "128" not in kind
        and (series.dtype.is_integer() or series.dtype.is_float())
    )
    if plain and not series.is_null().any():
        return np.asarray(series.to_numpy())
    values = np.empty(len(series), object)
    values[:] = series.to_list()
    return values
