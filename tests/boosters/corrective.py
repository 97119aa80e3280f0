"""Games whose votes are found anew, beside a plain computation over rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.boosters.promises import shares
from tests.reference import soft_margin as reference
from tests.reference.votes import all_stumps
from weaklearn.learners import StumpLearner


def rounds(booster: Any, sample: Any, n: int, learner: Any = None) -> Iterator[tuple[Any, ...]]:
    """The rounds of a game: D before, the state before and after, the facts and the end."""
    learn = (learner or StumpLearner()).bind(sample)
    state = booster.begin(sample)
    for _ in range(n):
        before, D = state, state.D.array
        state, done = booster.round(sample, learn, before)
        yield D, before, state, done.metrics, done.stop
        if done.stop is not None:
            return


def sides(sample: Any, members: Any) -> Any:
    """y h of the members, a column each."""
    return np.column_stack([sample.y * np.asarray(h(sample)) for h in members]).astype(float)


def check_round(
    sample: Any, w: Any, nu: float, D: Any, state: Any, metrics: Any, accuracy: float = 1e-6
) -> None:
    """What every round owes: weights within caps, and the best votes for its members."""
    share = shares(len(sample.y), w)
    m = len(share) if w is None or w.dtype.kind == "f" else w.sum()
    assert (share / nu + 1e-9 >= D).all()
    members = state.ensemble.members
    M = sides(sample, members)
    if metrics["alpha"] > 0:
        assert metrics["r"] == pytest.approx(D @ M[:, -1], abs=1e-9)
    value, _ = reference.hardest(M, share, nu)
    assert metrics["value"] == pytest.approx(value, abs=accuracy)
    assert metrics["dual"] == pytest.approx(value, abs=accuracy)
    votes = state.ensemble.votes
    assert votes.min() >= 0
    assert votes.sum() == 1
    margins = M @ votes
    assert metrics["value"] == pytest.approx(reference.soft_margin(margins, share, nu), abs=1e-9)
    assert share[margins < metrics["rho"] - 1e-9].sum() <= nu + 1e-9
    assert metrics["margin_min"] == pytest.approx(margins.min(), abs=1e-12)
    assert metrics["cap"] == pytest.approx(min(1, 1 / (nu * m)))
    F = state.ensemble(sample)
    wrong = np.where(F > 0, 1, -1) != sample.y
    assert metrics["train_error"] == pytest.approx(np.average(wrong, weights=sample.copies))


def best_of_all(X: Any, y: Any, w: Any, nu: float) -> float:
    """The largest soft margin of any vote of stumps."""
    return reference.hardest(y[:, None] * all_stumps(X), shares(len(y), w), nu)[0]
