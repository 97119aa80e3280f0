"""Stumps in a file: column by column, without the thresholds of constant ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.hypothesis import CONSTANT, EQUALITY, MULTIWAY, THRESHOLD, Stump
from .array import narrow
from .check import MOST, floats, inside, integers, need
from .error import Flaw
from .record import expect, in_columns
from .shape import Shape

_NUMBERS = ("feature", "category", "low", "high", "missing")
_OPEN = 8  # added to the test of a stump whose threshold is -inf: a file holds finite ones only
_MOST_ANSWER = 2**31 - 1


def take_many(stumps: Sequence[Stump]) -> list[Any]:
    test = np.array([h.test for h in stumps], np.int64)
    threshold = np.array([h.threshold for h in stumps], np.float64)
    is_open = threshold == -np.inf
    columns = [np.array([getattr(h, name) for h in stumps], np.int64) for name in _NUMBERS]
    answers = [h.by_category for h in stumps]
    lengths = np.array([-1 if a is None else len(a) for a in answers], np.int64)
    levels = np.array([a for each in answers if each for a in each], np.int64)
    return [
        narrow(np.where(is_open, test + _OPEN, test)),
        threshold[~is_open],
        *map(narrow, columns),
        narrow(lengths),
        narrow(levels),
    ]


def make_many(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 4 + len(_NUMBERS))
    marked = integers("test", fields[0], n, 0, _OPEN + MULTIWAY, np.int64)
    is_open, test = marked >= _OPEN, marked % _OPEN
    inside("test", test, 0, MULTIWAY)
    need(not (is_open & (test == THRESHOLD)).any(), "a test of a threshold has none")
    threshold = np.full(n, -np.inf)
    threshold[~is_open] = floats("threshold", fields[1], int((~is_open).sum()))
    feature = integers("feature", fields[2], n, 0, MOST, np.int64)
    level = integers("level", fields[3], n, 0, MOST, np.int64)
    low, high, missing = (
        integers(name, field, n, -1, _MOST_ANSWER, np.int64)
        for name, field in zip(_NUMBERS[2:], fields[4:7], strict=True)
    )
    lengths = integers("levels", fields[7], n, -1, MOST, np.int64)
    many = lengths >= 0
    need((many == (test == MULTIWAY)).all(), "only multiway tests answer by category")
    total = int(lengths[many].sum())
    flat = integers("levels", fields[8], total, -1, _MOST_ANSWER, np.int64).tolist()
    ends = np.cumsum(np.maximum(lengths, 0)).tolist()
    answers = [
        tuple(flat[end - length : end]) if length >= 0 else None
        for end, length in zip(ends, lengths.tolist(), strict=True)
    ]
    columns = (test, feature, threshold, level, low, high, missing)
    rows = zip(*(column.tolist() for column in columns), answers, strict=True)
    return [Stump(*row) for row in rows]


def stumps_fit(
    name: str, stumps: Sequence[Stump], shape: Shape, n_classes: int | None = None
) -> None:
    """Refuses stumps that do not fit the columns of the model, or answer unknown classes."""
    n_classes = shape.n_classes if n_classes is None else n_classes
    silent, most = (-1, 1) if n_classes <= 2 else (-1, n_classes - 1)
    cuts = [h for h in stumps if h.test == THRESHOLD]
    shape.check_thresholds(
        name, np.array([h.feature for h in cuts]), np.array([h.threshold for h in cuts])
    )
    for k, h in enumerate(stumps):
        n_categories = shape.n_categories.get(h.feature, 0)
        usual = n_categories == 0 and h.by_category is None and h.test in (CONSTANT, THRESHOLD)
        if not usual or h.feature >= shape.n_features:  # texts are made for few of many
            _fits(f"{name}, stump {k}", h, shape, n_categories)
        least, greatest = min(h.low, h.high, h.missing), max(h.low, h.high, h.missing)
        if h.by_category:
            least, greatest = min(least, *h.by_category), max(greatest, *h.by_category)
        if least < silent or greatest > most:
            raise Flaw(f"{name}, stump {k} answers what is no class")


def _fits(where: str, h: Stump, shape: Shape, n_categories: int) -> None:
    """Refuses a stump that does not fit its column, which has so many categories."""
    if h.feature >= shape.n_features:
        raise Flaw(f"{where} tests feature {h.feature}; the model has {shape.n_features}")
    if n_categories == 0:
        need(h.test in (CONSTANT, THRESHOLD), f"{where} asks for a category of a number")
    else:
        need(h.test != THRESHOLD, f"{where} asks a category for its order")
        need(h.threshold == -np.inf or h.test != CONSTANT, f"{where} has a threshold")
    if h.test == EQUALITY and h.category >= n_categories:
        raise Flaw(f"{where} asks for category {h.category}; the column has {n_categories}")
    if h.by_category is not None:
        need(
            len(h.by_category) == n_categories,
            f"{where} answers {len(h.by_category)} of {n_categories} categories",
        )


STUMP = in_columns(1, Stump, take_many, make_many, fits=stumps_fit, cost=3)
