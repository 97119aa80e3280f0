"""A folder of made tables, texts and photographs, in the shapes that the experiments ask for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from weaklearn.vision import CascadeDetector

HEART = [
    *("age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak"),
    *("slope", "ca", "thal"),
]


def table(place: Path, name: str, columns: list[str], X: np.ndarray, y: np.ndarray) -> None:
    """Writes NAME.csv; where y depends on the first column."""
    lines = [",".join([*columns, "target"])]
    lines += [",".join([*map(str, row), str(label)]) for row, label in zip(X.tolist(), y.tolist())]
    (place / f"{name}.csv").write_text("\n".join(lines) + "\n")


def numbers(rows: int, columns: int, classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, and classes that follow the first of them, but for some noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 16, (rows, columns))
    y = (X[:, 0] * classes // 16 + (rng.random(rows) < 0.2)) % classes
    y[:classes] = np.arange(classes)
    return X, np.array([f"c{k}" for k in range(classes)])[y]


def tables(place: Path) -> Path:
    """All tables of quick runs but one, and two corpora."""
    for name, rows, columns, classes in (
        ("heart_disease", 303, 13, 2),
        ("letter", 20_000, 16, 26),
        ("spambase", 4601, 57, 2),
        ("labor", 57, 16, 2),
        ("iris", 150, 4, 3),
    ):
        names = HEART if name == "heart_disease" else [f"x{j}" for j in range(columns)]
        table(place, name, names, *numbers(rows, columns, classes))
    words = ("goal match cup", "bank money tax")
    for part, n in (("train", 40), ("test", 20)):
        lines = [f"{words[k % 2]} number {k},{('sport', 'trade')[k % 2]}" for k in range(n)]
        text = "\n".join(["text,label", *lines]) + "\n"
        (place / f"reuters_r8_{part}.csv").write_text(text)
    return place


def photographs(place: Path) -> Path:
    """Two photographs with a made face in the first, its box, and a detector of such faces."""
    rng = np.random.default_rng(0)
    scenes = [rng.integers(0, 256, (60, 60), np.uint8) for _ in range(4)]
    face = np.full((12, 12), 200, np.uint8)
    face[3:5, 1:5] = face[3:5, 7:11] = face[8:10, 3:9] = 40
    faces = np.clip(face + rng.normal(0, 12, (80, 12, 12)), 0, 255).astype(np.uint8)
    CascadeDetector(n_negatives=400, max_stages=2).fit(faces, scenes).save(place / "detector.weak")
    photos = place / "photos"
    photos.mkdir()
    scenes[0][20:32, 30:42] = face
    for k in (0, 1):
        Image.fromarray(scenes[k]).save(photos / f"{k}.png")
    (photos / "boxes.csv").write_text(
        "file,width,height,x_min,y_min,x_max,y_max\n0.png,60,60,30,20,42,32\n1.png,60,60,,,,\n"
    )
    return place
