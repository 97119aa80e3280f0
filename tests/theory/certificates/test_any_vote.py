"""The bounds of alternating trees and rule sets: tight where they can be, and not for others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.base import Ensemble, History
from weaklearn.base.trees.rule import Rule
from weaklearn.theory.certificates.any_vote import alternating_tree, rule_set
from weaklearn.theory.certificates.theorem import Evidence


def evidence(metrics: dict[str, float], **others: Any) -> Evidence:
    history = History()
    history.append(metrics)
    return Evidence(history, Ensemble().plus(1.0, Rule()), 10, **others)


def test_a_bound_may_be_met_exactly() -> None:
    # One example in four is wrong and weighs 1; of the others no weight is left.
    margins, D = np.array([-0.0, 1.0, 1.0, 1.0]), np.full(4, 0.25)
    [found] = alternating_tree(evidence({"potential": 0.25}, training=(margins, D)))
    assert (found.bound, found.observed, found.verdict) == (0.25, 0.25, "holds")
    [found] = rule_set(evidence({"Z": 0.25}, training=(margins, D)))
    assert found.bound == pytest.approx(0.25)
    assert found.observed == 0.25


@pytest.mark.parametrize("theorem", [alternating_tree, rule_set])
def test_a_bound_that_is_broken_is_told(theorem: Any) -> None:
    facts = {"potential": 0.25, "Z": 0.25, "train_error": 0.5}
    assert theorem(evidence(facts))[0].verdict != "holds"


@pytest.mark.parametrize("theorem", [alternating_tree, rule_set])
@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"other_rows": True}, "not the rows of training"),
        ({"weighted": True}, "weights were given"),
        ({"resumed": True}, "several fits"),
    ],
)
def test_where_it_does_not_apply(theorem: Any, others: Any, words: str) -> None:
    [found] = theorem(evidence({"potential": 0.2, "Z": 0.2, "train_error": 0.1}, **others))
    assert words in found.verdict
    assert found.bound is None or np.isnan(found.bound)
