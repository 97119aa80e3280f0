"""The training histograms in model files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.array import narrow
from ..files.check import all_finite, array, inside, integer, need, of_type
from ..production.profile import Histogram, Profile


def taken(profile: Profile) -> list[Any]:
    """A profile as lists and arrays, ready to be written."""
    scores = None if profile.scores is None else _row(profile.scores)
    return [[_row(histogram) for histogram in profile.columns], scores]


def _row(h: Histogram) -> list[Any]:
    return [narrow(h.counts), h.missing, h.cuts, float(h.low), float(h.high)]


def made(value: Any, n_features: int) -> Profile:
    """A profile from the values of a file, all of them checked."""
    of_type("profile", value, list)
    need(len(value) == 2, "the profile has not two parts")
    of_type("columns", value[0], list)
    need(len(value[0]) == n_features, f"there are not {n_features} histograms")
    columns = tuple(_histogram(row) for row in value[0])
    return Profile(columns, None if value[1] is None else _histogram(value[1]))


def _histogram(row: Any) -> Histogram:
    need(type(row) is list and len(row) == 5, "a histogram has not five parts")
    counts, missing, cuts, low, high = row
    array("iu")("counts", counts)
    inside("counts", counts, 0, 2**53)
    need(int(counts.astype(np.float64).sum()) < 2**60, "counts are of too many rows")
    integer(0, 2**53)("missing", missing)
    need(type(low) is float and type(high) is float, "the ends of a column are no numbers")
    if cuts is not None:
        array("f")("cuts", cuts)
        all_finite("cuts", cuts)
        need(len(counts) == len(cuts) + 1, "counts and cuts differ")
        need((cuts[1:] > cuts[:-1]).all(), "cuts do not rise")
        need(np.isfinite([low, high]).all() == bool(counts.any()), "the ends are not finite")
    return Histogram(
        counts.astype(np.int64),
        int(missing),
        None if cuts is None else cuts.astype(np.float64),
        low,
        high,
    )
