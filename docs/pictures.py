"""Draws the pictures of the README and of these pages: ``python docs/pictures.py``."""

from __future__ import annotations

import contextlib
import io
import runpy
import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from weaklearn import AdaBoostClassifier
from weaklearn.show import ShapeFunctionDisplay, draw

IMAGES = Path(__file__).parent / "images"
EXAMPLES = Path(__file__).parents[1] / "examples"


def breast_cancer() -> None:
    """Error, bound and margins over a thousand rounds."""
    data = load_breast_cancer()
    labels = data.target_names[data.target]
    X, X_test, y, y_test = train_test_split(
        data.data, labels, test_size=0.3, stratify=labels, random_state=0
    )
    model = AdaBoostClassifier(n_estimators=1000).fit(X, y)
    title = (
        f"AdaBoost on exact stumps: breast cancer, {len(y)} patients to learn from, "
        f"{len(y_test)} to test on"
    )
    draw(model, X, y, X_test, y_test, title=title, path=IMAGES / "breast-cancer.png")


def glass_box() -> None:
    """Two suspicious shapes of the risk model in examples/glass_box.py."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        model = runpy.run_path(str(EXAMPLES / "glass_box.py"))["model"]
    display = ShapeFunctionDisplay.from_estimator(model, ["pressure", "asthma"])
    display.figure_.savefig(IMAGES / "glass-box.png", dpi=150)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    breast_cancer()
    glass_box()
