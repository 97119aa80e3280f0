"""The protocol: traces, and learners that give no more than they must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.online import OnlineLearner, Trace
from weaklearn.online.protocol import pairs, sign_of


class Parrot(OnlineLearner):
    """Says what it was told last."""

    def __init__(self) -> None:
        self.last = -1

    def predict(self, x: Any) -> int:
        return self.last

    def update(self, x: Any, y: Any) -> bool:
        wrong = sign_of(y) != self.last
        self.mistakes += wrong
        self.last = sign_of(y)
        return bool(wrong)


def test_a_run_predicts_before_it_is_told() -> None:
    parrot = Parrot()
    trace = parrot.run(range(5), [1, 1, -1, -1, 1])
    assert trace.predictions.tolist() == [-1, 1, 1, -1, -1]
    assert trace.mistake_flags.tolist() == [True, False, True, False, True]
    assert trace.scores.tolist() == trace.predictions.tolist()
    assert trace.curve.tolist() == [1, 1, 2, 2, 3]
    assert (len(trace), trace.mistakes, parrot.mistakes) == (5, 3, 3)
    assert repr(trace) == "Trace(5 examples, 3 mistakes)"
    other = parrot.hypothesis()
    parrot.update(None, -1)
    assert (other.last, other.mistakes, parrot.mistakes) == (1, 3, 4)
    assert len(Parrot().run([])) == 0


def test_regret_is_over_the_best_so_far() -> None:
    flags = np.array([True, False, True, True])
    trace = Trace(flags, flags, np.zeros(4), flags)
    experts = np.array([[0, 1], [1, 0], [1, 0], [1, 0]])
    assert trace.regret(experts).tolist() == [1, 0, 1, 2]
    assert trace.regret(experts[:, 1]).tolist() == [0, 0, 1, 2]
    paid = Trace(flags, flags, np.zeros(4), flags, np.array([0.5, 0.5, 2.0, 0.0]))
    assert paid.regret(np.zeros(4)).tolist() == [0.5, 1.0, 3.0, 3.0]
    with pytest.raises(ValueError, match="4 rows"):
        trace.regret(experts[:3])


def test_rows_and_labels_go_together() -> None:
    assert list(pairs([1, 2], [-1, 1])) == [(1, -1), (2, 1)]
    with pytest.raises(ValueError, match="2 rows and labels has 1"):
        pairs([1, 2], [1])
    for bad in (0, 2, "1", True, [1], None):
        with pytest.raises(ValueError, match="-1 or 1"):
            sign_of(bad)
    assert sign_of(np.int8(-1)) == sign_of(-1.0) == -1
