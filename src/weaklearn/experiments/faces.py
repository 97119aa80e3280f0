"""Faces in photographs: detection against false positives, beside Viola and Jones."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files import ModelFileError
from ..persistence.save_load import load
from ..vision.curve import DetectionCurve, detection_curve
from ..vision.detector import CascadeDetector
from .data_folder import DataFolder, NoDataError
from .result import FOUND, MEMORY, Chart, Line, Result, ResultTable, Row, line
from .setting import Setting

# Viola and Jones (2001), table 2: false positives on 130 photographs, and faces found in percent.
_PUBLISHED = {10: 76.1, 31: 88.4, 50: 91.4, 65: 92.0, 78: 92.1, 95: 92.9, 167: 93.9}
_PHOTOGRAPHS = 130
_OVERLAP = 0.4  # intersection over union from which a box finds a face
_OWN = "detector.weak"
_OPENCV = ("haarcascade_frontalface_alt2.xml", "haarcascade_frontalface_default.xml")
_CORNERS = ("x_min", "y_min", "x_max", "y_max")
Boxes = NDArray[np.float64]
Found = list[tuple[Any, Any]]  # boxes and scores of each photograph


def faces(setting: Setting) -> Result:
    """Detectors run on a folder of photographs, at the published false positives a photograph."""
    photographs, truth = _photographs(setting.data)
    n_faces = sum(map(len, truth))
    tables, lines, remarks = [], [], [*_REMARKS]
    for name, detector in _detectors(setting, remarks).items():
        setting.say(f"{name}: {len(photographs)} photographs")
        found = [detector.detect(photograph, min_neighbours=1) for photograph in photographs]
        table, drawn = _judged(name, found, truth, setting)
        tables.append(table)
        lines.append(drawn)
    known = [k / _PHOTOGRAPHS for k in _PUBLISHED]
    lines.append(line("Viola and Jones", known, _PUBLISHED.values(), style="dash"))
    chart = Chart(
        "Faces found against false positives",
        "false positives a photograph",
        "faces found, %",
        tuple(lines),
    )
    return Result(
        tuple(tables),
        (chart,),
        f"{len(photographs)} photographs with {n_faces} faces; a box finds a face where they share "
        f"{_OVERLAP:g} of what they cover",
        tuple(remarks),
    )


_REMARKS = (
    "The published figures are of all 130 photographs and 507 faces. They are compared at equal "
    "false positives a photograph (10/130, 31/130, ...); intervals are of a bootstrap over "
    "photographs, and wide where these are few.",
)


def _judged(
    name: str, found: Found, truth: list[Boxes], setting: Setting
) -> tuple[ResultTable, Line]:
    counts = [k * len(truth) / _PHOTOGRAPHS for k in _PUBLISHED]
    rates = _rates(found, truth, counts)
    spreads = _spreads(found, truth, setting)
    rows = [
        Row(
            f"{k} false positives on {_PHOTOGRAPHS} ({count:.3g} here)",
            float(rate),
            _PUBLISHED[k],
            FOUND if k != 167 else MEMORY,
            float(spread),
        )
        for k, count, rate, spread in zip(_PUBLISHED, counts, rates, spreads, strict=True)
    ]
    curve = _curve_of(found, truth)
    n_faces = max(curve.n_faces, 1)
    for few in (0, 1, 2, 4):
        rows.append(Row(f"{few} false positives in all", 100 * curve.at(few) / n_faces))
    within = curve.false_positives <= 2 * len(truth)
    drawn = line(
        name,
        curve.false_positives[within] / len(truth),
        100 * curve.detections[within] / n_faces,
    )
    return ResultTable(f"Faces found by {name}", tuple(rows), "%"), drawn


def _curve_of(found: Found, truth: list[Boxes]) -> DetectionCurve:
    boxes, scores = zip(*found, strict=True)
    return detection_curve(boxes, scores, truth, _OVERLAP)


def _rates(found: Found, truth: list[Boxes], counts: list[float]) -> NDArray[np.float64]:
    """The share of faces found, in percent, with at most so many false positives."""
    curve = _curve_of(found, truth)
    return np.array([100 * curve.at(int(count)) / max(curve.n_faces, 1) for count in counts])


def _spreads(found: Found, truth: list[Boxes], setting: Setting) -> NDArray[np.float64]:
    """Half of the 95 % intervals of these rates, by drawing photographs with replacement."""
    rng, n = np.random.default_rng(setting.seed), len(truth)
    counts = [k * n / _PHOTOGRAPHS for k in _PUBLISHED]
    drawn = []
    for _ in range(setting.choose(200, 5)):
        rows = rng.integers(n, size=n)
        drawn.append(_rates([found[i] for i in rows], [truth[i] for i in rows], counts))
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return np.asarray((high - low) / 2)


# ------------------------------------------------------------------------------------- detectors


def _detectors(setting: Setting, remarks: list[str]) -> dict[str, CascadeDetector]:
    """Our detector, read or trained, and the cascades of OpenCV that are at hand."""
    found = {"our detector": _own(setting, remarks)}
    for name in _OPENCV:
        try:
            found[f"OpenCV's {name}"] = CascadeDetector.from_opencv(setting.data.file(name))
        except NoDataError as error:
            remarks.append(f"Not in the picture: {error}.")
    return found


def _own(setting: Setting, remarks: list[str]) -> CascadeDetector:
    try:
        place = setting.data.file(_OWN)
    except NoDataError:
        return _trained(setting, remarks)
    try:
        model = load(place)
    except (ModelFileError, OSError) as error:
        raise NoDataError(f"{place}: {error}") from error
    if not isinstance(model, CascadeDetector):
        raise NoDataError(f"{place} holds a {type(model).__name__}, which is no CascadeDetector")
    remarks.append(f"Our detector was read from {_OWN}: it has {len(model.history_)} stages.")
    return model


def _trained(setting: Setting, remarks: list[str]) -> CascadeDetector:
    """A detector trained on the faces and backgrounds of the folder, in ten minutes at most."""
    place = setting.data.file("faces_caltech24.npz")
    try:
        with np.load(place) as kept:
            windows = kept["faces"]
    except (OSError, ValueError, KeyError) as error:
        raise NoDataError(f"{place} holds no array faces: {error}") from error
    folders = [setting.data.file("nonface_scenes")]
    try:
        folders.append(setting.data.file("nonface_scenes2"))
    except NoDataError as error:
        remarks.append(f"Trained without further backgrounds: {error}.")
    scenes = [_grey(path) for folder in folders for path in sorted(folder.glob("*.jpg"))]
    setting.say(f"training a detector on {len(windows)} faces and {len(scenes)} backgrounds")
    model = CascadeDetector(max_time=setting.choose(600, 5), random_state=setting.seed)
    model.fit(windows, scenes)
    remarks.append(
        f"Our detector was trained here: {len(model.history_)} stages; {model.stop_reason_}."
    )
    return model


# ----------------------------------------------------------------------------------- photographs


def _photographs(data: DataFolder) -> tuple[list[Any], list[Boxes]]:
    """Photographs, and the boxes (left, top, width, height) of their faces."""
    place = data.file("photos")
    boxes: dict[str, list[list[float]]] = {}
    try:
        with (place / "boxes.csv").open(newline="", encoding="utf-8") as lines:
            for number, row in enumerate(csv.DictReader(lines), start=2):
                _add_box(boxes, row, f"{place / 'boxes.csv'}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise NoDataError(f"{place / 'boxes.csv'}: {error}") from error
    if not boxes:
        raise NoDataError(f"{place / 'boxes.csv'} names no photograph")
    names = sorted(boxes)
    return [_grey(place / name) for name in names], [
        np.array(boxes[name]).reshape(-1, 4) for name in names
    ]


def _add_box(boxes: dict[str, list[list[float]]], row: dict[str, str], where: str) -> None:
    name, corners = row.get("file"), [row.get(corner) for corner in _CORNERS]
    if not name or Path(name).name != name or None in corners:
        raise NoDataError(f"{where} needs a file of the same folder and {', '.join(_CORNERS)}")
    known = boxes.setdefault(name, [])
    if any(corners):
        try:
            left, top, right, bottom = (float(corner or "") for corner in corners)
        except ValueError as error:
            raise NoDataError(f"{where}: {error}") from error
        known.append([left, top, right - left, bottom - top])


def _grey(path: Path) -> NDArray[np.uint8]:
    try:
        from PIL import Image
    except ImportError as error:
        raise NoDataError("photographs need Pillow: pip install 'weaklearn[vision]'") from error
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("L"))
    except (OSError, Image.DecompressionBombError) as error:
        raise NoDataError(f"{path}: {error}") from error
