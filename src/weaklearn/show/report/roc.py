"""How well rows are put in order: the ROC curve, and the area under it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from ...page.element import Element
from ...page.plot import COLOURS, DASHES, Plot, figure, legend
from ...page.span import Span
from .section import percent
from .subject import Subject

Floats = NDArray[np.float64]

_POINTS = 150
_CLASSES = 6


def curve(positive: NDArray[np.bool_], scores: Floats) -> tuple[Floats, Floats, Floats]:
    """False and true positive rates, and the scores from which on rows are called positive."""
    order = np.argsort(-scores, kind="stable")
    sorted_scores = scores[order]
    last = np.r_[np.flatnonzero(np.diff(sorted_scores)), len(scores) - 1]
    hits = np.cumsum(positive[order])[last]
    false = last + 1 - hits
    tpr = np.r_[0.0, hits / max(int(positive.sum()), 1)]
    fpr = np.r_[0.0, false / max(int((~positive).sum()), 1)]
    return fpr, tpr, np.r_[np.inf, sorted_scores[last]]


def under(fpr: Floats, tpr: Floats) -> float:
    """The area under a curve."""
    return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))


def _areas(subject: Subject) -> dict[int, tuple[Floats, Floats, float]]:
    """Curves of the classes that have both kinds of rows, by number of class."""
    judged, classes = subject.judged, subject.classes or ()
    if judged.scores is None or len(classes) < 2:
        return {}
    found = {}
    known = judged.codes >= 0
    columns = [1] if len(classes) == 2 else range(len(classes))
    for place, k in enumerate(columns):
        positive = (judged.codes == k)[known]
        if 0 < positive.sum() < len(positive):
            fpr, tpr, _ = curve(positive, judged.scores[known, place])
            found[k] = (fpr, tpr, under(fpr, tpr))
    return found


def area(subject: Subject) -> float | None:
    """The area under the curve; of several classes the mean of theirs."""
    found = _areas(subject)
    return float(np.mean([each[2] for each in found.values()])) if found else None


def roc(subject: Subject) -> tuple[Element, dict[str, Any]] | None:
    """The picture, and what it answers with; None where nothing is put in order."""
    found, classes = _areas(subject), subject.classes or ()
    if not found:
        return None
    drawn = dict(sorted(found.items(), key=lambda item: item[1][2])[:_CLASSES])
    plot = Plot(
        Span(0, 1, percent=True),
        Span(0, 1.01, percent=True),
        height=380,
        x_label="false alarms: share of the other rows",
        y_label="found: share of its rows",
    )
    plot.line(plot.path([0, 1], [0, 1]), "grey", "thin", "dots")
    entries = []
    for place, (k, (fpr, tpr, size)) in enumerate(sorted(drawn.items())):
        colour, dash = COLOURS[place], DASHES[place % 4] if len(drawn) > 1 else ""
        at = _thinned(fpr, tpr)
        plot.line(plot.path(fpr[at], tpr[at]), colour, dash=dash)
        entries.append((f"{classes[k]}: {number(size, 4)}", colour, dash))
    title, small = "ROC curve", f"area {number(found[min(found)][2], 4)}"
    if len(classes) > 2:
        few = (
            f"the {len(drawn)} hardest of {len(classes)} classes" if len(found) > len(drawn) else ""
        )
        title, small = "ROC curves", f"{few or 'each class'} against the others, and areas"
    if len(classes) > 2:
        return figure(plot.element(title), title=title, small=small, under=legend(entries)), {}
    fpr, tpr, _ = found[1]
    grid = np.linspace(0, 1, 41)
    reached = [tpr[np.searchsorted(fpr, g, side="right") - 1] for g in grid]
    pairs = zip(grid, reached, strict=True)
    texts = [f"at {percent(g)} false alarms {percent(r)} found" for g, r in pairs]
    plot.point(0, 0, "vermilion", 5, id="roc-point", visibility="hidden")
    chart = plot.element(f"{title} of {classes[1]}, {small}: {texts[4]}", "roc")
    data = {"roc": {"x": plot.across(grid).round(1), "text": texts}}
    return figure(chart, title=title, small=small, reads=True), data


def place_of(fpr: Any, tpr: Any) -> tuple[list[float], list[float]]:
    """Where points of the picture lie, for the script."""
    plot = Plot(Span(0, 1), Span(0, 1.01), height=380, x_label="x", y_label="y")
    return plot.across(fpr).round(1).tolist(), plot.up(tpr).round(1).tolist()


def _thinned(fpr: Floats, tpr: Floats) -> NDArray[np.intp]:
    """Few points of a curve, spread along its length."""
    if len(fpr) <= _POINTS:
        return np.arange(len(fpr))
    way = fpr + tpr
    return np.unique(np.searchsorted(way, np.linspace(0, way[-1], _POINTS)).clip(0, len(fpr) - 1))
