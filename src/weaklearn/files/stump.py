"""Stumps in a file: column by column, without the thresholds of constant ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import inf
from typing import Any

import numpy as np

from ..base.hypothesis import CONSTANT, EQUALITY, MULTIWAY, THRESHOLD, Stump
from .array import narrow
from .check import MOST, floats, need, wholes, within
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
    marked = wholes("test", fields[0], n, 0, _OPEN + MULTIWAY)
    test = [mark % _OPEN for mark in marked]
    within("test", test, 0, MULTIWAY)
    need(_OPEN + THRESHOLD not in marked, "a test of a threshold has none")
    n_open = sum(mark >= _OPEN for mark in marked)
    given = iter(floats("threshold", fields[1], n - n_open).tolist())
    threshold = [-inf if mark >= _OPEN else next(given) for mark in marked]
    feature = wholes("feature", fields[2], n, 0, MOST)
    level = wholes("level", fields[3], n, 0, MOST)
    low, high, missing = (
        wholes(name, field, n, -1, _MOST_ANSWER)
        for name, field in zip(_NUMBERS[2:], fields[4:7], strict=True)
    )
    lengths = wholes("levels", fields[7], n, -1, MOST)
    matched = all((ask == MULTIWAY) == (k >= 0) for ask, k in zip(test, lengths, strict=True))
    need(matched, "only multiway tests answer by category")
    ends = list(accumulate(max(k, 0) for k in lengths))
    flat = wholes("levels", fields[8], ends[-1] if ends else 0, -1, _MOST_ANSWER)
    answers = [
        tuple(flat[end - k : end]) if k >= 0 else None for end, k in zip(ends, lengths, strict=True)
    ]
    columns = (test, feature, threshold, level, low, high, missing, answers)
    return [Stump(*row) for row in zip(*columns, strict=True)]


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
