"""Tables from Parquet files, whose columns are typed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from .cell import EXACT, Codes, Odd, Words, datetimes, numbers
from .data_table import DataColumn, DataTable, stacked
from .source import Source, TableError, check_columns

_ROWS = 2**16


def read_parquet(
    source: Source, types: Mapping[str, str], columns: Collection[str] | None, words: Words
) -> DataTable:
    """The table of a Parquet file; ``words`` may turn columns of texts into dates."""
    table = stacked(list(parquet_chunks(source, types, columns, words)))
    if words.dates is None and not words.dates_of:
        return table
    return DataTable(_dated(table.column(name), words.of(name)) for name in table.names)


def _dated(column: DataColumn, words: Words) -> DataColumn:
    if words.dates is None or column.kind != "category" or column.declared:
        return column
    if column.missing.all():
        return column
    try:
        found, tz = datetimes([*column.labels, ""], words)
    except Odd:
        return column
    return DataColumn(column.name, "date", found[column.values], tz=tz)


def parquet_chunks(
    source: Source, types: Mapping[str, str], columns: Collection[str] | None, words: Words
) -> Iterator[DataTable]:
    """The table of a Parquet file, chunk by chunk."""
    with source.raw() as file:
        opened = _opened(source, file)
        names = opened.schema_arrow.names
        wanted = names if columns is None else list(columns)
        check_columns(source.name, names, [*wanted, *types])
        n_rows = 0
        try:
            for batch in opened.iter_batches(_ROWS, columns=wanted):
                yield DataTable(
                    _column(source.name, name, batch.column(name), types.get(name), n_rows, words)
                    for name in wanted
                )
                n_rows += len(batch)
        except (OSError, UnicodeError) as error:
            raise _broken(source, error) from None
        except Exception as error:
            if type(error).__module__ != "pyarrow.lib":
                raise
            raise _broken(source, error) from None
        if n_rows == 0:
            raise TableError(f"{source.name} has no rows")


def parquet_names(source: Source) -> tuple[str, ...]:
    """The column names of a Parquet file."""
    with source.raw() as file:
        return tuple(_opened(source, file).schema_arrow.names)


def _opened(source: Source, file: Any) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        problem = f"{source.name} is a Parquet file, which needs pyarrow"
        raise TableError(problem, "parquet") from None
    try:
        opened = parquet.ParquetFile(file)
        names = opened.schema_arrow.names
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise _broken(source, error) from None
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise TableError(f"{source.name} has two columns named {repeated!r}; rename one")
    return opened


def _broken(source: Source, error: Exception) -> TableError:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return TableError(f"{source.name} is a broken Parquet file: {lines[0]}")


def _column(
    file: str, name: str, array: Any, wanted: str | None, first_row: int, words: Words
) -> DataColumn:
    words = words.of(name)
    found = _found(file, name, array, words)
    if wanted in (None, found.kind) or (wanted, found.kind) == ("number", "integer"):
        return found
    if wanted == "category":
        return _as_categories(found, words)
    if found.kind == "category":
        texts = [text if text is not None else "" for text in found.array]
        try:
            return _from_texts(name, texts, str(wanted), words)
        except Odd as odd:
            row = first_row + odd.place + 1
            raise TableError(
                f"{file}, row {row:,}, column {name!r}: {odd.text!r} {odd.why}",
                "declared" if odd.hint == "categorical" else odd.hint,
                row,
                name,
            ) from None
    if found.missing.all():
        return _from_texts(name, [""] * len(found), str(wanted), words)
    raise TableError(f"{file}: the column {name!r} holds {found.kind}s, not {wanted}s", column=name)


def _from_texts(name: str, texts: list[str], kind: str, words: Words) -> DataColumn:
    if kind == "date":
        found, tz = datetimes(texts, words)
        return DataColumn(name, "date", found, tz=tz, declared=True)
    values = numbers(texts, words, flags=True)
    return DataColumn(
        name, "integer" if values.dtype == object else "number", values, declared=True
    )


def _found(file: str, name: str, array: Any, words: Words) -> DataColumn:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    if pa.types.is_boolean(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        array = pc.cast(array, pa.float64(), safe=False)
        return _numbers(file, name, np.array(array.to_numpy(zero_copy_only=False)))
    if pa.types.is_integer(kind):
        return _integers(name, array)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or "string_view" in str(kind):
        codes = Codes(words)
        texts = ["" if text is None else text for text in array.to_pylist()]
        values = codes.of(texts)
        return DataColumn(name, "category", values, codes.labels)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        tz = "UTC" if pa.types.is_timestamp(kind) and kind.tz is not None else None
        dates = array.to_numpy(zero_copy_only=False)
        return DataColumn(name, "date", np.asarray(dates, _unit(dates)), tz=tz)
    if pa.types.is_null(kind):
        return DataColumn(name, "number", np.full(len(array), np.nan))
    raise TableError(
        f"{file}: the column {name!r} has the type {kind}, which is neither numbers, text nor "
        "dates; leave it out, or convert it",
        column=name,
    )


def _unit(dates: Any) -> Any:
    return dates.dtype if dates.dtype.kind == "M" else "M8[D]"


def _numbers(file: str, name: str, values: Any) -> DataColumn:
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise TableError(
            f"{file}: the column {name!r} holds {values[infinite[0]]}; pass finite numbers, or "
            "nulls where they are missing",
            column=name,
        )
    return DataColumn(name, "number", values)


def _integers(name: str, array: Any) -> DataColumn:
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = pc.min_max(array).as_py()
    if ends["min"] is None or (-EXACT <= ends["min"] and ends["max"] <= EXACT):
        floats = pc.cast(array, pa.float64(), safe=False)
        return DataColumn(name, "number", np.array(floats.to_numpy(zero_copy_only=False)))
    values = np.empty(len(array), object)
    values[:] = array.to_pylist()
    return DataColumn(name, "integer", values)


def _as_categories(column: DataColumn, words: Words) -> DataColumn:
    codes = Codes(words)
    texts = [
        "" if gone else _text(value)
        for value, gone in zip(column.array.tolist(), column.missing.tolist())
    ]
    return DataColumn(column.name, "category", codes.of(texts), codes.labels, declared=True)


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
