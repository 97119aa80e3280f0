"""Small games with many classes, for the tests of every booster that plays them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.samples import sample_of
from weaklearn import BoostingWarning
from weaklearn.base import Sample


@st.composite
def problems(draw: Any) -> tuple[Any, Any, int, list[int] | None]:
    """Rows of small whole numbers (some missing), at least three classes, whole weights or none."""
    K = draw(st.integers(3, 5))
    m, d = draw(st.integers(K, 14)), draw(st.integers(1, 3))
    cell = st.integers(0, 4)
    cell = draw(st.sampled_from([cell, st.one_of(cell, cell, cell, st.none())]))
    row = st.lists(cell, min_size=d, max_size=d)
    rows = draw(st.lists(row, min_size=m, max_size=m))
    X = np.array([[np.nan if v is None else v for v in found] for found in rows], dtype=float)
    X[0] = 0  # no column without a value
    codes = np.array(draw(st.lists(st.integers(0, K - 1), min_size=m, max_size=m)))
    codes[:K] = np.arange(K)
    weights = draw(st.one_of(st.none(), st.lists(st.integers(1, 5), min_size=m, max_size=m)))
    return X, codes, K, weights


class Coded(Sample):
    """A sample with labels 0 .. K-1 even where K is 2."""

    @property
    def binary(self) -> bool:
        return False


def labelled(X: Any, codes: Any, K: int) -> Coded:
    sample = sample_of(X, codes)
    parts = {part.name: getattr(sample, part.name) for part in fields(sample) if part.init}
    parts |= {"y": np.asarray(codes, np.int32), "n_classes": K, "classes": np.arange(K)}
    return Coded(**parts)


def quietly(fit: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoostingWarning)
        return fit()


def sides(h: Any) -> tuple[Any, ...]:
    """A native stump as the twin writes it."""
    return (h.feature, h.threshold, h.low, h.high, h.missing)


def outcome(stump: Any) -> tuple[Any, ...]:
    names = ("feature", "threshold", "left", "right", "missing_label")
    return tuple(stump[name] for name in names)
