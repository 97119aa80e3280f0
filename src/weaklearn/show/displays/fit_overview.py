"""The picture of a fit: error over the rounds beside the margins, or the important columns."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..drawing.canvas import STYLE, Figure, load_matplotlib
from .importance import ImportanceDisplay
from .rounds import MarginDisplay, RoundsDisplay


def draw(
    model: Any,
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    rounds: Iterable[int] | None = None,
    title: str | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """Two pictures side by side: error over the rounds, and the margins of the training rows.

    For regressors, which have no margins, the second one shows the columns they rely on. X and y
    are the training rows; with ``path`` the figure is written there too, as PNG, SVG or PDF by its
    ending.
    """
    matplotlib = load_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1, wspace=0.06)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.4, 4.3), layout=layout)
        left, right = figure.subplots(1, 2)
        RoundsDisplay.from_estimator(model, X, y, X_test, y_test, ax=left)
        if hasattr(model, "margins"):
            MarginDisplay.from_estimator(model, X, y, rounds, ax=right)
        else:
            ImportanceDisplay.from_estimator(model, ax=right)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontsize=13, color="#333333")
        if path is not None:
            figure.savefig(path, dpi=150)
    return figure
