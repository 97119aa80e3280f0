"""Rules in a file, condition by condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.rule import ABOVE, CATEGORY, MISSING, Demand, Rule
from .array import narrow
from .check import MOST, floats, integers, need
from .member import MEMBERS, Member
from .record import expect, in_columns
from .shape import Shape

_MOST_LEVEL = 255
_MOST_COUNT = 2**53


def _take_rules(rules: Sequence[Rule]) -> list[Any]:
    demands = [demand for h in rules for demand in h.demands]
    asks = np.array([demand.asks for demand in demands], np.int64)
    threshold = np.array([demand.threshold for demand in demands], np.float64)
    level = np.array([demand.category for demand in demands], np.int64)
    return [
        narrow(np.array([len(h.demands) for h in rules], np.int64)),
        narrow(np.array([h.right for h in rules], np.int64)),
        narrow(np.array([h.wrong for h in rules], np.int64)),
        narrow(np.array([demand.feature for demand in demands], np.int64)),
        narrow(asks),
        threshold[asks <= ABOVE],
        narrow(level[asks == CATEGORY]),
    ]


def _make_rules(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, 7)
    length = integers("length", fields[0], n, 0, MOST, np.int64)
    right = integers("right", fields[1], n, 0, _MOST_COUNT, np.int64).tolist()
    wrong = integers("wrong", fields[2], n, 0, _MOST_COUNT, np.int64).tolist()
    total = int(length.sum())
    need(np.shape(fields[3]) == (total,), f"the rules have not {total} demands")
    feature = integers("feature", fields[3], total, 0, MOST, np.int64)
    asks = integers("asks", fields[4], total, 0, MISSING, np.int64)
    cuts, of_levels = asks <= ABOVE, asks == CATEGORY
    threshold, level = np.zeros(total), np.zeros(total, np.int64)
    threshold[cuts] = floats("threshold", fields[5], int(cuts.sum()))
    level[of_levels] = integers("level", fields[6], int(of_levels.sum()), -1, _MOST_LEVEL, np.int64)
    columns = (feature.tolist(), asks.tolist(), threshold.tolist(), level.tolist())
    demands = [Demand(*each) for each in zip(*columns, strict=True)]
    ends = np.cumsum(length).tolist()
    parts = (tuple(demands[end - k : end]) for end, k in zip(ends, length.tolist(), strict=True))
    return [Rule(*each) for each in zip(parts, right, wrong, strict=True)]


def rules_fit(name: str, rules: Sequence[Rule], shape: Shape) -> None:
    """Refuses rules with conditions that do not fit their columns."""
    demands = [demand for h in rules for demand in h.demands]
    cuts = [demand for demand in demands if demand.asks <= ABOVE]
    shape.check_thresholds(
        name,
        np.array([demand.feature for demand in cuts], np.int64),
        np.array([demand.threshold for demand in cuts], np.float64),
    )
    for demand in demands:
        j = demand.feature
        need(j < shape.n_features, f"{name}: a rule asks for column {j}, which is none")
        n_categories = shape.n_categories.get(j, 0)
        of_level = demand.asks == CATEGORY
        need(of_level == (n_categories > 0), f"{name}: a condition does not suit column {j}")
        need(not of_level or demand.category < n_categories, f"{name}: an unknown category")


MEMBERS[Rule] = Member(lambda name, rules, shape, n_outputs: rules_fit(name, rules, shape))
RULE = in_columns(66, Rule, _take_rules, _make_rules, fits=rules_fit, cost=6)
