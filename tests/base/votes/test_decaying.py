"""Votes that fade as others join."""

from __future__ import annotations

import numpy as np
import pytest

from tests.boosters.given import Answers
from tests.samples import sample_of
from weaklearn.base.votes.decaying import Fading
from weaklearn.files.error import Flaw
from weaklearn.files.votes import FADING

ROWS = sample_of(np.arange(3.0)[:, None], np.array([-1, 1, 1]))
FIRST, SECOND = Answers([1, 1, -1]), Answers([1, -1, -1])


def test_a_vote_shrinks_when_another_takes_time() -> None:
    votes = Fading().joined(FIRST, 2.0, 0.3).joined(SECOND, 1.0, 0.5)
    assert votes.votes == pytest.approx([2 * np.exp(-0.5), 1.0])
    assert votes.votes[-1] == 1.0
    assert votes(ROWS) == pytest.approx(2 * np.exp(-0.5) * FIRST.answers + SECOND.answers)
    assert votes.weight == pytest.approx(2 * np.exp(-0.5) + 1)


def test_a_stage_is_what_it_was() -> None:
    one = Fading().joined(FIRST, 2.0, 0.3)
    two = one.joined(SECOND, 1.0, 0.5)
    assert two.staged(1).votes.tolist() == one.votes.tolist() == [2.0]
    stages = list(two.stages(ROWS))
    assert (stages[0] == one(ROWS)).all()
    assert (stages[1] == two(ROWS)).all()
    assert len(one) == 1  # the earlier vote has not changed


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ([np.array([1.0, 2.0]), np.array([0.2, 0.1]), [FIRST, SECOND]], "backwards"),
        ([np.array([1.0]), np.array([-0.1]), [FIRST]], "backwards"),
        ([np.array([1.0]), np.array([0.1, 0.2]), [FIRST]], "times"),
        ([np.array([np.inf]), np.array([0.1]), [FIRST]], "votes"),
        ([np.array([1.0]), np.array([np.nan]), [FIRST]], "times"),
        ([np.array([1.0]), np.array([0.1])], "fields"),
    ],
)
def test_a_file_cannot_hold_what_cannot_be(fields: list[object], words: str) -> None:
    with pytest.raises(Flaw, match=words):
        FADING.make(fields)


def test_a_file_holds_it() -> None:
    votes = Fading().joined(FIRST, 2.0, 0.3).joined(SECOND, 1.0, 0.5)
    again = FADING.make(FADING.take(votes))
    assert (again.given, again.times) == (votes.given, votes.times)
    assert (again(ROWS) == votes(ROWS)).all()
