"""A face detector trained and judged on photographs: python -m benchmarks.faces DATA.

DATA is a folder with ``faces_caltech24.npz`` (array ``faces``, n x 24 x 24), ``faces_cbcl.npz``
(arrays ``nonfaces`` and ``test_nonfaces``), ``nonface_scenes/*.jpg``, and ``photos/`` with
``boxes.csv`` (file, x_min, y_min, x_max, y_max). The photographs are for judging only. Further
backgrounds are the pictures without faces that scikit-image and scikit-learn bring along.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import weaklearn
from weaklearn.vision import CascadeDetector, detection_curve
from weaklearn.vision.pixels import resized

OVERLAP = 0.4  # intersection over union from which a box finds a face
FALSE_POSITIVES = (0, 2, 4, 7, 10, 20, 50)
SETTINGS: dict[str, Any] = {
    "min_detection_rate": 0.997,
    "max_false_positive_rate": 0.4,
    "n_negatives": 12000,
    "max_stages": 18,
    "max_stage_features": 200,
    "max_features": 0.2,
}
_SKIMAGE = (
    "brick cell chelsea clock_motion coffee coins grass gravel horse hubble_deep_field ihc logo "
    "moon motorcycle_left page retina rocket text"
)


def grey(path: Path, most: int | None = None) -> Any:
    """A picture in grey; not larger than so many pixels a side."""
    image = Image.open(path).convert("L")
    if most is not None:
        image.thumbnail((most, most))
    return np.asarray(image)


def pictures() -> list[Any]:
    """Pictures without faces that come with scikit-image and scikit-learn."""
    import skimage
    import sklearn

    folder = Path(skimage.__file__).parent / "data"
    names = _SKIMAGE.split()
    found = [path for path in sorted(folder.glob("*.*g")) if path.stem in names]
    found += sorted((Path(sklearn.__file__).parent / "datasets" / "images").glob("*.jpg"))
    return [grey(path, 400) for path in found]


def training(data: Path) -> tuple[Any, list[Any], Any]:
    """Faces, backgrounds, and windows without a face."""
    with np.load(data / "faces_caltech24.npz") as kept:
        faces = kept["faces"]
    with np.load(data / "faces_cbcl.npz") as kept:
        small = np.concatenate([kept["nonfaces"], kept["test_nonfaces"]])
    negatives = np.stack([resized(window, 24, 24) for window in small])
    scenes = [grey(path) for path in sorted((data / "nonface_scenes").glob("*.jpg"))]
    return faces, scenes + pictures(), negatives


def judging(data: Path) -> tuple[list[Any], list[Any]]:
    """Photographs, and the boxes (left, top, width, height) of their faces."""
    boxes: dict[str, list[list[float]]] = defaultdict(list)
    with (data / "photos" / "boxes.csv").open() as lines:
        for row in csv.DictReader(lines):
            corners = [row[name] for name in ("x_min", "y_min", "x_max", "y_max")]
            known = boxes[row["file"]]
            if all(corners):
                left, top, right, bottom = map(float, corners)
                known.append([left, top, right - left, bottom - top])
    photos = [grey(data / "photos" / name) for name in sorted(boxes)]
    return photos, [np.array(boxes[name]).reshape(-1, 4) for name in sorted(boxes)]


def trained(data: Path, checkpoint: Path | None) -> CascadeDetector:
    faces, backgrounds, negatives = training(data)
    print(f"{len(faces)} faces, {len(backgrounds)} backgrounds, {len(negatives)} other windows")
    wall, cpu = time.perf_counter(), time.process_time()
    model = CascadeDetector(verbose=1, **SETTINGS)
    model.fit(faces, backgrounds, negatives=negatives, checkpoint=checkpoint)
    print(model.history_)
    print(
        f"training ended because {model.stop_reason_}: {time.perf_counter() - wall:.0f} s, "
        f"{time.process_time() - cpu:.0f} s of processor time"
    )
    return model


def judged(model: CascadeDetector, data: Path) -> None:
    """Detections against false positives, and how long that took."""
    photos, truth = judging(data)
    pixels = sum(photo.size for photo in photos)
    n_faces = sum(map(len, truth))
    head = "".join(f"{count:>5}" for count in FALSE_POSITIVES)
    print(f"faces found of {n_faces} with at most so many false positives (overlap {OVERLAP}):")
    print(f"{'':34}{head}   CPU s  Mpx/s")
    for how in ({}, {"scale_factor": 1.2}, {"scan": "pyramid"}):
        cpu = time.process_time()
        found = [model.detect(photo, min_neighbours=1, **how) for photo in photos]
        cpu = time.process_time() - cpu
        curve = curve_of(found, truth)
        row = "".join(f"{curve.at(count):>5}" for count in FALSE_POSITIVES)
        name = ", ".join(f"{key}={value}" for key, value in how.items()) or "as it comes"
        print(f"{name:34}{row}{cpu:>8.1f}{pixels / cpu / 1e6:>7.2f}")
    plain = curve_of([model.detect(photo) for photo in photos], truth)
    print(
        f"detect(photo) as it stands finds {plain.detections.max(initial=0)} faces, with "
        f"{plain.false_positives.max(initial=0)} false positives"
    )


def curve_of(found: Any, truth: Any) -> Any:
    boxes, scores = zip(*found, strict=True)
    return detection_curve(boxes, scores, truth, OVERLAP)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with faces, scenes and photographs")
    parser.add_argument("--model", type=Path, help="a trained detector (.weak, or OpenCV's .xml)")
    parser.add_argument("--checkpoint", type=Path, help="a file to keep the training in")
    parser.add_argument("--save", type=Path, help="where to keep the trained detector")
    told = parser.parse_args()
    if told.model is None:
        model = trained(told.data, told.checkpoint)
    elif told.model.suffix == ".xml":
        model = CascadeDetector.from_opencv(told.model)
    else:
        model = weaklearn.load(told.model)
    if told.save is not None:
        model.save(told.save)
    judged(model, told.data)


if __name__ == "__main__":
    main()
