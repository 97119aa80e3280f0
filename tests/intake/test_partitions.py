"""Intake over partitions: schema, classes, cells and weights are those of all rows in one table."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

from weaklearn.base.sample import take_rows
from weaklearn.engines import choose
from weaklearn.engines.here import run_here
from weaklearn.engines.sample import ColumnKernels
from weaklearn.intake.cells import Cells
from weaklearn.intake.prepare import Prepared, Target, prepare


class _OwnCodes(ColumnKernels):
    """Codes of own rows alone, which are not compared here; those of no rows are of one."""

    def code(self, cells: Any, *how: Any) -> Any:
        if cells.n_rows:
            return super().code(cells, *how)
        return super().code(Cells(1, cells.n_features, matrix=np.zeros((1, cells.n_features))))

    def varying(self, coded: Any) -> Any:
        return np.array([0])


def an_engine() -> Any:
    found = choose(1)
    found.__dict__["columns"] = _OwnCodes(1)
    return found


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
                engine=an_engine(),
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
        expected = prepare(X, y, weight, engine=an_engine(), name="Some", **how)
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
            lambda k=k: prepare(tables[k], LABELS[deal[k]], None, engine=an_engine(), name="Some")
            for k in range(3)
        ]
    )
    expected = prepare(X, LABELS, None, engine=an_engine(), name="Some")
    assert_as_one(deal, found, expected, N)
    assert [list(part.sample.raw.columns) for part in found] == [list("abcde")] * 3


def refused(tables: list[Any], labels: list[Any], weights: list[Any] | None = None) -> Any:
    """The error of a fit over partitions."""
    weights = weights or [None] * len(tables)
    with pytest.raises((TypeError, ValueError), match="") as caught:
        run_here(
            [
                lambda X=X, y=y, weight=weight: prepare(X, y, weight, engine=an_engine(), name="")
                for X, y, weight in zip(tables, labels, weights, strict=True)
            ]
        )
    return caught.value
