"""Provenance of a fit over partitions: hash, sketch and histograms are those of all rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.base.rows import CUT, OPENED
from weaklearn.engines import choose
from weaklearn.engines.here import run_here
from weaklearn.intake.prepare import Target, prepare
from weaklearn.intake.validation import read_validation
from weaklearn.production import row_sketch
from weaklearn.production.provenance import after_fit

RNG = np.random.default_rng(3)


def table(n: int) -> pd.DataFrame:
    """Rows of numbers, texts and dates, some of them missing and some repeated."""
    X = pd.DataFrame(
        {
            "a": RNG.normal(size=n).round(1),
            "b": np.where(RNG.random(n) < 0.3, np.nan, RNG.integers(0, 9, n)),
            "c": np.array(["x", "y", None], object)[RNG.integers(0, 3, n)],
            "d": np.datetime64("2024-01-01", "ns") + RNG.integers(0, 99, n),
            "e": np.full(n, np.nan),
        }
    )
    return X.iloc[RNG.integers(0, n, n)].reset_index(drop=True)


def described(X: Any, y: Any, weight: Any, ensemble: Any, binning: Any, regression: bool) -> Any:
    prepared = prepare(
        X,
        y,
        weight,
        engine=choose(1),
        name="Some",
        binning=binning,
        target=Target(regression=regression),
    )
    return after_fit(prepared.sample, ensemble=ensemble)


def assert_same(found: Any, expected: Any) -> None:
    assert (found.rows, found.n_examples, found.target) == (
        expected.rows,
        expected.n_examples,
        expected.target,
    )
    assert found.row_sketch.hashes.tolist() == expected.row_sketch.hashes.tolist()
    assert found.row_sketch.reach == expected.row_sketch.reach
    then, now = expected.profile, found.profile
    for one, other in zip([*now.columns, now.scores], [*then.columns, then.scores], strict=True):
        assert (one is None) == (other is None)
        if one is None:
            continue
        assert one.counts.tolist() == other.counts.tolist()
        assert one.missing == other.missing
        np.testing.assert_array_equal([one.low, one.high], [other.low, other.high])
        assert (one.cuts is None) == (other.cuts is None)
        assert one.cuts is None or one.cuts.tolist() == other.cuts.tolist()


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
@pytest.mark.parametrize("numbers_alone", [False, True])
@pytest.mark.parametrize("binning", [OPENED, CUT], ids=["opened", "cut"])
@pytest.mark.parametrize("weighted", [None, "copies", "fractions"])
@pytest.mark.parametrize("n", [90, 5200])
def test_of_all_rows(
    n: int, weighted: str | None, binning: Any, numbers_alone: bool, monkeypatch: Any
) -> None:
    monkeypatch.setattr(row_sketch, "MOST_HASHES", 60)
    X, y = table(n), pd.Series(RNG.integers(0, 2, n), name="label")
    X = X[["a", "b", "e"]] if numbers_alone else X
    weight = {"copies": RNG.integers(1, 4, n), "fractions": RNG.random(n)}.get(weighted or "")
    regression = weighted == "fractions"
    ensemble = None if regression else wl.AdaBoostClassifier(n_estimators=3).fit(X, y).ensemble_
    expected = described(X, y, weight, ensemble, binning, regression)
    ends = [0, n // 2, n // 2, n // 2 + 1, n - 20, n]
    parts = [slice(a, b) for a, b in pairwise(ends)]
    found = run_here(
        [
            lambda some=some: described(
                X.iloc[some],
                y.iloc[some],
                None if weight is None else weight[some],
                ensemble,
                binning,
                regression,
            )
            for some in parts
        ]
    )
    for one in found:
        assert_same(one, expected)


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_validation_rows_of_partitions() -> None:
    X, y, weight = table(90), RNG.integers(0, 3, 90), RNG.random(90)

    def read(some: Any) -> Any:
        ready = prepare(X.iloc[some], y[some], None, engine=choose(1), name="Some")
        return read_validation(X.iloc[some], y[some], weight[some], ready)

    expected = read(slice(None))
    parts = [slice(0, 40), slice(40, 40), slice(40, 90)]
    for some, found in zip(parts, run_here([lambda s=s: read(s) for s in parts]), strict=True):
        assert found.codes.tolist() == expected.codes[some].tolist()
        assert found.weights.tolist() == expected.weights[some].tolist()
        for one, other in zip(found.rows.cells.columns, expected.rows.cells.columns, strict=True):
            np.testing.assert_array_equal(one, other[some])
