"""Records of experts of terms and of hand-written rules."""

from __future__ import annotations

from .check import array, real, whole
from .record import plain

_MANY = whole(0, 2**62)
SLEEPERS = plain(
    95,
    "weaklearn.text.sleepers.Sleepers",
    {
        "terms": array("i"),
        "epsilon": real(0.0, 1.0),
        "chances": array("f"),
        "mistakes": array("i"),
        "t": _MANY,
        "errors": _MANY,
    },
)
HANDWRITTEN = plain(
    96, "weaklearn.text.handwritten.HandwrittenPrior", {"n_labels": whole(1, 2**20)}
)
