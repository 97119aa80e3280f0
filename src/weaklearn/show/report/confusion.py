"""The confusion matrix, with recall and precision of every class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.element import Element, Node, tag
from ..data.classification import Confusion, ThresholdCounts
from ..data.rows import EvaluatedRows
from .roc_and_calibration import points_on_roc
from .section import Absent, Part, ReportContext, Section, listing, note, percent, slider

_TITLE = "Confusion matrix"
_MOST = 16  # classes of a table
_PAIRS = 20
_THRESHOLDS = 101  # of the slider


def confusion(context: ReportContext) -> Part:
    """The confusion matrix; of many classes, the most frequent mistakes."""
    if not context.classifies or context.classes is None:
        return Absent(_TITLE, "the model does not predict one class per row")
    classes = context.classes
    found = Confusion.from_rows(context.evaluated)
    few = len(classes) <= _MOST
    body: list[Node] = [_grid(classes, found.counts) if few else _pairs(classes, found)]
    data: dict[str, Any] = {}
    if len(classes) == 2:
        thresholds, data = _slider(context.evaluated, classes, context.positive)
        body.append(thresholds)
    body.append(_by_class(classes, found))
    if found.counts.sum() < context.evaluated.n:
        body.append(
            note(f"{found.n_unknown:,} rows of classes that were not in training are left out.")
        )
    about = f"Rows are true classes, columns predicted ones, on {context.words_for_rows}."
    return Section("confusion", _TITLE, body, about, data)


def _grid(classes: tuple[str, ...], counts: NDArray[np.int64]) -> Element:
    heads = [tag("th", name, scope="col") for name in classes]
    rows = np.maximum(counts.sum(axis=1), 1)
    lines = [
        tag(
            "tr",
            tag("th", classes[i], scope="row"),
            [
                tag(
                    "td",
                    f"{counts[i, j]:,}",
                    class_=_shade(counts[i, j] / rows[i], i == j),
                    id=f"cell-{i}-{j}" if len(classes) == 2 else None,
                    title=f"true class {classes[i]}, predicted {classes[j]}",
                )
                for j in range(len(classes))
            ],
        )
        for i in range(len(classes))
    ]
    head = tag("thead", tag("tr", tag("td", "true ↓ predicted →", class_="corner"), heads))
    matrix = tag("table", head, tag("tbody", lines), class_="grid")
    words = "true against predicted classes"
    return tag("div", matrix, class_="scroll", role="region", aria_label=words, tabindex=0)


def _shade(share: float, right: bool) -> str:
    if share <= 0:
        return "h0"
    level = 1 if share < 0.1 else 2 if share < 0.5 else 3
    return f"{'right' if right else 'wrong'}{level}"


def _pairs(classes: tuple[str, ...], found: Confusion) -> Element:
    rows = [(classes[i], classes[j], n) for i, j, n in found.most_confused(_PAIRS)]
    caption = "the most frequent mistakes"
    return listing(["true class", "predicted", "rows"], rows, name="pairs", caption=caption)


def _by_class(classes: tuple[str, ...], found: Confusion) -> Element:
    rows = []
    for k, name in enumerate(classes):
        shares = (found.recall(k), found.precision(k))
        cells = [None if share is None else (share, percent(share)) for share in shares]
        rows.append((name, int(found.counts[k].sum()), *cells))
    heads = ["class", "rows", "recall", "precision"]
    return listing(
        heads,
        rows,
        name="classes",
        caption="recall and precision of each class",
        tall=True,
        snug=True,
    )


def _slider(
    rows: EvaluatedRows, classes: tuple[str, ...], code: int
) -> tuple[Node, dict[str, Any]]:
    """A slider over thresholds other than the model's own, where there are probabilities."""
    found = ThresholdCounts.from_rows(rows, _THRESHOLDS, code)
    if found is None:
        return None, {}
    xs, ys = points_on_roc(found)
    words = [
        f"predicts {classes[code]} above {percent(threshold)}: accuracy {percent(accuracy)}"
        for threshold, accuracy in zip(found.thresholds, found.accuracy, strict=True)
    ]
    hint = "move it to see other trade-offs"
    output = tag("output", hint, id="cut-words", for_="cut-slider", class_="hint")
    # Cells are of the first class first, whichever is spoken of.
    cells = found.counts if code else found.counts[:, ::-1]
    data = {"cuts": {"counts": cells, "x": xs, "y": ys, "words": words}}
    return slider("cut", "threshold", _THRESHOLDS - 1, 50, output), data
