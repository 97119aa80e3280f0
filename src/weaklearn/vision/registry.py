"""The rows of the detectors of faces."""

from __future__ import annotations

from ..registry.row import FACES, Row

ROWS = tuple(
    Row(
        home=f"vision.{home}",
        family=FACES,
        page="faces.md",
        number=number,
        kept=(f"vision.kept.{rule}",),
        reads="images",
    )
    for number, home, rule in (
        (170, "window.WindowClassifier", "window"),
        (171, "detector.CascadeDetector", "cascade"),
    )
)
RECORDS = ("vision.record",)
