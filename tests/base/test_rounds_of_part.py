"""The rounds of the members of several binary problems, with and without a winner."""

from __future__ import annotations

import numpy as np

from weaklearn.base.ensemble import Ensemble, StackedEnsemble, rounds_of_part
from weaklearn.base.history import History
from weaklearn.base.hypothesis import Stump

STUMP = Stump(1, 0, 0.5, 0, -1, 1, 1)


def rounds(*votes: list[float], alpha: list[float]) -> list[int]:
    """Those of the first problem, whose recorded votes are ``alpha``."""
    history, parts = History(), []
    for each in alpha:
        history.append({"alpha_0": each})
    for given in votes:
        part = Ensemble()
        for vote in given:
            part = part.plus(vote, STUMP)
        parts.append(part)
    return rounds_of_part(history, StackedEnsemble(tuple(parts)), 0).tolist()


def test_the_rounds_of_members() -> None:
    assert rounds([0.5, 0.25], [0.5], alpha=[0.5, 0.25, 0.125]) == [0, 1]
    assert rounds([], [0.5], alpha=[np.nan]) == []
    assert rounds([1.0], [0.5], alpha=[np.inf]) == [0]


def test_a_winner_stands_for_its_round() -> None:
    assert rounds([1.0], [0.5] * 3, alpha=[0.5, 0.25, -np.inf, np.nan]) == [2]
    assert rounds([1.0], [1.0], alpha=[0.5, 0.25, np.inf]) == [2]


def test_a_winner_that_was_not_kept_is_none() -> None:
    assert rounds([0.5, 0.25], [0.5, 0.5], alpha=[0.5, 0.25, np.inf]) == [0, 1]
    assert rounds([0.5], [0.5], alpha=[0.5, 0.25, np.inf]) == [0]
