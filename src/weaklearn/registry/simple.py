"""The rows of the simple learners of the theory."""

from __future__ import annotations

from .row import SIMPLE, Row


def _row(number: int, home: str, rule: str, asked: bool = True) -> Row:
    return Row(
        home=f"estimators.simple.{home}",
        family=SIMPLE,
        page="simple-learners.md",
        number=number,
        kept=(f"persistence.kept_simple.{rule}",),
        runtime=f"simple.{home.rpartition('.')[2]}" if asked else None,
    )


ROWS = (
    _row(102, "intervals.ThresholdClassifier", "threshold"),
    _row(161, "intervals.IntervalUnionClassifier", "interval_union"),
    _row(162, "intervals.ThreePieceClassifier", "three_pieces"),
    _row(163, "boolean.RectangleClassifier", "rectangle"),
    _row(164, "boolean.MonomialClassifier", "columns"),
    _row(165, "boolean.DisjunctionClassifier", "columns"),
    _row(166, "centroid.CentroidClassifier", "centroids"),
    _row(167, "erm.ERMClassifier", "hypotheses", asked=False),
)
