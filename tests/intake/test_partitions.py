"""Intake over partitions: schema, classes, cells and weights are those of all rows in one table."""

from __future__ import annotations

import warnings
from dataclasses import fields
from math import fsum
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.base.sample import take_rows
from weaklearn.engines import choose
from weaklearn.engines.here import run_here
from weaklearn.intake.prepare import Prepared, Reading, Target, prepare


def dealt(n_rows: int, n_parts: int, seed: int) -> list[Any]:
    """The rows of each part, some of which may have none."""
    rank = np.random.default_rng(seed).integers(0, n_parts, n_rows)
    if n_parts > 3:
        rank[rank == n_parts - 2] = 0
    return [np.flatnonzero(rank == k) for k in range(n_parts)]


def some(values: Any, rows: Any) -> Any:
    return values if values is None or np.ndim(values) == 0 else take_rows(values, rows)


def over_partitions(deal: list[Any], X: Any, y: Any, weight: Any = None, **how: Any) -> Any:
    """What ``prepare`` gives in each partition."""
    return run_here(
        [
            lambda rows=rows: prepare(
                take_rows(X, rows),
                some(y, rows),
                some(weight, rows),
                engine=choose(1),
                name="Some",
                **how,
            )
            for rows in deal
        ]
    )


def same_value(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.tolist() == b.tolist()
    return type(a) is type(b) and a == b


def assert_same_schema(found: Any, expected: Any) -> None:
    assert found.n_features == expected.n_features
    assert found.names == expected.names
    assert found.empty == expected.empty
    assert found.estimator_name == expected.estimator_name
    assert sorted(found.special) == sorted(expected.special)
    for j, column in expected.special.items():
        for each in fields(column):
            one, other = getattr(found.special[j], each.name), getattr(column, each.name)
            assert same_value(one, other), (j, each.name, one, other)


def assert_same_cells(found: Any, expected: Any) -> None:
    assert (found.n_rows, found.n_features) == (expected.n_rows, expected.n_features)
    assert (found.matrix is None) == (expected.matrix is None)
    if expected.matrix is not None:
        assert found.matrix.dtype == expected.matrix.dtype
        np.testing.assert_array_equal(found.matrix, expected.matrix)
        return
    np.testing.assert_array_equal(found.n_categories, expected.n_categories)
    for one, other in zip(found.columns, expected.columns, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def own(values: Any, places: Any) -> Any:
    return None if values is None else values[places].tolist()


def assert_as_one(deal: list[Any], found: list[Prepared], expected: Prepared, n: int) -> None:
    """Compares what the partitions have with the rows of one sample."""
    used = np.ones(n, bool) if expected.used is None else expected.used
    place = np.cumsum(used) - 1
    for rows, part in zip(deal, found, strict=True):
        assert_same_schema(part.schema, expected.schema)
        assert same_value(part.classes, expected.classes)
        one, all_rows = part.sample, expected.sample
        mine = place[rows[used[rows]]]
        assert_same_cells(one.cells, all_rows.cells.take(mine))
        assert one.y.dtype == all_rows.y.dtype
        assert one.y.tolist() == all_rows.y[mine].tolist()
        assert (one.copies is None) == (all_rows.copies is None)
        assert own(one.copies, slice(None)) == own(all_rows.copies, mine)
        assert own(one.importance, slice(None)) == own(all_rows.importance, mine)
        assert (one.m, one.n_classes, one.target) == (
            all_rows.m,
            all_rows.n_classes,
            all_rows.target,
        )
        assert len(one) == len(mine)
        assert one.code_hashes.tolist() == all_rows.code_hashes[mine].tolist()
    x = np.random.default_rng(1).normal(size=len(expected.sample))
    whole = expected.sample.mean(x)
    means = run_here(
        [
            lambda rows=rows, part=part: part.sample.mean(x[place[rows[used[rows]]]])
            for rows, part in zip(deal, found, strict=True)
        ]
    )
    assert means == [whole] * len(deal)


def check(X: Any, y: Any, weight: Any = None, **how: Any) -> Prepared:
    """Fits over 1, 3 and 7 partitions against one table; also the warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        expected = prepare(X, y, weight, engine=choose(1), name="Some", **how)
    for n_parts in (1, 3, 7):
        deal = dealt(len(y), n_parts, n_parts)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            found = over_partitions(deal, X, y, weight, **how)
        assert_as_one(deal, found, expected, len(y))
        assert [str(each.message) for each in heard] == [str(each.message) for each in told]
    return expected


RNG = np.random.default_rng(5)
N = 60
NUMBERS = RNG.normal(size=(N, 4)).round(1)
GAPS = np.where(RNG.random((N, 4)) < 0.3, np.nan, NUMBERS)
GAPS[:, 2] = np.nan
LABELS = RNG.integers(0, 3, N)


@pytest.mark.parametrize(
    "X",
    [
        NUMBERS,
        NUMBERS.astype(np.float32),
        GAPS,
        (NUMBERS * 10).astype(np.int8),
        (NUMBERS * 10).astype(np.int64),
        NUMBERS > 0,
        pd.DataFrame(NUMBERS, columns=list("abcd")),
        pd.DataFrame(GAPS, columns=list("abcd")),
        np.asfortranarray(NUMBERS),
        NUMBERS.tolist(),
    ],
    ids=lambda X: f"{type(X).__name__}-{getattr(X, 'dtype', '')}",
)
def test_matrices_of_numbers(X: Any) -> None:
    check(X, LABELS)


@pytest.mark.parametrize(
    "y",
    [
        LABELS,
        LABELS > 0,
        LABELS.astype(float),
        LABELS.astype(np.uint8),
        LABELS.tolist(),
        np.array(["no", "yes", "perhaps"])[LABELS],
        np.array(["no", "yes", "perhaps"])[LABELS].tolist(),
        pd.Series(np.array(["no", "yes", "perhaps"])[LABELS], dtype="category", name="answer"),
        pd.Series(LABELS, name="answer"),
        (LABELS + 2**62).tolist(),
        [[5, 2**63, 2**64][k] for k in LABELS],
        np.array(["2024-01-01", "2024-01-02", "2023-05-06"], "M8[D]")[LABELS],
        np.zeros(N, int),
        np.where(LABELS > 0, "a", "b").astype(object),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}-{next(iter(y))}",
)
def test_labels(y: Any) -> None:
    check(NUMBERS, y)


def test_numbers_to_predict() -> None:
    y = RNG.normal(size=N)
    check(NUMBERS, y, target=Target(regression=True))
    check(NUMBERS, y.tolist(), target=Target(regression=True, largest=100.0))


WEIGHTS = {
    "one": np.ones(N),
    "equal": np.full(N, 0.7),
    "copies": RNG.integers(0, 5, N),
    "fractions": RNG.random(N),
    "with zeros": np.where(RNG.random(N) < 0.5, 0.0, RNG.random(N)),
    "mostly zeros": np.r_[1.5, 2.25, 0, 1, np.zeros(N - 4)],
    "one fraction": np.r_[1.5, np.ones(N - 1)],
    "wide": np.exp(RNG.normal(size=N) * 200),
    "many copies": np.r_[2.0**52, np.full(N - 1, 3.0)],
    "too many copies": np.full(N, 2.0**50),
}


@pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize(
    "class_weight", [None, "balanced", {0: 2, 1: 0.5}, {0: 2, 1: 3}, {2: 0}], ids=str
)
def test_weights(weight: Any, class_weight: Any) -> None:
    check(NUMBERS, LABELS, weight, target=Target(class_weight=class_weight))


def test_columns_are_matched_by_name_with_the_first_partition() -> None:
    X = pd.DataFrame(NUMBERS, columns=list("abcd"))
    X["e"] = np.where(LABELS > 0, "red", "blue")
    deal = dealt(N, 3, 1)
    tables = [X.iloc[deal[0]], X.iloc[deal[1]][list("ecabd")], X.iloc[deal[2]][list("dcbae")]]
    found = run_here(
        [
            lambda k=k: prepare(tables[k], LABELS[deal[k]], None, engine=choose(1), name="Some")
            for k in range(3)
        ]
    )
    expected = prepare(X, LABELS, None, engine=choose(1), name="Some")
    assert_as_one(deal, found, expected, N)
    assert [list(part.sample.raw.columns) for part in found] == [list("abcde")] * 3


# ------------------------------------------------------------------------------- tables of columns

DAYS = np.datetime64("2024-01-01") + np.arange(N) % 9
TEXTS = np.array(["red", "green", "blue", None], object)[RNG.integers(0, 4, N)]


def few(values: Any) -> Any:
    """Values of which most are missing."""
    listed = np.full(N, None, object)
    listed[[3, 30]] = values
    return listed


COLUMNS: dict[str, Any] = {
    "texts": TEXTS,
    "texts in two rows": few(["a", "b"]),
    "rare texts": np.array([f"t{k * k // 40}" for k in range(N)], object),
    "names": np.array([f"name {k}" for k in range(N)], object),
    "numerals": np.array([*map(str, range(N - 1)), "n/a"], object),
    "categories": pd.Categorical(TEXTS, categories=["blue", "green", "red", "never"]),
    "categories of numbers": pd.Categorical(RNG.integers(0, 5, N)),
    "flags": RNG.random(N) < 0.5,
    "flags with gaps": pd.array(np.where(RNG.random(N) < 0.3, None, True), "boolean"),
    "integers": RNG.integers(-9, 9, N),
    "integers with gaps": pd.array([None if k % 3 else k for k in range(N)], "Int64"),
    "an integer beyond 2**53": np.r_[2**60 + 1, np.arange(N - 1)],
    "integers beyond 2**53": 2**60 + RNG.integers(0, 9, N),
    "unsigned": np.r_[np.arange(N - 1, dtype=np.uint64), np.uint64(2**63)],
    "unsigned in part": np.r_[np.arange(N - 1, dtype=np.uint64), np.uint64(2**60)],
    "integers as objects": np.array([*range(N - 2), 2**70, -(2**70)], object),
    "unsigned as objects": np.array([*range(N - 2), 2**63, 2**62], object),
    "numbers as objects": np.array([1, 2.5, None, True] * (N // 4), object),
    "wide and fractions": np.array([2**60 + 1, *([2**54 + 1, 0.5, None] * 20)][:N], object),
    "singles": RNG.normal(size=N).astype(np.float32),
    "numbers": RNG.normal(size=N),
    "nothing": np.full(N, None, object),
    "no number": np.full(N, np.nan),
    "days": DAYS,
    "days of objects": DAYS.astype(object),
    "seconds": DAYS.astype("M8[s]") + np.arange(N),
    "moments": pd.date_range("2024-01-01", periods=N, freq="min", tz="Europe/Berlin"),
    "moments with gaps": pd.Series(DAYS.astype("M8[ns]")).where(np.arange(N) % 4 > 0),
    "far moments": np.r_[np.array(["9999-01-01"], "M8[s]"), DAYS[1:].astype("M8[s]")],
    "far moments of objects": np.array(
        [pd.Timestamp("9998-01-01").to_pydatetime(), *pd.to_datetime(DAYS[1:]).to_pydatetime()],
        object,
    ),
    "durations": (DAYS - DAYS[0]).astype("m8[s]"),
    "a duration": few([np.timedelta64(3, "s"), np.timedelta64(1, "D")]),
}


def frame(*names: str) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(COLUMNS[name]) for name in names})


@pytest.mark.parametrize("name", COLUMNS)
def test_one_column_beside_numbers(name: str) -> None:
    check(frame(name), LABELS)
    check(frame("singles", name), LABELS, RNG.integers(1, 4, N), reading=Reading(rare=3))


def test_all_columns() -> None:
    X = frame(*COLUMNS)
    check(X, LABELS)
    check(X, LABELS, RNG.integers(0, 3, N), reading=Reading(rare=5, names_aside=True))
    listed = ["integers", "texts", "flags", "an integer beyond 2**53", "nothing"]
    check(X, LABELS, reading=Reading(categorical_features=listed))
    numbers = frame("numbers", "categories of numbers", "integers", "nothing")
    check(numbers, LABELS, reading=Reading(categorical_features=None))


@pytest.mark.parametrize("convert", ["polars", "pyarrow", "objects", "table"])
def test_other_containers(convert: str) -> None:
    X = frame("texts", "integers with gaps", "seconds", "numbers", "an integer beyond 2**53")
    if convert == "polars":
        X = pytest.importorskip("polars").from_pandas(X)
    elif convert == "pyarrow":
        X = pytest.importorskip("pyarrow").Table.from_pandas(X)
    elif convert == "objects":
        X = X.astype(object).to_numpy()
    else:
        X = (NUMBERS * 2**55).astype(np.int64)
    check(X, LABELS)


VALUES = {
    "number": st.none() | st.floats(allow_infinity=False) | st.integers(-(2**53), 2**53),
    "integer": st.none() | st.integers(-(2**66), 2**66) | st.integers(0, 3),
    "text": st.none() | st.sampled_from(["a", "b", "c", "1", "2.5", "", "é"]),
    "moment": st.none() | st.datetimes(),
    "day": st.none() | st.dates(),
    "duration": st.none() | st.timedeltas(),
    "flag": st.none() | st.booleans(),
}


@given(st.data())
def test_any_table(data: Any) -> None:
    kinds = data.draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    n = data.draw(st.integers(1, 14))
    X = pd.DataFrame(index=range(n))
    for j, kind in enumerate(kinds):
        column = np.empty(n, object)
        column[:] = data.draw(st.lists(VALUES[kind], min_size=n, max_size=n))
        X[f"x{j}"] = pd.Series(column, dtype=object)
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    weight = data.draw(
        st.none()
        | st.lists(st.integers(1, 3), min_size=n, max_size=n)
        | st.lists(st.sampled_from([0.5, 1.0, 0.3]), min_size=n, max_size=n)
    )
    reading = Reading(rare=data.draw(st.sampled_from([1, 2])), names_aside=data.draw(st.booleans()))
    rank = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    deal = [np.flatnonzero(rank == k) for k in range(4)]
    weight = None if weight is None else np.array(weight, float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = prepare(X, y, weight, engine=choose(1), name="Some", reading=reading)
        found = over_partitions(deal, X, y, weight, reading=reading)
    assert_as_one(deal, found, expected, n)


# -------------------------------------------------------------------------------- rows held out


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("weight", [None, "copies", "fractions"])
def test_rows_held_out(weight: str | None, regression: bool) -> None:
    X = frame("texts", "numbers", "moments", "integers with gaps")
    X = X.iloc[RNG.integers(0, N, N)].reset_index(drop=True)
    y = NUMBERS[:, 0] if regression else LABELS
    given = None if weight is None else WEIGHTS[weight] + (weight == "copies")
    how: dict[str, Any] = {"held_out": (0.2, 3), "target": Target(regression=regression)}
    expected = prepare(X, y, given, engine=choose(1), name="Some", **how)
    for n_parts in (1, 3, 7):
        found = over_partitions(dealt(N, n_parts, n_parts), X, y, given, **how)
        assert {part.sample.m for part in found} == {expected.sample.m}
        for part in (lambda one: one.sample, lambda one: one.validation):
            assert _contents(map(part, found)) == _contents([part(expected)])


def _contents(several: Any) -> dict[Any, float]:
    """The rows of several samples or validation sets, with the sum of their weights."""
    found: dict[Any, list[float]] = {}
    for some in several:
        rows = some if hasattr(some, "cells") else some.rows
        columns = [rows.column(j).tolist() for j in range(rows.cells.n_features)]
        weights = some.weights if some.weights is not None else np.ones(len(rows))
        for *row, weight in zip(*columns, some.y.tolist(), weights.tolist(), strict=True):
            found.setdefault(str(row), []).append(weight)
    return {row: fsum(weights) for row, weights in found.items()}


def test_too_few_rows_to_hold_out() -> None:
    with pytest.raises(ValueError, match="n_samples=2 leaves no row"):
        over_partitions([[0], [], [1]], NUMBERS[:2], np.array([0, 1]), held_out=(0.1, 0))


# --------------------------------------------------------------------------------------- bad input


def refused(tables: list[Any], labels: list[Any], weights: list[Any] | None = None) -> Any:
    """The error of a fit over partitions."""
    weights = weights or [None] * len(tables)
    with pytest.raises((TypeError, ValueError), match=r".") as caught:
        run_here(
            [
                lambda X=X, y=y, weight=weight: prepare(X, y, weight, engine=choose(1), name="")
                for X, y, weight in zip(tables, labels, weights, strict=True)
            ]
        )
    return caught.value


def test_columns_that_differ_are_refused() -> None:
    X, y = pd.DataFrame(NUMBERS[:4], columns=list("abcd")), LABELS[:4]
    error = refused([X, X[["a", "b", "c"]], X], [y] * 3)
    assert "partition 0 that partition 1 lacks: 'd'" in str(error)
    error = refused([X, X, X.assign(e=1.0)], [y] * 3)
    assert "partition 2 that partition 0 lacks: 'e'" in str(error)
    assert "names of columns in partition 0 and none in partition 1" in str(
        refused([X, X.to_numpy()], [y] * 2)
    )
    assert "4 columns in partition 0 and 3 in partition 2" in str(
        refused([NUMBERS[:4], NUMBERS[:4], NUMBERS[:4, :3]], [y] * 3)
    )


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ([1.0, 2.0], ["a", "b"], ("numbers", "texts")),
        (["a", None], [True, False], ("texts", "numbers")),
        (["a", None], DAYS[:2], ("texts", "dates")),
        (DAYS[:2] - DAYS[0], DAYS[:2], ("durations", "dates")),
        (pd.Categorical([1, 2]), ["a", "b"], ("categories that are numbers", "texts")),
        (pd.Categorical([1, 2]), [1, 2], ("categories that are numbers", "numbers")),
        (
            pd.date_range("2024", periods=2, tz="UTC"),
            pd.date_range("2024", periods=2),
            ("dates of the time zone UTC", "dates of the time zone none"),
        ),
    ],
)
def test_kinds_that_differ_are_refused(one: Any, other: Any, words: tuple[str, str]) -> None:
    nothing = pd.DataFrame({"a": [None, None]})
    tables = [nothing, pd.DataFrame({"a": one}), nothing.iloc[:0], pd.DataFrame({"a": other})]
    error = refused(tables, [[0, 1], [0, 1], [], [0, 1]])
    assert f"X, column 'a' holds {words[0]} in partition 1 and {words[1]} in partition 3" in str(
        error
    )


def test_labels_that_differ_are_refused() -> None:
    X = NUMBERS[:2]
    error = refused([X[:0], X, X], [[], [1, 2], ["a", "b"]])
    assert "partition 1 holds 1, partition 2 holds 'a'" in str(error)
    error = refused([X, X], [[True, False], [1, 2]])
    assert "partition 0 holds False, partition 1 holds 1" in str(error)
    error = refused([X, X], [[0.0, 1.0], [1.0, np.nan]])
    assert "Input y contains NaN: y[1] is nan" in str(error)
    assert error.__notes__ == ["Rows are counted within partition 1."]
    assert "requires y to be passed" in str(refused([X, X], [None, None]))
    assert "X has 2 rows, y has 1 values" in str(refused([X, X], [[0, 1], [0]]))


def test_weights_that_are_wrong_are_refused() -> None:
    X, y = NUMBERS[:2], [0, 1]
    error = refused([X, X], [y, y], [[1.0, 2.0], [1.0, -2.0]])
    assert "sample_weight[1] is -2.0, a negative weight" in str(error)
    assert error.__notes__ == ["Rows are counted within partition 1."]
    assert "all weights are zero" in str(refused([X, X], [y, y], [[0, 0], [0, 0]]))
    assert "given in partition 1 and not in partition 0" in str(
        refused([X, X], [y, y], [None, [1, 1]])
    )


def test_nothing_is_refused() -> None:
    X = NUMBERS[:0]
    assert "X has 0 rows" in str(refused([X, X, X], [[], [], []]))
    assert "X has 0 columns" in str(refused([NUMBERS[:2, :0]] * 2, [[0, 1]] * 2))
    sparse = sp.csr_array(NUMBERS)
    assert "X is sparse" in str(refused([sparse, sparse], [LABELS] * 2))


def test_an_infinity_in_one_partition() -> None:
    X = NUMBERS[:3].copy()
    X[2, 1] = np.inf
    error = refused([NUMBERS[:3], X], [[0, 1, 0]] * 2)
    assert "row 2, column 1 holds inf" in str(error)
    assert error.__notes__ == ["Rows are counted within partition 1."]


def test_an_empty_partition_may_have_other_columns() -> None:
    X = frame("texts", "numbers")
    expected = prepare(X, LABELS, None, engine=choose(1), name="Some")
    tables = [pd.DataFrame(), X, X.iloc[:0], np.empty((0, 5)), []]
    labels = [[], LABELS, np.array([]), np.array([], object), []]
    found = run_here(
        [
            lambda X=X, y=y: prepare(X, y, None, engine=choose(1), name="Some")
            for X, y in zip(tables, labels, strict=True)
        ]
    )
    deal = [np.arange(0), np.arange(N), *[np.arange(0)] * 3]
    assert_as_one(deal, found, expected, N)
