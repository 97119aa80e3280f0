"""The distribution of margins, round by round."""

from __future__ import annotations

import numpy as np

from ...base.types import Floats
from ...page.element import Node, tag
from ...page.plot import Plot, figure, legend
from ...page.scale import Scale
from ..data.rounds import n_rounds, sorted_margins, spread_rounds
from ..data.rows import EvaluatedRows
from .section import Absent, Part, ReportContext, Section, note, percent, slider

_TITLE = "Margins"
_STAGES, _POINTS = 24, 160
_AXIS = Scale(-1, 1, marks=((-1, "−1"), (-0.5, "−0.5"), (0, "0"), (0.5, "0.5"), (1, "1")))


def margins(context: ReportContext) -> Part:
    """The cumulative distribution of the margins, with a slider over the rounds."""
    model = context.model
    if not hasattr(model, "margins") or context.several_labels:
        return Absent(_TITLE, "the model has no margins: its prediction is no vote among classes")
    if (context.rows.codes < 0).any():
        return Absent(_TITLE, "some rows have classes that were not in training")
    rows = context.rows.sample()
    stages = _stages(rows)
    if not stages:
        return Absent(_TITLE, "the margins of this model are not finite")
    plot = Plot(
        _AXIS,
        Scale(0, 1.02, percent=True),
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
        output = tag("output", words[-1], id="margin-words", for_="margin-slider")
        body.append(slider("margin", "rounds", len(words) - 1, len(words) - 1, output))
    else:
        body.append(tag("p", words[-1], class_="small"))
    if rows is not context.rows:
        body.append(note(f"Drawn from {rows.n:,} of {context.rows.n:,} rows, evenly spread."))
    data = {"margins": {"paths": list(paths.values()), "words": words}}
    about = (
        "A margin is the share of the vote for the true class less that for the strongest other "
        "one: above 0 the row is right, and the further the clearer."
    )
    return Section("margins", _TITLE, body, about, data)


def _stages(rows: EvaluatedRows) -> dict[int, Floats]:
    """Sorted margins by number of rounds; none where they are not finite."""
    model, n = rows.model, n_rounds(rows.model)
    whole = sorted_margins(model, rows.X, rows.y)
    if not np.isfinite(whole[n]).all():
        return {}
    if not hasattr(model, "truncate") or n < 2 or hasattr(model, "model_"):
        return whole
    return sorted_margins(model, rows.X, rows.y, spread_rounds(n, _STAGES)[:-1]) | whole


def _path(plot: Plot, values: Floats) -> str:
    """The cumulative distribution of sorted margins as a path."""
    places = np.linspace(-1, 1, _POINTS + 1)
    shares = np.searchsorted(values, places, side="right") / len(values)
    return plot.path(places, shares)


def _words(t: int, values: Floats) -> str:
    wrong, middle = float(np.mean(values <= 0)), values[len(values) // 2]
    text = (
        f"after {t:,} round{'s' * (t > 1)}: {percent(wrong)} of the rows at or below 0, half of "
        f"them at {middle:.3f} or more, the least {values[0]:.3f}"
    )
    return text.replace("-", "−")
