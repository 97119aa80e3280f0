"""The rows of the simple learners of the theory."""

from __future__ import annotations

from typing import Any

from .family import SIMPLE
from .row import Row


def _row(number: int, home: str, rule: str, runtime: str | None, **more: Any) -> Row:
    return Row(
        home=f"estimators.simple.{home}",
        family=SIMPLE,
        page="simple-learners.md",
        number=number,
        kept=(f"persistence.kept_simple.{rule}",),
        runtime=runtime,
        **more,
    )


# Monomials, disjunctions and lists of hypotheses take 0 and 1 only, and a list that no check of
# scikit-learn has: they have no trial.
ROWS = (
    _row(
        102,
        "intervals.ThresholdClassifier",
        "threshold",
        "simple.ThresholdClassifier",
        trial={},
    ),
    _row(
        161,
        "intervals.IntervalUnionClassifier",
        "interval_union",
        "simple.IntervalUnionClassifier",
        trial={},
    ),
    _row(
        162,
        "intervals.ThreePieceClassifier",
        "three_pieces",
        "simple.ThreePieceClassifier",
        trial={},
    ),
    _row(
        163,
        "boolean.RectangleClassifier",
        "rectangle",
        "simple.RectangleClassifier",
        trial={},
    ),
    _row(164, "boolean.MonomialClassifier", "columns", "simple.MonomialClassifier"),
    _row(165, "boolean.DisjunctionClassifier", "columns", "simple.DisjunctionClassifier"),
    _row(166, "centroid.CentroidClassifier", "centroids", "simple.CentroidClassifier", trial={}),
    _row(167, "erm.ERMClassifier", "hypotheses", None),
)
