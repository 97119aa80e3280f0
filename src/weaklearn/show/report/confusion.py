"""Which classes are taken for which."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.element import Element, Node, tag
from .roc import place_of
from .section import Absent, Part, Section, listing, note, percent
from .subject import Subject

_TITLE = "Confusion table"
_MOST = 16  # classes of a table
_PAIRS = 20
_CUTS = 101


def confusion(subject: Subject) -> Part:
    """True classes against answers; of many classes, the pairs that are mixed up most."""
    if not subject.classifies or subject.classes is None:
        return Absent(_TITLE, "the model does not tell one class for a row")
    judged, classes = subject.judged, subject.classes
    K = len(classes)
    known = (judged.codes >= 0) & (judged.answers >= 0)
    table = np.zeros((K, K), np.int64)
    np.add.at(table, (judged.codes[known], judged.answers[known]), 1)
    body: list[Node] = []
    data: dict[str, Any] = {}
    if K <= _MOST:
        body.append(_grid(classes, table))
    else:
        body.append(_pairs(classes, table))
    if K == 2:
        slider, data = _slider(subject)
        body.append(slider)
    body.append(_by_class(classes, table))
    if not known.all():
        strange = int(np.count_nonzero(judged.codes < 0))
        body.append(note(f"{strange:,} rows of classes that the model has never met are left out."))
    about = f"Rows are true classes, columns what the model says, on {subject.words_for_rows}."
    return Section("confusion", _TITLE, body, about, data)


def _grid(classes: tuple[str, ...], table: NDArray[np.int64]) -> Element:
    heads = [tag("th", name, scope="col") for name in classes]
    rows = np.maximum(table.sum(axis=1), 1)
    lines = [
        tag(
            "tr",
            tag("th", classes[i], scope="row"),
            [
                tag(
                    "td",
                    f"{table[i, j]:,}",
                    class_=_shade(table[i, j] / rows[i], i == j),
                    id=f"cell-{i}-{j}" if len(classes) == 2 else None,
                    title=f"{classes[i]}, taken for {classes[j]}",
                )
                for j in range(len(classes))
            ],
        )
        for i in range(len(classes))
    ]
    head = tag("thead", tag("tr", tag("td", "true ↓ says →", class_="corner"), heads))
    table_of = tag("table", head, tag("tbody", lines), class_="grid")
    words = "true classes against what the model says"
    return tag("div", table_of, class_="scroll", role="region", aria_label=words, tabindex=0)


def _shade(share: float, right: bool) -> str:
    if share <= 0:
        return "h0"
    level = 1 if share < 0.1 else 2 if share < 0.5 else 3
    return f"{'right' if right else 'wrong'}{level}"


def _pairs(classes: tuple[str, ...], table: NDArray[np.int64]) -> Element:
    off = table.copy()
    np.fill_diagonal(off, 0)
    order = np.argsort(-off, axis=None, kind="stable")[:_PAIRS]
    found = [divmod(int(k), len(classes)) for k in order]
    rows = [(classes[i], classes[j], int(off[i, j])) for i, j in found if off[i, j] > 0]
    caption = "the pairs of classes that are mixed up most"
    return listing(["true class", "taken for", "rows"], rows, name="pairs", caption=caption)


def _by_class(classes: tuple[str, ...], table: NDArray[np.int64]) -> Element:
    rows = []
    for k, name in enumerate(classes):
        own, said, right = int(table[k].sum()), int(table[:, k].sum()), int(table[k, k])
        found = (right / own, percent(right / own)) if own else None
        true = (right / said, percent(right / said)) if said else None
        rows.append((name, own, found, true))
    heads = ["class", "rows", "found (recall)", "true when said (precision)"]
    return listing(
        heads, rows, name="classes", caption="how each class fares", tall=True, snug=True
    )


def _slider(subject: Subject) -> tuple[Node, dict[str, Any]]:
    """Another threshold than the model's own, where there are probabilities to cut."""
    judged = subject.judged
    if judged.shares is None:
        return None, {}
    known = judged.codes >= 0
    p, positive = judged.shares[known, 1], judged.codes[known] == 1
    cuts = np.linspace(0, 1, _CUTS)
    above, below = np.sort(p[positive]), np.sort(p[~positive])
    hits = len(above) - np.searchsorted(above, cuts, side="right")
    false = len(below) - np.searchsorted(below, cuts, side="right")
    counts = [
        [int(len(below) - f), int(f), int(len(above) - h), int(h)]
        for f, h in zip(false, hits, strict=True)
    ]
    xs, ys = place_of(false / max(len(below), 1), hits / max(len(above), 1))
    words = [
        f"says {subject.classes[1] if subject.classes else ''} above {percent(c)}: "
        f"{percent((n[0] + n[3]) / max(sum(n), 1))} right"
        for c, n in zip(cuts, counts, strict=True)
    ]
    slider = tag(
        "div",
        tag("label", "threshold", for_="cut-slider"),
        tag("input", type="range", id="cut-slider", min=0, max=_CUTS - 1, value=50, step=1),
        tag(
            "output",
            "move it to see other trade-offs",
            id="cut-words",
            for_="cut-slider",
            class_="hint",
        ),
        class_="slide",
    )
    return slider, {"cuts": {"counts": counts, "x": xs, "y": ys, "words": words}}
