"""Sleeping experts by their definition: weights multiplied, one example after another."""

from __future__ import annotations

from typing import Any

import numpy as np


def play(predictions: Any, truth: Any, epsilon: float) -> dict[str, Any]:
    """Weights, shares and chances of every round; predictions hold NaN where an expert sleeps."""
    T, n = predictions.shape
    w = np.ones(n)
    p, weights, chances = np.full((T, n), np.nan), np.empty((T, n)), np.full(T, np.nan)
    mistakes, expected = np.zeros(n, int), np.zeros(n)
    for t in range(T):
        awake = ~np.isnan(predictions[t])
        if awake.any():
            p[t, awake] = w[awake] / w[awake].sum()
            wrong = awake & (predictions[t] != truth[t])
            q = chances[t] = p[t, wrong].sum()
            w[awake] *= (1 + epsilon) ** (q / (1 + epsilon) - wrong[awake])
            mistakes += wrong
            expected[awake] += q
        weights[t] = w
    return {
        "p": p,
        "weights_after": weights,
        "prob_mistake": chances,
        "mistakes_of_expert": mistakes,
        "expected_mistakes_on_S_i": expected,
    }
