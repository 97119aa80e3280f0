"""Step functions on the line as votes of stumps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.theory import piecewise_halfspace


def steps(x: Any, cuts: Any, signs: Any) -> Any:
    """The sign of the piece that holds x; pieces are closed on the right."""
    return np.asarray(signs)[np.searchsorted(cuts, x, side="left")]


@pytest.mark.parametrize("T", range(1, 9))
def test_alternating_pieces(T: int) -> None:
    cuts = np.arange(1.0, T)
    g = piecewise_halfspace(cuts)
    signs = [(-1) ** k for k in range(1, T + 1)]
    x = np.concatenate([np.arange(T) + 0.5, cuts, [-1e9, 1e9]])  # interiors and right ends
    assert g(x).tolist() == steps(x, cuts, signs).tolist()
    assert g.weights.tolist() == [-0.5, *((-1.0) ** k for k in range(2, T + 1))]
    assert (np.abs(g.score(x)) >= 0.5).all()
    weights, thresholds = piecewise_halfspace([-np.inf, *cuts, np.inf])
    assert weights.tolist() == g.weights.tolist()
    assert thresholds.tolist() == [-np.inf, *cuts]


@given(st.lists(st.sampled_from([-1, 1]), min_size=1, max_size=9), st.integers(0, 99))
def test_any_signs(signs: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.choice(50, len(signs) - 1, replace=False)).astype(float)
    g = piecewise_halfspace(cuts, signs)
    x = np.concatenate([cuts, cuts + 0.5, cuts - 0.5, [-100.0, 100.0]])
    assert g(x).tolist() == steps(x, cuts, signs).tolist()
    assert len(g.weights) == 1 + int(np.sum(np.diff(signs) != 0))  # equal neighbours are merged


@pytest.mark.parametrize(
    ("cuts", "signs", "words"),
    [
        ([1.0, 1.0], None, "each above the last"),
        ([2.0, 1.0], None, "each above the last"),
        ([np.nan], None, "finite"),
        ([[1.0]], None, "list of numbers"),
        ([1.0], [1, -1, 1], "each of the 2 pieces"),
        ([1.0], [1, 0], r"-1 or \+1"),
    ],
)
def test_what_is_refused(cuts: Any, signs: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        piecewise_halfspace(cuts, signs)
