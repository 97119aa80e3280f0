"""Reading tables for the commands, with the column types of a model or with types inferred."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.messages.spelling import listed, nearest
from ..prediction.rows import classes_of, schema_of
from ..registry import row_of
from .fault import Fault
from .kept_reading import IS_KEPT_ENCODING, Reading, with_kept, words
from .output import say

if TYPE_CHECKING:
    from ..datasets.data_table import DataTable
    from ..datasets.source import Source

_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".feather", ".xlsx")
_PACKED = (".gz", ".bz2", ".xz", ".zst")


def source_at(path: str, reading: Reading) -> Source:
    """A file, opened once, because a pipe cannot be read again.

    An encoding that a model kept gives way to UTF-8 where the file shows that it is UTF-8.
    """
    from ..datasets.source import Source

    encoding = reading.get("encoding")
    source = Source(path, encoding, reading.get("pipe_limit"))
    if reading.get(IS_KEPT_ENCODING) and source.turns_out_utf8():
        say(
            f"{path} is read as UTF-8, which it is, and not as {encoding}, the encoding that the "
            "model was fitted with; name another with --encoding."
        )
    return source


@contextmanager
def _naming_encoding(source: Source, reading: Reading) -> Iterator[None]:
    """Context manager: errors about columns name an encoding that nobody asked for."""
    try:
        yield
    except Fault as fault:
        if not reading.get(IS_KEPT_ENCODING) or source.is_parquet:
            raise
        raise Fault(
            f"{fault} It is read as {source.encoding}"
            + " like the rows of training" * (not source.is_utf8)
            + "; name another encoding with --encoding."
        ) from None


def names_of(path: str | Source, reading: Reading | None = None) -> tuple[str, ...]:
    """The column names of a file."""
    from ..datasets.reading import column_names

    return column_names(path, **words(reading or {}, path))


def check_names(path: str, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Refuses a column that a file does not have, or that is named twice."""
    for name in wanted:
        if name not in names:
            lone = " Name the delimiter with --delimiter." * (len(names) == 1)
            raise Fault(
                f"{path} has no column {name!r}; its columns are {listed(names)}."
                f"{nearest(name, list(names), 0.7)}{lone}"
            )
    for name in wanted:
        if wanted.count(name) > 1:
            raise Fault(f"the column {name!r} is named twice; give it one role.")


@dataclass(frozen=True)
class KnownColumns:
    """The columns of a fitted model: their names, if any, and the types to read them as."""

    names: tuple[str, ...] | None
    n_features: int
    types: dict[str, str]
    strip: bool

    @classmethod
    def of(cls, model: Any) -> KnownColumns:
        row = row_of(type(model))
        if row is not None and row.reads == "texts":
            raise Fault(
                f"{type(model).__name__} reads texts: name their column with --text, where the "
                "command has it."
            )
        schema = schema_of(model)
        if schema is None:
            raise Fault(f"{type(model).__name__} does not store its columns; use it from Python.")
        columns = schema.special if schema.names is not None else {}
        types = dict.fromkeys(schema.names or (), "number")
        types |= {c.name: _type(c) for c in columns.values()}
        texts = [*(schema.names or ()), *(t for c in columns.values() for t in _texts(c))]
        return cls(
            schema.names, schema.n_features, types, all(text == text.strip() for text in texts)
        )

    def features(self, path: str, names: Sequence[str], apart: Sequence[str | None]) -> list[str]:
        """The columns of a file that are the model's, in its order."""
        if self.names is None:
            left = [name for name in names if name not in apart]
            if len(left) != self.n_features:
                raise Fault(
                    f"{path} has {len(left)} columns to predict from, and the model, whose columns "
                    f"have no names, takes {self.n_features}; leave others out with --ignore."
                )
            return left
        lacking = [name for name in self.names if name not in names]
        if lacking:
            more = f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else ""
            unused = [name for name in names if name not in self.names and name not in apart]
            raise Fault(
                f"{path} has no column {lacking[0]!r}{more}, which the model was fitted on."
                f"{nearest(lacking[0], unused, 0.7)}"
            )
        return list(self.names)


def _texts(column: Any) -> list[str]:
    """The categories of a column that are texts."""
    return [c for c in (*column.categories, *column.pooled) if isinstance(c, str)]


def _type(column: Any) -> str:
    """The type to read a column of a model as: category, date or number."""
    kind = column.kind.value
    if kind == "category":
        return (
            "category" if _texts(column) or not (column.categories or column.pooled) else "number"
        )
    if kind == "moment":
        return "date"
    if kind == "duration":
        raise Fault(f"the column {column.name!r} holds durations; use the model from Python.")
    return "number"


@dataclass(frozen=True)
class Rows:
    """Rows read from a file: X, and where asked for y and weights."""

    X: Any  # a DataTable, or a DatasetTable, whose rows stay in files
    y: Any = None
    weights: Any = None
    target: str | None = None
    reading: str | None = None  # what a model keeps of how they were read


def rows_for(
    model: Any,
    path: str,
    reading: Reading,
    *,
    target: str | None = None,
    labelled: bool = True,
    weights: str | None = None,
    ignore: Sequence[str] = (),
) -> Rows:
    """The rows of a file as a model reads them, with their labels."""
    from ..datasets.reading import read_table

    known, reading = KnownColumns.of(model), with_kept(model, reading)
    source = source_at(path, reading)
    names = names_of(source, reading)
    aside = [*ignore, *([weights] if weights else [])]
    stored = _stored_target(model, names, [*aside, *(known.names or ())])
    if labelled and target is None:
        with _naming_encoding(source, reading):
            target = stored or _left_over(model, path, names, known, aside)
    apart = [name for name in (target, weights) if name is not None]
    with _naming_encoding(source, reading):
        check_names(path, names, [*apart, *ignore])
        features = known.features(path, names, [*apart, *ignore, stored])
    types = {name: kind for name, kind in known.types.items() if name in features}
    if target is not None:
        types[target] = target_type(model)
    if weights is not None:
        types[weights] = "number"
    table = read_table(
        source,
        types=types,
        columns=list(dict.fromkeys([*features, *apart])),
        strip=known.strip,
        **words(reading, source, names),
    )
    if target is not None:
        table = with_target(path, table, target, reading)
    return Rows(
        table.select(features),
        None if target is None else labels_for(model, table, target),
        None if weights is None else amounts(path, table, weights),
        target,
    )


def test_rows_for(
    model: Any, path: str | None, target: str | None, ignore: Sequence[str], reading: Reading
) -> dict[str, Any]:
    """The arguments ``X_test`` and ``y_test`` from a second file, if one is named."""
    if path is None:
        return {}
    found = rows_for(model, path, reading, target=target, ignore=ignore)
    return {"X_test": found.X, "y_test": found.y}


def _stored_target(model: Any, names: Sequence[str], others: Sequence[str]) -> str | None:
    """The target whose name the model stores, if the file has it and it has no other role."""
    from ..production.provenance import provenance_of

    target = provenance_of(model).target
    return target if target in names and target not in others else None


def _left_over(
    model: Any, path: str, names: Sequence[str], known: KnownColumns, apart: Sequence[str]
) -> str:
    """The one column that is no feature, taken as target of a model that stores no name of it."""
    from ..production.provenance import provenance_of

    target = provenance_of(model).target
    if target is not None and target not in names:
        raise Fault(
            f"{path} has no column {target!r}, the target of the model; name it with --target."
        )
    left = [name for name in names if name not in apart and name not in (known.names or ())]
    if known.names is None or len(left) != 1:
        listed = ", ".join(map(repr, left[:5])) + ", ..." * (len(left) > 5)
        raise Fault(
            f"which column of {path} is the target? Name it with --target: "
            + (f"it may be any of {listed}." if left else "all of its columns are features.")
        )
    return left[0]


def target_type(model: Any) -> str:
    """The type to read the target of a model as."""
    classes = classes_of(model)
    return "category" if classes is not None and classes.dtype.kind in "OU" else "number"


def labels_for(model: Any, table: DataTable, target: str) -> Any:
    """The target of a table with the type of the model's classes."""
    y = table.labels(target)
    classes = classes_of(model)
    return y.astype(bool) if classes is not None and classes.dtype == bool else y


def labels(path: str, table: DataTable, target: str) -> Any:
    """The target, which may have no missing values."""
    return with_target(path, table, target, {}).labels(target)


def with_target(path: str, table: DataTable, target: str, reading: Reading) -> DataTable:
    """The rows that have a target; the others are refused, or skipped with --skip-unlabelled."""
    missing = table.column(target).missing
    n_missing = int(missing.sum())
    if not n_missing:
        return table
    problem = f"{path}: the target {target!r} is missing in {n_missing:,} of {len(table):,} rows"
    if n_missing == len(table) or not reading.get("skip_unlabelled"):
        able = "skip_unlabelled" in reading and n_missing < len(table)
        how = " with --skip-unlabelled" * able
        raise Fault(f"{problem}; fill it in, or leave these rows out{how}.")
    say(f"{problem}, which are left out.")
    found: DataTable = table[~missing]
    return found


def amounts(path: str, table: DataTable, name: str) -> Any:
    """The column of sample weights, checked to be numbers of at least 0."""
    column = table.column(name)
    if column.kind != "number":
        raise Fault(f"{path}: the weights {name!r} hold {column.kind}s; they must be numbers.")
    bad = (column.missing | (column.values < 0)).nonzero()[0]
    if len(bad):
        what = "missing" if column.missing[bad[0]] else f"{column.values[bad[0]]:g}"
        raise Fault(
            f"{path}: the weight {name!r} is {what} in row {bad[0] + 1:,}; give every row a number "
            "of at least 0."
        )
    return column.values


def chunks_for(
    model: Any, path: str, reading: Reading, *, keep: Sequence[str], ignore: Sequence[str]
) -> Iterator[tuple[DataTable, DataTable]]:
    """The features of a file and the columns to keep, chunk by chunk."""
    from ..datasets.reading import read_chunks

    known, reading = KnownColumns.of(model), with_kept(model, reading)
    source = source_at(path, reading)
    names = names_of(source, reading)
    with _naming_encoding(source, reading):
        check_names(path, names, [*keep])
        check_names(path, names, [*ignore])
        apart = [*keep, *ignore, _stored_target(model, names, ())]
        features = known.features(path, names, apart)
    types = dict.fromkeys(keep, "category") | {
        name: kind for name, kind in known.types.items() if name in features
    }
    pieces = read_chunks(
        source,
        types=types,
        columns=list(dict.fromkeys([*features, *keep])),
        strip=known.strip,
        **words(reading, source, names),
    )
    for piece in pieces:
        yield piece.select(features), piece.select(list(keep))


def model_at(path: str) -> Any:
    """The model in a file."""
    from ..persistence.save_load import load

    return load(path)


def refuse_same(output: str | None, *inputs: str | None) -> None:
    """Refuses an output that is also one of the inputs."""
    if output is None or output == "-":
        return
    for given in inputs:
        if given is None or given == "-":
            continue
        same = os.path.realpath(output) == os.path.realpath(given)
        if os.path.exists(output) and os.path.exists(given):
            same = same or os.path.samefile(output, given)
        if same:
            raise Fault(f"the output {output} is also an input; name another file.")


def check_folder(output: str | None, lines: bool = False) -> None:
    """Refuses, before the work begins, an output that cannot be written.

    With ``lines`` standard output, ``-``, is allowed.
    """
    if output is None or (output == "-" and lines):
        return
    if output in ("", "-"):
        raise Fault(f"the output {output!r} is no file name; name a file.")
    folder = os.path.dirname(os.path.abspath(output))
    if os.path.isdir(output):
        raise Fault(f"the output {output} is a directory; name a file in it.", 1)
    if os.path.exists(output) and not os.path.isfile(output):  # a file would take its place
        raise Fault(f"the output {output} is a device or a pipe; name a regular file.", 1)
    if not os.path.isdir(folder):
        raise Fault(f"the output {output} is in a directory that does not exist; make it first.", 1)
    if not os.access(folder, os.W_OK):
        raise Fault(f"the output {output} is in a directory that cannot be written to.", 1)


def refuse_table_name(output: str | None) -> None:
    """Refuses a model file that is called like a table of data."""
    name, suffix = os.path.splitext((output or "").lower())
    if suffix in _PACKED:
        suffix = os.path.splitext(name)[1]
    if suffix in _TABLES:
        raise Fault(
            f"the output {output} is called like a table, and would hold a model; call it "
            "model.weak, for example."
        )


def texts_for(
    model: Any, path: str, reading: Reading, *, text: Sequence[str], keep: Sequence[str]
) -> Iterator[tuple[DataTable, DataTable]]:
    """The text columns of a file and the columns to keep, chunk by chunk."""
    from ..datasets.reading import read_chunks

    reading = with_kept(model, reading)
    source = source_at(path, reading)
    wanted, names = list(dict.fromkeys([*text, *keep])), names_of(source, reading)
    with _naming_encoding(source, reading):
        check_names(path, names, wanted)
    types = dict.fromkeys(wanted, "category")
    for piece in read_chunks(source, types=types, columns=wanted, **words(reading, source, names)):
        yield piece.select(list(text)), piece.select(list(keep))
