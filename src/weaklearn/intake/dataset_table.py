"""The columns of a pyarrow dataset, such as a folder of Parquet files larger than memory.

Rows stay in the files: a few columns of all rows are read at a time. Other kinds of X never get
here, so that pyarrow is imported only where a dataset of it was passed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.spelling import listed, nearest
from ..base.messages.value_text import show
from ..callbacks import Line
from .elsewhere import InFiles

_AHEAD = 4  # batches read ahead of the one at work

Stamps = Mapping[str, tuple[int, int | None]]  # size and time of change of each file


@dataclass(frozen=True, eq=False)
class DatasetTable(InFiles):
    """Some columns of a dataset as an X to learn from; ``kept`` are the rows that count, or all.

    ``stamps`` tell whether a file has changed since; ``target`` is the name of the column that is
    learnt; ``progress`` shows what has been read.
    """

    dataset: Any
    names: tuple[str, ...]
    n_rows: int
    stamps: Stamps
    target: str | None = None
    kept: NDArray[np.intp] | None = None
    progress: ReadProgress | None = field(default=None, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), len(self.names)

    def __len__(self) -> int:
        return self.n_rows if self.kept is None else len(self.kept)

    def take(self, rows: NDArray[np.intp]) -> DatasetTable:
        """The listed rows."""
        return replace(self, kept=rows if self.kept is None else self.kept[rows])

    def is_text(self, name: str) -> bool:
        """Whether a column holds texts."""
        return _is_text(self.dataset.schema.field(name).type)

    def columns(self, names: Sequence[str]) -> Any:
        """An Arrow table of some columns of the rows that count; texts come as dictionaries."""
        import pyarrow as pa

        fields = [self.dataset.schema.field(name) for name in names]
        parts = [_part(field.type, self.n_rows) for field in fields]
        how = {"batch_readahead": _AHEAD, "fragment_readahead": 1}
        n_rows = 0
        with readable(self.dataset, self.stamps, names):
            for batch in self.dataset.to_batches(columns=list(names), **how):
                n_rows += len(batch)
                for k, part in enumerate(parts):
                    part.add(batch.column(k))
                if self.progress is not None:
                    self.progress.add(batch.nbytes)
        check_unchanged(self.dataset, self.stamps)
        if self.progress is not None and names[-1] == self.names[-1]:
            self.progress.close()
        if n_rows != self.n_rows:
            raise ValueError(
                f"the dataset has {n_rows} rows, and had {self.n_rows} when the fit began: fit "
                "again once nothing writes to it any more."
            )
        table = pa.table([part.whole() for part in parts], list(names))
        pa.default_memory_pool().release_unused()
        return table if self.kept is None else table.take(pa.array(self.kept))


class _Floats:
    """A column of floats on its way into one array; a null is NaN."""

    def __init__(self, dtype: Any, n_rows: int) -> None:
        self._values, self._n = np.empty(n_rows, dtype), 0

    def add(self, array: Any) -> None:
        if self._n + len(array) <= len(self._values):  # otherwise the file has grown
            self._values[self._n : self._n + len(array)] = array.to_numpy(zero_copy_only=False)
        self._n += len(array)

    def whole(self) -> Any:
        import pyarrow as pa

        return pa.array(self._values)


class _Chunks:
    """A column of anything else, batch by batch; each text is kept once a batch."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._is_text = kind, _is_text(kind)
        self._arrays: list[Any] = []

    def add(self, array: Any) -> None:
        self._arrays.append(array.dictionary_encode() if self._is_text else array)

    def whole(self) -> Any:
        import pyarrow as pa

        kind = pa.dictionary(pa.int32(), self._kind) if self._is_text else self._kind
        return pa.chunked_array(self._arrays, kind)


def _part(kind: Any, n_rows: int) -> _Floats | _Chunks:
    import pyarrow as pa

    if pa.types.is_float32(kind) or pa.types.is_float64(kind):
        return _Floats(kind.to_pandas_dtype(), n_rows)
    return _Chunks(kind)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


# ---------------------------------------------------------------------------------------- opening


def opened(
    X: Any,
    roles: Mapping[str, Any],
    *,
    features: Sequence[str] | None = None,
    shown: str = "",
) -> tuple[DatasetTable, list[Any]]:
    """A dataset as a table of features, and the columns that have another role.

    ``roles`` maps y, sample_weight and the like to the names of columns, the target first; None
    stays None. ``features`` are the others by default. ``shown`` is the name in the progress that
    is shown; "" shows none.
    """
    names = list(X.schema.names)
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"the dataset has {names.count(repeated[0])} columns named {show(repeated[0])}; "
            "rename all but one."
        )
    for role, name in roles.items():
        _check_role(role, name, names)
    given = [name for name in roles.values() if name is not None]
    if len(set(given)) < len(given):
        raise ValueError(f"the columns of {show(dict(roles))} must differ: one column, one role.")
    stamps = stamps_of(X)
    with readable(X, stamps, names):
        _check_alike(X)
        n_rows = X.count_rows()
    if features is None:
        features = [name for name in names if name not in given]
    for name in features:
        if name not in names:
            raise ValueError(
                f"the dataset has no column {name!r}, which the model is to be fitted on; its "
                f"columns are {listed(names)}.{nearest(name, names)}"
            )
    table = DatasetTable(X, tuple(features), n_rows, stamps, next(iter(roles.values())))
    found = table.columns(given) if given else {}
    beside = [None if name is None else found[name] for name in roles.values()]
    if shown:
        table = replace(table, progress=ReadProgress(shown, _bytes_of(X, features, n_rows)))
    return table, beside


def _check_role(role: str, name: Any, names: Sequence[str]) -> None:
    """Refuses a role that is given otherwise than by the name of one column."""
    if name is None and role not in ("y", "y_val"):
        return
    if not isinstance(name, str):
        raise ValueError(
            f"{role} is of type {type(name).__name__}, and X is a dataset: pass the name of the "
            f"column that holds {role}, one of {listed(names)}."
        )
    if not names:
        raise ValueError("the dataset has no columns: pass the folder that holds its files.")
    if name not in names:
        raise ValueError(
            f"{role}={name!r} is no column of the dataset; its columns are {listed(names)}."
            f"{nearest(name, names)}"
        )


def _check_alike(dataset: Any) -> None:
    """Refuses files whose columns or types differ."""
    wanted, first = set(dataset.schema.names), None
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # of pyarrow: those of a filtered one are not to be had
        raise ValueError(
            "X is a dataset with a filter or a projection, which fit does not take: write the rows "
            "that count to files of their own, by pyarrow.dataset.write_dataset, and pass these."
        ) from None
    if hasattr(dataset, "files") and not dataset.files:
        raise ValueError(
            "the dataset has no files: pass the folder that holds them, or name their format."
        )
    for fragment in fragments:
        fields = {f.name: f.type for f in fragment.physical_schema}
        if first is None:
            left_out = fields.keys() - wanted  # by the schema that was passed
        types = {name: kind for name, kind in fields.items() if name not in left_out}
        place = getattr(fragment, "path", "a table")
        if first is None:
            first, here = types, place
        elif types != first:
            odd = next(n for n in [*first, *types] if first.get(n) != types.get(n))
            then, now = (kinds.get(odd, "no such column") for kinds in (first, types))
            raise ValueError(
                f"the column {show(odd)} differs between files: {here} has {then}, {place} has "
                f"{now}; write all files with the same columns and types."
            )


def _bytes_of(dataset: Any, names: Sequence[str], n_rows: int) -> int:
    """How many bytes some columns take in memory, as far as their types tell."""
    return int(n_rows * sum(_width(dataset.schema.field(name).type) for name in names))


def _width(kind: Any) -> float:
    try:
        return float(kind.bit_width) / 8
    except ValueError:  # texts, say: about so much
        return 16.0


# ---------------------------------------------------------------------------------------- reading


def stamps_of(dataset: Any) -> Stamps:
    """The size and the time of change of every file of a dataset."""
    found: dict[str, tuple[int, int | None]] = {}
    for part in getattr(dataset, "children", None) or [dataset]:
        files = getattr(part, "files", None)
        for info in part.filesystem.get_file_info(files) if files else ():
            found[info.path] = info.size, info.mtime_ns
    return found


def check_unchanged(dataset: Any, stamps: Stamps) -> None:
    """Refuses files that are not as they were when the fit began."""
    for path, stamp in stamps_of(dataset).items():
        if stamps[path] != stamp:
            then, now = stamps[path][0], stamp[0]
            raise ValueError(
                f"{path} has changed while it was read (it had {show(then)} bytes and has "
                f"{show(now)}): fit again once nothing writes to it any more."
            )


@contextmanager
def readable(dataset: Any, stamps: Stamps, names: Sequence[str]) -> Iterator[None]:
    """Context manager: errors of reading say which file is broken, or has changed meanwhile."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError) as error:
        check_unchanged(dataset, stamps)
        path, reason = _broken_file(dataset, names) or ("the dataset", error)
        line = (str(reason).strip().splitlines() or [type(reason).__name__])[0]
        raise ValueError(
            f"{path} cannot be read: {line} Write it again, or leave it out."
        ) from None


def _broken_file(dataset: Any, names: Sequence[str]) -> tuple[str, Exception] | None:
    """The first file that cannot be read, and why."""
    for fragment in dataset.get_fragments():
        try:
            known = set(fragment.physical_schema.names)
            for _ in fragment.to_batches(columns=[name for name in names if name in known]):
                pass
        except Exception as error:
            return str(getattr(fragment, "path", "a table of the dataset")), error
    return None


class ReadProgress:
    """One line that tells how many bytes have been read, of how many; ``close`` ends a pass."""

    def __init__(self, name: str, n_bytes: int) -> None:
        self._name, self._all = name, max(n_bytes, 1)
        self._done, self._shown, self._passes = 0, -1, 0
        self._line, self._start = Line(), time.monotonic()

    def add(self, n_bytes: int) -> None:
        """Counts bytes that have been read."""
        self._done = min(self._done + n_bytes, self._all)
        tenth = 10 * self._done // self._all
        if self._line.is_due(0 if tenth > self._shown else 1, 2):
            self._shown = tenth
            self._show()

    def _show(self) -> None:
        what = "reads its rows" if self._passes == 0 else "bins its rows"
        self._line.write(
            f"{self._name} {what}: {self._done / 1e6:,.0f} of {self._all / 1e6:,.0f} MB  "
            f"{time.monotonic() - self._start:.1f}s"
        )

    def close(self) -> None:
        """Ends a pass over all columns."""
        self._done = self._all
        self._show()
        self._line.close()
        self._done, self._shown, self._passes = 0, -1, self._passes + 1
