"""Rows for estimators that take none but their own: bits, experts, losses, texts, windows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weaklearn.boosters import AdaBoost

# Parameters of estimators that cannot be without.
NEEDED: dict[str, dict[str, Any]] = {"Boosted": {"booster": AdaBoost(0.5)}}


@dataclass(frozen=True)
class Odd:
    """Columns as ``tests.frozen.frame`` reads them, labels, and what goes with them."""

    columns: dict[str, dict[str, Any]]
    y: Any
    given: dict[str, Any] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)  # other arguments of fit


def _numbers(**columns: Any) -> dict[str, dict[str, Any]]:
    return {
        name: {"type": "number", "values": [None if v is None else float(v).hex() for v in values]}
        for name, values in columns.items()
    }


def _texts(*lines: str) -> dict[str, dict[str, Any]]:
    return {"text": {"type": "text", "values": list(lines)}}


def _windows(n: int, seed: int) -> Any:
    """Noise of 8 x 8 pixels, every other window a little darker on the left."""
    pixels = np.random.default_rng(seed).integers(50, 200, (n, 8, 8))
    pixels[::2, :, :4] -= 9
    return pixels


_LISTS = [
    [
        {"loglik": -1.0 - k % 3, "features": ["verb", k % 2]},
        {"loglik": -0.5, "features": ["noun"] * (k % 5 > 0)},
    ]
    for k in range(8)
]


def _stack(windows: Any) -> dict[str, dict[str, Any]]:
    return {"windows": {"type": "windows", "values": windows.tolist()}}


_K = range(16)
_MAIL = _texts(
    *("win a prize now", "see you at lunch", "cheap pills, order now", "notes of the meeting"),
    *("free cash prize!", "lunch at noon?", "win free pills", "call me at noon"),
)
_KINDS = np.array(["spam", "ham"] * 4)
_BITS = _numbers(a=[k % 2 for k in _K], b=[k // 2 % 2 for k in _K], c=[k // 4 % 2 for k in _K])
_SPAM = np.array(["yes" if k > 1 and (k % 2 or k // 4 % 2) else "no" for k in _K])
_SIGNS = np.array([1 if k * 7 % 11 > 4 else -1 for k in _K])
_TABLE = [[int(s) for s in _SIGNS], [1] * 16, [-1] * 16, [1 if k % 2 else -1 for k in _K]]

ODD: dict[str, Odd] = {
    "HalvingClassifier": Odd(
        _numbers(item=_K), _SIGNS, {"hypotheses": _TABLE, "sizes": [3, 1, 2, 3]}
    ),
    "OnlineDisjunction": Odd(_BITS, _SPAM),
    "SleepingExperts": Odd(
        _numbers(
            first=[1 if k % 3 else None for k in _K],
            second=[-1 if k % 2 else None for k in _K],
            third=[None if k % 5 else s for k, s in zip(_K, _SIGNS)],
        ),
        _SIGNS,
        {"epsilon": 0.25},
    ),
    "BoostReranker": Odd(
        {"groups": {"type": "groups", "values": _LISTS}}, np.zeros(8, int), {"n_estimators": 4}
    ),
    "SpamFilter": Odd(_MAIL, _KINDS, {"n_estimators": 4}),
    "CallRouter": Odd(
        _MAIL,
        _KINDS,
        {"n_estimators": 4, "threshold": 0.6, "prior_rules": {"meeting": {"ham": 2.0}}},
    ),
    "TermVectorizer": Odd(_MAIL, _KINDS, {"ngram_range": 2, "gaps": 1}),
    "WindowClassifier": Odd(_stack(_windows(24, 0)), np.arange(24) % 2, {"n_estimators": 3}),
    "CascadeDetector": Odd(
        _stack(_windows(48, 1)[::2]),
        np.stack([np.kron(_windows(1, k)[0], np.ones((3, 3), int)) for k in range(24)]),
        {"n_negatives": 60, "max_stages": 1, "max_stage_features": 4, "types": "AB", "copies": 0},
    ),
    "GradientBoostingRanker": Odd(
        _numbers(size=[k * 7 % 11 for k in _K], age=[None if k % 5 == 3 else k for k in _K]),
        np.array([k * 7 % 11 // 4 for k in _K]),
        {"n_estimators": 4, "min_samples_leaf": 1},
        {"qid": np.arange(16) % 3},
    ),
    "Hedge": Odd(
        _numbers(left=[k % 4 / 3 for k in _K], right=[k % 5 / 4 for k in _K]), np.zeros(16)
    ),
}
