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
        runtime=runtime,
    )
    for number, home, rule, runtime in (
        (170, "window.WindowClassifier", "window", "windows.WindowClassifier"),
        (171, "detector.CascadeDetector", "cascade", None),
    )
)
RECORDS = ("vision.record",)
