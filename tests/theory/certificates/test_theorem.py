"""Theorems are found where they are written, and speak of the games they are about."""

from __future__ import annotations

import pytest

from weaklearn import boosters
from weaklearn.base.ensemble import Ensemble
from weaklearn.base.history import History
from weaklearn.registry import ROWS
from weaklearn.theory.certificates.theorem import ANY, OWN, Evidence, Theorem, applied, theorems


def evidence(**given: object) -> Evidence:
    return Evidence(History(), Ensemble(), 10, **given)  # type: ignore[arg-type]


def test_theorems_name_boosters_there_are() -> None:
    for known in theorems():
        assert {*known.boosters} <= {*boosters.__all__, OWN}
        assert known.reduction in ("", "OneVsRest", "AllPairs", ANY)


def test_every_booster_of_votes_has_a_theorem() -> None:
    spoken = {name for known in theorems() for name in known.boosters}
    rows = [row for row in ROWS.values() if row.boosters and row.runtime == "votes.VoteClassifier"]
    for row in rows:
        assert ({*row.schemes} or {OWN}) & spoken, row.name  # one that plays any has none listed


@pytest.mark.parametrize(
    ("boosters", "reduction", "given", "speaks"),
    [
        (("AdaBoost",), "", {"booster": "AdaBoost"}, True),
        (("AdaBoost",), "", {"booster": "MadaBoost"}, False),
        (("AdaBoost",), "", {"booster": "AdaBoost", "reduction": "AllPairs"}, False),
        (("AdaBoost",), "AllPairs", {"booster": "AdaBoost", "reduction": "AllPairs"}, True),
        (("AdaBoost",), ANY, {"booster": "AdaBoost", "reduction": "AllPairs"}, True),
        (("AdaBoost",), "", {"booster": "AdaBoost", "own": True}, False),
        ((OWN,), ANY, {"booster": "Mine", "own": True}, True),
        ((OWN,), ANY, {"booster": "AdaBoost"}, False),
        ((), "", {"booster": "Any"}, True),
        ((), "", {"booster": "Mine", "own": True}, False),
    ],
)
def test_of_which_runs_a_theorem_speaks(
    boosters: tuple[str, ...], reduction: str, given: dict[str, object], speaks: bool
) -> None:
    known = Theorem(lambda evidence: [], boosters, reduction)
    assert known.speaks_of(evidence(**given)) is speaks


def test_where_no_theorem_speaks_that_is_said() -> None:
    [found] = applied(evidence(booster="New"))
    assert "none here speaks of New" in found.verdict
    [found] = applied(evidence(booster="New", n_classes=3))
    assert "this model has more" in found.verdict
