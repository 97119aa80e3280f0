"""The rows about Parquet files: memory and speed of fits whose rows stay in their files.

``python -m benchmarks.file_rows FOLDER NAME TREES LEAVES THREADS`` is one fit in a fresh process.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from . import measure
from .peers import OURS
from .rows import Outcome, Row, Run
from .tree_peers import ALIKE, L2, STEP

COLUMNS = 28
LEAVES = 31
_A_FILE = 1_000_000  # rows
FROM_MEMORY = "weaklearn, X in memory"


def written(folder: str, n_rows: int) -> None:
    """Files of float32 columns and a label of two classes, compressed by zstd."""
    import pyarrow as pa
    from pyarrow import parquet

    for k, first in enumerate(range(0, n_rows, _A_FILE)):
        rng, n = np.random.default_rng(k), min(_A_FILE, n_rows - first)
        X = rng.standard_normal((COLUMNS, n), np.float32)
        score = X[0] + X[1] * X[2] + 0.5 * X[3] ** 2 + rng.standard_normal(n, np.float32)
        columns = {f"x{j}": X[j] for j in range(COLUMNS)}
        table = pa.table({**columns, "label": (score > 0.5).astype(np.int8)})
        parquet.write_table(table, Path(folder) / f"{k:03}.parquet", compression="zstd")


# ------------------------------------------------------------------ one fit in a process of its own


def _own_megabytes() -> float:
    """The memory that belongs to this process alone: no pages of files."""
    with open("/proc/self/smaps_rollup") as lines:
        line = next(line for line in lines if line.startswith("Anonymous:"))
    return int(line.split()[1]) / 1024


class _Peak(threading.Thread):
    """Looks at the memory twenty times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.over = _own_megabytes(), False

    def run(self) -> None:
        while not self.over:
            self.most = max(self.most, _own_megabytes())
            time.sleep(0.05)


def _our_model(trees: int, leaves: int, threads: int, clock: list[tuple[float, float]]) -> Any:
    from weaklearn import GradientBoostingClassifier

    def look(t: int, state: Any, history: Any) -> None:
        clock.append((time.perf_counter(), time.process_time()))

    return GradientBoostingClassifier(
        n_estimators=trees,
        max_leaf_nodes=leaves,
        n_jobs=threads,
        callbacks=[look],
        **ALIKE,
    )


def _ours(folder: str, trees: int, leaves: int, threads: int) -> list[tuple[float, float]]:
    import pyarrow.dataset as ds

    clock: list[tuple[float, float]] = []
    _our_model(trees, leaves, threads, clock).fit(ds.dataset(folder), "label")
    return clock


def _in_memory(folder: str, trees: int, leaves: int, threads: int) -> list[tuple[float, float]]:
    import pyarrow.dataset as ds

    clock: list[tuple[float, float]] = []
    table = ds.dataset(folder).to_table()
    X = np.empty((len(table), COLUMNS), np.float32)
    for j in range(COLUMNS):
        X[:, j] = table[f"x{j}"].to_numpy()
    y = table["label"].to_numpy()
    del table
    _our_model(trees, leaves, threads, clock).fit(X, y)
    return clock


def _xgboost(
    folder: str, trees: int, leaves: int, threads: int, matrix: str
) -> list[tuple[float, float]]:
    """XGBoost from an iterator over the files; by QuantileDMatrix or ExtMemQuantileDMatrix."""
    import xgboost
    from pyarrow import parquet

    files = sorted(Path(folder).glob("*.parquet"))

    class Files(xgboost.DataIter):  # type: ignore[misc]
        place = 0

        def next(self, input_data: Callable[..., Any]) -> bool:
            if self.place == len(files):
                return False
            table = parquet.read_table(files[self.place])
            columns = [table[f"x{j}"].to_numpy() for j in range(COLUMNS)]
            input_data(data=np.column_stack(columns), label=table["label"].to_numpy())
            self.place += 1
            return True

        def reset(self) -> None:
            self.place = 0

    clock: list[tuple[float, float]] = []

    class Look(xgboost.callback.TrainingCallback):  # type: ignore[misc]
        def after_iteration(self, *given: Any) -> bool:
            clock.append((time.perf_counter(), time.process_time()))
            return False

    with tempfile.TemporaryDirectory() as cache:
        files_of = Files(cache_prefix=f"{cache}/cache") if matrix.startswith("Ext") else Files()
        rows = getattr(xgboost, matrix)(files_of, max_bin=256, nthread=threads)
        settings = {
            "objective": "binary:logistic",
            "tree_method": "hist",
            "grow_policy": "lossguide",
            "max_leaves": leaves,
            "max_depth": 0,
            "learning_rate": STEP,
            "reg_lambda": L2,
            "nthread": threads,
        }
        xgboost.train(settings, rows, trees, callbacks=[Look()])
    return clock


FITS: dict[str, Callable[[str, int, int, int], list[tuple[float, float]]]] = {
    OURS.name: _ours,
    FROM_MEMORY: _in_memory,
    "XGBoost, external memory": partial(_xgboost, matrix="ExtMemQuantileDMatrix"),
    "XGBoost, iterator": partial(_xgboost, matrix="QuantileDMatrix"),
}


def main(folder: str, name: str, trees: str, leaves: str, threads: str) -> None:
    """One fit; prints its peak memory, and what the whole and each tree took."""
    peak, begin, busy = _Peak(), time.perf_counter(), time.process_time()
    peak.start()
    clock = FITS[name](folder, int(trees), int(leaves), int(threads))
    peak.over = True
    peak.join()
    later = len(clock) - 1
    found = {
        "megabytes": peak.most,
        "seconds": time.perf_counter() - begin,
        "processor": time.process_time() - busy,
        "tree": (clock[-1][0] - clock[0][0]) / later,
        "tree_processor": (clock[-1][1] - clock[0][1]) / later,
    }
    print(json.dumps(found))


# ----------------------------------------------------------------------------------------- the rows


@contextmanager
def _files(n_rows: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        written(folder, n_rows)
        yield folder


def _best(run: Run, folder: str, trees: int, names: list[str]) -> dict[str, dict[str, float]]:
    """The least of every number over the turns, the fits taken in turn."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(run.repeat):
        for name in names:
            given = (folder, name, str(trees), str(LEAVES), str(run.threads))
            found = json.loads(measure.child("-m", "benchmarks.file_rows", *given))
            known = best.setdefault(name, found)
            best[name] = {key: min(known[key], value) for key, value in found.items()}
    return best


def _measured(run: Run, n_rows: int, names: list[str], what: str, unit: str) -> Outcome:
    if find_spec("pyarrow") is None or not Path("/proc/self/smaps_rollup").exists():
        return Outcome({}, notes=["needs pyarrow, and a system that tells what is whose memory"])
    n_rows = 200_000 if run.quick else n_rows
    libraries = {OURS.name, *(run.peers if run.peers is not None else {"XGBoost"})}
    names = [name for name in names if name.split(",")[0] in libraries]
    names = [name for name in names if find_spec(name.split(",")[0].lower()) is not None]
    with _files(n_rows) as folder:
        found = _best(run, folder, 4 if run.quick else 8, names)
    size = n_rows * COLUMNS * 4 / 2**20
    notes = [f"X as float32 takes {size:,.0f} MB"]
    for name, one in found.items():
        notes.append(
            f"{name}: {one['megabytes']:,.0f} MB at the peak, {one['megabytes'] / size:.2f} of X; "
            f"whole fit {one['seconds']:.3g} s ({one['processor']:.3g} s of processors); a tree "
            f"{one['tree']:.3g} s ({one['tree_processor']:.3g} s)"
        )
    return Outcome({name: one[what] for name, one in found.items()}, unit, {}, notes)


_XGBOOST = ["XGBoost, external memory", "XGBoost, iterator"]


def memory(run: Run, n_rows: int) -> Outcome:
    return _measured(run, n_rows, [OURS.name, *_XGBOOST], "megabytes", "MB")


def mapped(run: Run, n_rows: int) -> Outcome:
    return _measured(run, n_rows, [OURS.name, FROM_MEMORY], "tree", "s")


def _rows(ending: str, millions: int) -> list[Row]:
    size = f"{millions},000,000 x {COLUMNS} in Parquet files, trees of {LEAVES} leaves"
    n_rows = millions * 1_000_000
    return [
        Row(
            f"files-memory{ending}",
            f"{size}: peak memory of its own, a fresh process",
            "leaner of XGBoost's external memory and iterator",
            1,
            None,
            lambda run: memory(run, n_rows),
            large=True,
        ),
        Row(
            f"files-codes{ending}",
            f"{size}: a tree from codes in a mapped file",
            FROM_MEMORY,
            0.7,
            0.9,
            lambda run: mapped(run, n_rows),
            large=True,
        ),
    ]


ROWS = (*_rows("", 4), *_rows("-20", 20))

if __name__ == "__main__":
    main(*sys.argv[1:])
