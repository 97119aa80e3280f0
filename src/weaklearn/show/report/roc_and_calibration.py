"""Ranking and probabilities of classes: ROC curves beside the calibration of probabilities."""

from __future__ import annotations

import numpy as np

from ...base.messages.number_text import number
from ...page.element import tag
from ...page.plot import COLOURS, DASHES, Plot, figure, legend
from ...page.scale import Scale
from ...prediction.positive import RARE
from ..data.classification import (
    CalibrationCurve,
    RocCurve,
    ThresholdCounts,
    precision_recall,
    roc_curves,
)
from ..text_fit import cut
from .section import Absent, Part, Picture, ReportContext, Section, percent, read_out

_TITLE = "ROC and calibration"
_POINTS = 150  # of a curve
_CLASSES = 6  # curves of one picture


def roc_and_calibration(context: ReportContext) -> Part:
    """The section of both pictures, or of the one that applies."""
    if not context.classifies or context.classes is None:
        return Absent(_TITLE, "the model does not predict one class per row")
    classes = context.classes
    drawn = (_roc(context, classes), _precision(context, classes), _calibration(context, classes))
    pictures = [picture for picture in drawn if picture is not None]
    if not pictures:
        return Absent(_TITLE, "the model gives neither scores nor probabilities, or one class only")
    data = {name: texts for _, given in pictures for name, texts in given.items()}
    about = f"Evaluated on {context.words_for_rows}."
    body = [tag("div", [picture for picture, _ in pictures], class_="two")]
    return Section("probability", _TITLE, body, about, data)


def _unit_square(x_label: str, y_label: str) -> Plot:
    """Axes from 0 to 100 % both ways."""
    across, up = Scale(0, 1, percent=True), Scale(0, 1.01, percent=True)
    return Plot(across, up, height=380, x_label=x_label, y_label=y_label)


def _with_diagonal(x_label: str, y_label: str) -> Plot:
    plot = _unit_square(x_label, y_label)
    plot.line(plot.path([0, 1], [0, 1]), "grey", "thin", "dots")
    return plot


def _roc(context: ReportContext, classes: tuple[str, ...]) -> Picture | None:
    """The curve of two classes, or those of the hardest of several."""
    code = context.positive if len(classes) == 2 else 1
    found = roc_curves(context.evaluated, code)
    if not found:
        return None
    drawn = dict(sorted(found.items(), key=lambda item: item[1].area)[:_CLASSES])
    plot = _with_diagonal("false positive rate", "true positive rate (recall)")
    entries = []
    for place, (k, curve) in enumerate(sorted(drawn.items())):
        colour, dash = COLOURS[place], DASHES[place % 4] if len(drawn) > 1 else ""
        plot.line(plot.path(*curve.thinned(_POINTS)), colour, dash=dash)
        entries.append((f"{classes[k]}: {number(curve.area, 4)}", colour, dash))
    if len(classes) == 2:
        return _roc_of_two(plot, found[code], classes[code])
    few = f"the {len(drawn)} hardest of {len(classes)} classes" if len(found) > len(drawn) else ""
    title, small = "ROC curves", f"{few or 'each class'} against the others, with AUC"
    return figure(plot.element(title), title=title, small=small, under=legend(entries)), {}


def _roc_of_two(plot: Plot, curve: RocCurve, positive: str) -> Picture:
    """One curve, which answers to the pointer and marks the threshold of the confusion matrix."""
    title, small = "ROC curve", f"of {cut(positive, 32)}: AUC {number(curve.area, 4)}"
    grid = np.linspace(0, 1, 41)
    rates = zip(grid, curve.tpr_at(grid), strict=True)
    texts = [f"false positive rate {percent(fpr)}, recall {percent(tpr)}" for fpr, tpr in rates]
    plot.point(0, 0, "vermilion", 5, id="roc-point", visibility="hidden")
    description = f"{title} {small}: {texts[4]}"
    return read_out(plot, "roc", grid, texts, description, title=title, small=small)


def _precision(context: ReportContext, classes: tuple[str, ...]) -> Picture | None:
    """Precision against recall, where the class that is spoken of is rare."""
    if len(classes) != 2:
        return None
    name = cut(classes[context.positive], 32)
    found = precision_recall(context.evaluated, context.positive)
    if found is None or found.share >= RARE:
        return None
    plot = _unit_square(f"recall of {name}", "precision")
    plot.line(plot.path([0, 1], [found.share] * 2), "grey", "thin", "dots")
    plot.line(plot.path(*found.thinned(_POINTS)), "blue")
    grid = np.linspace(0, 1, 41)
    texts = [
        f"recall {percent(recall)}, precision {percent(precision)}"
        for recall, precision in zip(grid, found.precision_at(grid), strict=True)
    ]
    title = "Precision and recall"
    small = f"of {name}: average precision {number(found.average, 4)}, by chance "
    small += percent(found.share)
    return read_out(plot, "precision", grid, texts, f"{title} {small}", title=title, small=small)


def points_on_roc(found: ThresholdCounts) -> tuple[list[float], list[float]]:
    """Where thresholds lie in the picture of the ROC curve, for the script."""
    plot = _unit_square("x", "y")
    fpr, tpr = found.rates
    return plot.across(fpr).round(1).tolist(), plot.up(tpr).round(1).tolist()


def _calibration(context: ReportContext, classes: tuple[str, ...]) -> Picture | None:
    """Predicted probability against the share of rows for which it came true."""
    code = context.positive if len(classes) == 2 else 1
    found = CalibrationCurve.from_rows(context.evaluated, code)
    if found is None:
        return None
    name = cut(classes[code], 32) if len(classes) == 2 else "the likeliest class"
    plot = _with_diagonal(f"predicted probability of {name}", "observed frequency")
    across = [each.predicted for each in found.bins]
    plot.line(plot.path(across, [each.true for each in found.bins]), "blue")
    for each in found.bins:
        plot.point(each.predicted, each.true, "blue")
    texts = [
        f"predicted {percent(each.predicted)}, observed {percent(each.true)} ({each.n:,} rows)"
        for each in found.bins
    ]
    title = "Calibration"
    small = f"of {name}: expected calibration error {percent(found.mean_gap)}, Brier score "
    small += f"{found.brier:.4f}"
    description = f"{title}: " + "; ".join(texts)
    return read_out(plot, "calibration", across, texts, description, title=title, small=small)
