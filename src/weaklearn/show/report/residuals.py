"""Residuals of a regressor."""

from __future__ import annotations

from ...base.messages.number_text import number
from ...page.element import Element, tag
from ...page.plot import Plot, figure
from ...page.scale import Scale
from ..data.residuals import Group, Residuals
from .columns import FEWEST
from .section import SEVERAL, Absent, Part, Picture, ReportContext, Section, read_out

_TITLE = "Residuals"


def residuals(context: ReportContext) -> Part:
    """Means of targets against means of predictions, and the histogram of residuals."""
    if context.classes is not None:
        return Absent(_TITLE, "the model is a classifier")
    if context.outputs:
        return Absent(_TITLE, SEVERAL)
    if context.evaluated.n < FEWEST:
        return Absent(_TITLE, "there are too few rows to summarize")
    found = Residuals.from_rows(context.evaluated)
    means, data = _means(found.groups())
    body = [tag("div", means, _histogram(found), class_="two")]
    return Section("residuals", _TITLE, body, f"Evaluated on {context.words_for_rows}.", data)


def _means(groups: list[Group]) -> Picture:
    ends = [end for g in groups for end in (g.predicted, g.true - g.std, g.true + g.std)]
    scale = Scale.around(ends)
    plot = Plot(
        scale, scale, height=380, left=62, x_label="predicted, mean of a group", y_label="true"
    )
    plot.line(plot.path([scale.low, scale.high], [scale.low, scale.high]), "grey", "thin", "dots")
    for g in groups:
        plot.line(plot.path([g.predicted] * 2, [g.true - g.std, g.true + g.std]), "sky", "thin")
    across = [g.predicted for g in groups]
    plot.line(plot.path(across, [g.true for g in groups]), "blue")
    for g in groups:
        plot.point(g.predicted, g.true, "blue")
    texts = [
        f"predicted {number(g.predicted, 4)}, true {number(g.true, 4)} ± {number(g.std, 3)} "
        f"({g.n:,} rows)"
        for g in groups
    ]
    title = "Predicted against true"
    grouped = "means of groups of rows, with their standard deviations"
    description = f"{title}: " + "; ".join(texts)
    return read_out(plot, "means", across, texts, description, title=title, small=grouped)


def _histogram(found: Residuals) -> Element:
    counts, edges = found.histogram()
    shares, reach = counts / max(len(found.y), 1), float(edges[-1])
    plot = Plot(
        Scale(-1.04 * reach, 1.04 * reach),
        Scale(0, 1.08 * float(shares.max()) or 1.0, percent=True),
        height=380,
        x_label="true − predicted",
        y_label="share of rows",
    )
    gap = 0.08 * (edges[1] - edges[0])
    for a, b, share, n in zip(edges[:-1], edges[1:], shares, counts, strict=True):
        tip = f"{number(float(a), 3)} to {number(float(b), 3)}: {n:,} rows"
        plot.rect(a + gap, b - gap, 0, share, "f-blue", tip)
    title = "Distribution of residuals"
    beyond = "the outer 1\xa0% is counted in the outer bins"
    return figure(plot.element(title), title=title, small=beyond)
