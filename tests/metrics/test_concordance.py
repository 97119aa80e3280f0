"""The concordance index, beside a loop over all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.metrics import concordance_index


def by_pairs(event: Any, time: Any, risk: Any, w: Any) -> float:
    right = pairs = 0.0
    for i in range(len(time)):
        for j in range(len(time)):
            if event[i] and (time[i] < time[j] or (time[i] == time[j] and not event[j])):
                pairs += w[i] * w[j]
                right += w[i] * w[j] * (risk[i] > risk[j]) + w[i] * w[j] * (risk[i] == risk[j]) / 2
    return float(right / pairs)


@pytest.mark.parametrize("seed", range(20))
def test_it_counts_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 50))
    event, time = rng.random(n) < 0.7, rng.integers(1, 12, n)
    risk, w = rng.integers(0, 9, n) - 4, rng.integers(1, 4, n)
    event[0], time[0], time[1] = True, 0, 20
    found = concordance_index(event, time, risk, sample_weight=w)
    assert found == by_pairs(event, time, risk, w)
    rows = rng.permutation(np.repeat(np.arange(n), w))
    assert concordance_index(event[rows], time[rows], risk[rows]) == found


def test_ties_by_hand() -> None:
    assert concordance_index([True, True], [1, 2], [5, 5]) == 0.5
    assert concordance_index([True, False], [1, 1], [2, 1]) == 1.0
    with pytest.raises(ValueError, match="no two rows are comparable"):
        concordance_index([True, True], [1, 1], [2, 1])
    with pytest.raises(ValueError, match="must agree"):
        concordance_index([True, True], [1, 1], [2])
