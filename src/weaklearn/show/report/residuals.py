"""What is left over by a model of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from ...page.element import Element, tag
from ...page.plot import Plot, figure
from ...page.span import Span
from .columns import FEWEST
from .section import Absent, Part, Section
from .subject import Subject

Floats = NDArray[np.float64]

_TITLE = "Residuals"
_BINS = 12


def residuals(subject: Subject) -> Part:
    """Means of targets against means of predictions, and how residuals are spread."""
    if subject.classes is not None:
        return Absent(_TITLE, "the model tells classes, not numbers")
    judged = subject.judged
    if judged.n < FEWEST:
        return Absent(_TITLE, "the rows are too few to sum up")
    y, said = judged.y.astype(np.float64), judged.said.astype(np.float64)
    means, data = _means(said, y)
    body = [tag("div", means, _spread(y - said), class_="two")]
    return Section("residuals", _TITLE, body, f"Judged on {subject.words_for_rows}.", data)


def groups(said: Floats, y: Floats) -> list[tuple[float, float, float, int]]:
    """Rows in groups by what is predicted: its mean, the mean target, its spread, and how many."""
    order = np.argsort(said, kind="stable")
    found = []
    for part in np.array_split(order, min(_BINS, max(len(y) // 5, 1))):
        if len(part):
            spread = float(y[part].std())
            found.append((float(said[part].mean()), float(y[part].mean()), spread, len(part)))
    return found


def _means(said: Floats, y: Floats) -> tuple[Element, dict[str, Any]]:
    found = groups(said, y)
    ends = [end for a, b, s, _ in found for end in (a, b - s, b + s)]
    span = Span.around(ends)
    plot = Plot(
        span, span, height=380, left=62, x_label="predicted, mean of a group", y_label="true"
    )
    plot.line(plot.path([span.low, span.high], [span.low, span.high]), "grey", "thin", "dots")
    for a, b, s, _ in found:
        plot.line(plot.path([a, a], [b - s, b + s]), "sky", "thin")
    plot.line(plot.path([g[0] for g in found], [g[1] for g in found]), "blue")
    for a, b, *_ in found:
        plot.point(a, b, "blue")
    texts = [
        f"predicted {number(a, 4)}, true {number(b, 4)} ± {number(s, 3)} ({n:,} rows)"
        for a, b, s, n in found
    ]
    title = "Predicted against true"
    grouped = "means of groups of rows, with their spread"
    chart = plot.element(f"{title}: " + "; ".join(texts), "means")
    data = {"means": {"x": plot.across([g[0] for g in found]).round(1), "text": texts}}
    return figure(chart, title=title, small=grouped, reads=True), data


def _spread(left: Floats) -> Element:
    reach = float(np.quantile(np.abs(left), 0.99)) or 1.0
    inside = np.clip(left, -reach, reach)
    counts, edges = np.histogram(inside, bins=25, range=(-reach, reach))
    shares = counts / max(len(left), 1)
    plot = Plot(
        Span(-1.04 * reach, 1.04 * reach),
        Span(0, 1.08 * float(shares.max()) or 1.0, percent=True),
        height=380,
        x_label="true − predicted",
        y_label="share of rows",
    )
    gap = 0.08 * (edges[1] - edges[0])
    for a, b, share, n in zip(edges[:-1], edges[1:], shares, counts, strict=True):
        tip = f"{number(float(a), 3)} to {number(float(b), 3)}: {n:,} rows"
        plot.rect(a + gap, b - gap, 0, share, "f-blue", tip)
    title = "How residuals are spread"
    beyond = "the outer hundredth is counted at the ends"
    return figure(plot.element(title), title=title, small=beyond)
