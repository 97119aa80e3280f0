"""Many rules a round in a file, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.votes.graded_rules import GradedRules
from .array import narrow
from .check import MOST, array, floats, integers, need
from .member import MEMBERS, Member
from .record import expect, in_columns
from .shape import Shape

_MOST_CONFIDENCE = 1e9  # far beyond what a round finds


def _take(rules: Sequence[GradedRules]) -> list[Any]:
    tables = [h.confidences.ravel() for h in rules]
    numbers = (np.array([(h.grain, h.most, h.bound) for h in rules], np.float64).T).copy()
    return [
        narrow(np.array([len(h.features) for h in rules], np.int64)),
        narrow(np.concatenate([h.features for h in rules]).astype(np.int64)),
        np.concatenate(tables),
        np.array([h.base for h in rules], np.float64),
        *numbers,
    ]


def _make(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 7)
    lengths = integers("lengths", fields[0], n, 0, MOST, np.int64)
    array(ndim=2)("base", fields[3])
    base = fields[3]
    need(len(base) == n and base.shape[1] > 0, f"there are not bases of {n} rounds")
    total, K = int(lengths.sum()), base.shape[1]
    need(np.shape(fields[1]) == (total,), f"the rounds have not {total} rules")
    features = integers("features", fields[1], total, 0, MOST, np.int32)
    numbers = floats("confidences", fields[2], total * K).reshape(total, K)
    small = max(np.abs(each).max(initial=0.0) for each in (numbers, base))
    need(small <= _MOST_CONFIDENCE, "a confidence is too large")
    grain, most, bound = (floats("numbers", each, n) for each in fields[4:])
    need((np.frexp(grain)[0] == 0.5).all(), "a grain is no power of two")
    need((most >= 0).all() and (bound >= 0).all(), "a reach or a bound is below 0")
    ends = np.cumsum(lengths).tolist()
    found = []
    for t, end in enumerate(ends):
        part = slice(end - int(lengths[t]), end)
        need(len(np.unique(features[part])) == lengths[t], "a term has two rules in a round")
        single = float(grain[t]), float(most[t]), float(bound[t])
        found.append(GradedRules(features[part], numbers[part], base[t], *single))
    return found


def graded_fit(name: str, rules: Sequence[GradedRules], shape: Shape) -> None:
    """Refuses rules of columns that are none, or are categories."""
    for h in rules:
        need((h.features < shape.n_features).all(), f"{name}: a rule is of a column that is none")
        need(not shape.n_categories_of(h.features).any(), f"{name}: a rule weighs a category")


MEMBERS[GradedRules] = Member(
    lambda name, rules, shape, n_outputs: graded_fit(name, rules, shape), lambda h: float(h.reach)
)
GRADED_RULES = in_columns(67, GradedRules, _take, _make, fits=graded_fit)
