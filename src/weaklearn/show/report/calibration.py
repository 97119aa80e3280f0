"""Whether probabilities mean what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.element import Element
from ...page.plot import Plot, figure
from ...page.span import Span
from .section import cut, percent
from .subject import Subject

Floats = NDArray[np.float64]

_BINS = 10
_FEWEST = 5  # rows of a bin


def calibration(subject: Subject) -> tuple[Element, dict[str, Any]] | None:
    """Predicted probability against what happened, in bins of as many rows each."""
    judged, classes = subject.judged, subject.classes or ()
    shares = judged.shares
    if shares is None or len(classes) < 2:
        return None
    if len(classes) == 2:
        p, hit = shares[:, 1], judged.codes == 1
        across, up = f"probability of {cut(classes[1], 32)}", "how often it was true"
    else:
        p = shares.max(axis=1)
        hit = np.argmax(shares, axis=1) == judged.codes
        across, up = "probability of the likeliest class", "how often it was true"
    bins = binned(p, hit.astype(np.float64))
    if not bins:
        return None
    plot = Plot(
        Span(0, 1, percent=True),
        Span(0, 1.01, percent=True),
        height=380,
        x_label=across,
        y_label=up,
    )
    plot.line(plot.path([0, 1], [0, 1]), "grey", "thin", "dots")
    said, true = [b[0] for b in bins], [b[1] for b in bins]
    plot.line(plot.path(said, true), "blue")
    for x, y, _ in bins:
        plot.point(x, y, "blue")
    off = sum(n * abs(a - b) for a, b, n in bins) / sum(n for *_, n in bins)
    onehot = np.zeros_like(shares)
    known = judged.codes >= 0
    onehot[np.flatnonzero(known), judged.codes[known]] = 1.0
    brier = float(((shares - onehot) ** 2).sum(axis=1).mean()) / (2 if len(classes) == 2 else 1)
    title = "Calibration"
    small = f"mean gap {percent(off)}, Brier score {brier:.4f}"
    texts = [f"said {percent(a)}, true {percent(b)} of {n:,} rows" for a, b, n in bins]
    data = {"calibration": {"x": plot.across(said).round(1), "text": texts}}
    chart = plot.element(f"{title}: " + "; ".join(texts), "calibration")
    return figure(chart, title=title, small=small, reads=True), data


def binned(p: Floats, hit: Floats) -> list[tuple[float, float, int]]:
    """Mean probability, mean outcome and number of rows of bins of about as many rows each.

    Equal probabilities stay in one bin.
    """
    if not len(p):
        return []
    edges = np.unique(np.quantile(p, np.linspace(0, 1, _BINS + 1)))
    bins = np.searchsorted(edges[1:-1], p, side="left")
    found = []
    for k in np.unique(bins):
        inside = bins == k
        n = int(np.count_nonzero(inside))
        if n >= min(_FEWEST, len(p)):
            found.append((float(p[inside].mean()), float(hit[inside].mean()), n))
    return found
