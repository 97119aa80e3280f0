"""Several Parquet files, or a folder of them, as one table whose rows stay in the files."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from ..base.messages.spelling import listed
from . import data, output
from .fault import Fault
from .output import say

_PARQUET = (".parquet", ".pq")


def files_in(paths: Sequence[str]) -> list[str]:
    """The files of a command line; a folder stands for the Parquet files in it."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        inside = sorted(name for name in os.listdir(path) if name.endswith(_PARQUET))
        if not inside:
            raise Fault(f"{path} is a directory without Parquet files; name one that has some.")
        within = [os.path.join(path, name) for name in inside]
        found += [file for file in within if not _is_empty(file)] or within[:1]
    return found


def _is_empty(path: str) -> bool:
    """Whether a Parquet file has no rows, as some programs write where they have nothing to say."""
    try:
        from pyarrow import parquet

        return bool(parquet.read_metadata(path).num_rows == 0)
    except (ImportError, OSError, ValueError):  # whoever reads it says what is wrong
        return False


def stay_on_disk(paths: Sequence[str], asked: bool) -> bool:
    """Whether rows are to be learnt from where they are: several files, or more than memory has
    place for, or where the user asks for it.
    """
    from ..engines.memory import memory_limit

    if asked or len(paths) > 1 or os.path.isdir(paths[0]):
        return True
    if not paths[0].endswith(_PARQUET) or not os.path.isfile(paths[0]):
        return False
    return os.path.getsize(paths[0]) > memory_limit() / 2


def fit_on_disk(
    paths: Sequence[str],
    saved_to: str | None,
    *,
    target: str | None,
    model: str | None,
    settings: tuple[str, ...],
    task: str | None,
    weights: str | None,
    ignore: tuple[str, ...],
    categorical: tuple[str, ...],
    seed: int | None,
    threads: int | None,
    as_json: bool,
    **others: Any,
) -> int:
    """Runs ``weaklearn fit`` on files larger than memory."""
    from .fitting import _save
    from .model import made

    for name in ("resume", "test", "cv", "text", "missing", "dates", "skip_unlabelled"):
        if others.get(name):
            raise Fault(
                f"--{name.replace('_', '-')} is not possible where rows stay in their files, as "
                "those of several files do; leave it out, or fit in Python."
            )
    assert target is not None
    files = files_in(paths)
    dataset = _dataset(files, ignore)
    data.check_names(files[0], dataset.schema.names, [target, *([weights] if weights else [])])
    task = task or _task(dataset, target)
    chosen = made(model or "adaboost", task, settings, random_state=seed, n_jobs=threads)
    if categorical:
        chosen.set_params(categorical_features=list(categorical))
    shown = {"verbose": int(output.is_lively())} if "verbose" in chosen.get_params() else {}
    start = time.perf_counter()
    chosen.set_params(**shown).fit(
        dataset, target, **({"sample_weight": weights} if weights else {})
    )
    seconds = time.perf_counter() - start
    chosen.set_params(**dict.fromkeys(shown, 0))
    if saved_to is not None:
        _save(chosen, saved_to)
    _tell(chosen, dataset, len(files), seconds, saved_to, as_json)
    return 0


def _tell(
    model: Any, dataset: Any, n_files: int, seconds: float, saved_to: str | None, as_json: bool
) -> None:
    """Prints what was fitted."""
    facts = {
        "model": type(model).__name__,
        "files": n_files,
        "rows": dataset.count_rows(),
        "columns": model.n_features_in_,
        "rounds": model.n_iter_,
        "seconds": round(seconds, 1),
        "fingerprint": model.fingerprint(),
        "saved": saved_to,
    }
    if as_json:
        output.show_json(facts)
        return
    say(
        f"{facts['model']}: {facts['rounds']:,} rounds on {facts['rows']:,} rows of "
        f"{facts['columns']:,} columns in {n_files:,} file(s), {seconds:.1f} s."
    )
    if saved_to is not None:
        say(f"The model is saved in {saved_to}.")


def _dataset(files: Sequence[str], ignore: Sequence[str]) -> Any:
    """The files as one dataset, without the columns to leave out."""
    for path in files:
        if not os.path.isfile(path):
            raise Fault(f"{path} does not exist; name Parquet files, or a folder of them.", 1)
        if not path.endswith(_PARQUET):
            raise Fault(f"{path} is no Parquet file; of other files, one is read at a time.")
    try:
        import pyarrow as pa
        import pyarrow.dataset as ds
    except ImportError:
        raise Fault("Parquet files need pyarrow: pip install 'weaklearn[parquet]'.") from None
    try:
        dataset = ds.dataset(list(files))
    except (pa.ArrowException, OSError) as error:
        raise Fault(
            f"{listed(files[:3])} cannot be read: {str(error).splitlines()[0]}", 1
        ) from None
    data.check_names(files[0], dataset.schema.names, list(ignore))
    kept = [field for field in dataset.schema if field.name not in ignore]
    return dataset.replace_schema(pa.schema(kept))


def _task(dataset: Any, target: str) -> str:
    """Classification, unless the target holds fractions or integers that hardly repeat."""
    import pyarrow as pa

    from ..datasets.data_table import DataColumn, DataTable
    from .model import CLASSES
    from .training_rows import task_of

    kind = dataset.schema.field(target).type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        return CLASSES
    values = dataset.to_table(columns=[target])[target].drop_null().cast(pa.float64(), safe=False)
    return task_of(DataTable([DataColumn(target, "number", values.to_numpy())]), target)
