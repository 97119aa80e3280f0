"""A row of rectangle features: twenty of all 134,736, on ten thousand windows of 24 x 24 pixels."""

from __future__ import annotations

import resource
from typing import Any

import numpy as np

from . import measure
from .peers import OURS
from .rows import Outcome, Row, Run

BAR = "the bar of 60 s"


def windows(run: Run) -> tuple[Any, Any]:
    """Faces of the folder where it has some, drawn ones elsewhere; and clouds."""
    n = 500 if run.quick else 5000
    rng = np.random.default_rng(0)
    rough = rng.normal(size=(2 * n, 27, 27)).cumsum(axis=1).cumsum(axis=2)
    clouds = rough[:, 3:, 3:] - rough[:, :-3, 3:] - rough[:, 3:, :-3] + rough[:, :-3, :-3]
    pixels = np.clip(128 + 14 * clouds, 0, 255)
    kept = None if run.folder is None else run.folder / "faces_caltech24.npz"
    if kept is not None and kept.exists():
        with np.load(kept) as data:
            faces = data["faces"]
        pixels[:n] = np.concatenate([faces, faces[:, :, ::-1]])[:n]
    else:
        pixels[:n, 7:10, 5:10] -= 60
        pixels[:n, 7:10, 14:19] -= 60
        pixels[:n, 16:18, 8:16] -= 40
    return np.clip(pixels, 0, 255).astype(np.uint8), np.repeat([1, 0], n)


def stage(run: Run) -> Outcome:
    """Whole fits: all features coded, twenty chosen, with exact thresholds."""
    from weaklearn.vision import WindowClassifier

    X, y = windows(run)

    def fit() -> Any:
        return WindowClassifier(n_estimators=20, n_jobs=run.threads).fit(X, y)

    seconds, models = measure.interleaved({OURS.name: fit}, run.repeat)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    quality = {OURS.name: {"accuracy": float(models[OURS.name].score(X, y))}}
    note = f"{len(X):,} windows of 24 x 24 pixels, 134,736 features; {peak:.1f} GiB at most"
    return Outcome({**seconds, BAR: 60.0}, "s", quality, [note])


ROWS = (
    Row(
        "haar-20",
        "20 features chosen of 134,736 on 10,000 windows, exact thresholds",
        BAR,
        1.0,
        4.0,
        stage,
    ),
)
