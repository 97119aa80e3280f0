"""How clearly rows are right: the distribution of margins, round by round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.element import Node, tag
from ...page.plot import Plot, figure, legend
from ...page.span import Span
from .section import Absent, Part, Section, note, percent
from .subject import Subject, spread_rounds

Floats = NDArray[np.float64]

_TITLE = "Margins"
_STAGES, _POINTS = 24, 160
_AXIS = Span(-1, 1, marks=((-1, "−1"), (-0.5, "−0.5"), (0, "0"), (0.5, "0.5"), (1, "1")))


def margins(subject: Subject) -> Part:
    """The cumulative distribution, with a slider over the rounds."""
    model = subject.model
    if not hasattr(model, "margins") or subject.several_labels:
        return Absent(_TITLE, "the model has no margins: its answer is no vote among classes")
    if (subject.rows.codes < 0).any():
        return Absent(_TITLE, "some rows have classes that the model has never met")
    rows = subject.rows.part()
    stages = _stages(model, rows.X, rows.y)
    if not stages:
        return Absent(_TITLE, "the margins of this model are not finite")
    plot = Plot(
        _AXIS,
        Span(0, 1.02, percent=True),
        width=540,
        height=280,
        size="wide",
        x_label="margin",
        y_label="rows with at most this margin",
    )
    plot.rect(-1, 0, 0, 1.02, "shade")
    paths = {t: _path(plot, values) for t, values in stages.items()}
    last = max(stages)
    before = sorted({min(stages), sorted(stages)[len(stages) // 2]} - {last})
    for t, dash in zip(before, ("dots", "dash"), strict=False):
        plot.line(paths[t], "grey", "thin", dash)
    plot.line(paths[last], "blue", id="margin-line")
    wrong, right = plot.across([-0.5, 0.5])
    plot.text(wrong, plot.top + 24, "wrong", "middle", "label over")
    plot.text(right, plot.bottom - 12, "right", "middle", "label over")
    words = [_words(t, values) for t, values in stages.items()]
    chart = plot.element(f"distribution of margins: {words[-1]}")
    drawn = [
        (f"after {t:,} round{'s' * (t > 1)}", "grey", dash)
        for t, dash in zip(before, ("dots", "dash"), strict=False)
    ]
    chosen = "after the rounds named below" if len(stages) > 1 else "the whole vote"
    body: list[Node] = [legend([(chosen, "blue", ""), *drawn]), figure(chart)]
    if len(stages) > 1:
        body.append(
            tag(
                "div",
                tag("label", "rounds", for_="margin-slider"),
                tag(
                    "input",
                    type="range",
                    id="margin-slider",
                    min=0,
                    max=len(stages) - 1,
                    value=len(stages) - 1,
                    step=1,
                ),
                tag("output", words[-1], id="margin-words", for_="margin-slider"),
                class_="slide",
            )
        )
    else:
        body.append(tag("p", words[-1], class_="small"))
    if rows is not subject.rows:
        body.append(note(f"Drawn from {rows.n:,} of {subject.rows.n:,} rows, evenly spread."))
    data = {"margins": {"paths": list(paths.values()), "words": words}}
    about = (
        "A margin is the share of the vote for the true class less that for the strongest other "
        "one: above 0 the row is right, and the further the clearer."
    )
    return Section("margins", _TITLE, body, about, data)


def _stages(model: Any, X: Any, y: Any) -> dict[int, Floats]:
    """Sorted margins after some numbers of rounds."""
    whole = np.sort(np.asarray(model.margins(X, y), np.float64))
    if not np.isfinite(whole).all():
        return {}
    n = int(getattr(model, "n_iter_", 1) or 1)
    if not hasattr(model, "truncate") or n < 2 or hasattr(model, "model_"):
        return {n: whole}
    found = {}
    for t in spread_rounds(n, _STAGES)[:-1]:
        found[t] = np.sort(np.asarray(model.truncate(t).margins(X, y), np.float64))
    return found | {n: whole}


def _path(plot: Plot, values: Floats) -> str:
    """The distribution as a path of few points."""
    places = np.linspace(-1, 1, _POINTS + 1)
    shares = np.searchsorted(values, places, side="right") / len(values)
    return plot.path(places, shares)


def _words(t: int, values: Floats) -> str:
    wrong, middle = float(np.mean(values <= 0)), values[len(values) // 2]
    said = (
        f"after {t:,} round{'s' * (t > 1)}: {percent(wrong)} of the rows at or below 0, half of "
        f"them at {middle:.3f} or more, the least {values[0]:.3f}"
    )
    return said.replace("-", "−")
