"""``weaklearn detect``: the boxes that a cascade finds in pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..vision.detector import CascadeDetector
from . import output
from .data import model_at
from .fault import Fault
from .output import say
from .sink import opened

_COLUMNS = ("image", "x", "y", "width", "height", "score")


def detect(
    cascade: str, images: Sequence[str], *, as_csv: bool, as_json: bool, draw: str | None
) -> int:
    """Runs ``weaklearn detect``."""
    if as_csv and as_json:
        raise Fault("--csv and --json are both given; choose one.")
    detector = _detector(cascade)
    folder = None if draw is None else _folder(draw, images)
    found: list[tuple[Any, ...]] = []
    for image in images:
        pixels = _pixels(image)
        boxes, scores = detector.detect(pixels)
        lines = _lines(image, boxes, scores)
        found += lines
        if folder is not None:
            _draw(image, [line[1:5] for line in lines], folder)
    if as_json:
        output.show_json([dict(zip(_COLUMNS, line, strict=True)) for line in found])
    elif as_csv:
        columns = list(zip(*found, strict=True)) if found else [()] * len(_COLUMNS)
        with opened(None, False) as target:
            named = zip(_COLUMNS, columns, strict=True)
            target.write({name: np.array(c, object) for name, c in named})
    else:
        output.show(Table("boxes", _COLUMNS, found, shown=max(3, len(found))))
    say(f"{len(found)} found in {len(images)} picture{'s' * (len(images) > 1)}.")
    return 0


def _detector(path: str) -> Any:
    if path.lower().endswith(".xml"):
        return CascadeDetector.from_opencv(path)
    model = model_at(path)
    if not isinstance(model, CascadeDetector):
        raise Fault(f"{path} holds a {type(model).__name__}, which is no detector of pictures.")
    return model


def _pixels(path: str) -> Any:
    """The grey levels of a picture."""
    image = _image()
    try:
        with image.open(path) as opened_image:
            return np.asarray(opened_image.convert("L"))
    except (image.UnidentifiedImageError, image.DecompressionBombError, ValueError) as error:
        raise Fault(f"{path} cannot be read as a picture: {error}.") from None


def _image() -> Any:
    try:
        return import_module("PIL.Image")
    except ImportError:
        raise Fault(
            'pictures need Pillow: pip install ".[cli]" in a clone of weaklearn.', 1
        ) from None


def _lines(image: str, boxes: Any, scores: Any) -> list[tuple[Any, ...]]:
    pairs = zip(np.asarray(boxes).reshape(-1, 4).tolist(), np.ravel(scores).tolist(), strict=True)
    return [(image, *(int(v) for v in box), float(score)) for box, score in pairs]


def _folder(draw: str, images: Sequence[str]) -> Path:
    folder = Path(draw)
    if folder.exists() and not folder.is_dir():
        raise Fault(f"--draw {draw} is no directory.")
    names = [Path(image).name for image in images]
    for name in names:
        if names.count(name) > 1:
            raise Fault(f"--draw {draw} would hold two pictures called {name}; draw them apart.")
    folder.mkdir(parents=True, exist_ok=True)
    for image in images:
        if os.path.realpath(folder / Path(image).name) == os.path.realpath(image):
            raise Fault(f"--draw {draw} would take the place of {image}; name another directory.")
    return folder


def _draw(path: str, boxes: Sequence[tuple[int, ...]], folder: Path) -> None:
    drawing = import_module("PIL.ImageDraw")
    with _image().open(path) as picture:
        copy = picture.convert("RGB")
    pen = drawing.Draw(copy)
    thick = max(2, min(copy.size) // 200)
    for x, y, width, height in boxes:
        pen.rectangle((x, y, x + width - 1, y + height - 1), outline=(230, 97, 1), width=thick)
    copy.save(folder / Path(path).name)
