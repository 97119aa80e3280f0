"""The same bits whatever must not matter: a short form of ``python -m tests.campaign.bits``."""

from __future__ import annotations

import pytest

from tests.campaign.bits import AXES, PROCESSES, across, hunt
from tests.campaign.bits_cases import NOT_BY_DEFINITION
from weaklearn.registry import ROWS

# One of each way in which models are fitted and kept.
SOME = [
    *("GradientBoostingRegressor", "RankBoost", "CentroidClassifier", "KernelPerceptron"),
    *("Hedge", "SpamFilter", "WindowClassifier", "BoostReranker"),
]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in SOME else pytest.mark.long) for n in ROWS]
)
def test_nothing_else_matters(name: str) -> None:
    counts = hunt(name, 60, list(AXES))
    assert not counts.failures
    assert counts.answered > 0


@pytest.mark.long
@pytest.mark.parametrize("axis", PROCESSES)
def test_other_processes_agree(axis: str) -> None:
    counts = across(list(ROWS), 200, [axis])
    assert not counts.failures
    assert counts.answered > 0


def test_what_is_left_open_is_of_estimators_that_there_are() -> None:
    for reasons in NOT_BY_DEFINITION.values():
        assert reasons.keys() <= ROWS.keys()
