"""Fits on pyarrow datasets, whose rows stay in files: the same bytes as fits in memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import weaklearn as wl
from weaklearn.engines import mapped_file, memory


def table(n: int = 900, seed: int = 0) -> pa.Table:
    """Columns of every kind, with missing values, copies of rows, weights and three targets."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    score = np.where(np.isnan(x), 0, x) + rng.normal(size=n)
    found = pa.table(
        {
            "single": rng.normal(size=n).astype(np.float32),
            "number": np.where(rng.random(n) < 0.1, np.nan, x),
            "whole": pa.array(rng.integers(-3, 4, n), mask=rng.random(n) < 0.1),
            "wide": rng.integers(2**60, 2**60 + 50, n),
            "flag": rng.random(n) < 0.3,
            "city": pa.array(rng.choice(["a", "b", "c", None], n, p=[0.4, 0.3, 0.2, 0.1])),
            "id": [f"row {i}" for i in range(n)],
            "size": pa.array(rng.choice(["S", "M", "L"], n)).dictionary_encode(),
            "day": pa.array(rng.integers(0, 9000, n).astype("M8[D]")),
            "moment": pa.array(
                rng.integers(0, 10**15, n).astype("M8[us]"), mask=rng.random(n) < 0.05
            ),
            "nothing": pa.nulls(n, pa.float32()),
            "weight": rng.integers(0, 4, n),
            "share": rng.random(n),
            "two": np.where(score > 0, "yes", "no"),
            "three": rng.integers(0, 3, n),
            "amount": score,
        }
    )
    return pa.concat_tables([found, found.slice(0, n // 10)])


ROLES = ["weight", "share", "two", "three", "amount"]


def written(found: pa.Table, folder: Path, n_files: int, order: int | None = None) -> ds.Dataset:
    """The table in several files, its rows in another order where asked; one file is empty."""
    if order is not None:
        found = found.take(np.random.default_rng(order).permutation(len(found)))
    folder.mkdir(parents=True)
    ends = np.linspace(0, len(found), n_files + 1).astype(int)
    for k in range(n_files):
        part = found.slice(ends[k], ends[k + 1] - ends[k])
        pq.write_table(part, folder / f"{k}.parquet", row_group_size=100)
    if n_files > 1:
        pq.write_table(found.slice(0, 0), folder / "none.parquet")
    return ds.dataset(folder)


FITS: dict[str, tuple[Any, str, str | None]] = {
    "two": (wl.GradientBoostingClassifier(n_estimators=8), "two", None),
    "three": (wl.GradientBoostingClassifier(n_estimators=4), "three", None),
    "copies": (wl.GradientBoostingClassifier(n_estimators=8), "two", "weight"),
    "importances": (wl.GradientBoostingRegressor(n_estimators=8), "amount", "share"),
    "early": (
        wl.GradientBoostingClassifier(n_estimators=30, early_stopping=True, n_iter_no_change=3),
        "two",
        None,
    ),
    "auto": (wl.GradientBoostingRegressor(n_iter_no_change=5), "amount", None),
    "draws": (
        wl.GradientBoostingClassifier(n_estimators=8, subsample=0.5, max_features=0.5),
        "two",
        "weight",
    ),
    "class_weight": (
        wl.GradientBoostingClassifier(n_estimators=5, class_weight={0: 0, 1: 1, 2: 2}),
        "three",
        "weight",
    ),
    "glass box": (wl.AdditiveBoostingClassifier(n_estimators=6), "two", None),
    "glass box of three": (wl.AdditiveBoostingClassifier(n_estimators=3), "three", "weight"),
    "glass box, pairs": (
        wl.AdditiveBoostingRegressor(n_bags=3, n_iter_no_change=5, pairs=[("number", "single")]),
        "amount",
        "share",
    ),
    "adaboost": (wl.AdaBoostClassifier(n_estimators=8), "two", None),
    "adaboost of three": (wl.AdaBoostClassifier(n_estimators=5), "three", "weight"),
    "adaboost stopped": (
        wl.AdaBoostClassifier(n_estimators=20, early_stopping=True, n_iter_no_change=3),
        "two",
        "share",
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FITS)
def test_any_division_into_files_gives_the_model_of_the_rows_in_memory(
    name: str, tmp_path: Path
) -> None:
    model, target, weight = FITS[name]
    found = table()
    others = [c for c in ROLES if c not in (target, weight)]
    found = found.drop(others)
    X = found.drop([target, *([weight] if weight else [])])
    given = {} if weight is None else {"sample_weight": found[weight]}
    wanted = unfitted(model).fit(X, found[target], **given)
    named = {} if weight is None else {"sample_weight": weight}
    for n_files, order in ((1, None), (3, 1), (7, 2)):
        dataset = written(found, tmp_path / str(n_files), n_files, order)
        fitted = unfitted(model).fit(dataset, target, **named)
        assert fitted.fingerprint() == wanted.fingerprint()
        then, now = wanted._origin, fitted._origin
        assert (now.rows, now.n_examples, now.target) == (then.rows, then.n_examples, target)
        np.testing.assert_array_equal(now.row_sketch.hashes, then.row_sketch.hashes)


def unfitted(model: Any) -> Any:
    return type(model)(**model.get_params(deep=False))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_more_rows_than_bands_begin_at(tmp_path: Path) -> None:
    n = 200_100
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)).astype(np.float32)
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(np.int8)
    found = pa.table({**{f"x{j}": X[:, j] for j in range(3)}, "y": y})
    dataset = written(found, tmp_path / "rows", 2)
    for model in (
        wl.GradientBoostingClassifier(n_estimators=3),
        wl.AdaBoostClassifier(n_estimators=3),
    ):
        wanted = unfitted(model).fit(found.drop(["y"]), found["y"])
        assert model.fit(dataset, "y").fingerprint() == wanted.fingerprint()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_validation_rows_offsets_and_warm_starts(tmp_path: Path) -> None:
    found, later = table(), table(300, seed=1)
    data, new = written(found, tmp_path / "a", 2), written(later, tmp_path / "b", 3)
    X = found.drop(["two", "share"])
    judge = {"X_val": later.drop(["two", "share"]), "y_val": later["two"]}
    offsets = {"offset": found["share"], "offset_val": later["share"]}
    wanted = wl.GradientBoostingClassifier(n_estimators=6).fit(X, found["two"], **judge, **offsets)
    names = {"offset": "share", "offset_val": "share"}
    fitted = wl.GradientBoostingClassifier(n_estimators=4, warm_start=True)
    fitted.fit(data, "two", X_val=new, y_val="two", **names).set_params(n_estimators=6)
    fitted.fit(data, "two", X_val=new, y_val="two", **names)
    assert fitted.set_params(warm_start=False).fingerprint() == wanted.fingerprint()
    np.testing.assert_array_equal(
        fitted.history_["validation_loss"], wanted.history_["validation_loss"]
    )
    scores = np.concatenate(list(fitted.decision_function(new, "share")))
    np.testing.assert_array_equal(scores, wanted.decision_function(judge["X_val"], later["share"]))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "model",
    [
        wl.GradientBoostingClassifier(n_estimators=8, early_stopping=True),
        wl.AdditiveBoostingClassifier(n_estimators=8),
        wl.AdaBoostClassifier(n_estimators=8, early_stopping=True),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_column_names_the_groups(model: Any, tmp_path: Path) -> None:
    found = table(300)
    rows = found.drop(["two", "whole"]), found["two"]
    groups = found["whole"].fill_null(9)
    data = found.set_column(found.column_names.index("whole"), "whole", groups)
    wanted = unfitted(model).fit(*rows, groups=groups)
    plain = unfitted(model).fit(*rows).fingerprint()
    fitted = model.fit(written(data, tmp_path / "rows", 2), "two", groups="whole")
    assert fitted.fingerprint() == wanted.fingerprint() != plain


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", [wl.GradientBoostingClassifier, wl.AdaBoostClassifier])
def test_several_datasets_are_validation_sets_by_their_names(kind: Any, tmp_path: Path) -> None:
    tables = {name: table(200, seed) for seed, name in enumerate(("own", "may", "june"))}
    data = {name: written(each, tmp_path / name, 2) for name, each in tables.items()}
    X = {name: each.drop(["two"]) for name, each in tables.items()}
    y = {name: each["two"] for name, each in tables.items()}
    own = X.pop("own"), y.pop("own")
    wanted = kind(n_estimators=5).fit(*own, X_val=X, y_val=y)
    fitted = kind(n_estimators=5).fit(
        data.pop("own"), "two", X_val=data, y_val=dict.fromkeys(data, "two")
    )
    assert list(fitted.history_) == list(wanted.history_)
    for name in wanted.history_:
        np.testing.assert_array_equal(fitted.history_[name], wanted.history_[name])
    assert fitted.fingerprint() == wanted.fingerprint()
    mixed = {"may": data["may"], "june": X["june"]}
    answers = {"may": "two", "june": y["june"]}
    fitted = kind(n_estimators=5).fit(
        written(tables["own"], tmp_path / "mixed", 1), "two", X_val=mixed, y_val=answers
    )
    assert fitted.fingerprint() == wanted.fingerprint()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_predictions_of_a_dataset_are_an_iterator_over_batches(tmp_path: Path) -> None:
    found = table().drop(["weight", "share", "three"])
    data = written(found, tmp_path / "rows", 3)
    X = found.drop(["two", "amount"])
    for model in (
        wl.GradientBoostingClassifier(n_estimators=3),
        wl.AdaBoostClassifier(n_estimators=3),
    ):
        model.fit(X, found["two"])
        for method in ("predict", "predict_proba", "decision_function"):
            answers = getattr(model, method)(data)
            assert iter(answers) is answers
            np.testing.assert_array_equal(np.concatenate(list(answers)), getattr(model, method)(X))
    numbers = wl.GradientBoostingRegressor(n_estimators=3).fit(X, found["amount"])
    np.testing.assert_array_equal(np.concatenate(list(numbers.predict(data))), numbers.predict(X))
    with pytest.raises(ValueError, match="no column 'day'"):
        numbers.predict(ds.dataset(found.drop(["day"])))


# -------------------------------------------------------------------------------------- bad inputs


def small(folder: Path) -> ds.Dataset:
    return written(table(60).select(["single", "number", "two", "share"]), folder, 3)


def refused(dataset: Any, *args: Any, match: str, **kwargs: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=match):
        wl.GradientBoostingClassifier(n_estimators=2).fit(dataset, *args, **kwargs)


def test_names_of_columns(tmp_path: Path) -> None:
    data = small(tmp_path / "rows")
    refused(data, "tow", match="y='tow' is no column of the dataset.*Did you mean 'two'")
    refused(data, np.zeros(66), match="y is of type ndarray, and X is a dataset: pass the name")
    refused(data, None, match="y is of type NoneType")
    refused(data, "two", np.ones(66), match="sample_weight is of type ndarray")
    refused(data, "two", "two", match="must differ: one column, one role")
    refused(data, "two", X_val=data, match="y_val is of type NoneType")


def test_a_name_of_two_columns() -> None:
    both = pa.table([[1.0, 2.0], [3.0, 4.0], ["a", "b"]], ["x", "y", "y"])
    refused(ds.dataset(both), "y", match="2 columns named 'y'; rename all but one")


def test_no_files_and_no_rows(tmp_path: Path) -> None:
    refused(
        ds.dataset(tmp_path, schema=pa.schema({"x": pa.int8(), "y": pa.int8()})),
        "y",
        match="no files",
    )
    refused(written(table(60).slice(0, 0), tmp_path / "none", 1), "two", match="0 rows")


def test_columns_that_the_first_file_has_not(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.0], "y": ["a"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1.0], "y": ["b"], "more": [1]}), tmp_path / "b.parquet")
    wanted = "'more' differs between files: .*a.parquet has no such column, .*b.parquet has int64"
    refused(ds.dataset(tmp_path), "y", match=wanted)


def test_a_filter_is_refused(tmp_path: Path) -> None:
    data = written(table(60), tmp_path / "d", 2)
    refused(data.filter(ds.field("share") > 0.5), "two", match="with a filter or a projection")


def test_logarithms_of_probabilities_come_by_batches(tmp_path: Path) -> None:
    data = written(table(60), tmp_path / "d", 2).replace_schema(
        pa.schema([("single", pa.float32()), ("two", pa.string())])
    )
    model = wl.GradientBoostingClassifier(n_estimators=3).fit(data, "two")
    found = np.concatenate(list(model.predict_log_proba(data)))
    np.testing.assert_array_equal(found, np.log(np.concatenate(list(model.predict_proba(data)))))


def test_files_that_differ(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.0], "y": ["a"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1], "y": ["b"]}), tmp_path / "b.parquet")
    wanted = "'x' differs between files: .*a.parquet has double, .*b.parquet has int64"
    refused(ds.dataset(tmp_path), "y", match=wanted)
    pq.write_table(pa.table({"y": ["b"]}), tmp_path / "b.parquet")
    refused(ds.dataset(tmp_path), "y", match="b.parquet has no such column")


def test_a_file_that_ends_early(tmp_path: Path) -> None:
    data = small(tmp_path / "rows")
    path = tmp_path / "rows" / "1.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    refused(data, "two", match=r"1\.parquet cannot be read: ")
    inside = bytearray((tmp_path / "rows" / "2.parquet").read_bytes())
    inside[4:200] = bytes(196)
    path.unlink()
    (tmp_path / "rows" / "2.parquet").write_bytes(inside)
    refused(ds.dataset(tmp_path / "rows"), "two", match=r"2\.parquet cannot be read: ")


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    data = small(tmp_path / "rows")
    (tmp_path / "rows" / "1.parquet").unlink()
    refused(data, "two", match="1.parquet cannot be read")


def test_a_file_that_changes_during_the_fit(tmp_path: Path, monkeypatch: Any) -> None:
    data = small(tmp_path / "rows")
    path, kept = tmp_path / "rows" / "0.parquet", mapped_file.mapped_room

    def written_meanwhile(n_bytes: int) -> Any:  # between the two readings
        pq.write_table(pq.read_table(path).slice(0, 3), path)
        return kept(n_bytes)

    monkeypatch.setattr("weaklearn.engines.streamed.mapped_room", written_meanwhile)
    refused(data, "two", match="0.parquet has changed while it was read")


def test_missing_labels(tmp_path: Path) -> None:
    found = (
        table(60)
        .select(["single", "number"])
        .append_column("y", pa.array([None] + ["a", "b"] * 33)[:66])
    )
    refused(
        written(found, tmp_path / "rows", 2), "y", match=r"Input y contains NaN: y\[0\] is None"
    )


def test_estimators_that_need_their_rows_in_memory(tmp_path: Path) -> None:
    data = small(tmp_path / "rows")
    for model in (wl.RandomForestClassifier(), wl.BaggingClassifier()):
        name = type(model).__name__
        with pytest.raises(TypeError, match=f"{name} cannot learn from a pyarrow dataset"):
            model.fit(data, "two")
    with pytest.raises(ValueError, match="calibrate='platt' is not allowed where X is a dataset"):
        wl.AdaBoostClassifier(calibrate="platt").fit(data, "two")
    with pytest.raises(ValueError, match="estimator='tree' is not allowed where X is a dataset"):
        wl.AdaBoostClassifier("tree").fit(data, "two")


# ------------------------------------------------------------------------------ files and memory


def test_the_file_of_codes_has_no_name(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(mapped_file.VARIABLE, str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    seen: list[list[str]] = []

    def look(t: int, state: Any, history: Any) -> bool:
        seen.append(os.listdir(tmp_path / "cache"))
        if t == 2:
            raise KeyboardInterrupt
        return False

    model = wl.GradientBoostingClassifier(n_estimators=5, callbacks=[look])
    with pytest.raises(KeyboardInterrupt):
        model.fit(small(tmp_path / "rows"), "two")
    assert model.n_iter_ == 2
    assert seen == [[], []]
    monkeypatch.setenv(mapped_file.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(OSError, match=r"cannot be written to .*nowhere .*WEAKLEARN_CACHE"):
        model.set_params(callbacks=None).fit(ds.dataset(tmp_path / "rows"), "two")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    small(tmp_path / "rows")
    (tmp_path / "cache").mkdir()
    program = f"""
import resource, weaklearn, pyarrow.dataset as ds
data = ds.dataset({str(tmp_path / "rows")!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
weaklearn.GradientBoostingClassifier(n_estimators=2).fit(data, "two")
"""
    environment = {**os.environ, mapped_file.VARIABLE: str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert "MB of codes cannot be written to" in done.stderr
    assert "free so much space there" in done.stderr
    assert os.listdir(tmp_path / "cache") == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_rows_beyond_the_memory_of_the_process(tmp_path: Path) -> None:
    n, d, mega = 200_000, 150, 2**20  # 120 MB as singles
    rng = np.random.default_rng(0)
    (tmp_path / "rows").mkdir()
    for k in range(4):
        X = rng.integers(0, 1000, size=(n // 4, d)).astype(np.float32)
        columns = {f"x{j}": X[:, j] for j in range(d)}
        pq.write_table(
            pa.table({**columns, "y": (X[:, 0] > X[:, 1])}), tmp_path / "rows" / f"{k}.parquet"
        )
    program = f"""
import resource, weaklearn, pyarrow.dataset as ds
from weaklearn import GradientBoostingClassifier
data = ds.dataset({str(tmp_path / "rows")!r})
for line in open("/proc/self/status"):
    if line.startswith("VmData"):
        own = int(line.split()[1]) * 1024
limit = own + 95 * {mega}
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
model = GradientBoostingClassifier(n_estimators=2, n_jobs=1).fit(data, "y")
try:
    data.to_table()
except (MemoryError, OSError):
    print(model.n_iter_)
"""
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "2\n", done.stderr[-2000:]


def test_two_fits_at_once(tmp_path: Path) -> None:
    data = small(tmp_path / "rows")
    found: list[str] = []

    def fit() -> None:
        found.append(wl.GradientBoostingClassifier(n_estimators=3).fit(data, "two").fingerprint())

    threads = [threading.Thread(target=fit) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert len(set(found)) == 1


def test_progress_counts_bytes(tmp_path: Path, capsys: Any) -> None:
    wl.GradientBoostingClassifier(n_estimators=2, verbose=1).fit(small(tmp_path / "rows"), "two")
    shown = capsys.readouterr().err
    assert "GradientBoostingClassifier reads its rows: 0 of 0 MB" in shown
    assert "GradientBoostingClassifier bins its rows" in shown


def test_the_memory_of_a_control_group(tmp_path: Path) -> None:
    own, groups = tmp_path / "own", tmp_path / "groups"
    own.write_text("0::/a/b\n")
    (groups / "a" / "b").mkdir(parents=True)
    (groups / "a" / "memory.max").write_text("1000000\n")
    (groups / "a" / "b" / "memory.max").write_text("max\n")
    assert memory.memory_limit(groups, own) == 1_000_000
    assert memory.memory_limit(tmp_path, tmp_path / "none") > 2**20
