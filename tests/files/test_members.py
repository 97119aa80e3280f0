"""What each of many small models and votes in a file costs to be read, counted in calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.files.forge import loaded
from weaklearn.persistence.model_bytes import sealed


def calls(data: bytes) -> int:
    """How many functions, of Python and of C, are called while a file is read."""
    n = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal n
        n += event in ("call", "c_call")

    loaded(data)  # by the first, what it needs is imported
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        loaded(data)
    finally:
        sys.setprofile(before)
    return n


def bag(member: Any) -> Callable[[int], Any]:
    X, y = wl.datasets.toy()
    return lambda n: wl.BaggingClassifier(member, n_estimators=n, random_state=0).fit(X, y)


def votes(n_trees: int) -> Callable[[int], Any]:
    """Votes side by side, one for each class."""

    def fitted(n: int) -> Any:
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(6 * n, 3)), np.arange(6 * n) % n
        weak = "tree" if n_trees else "stump"
        return wl.AdaBoostClassifier(weak, n_estimators=max(n_trees, 1), multiclass="ovr").fit(X, y)

    return fitted


KINDS: dict[str, tuple[Callable[[int], Any], int]] = {
    "stumps in a bag": (bag(wl.DecisionStumpClassifier()), 600),
    "trees in a bag": (bag(wl.DecisionTreeClassifier(max_depth=3)), 960),
    "votes of a stump": (votes(0), 380),
    "votes of four trees": (votes(4), 680),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_member_costs_few_calls(kind: str) -> None:
    """A call takes 0.1 to 0.3 microseconds; a file of 250 KB holds 700 models."""
    fitted, most = KINDS[kind]
    few, many = (calls(sealed(fitted(n), profile=False)) for n in (10, 30))
    assert (many - few) / 20 < most
