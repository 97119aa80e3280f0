"""The learning curve with the bound on the training error, and the margins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.certificate import Certificates
from ...base.messages.number_text import number
from ...base.offered import fact, offers
from ...base.types import Floats
from ...page.element import Node, tag
from ...page.plot import Plot, figure, legend
from ...page.scale import Scale
from ...prediction.positive import threshold_of
from ..data.rounds import (
    n_rounds,
    sorted_margins,
    spread_rounds,
    staged_error,
    staged_loss,
    training_error_bound,
)
from ..data.rows import EvaluatedRows
from .section import Absent, Part, ReportContext, Section, note, percent, read_out, slider

Curve = tuple[str, Floats, str, str]  # a name, a number a round, its colour and its dashes

_TITLE = "Learning curve"
_MOST_STAGES = 3_000  # rounds that are evaluated one by one
_POINTS = 220


def rounds(context: ReportContext, certificates: Certificates | None) -> Part:
    """Error, or 1 - score, over the rounds."""
    model = context.model
    history = fact(model, "history_")
    if history is None or not offers(model, "staged_score") or len(history) < 2:
        return Absent(
            _TITLE, "the model keeps no record of rounds that could be evaluated one by one"
        )
    if context.several_labels:
        return Absent(_TITLE, "a row may have several labels")
    curves, thinned = _curves(context, history)
    bound = training_error_bound(model, certificates or ())
    if bound is not None and (bound <= 1).any():
        below = np.where(bound <= 1, bound, np.nan)
        curves.append(("bound on the training error", below, "grey", "dash"))
    if not curves:
        return Absent(_TITLE, "no error was recorded")
    last = max(len(values) for _, values, _, _ in curves)
    if last < 2:
        return Absent(_TITLE, "there was one round only")
    shown = np.array(spread_rounds(last, _POINTS))
    numbers = context.classes is None
    x = Scale(1, last, log=last >= 20)
    top = max(float(np.nanmax(values)) for _, values, _, _ in curves)
    y = Scale(0, min(max(1.05 * top, 0.02), 1.05 if not numbers else np.inf), percent=True)
    label = "1 − score" if numbers else "error: share of misclassified rows"
    plot = Plot(x, y, width=540, height=280, size="wide", x_label="rounds", y_label=label)
    texts = [f"round {t:,}" for t in shown]
    for name, values, colour, dash in curves:
        ends = shown[shown <= len(values)]
        plot.line(plot.path(ends, values[ends - 1]), colour, dash=dash)
        for k, t in enumerate(shown):
            if t <= len(values) and np.isfinite(values[t - 1]):
                texts[k] += f" · {name} {percent(values[t - 1])}"
    description = f"{label} over {last} rounds: " + "; ".join(
        f"{name} ends at {percent(values[-1])}" for name, values, _, _ in curves
    )
    chart, data = read_out(plot, "rounds", shown, texts, description)
    body: list[Node] = [legend([(name, colour, dash) for name, _, colour, dash in curves]), chart]
    if any(name.startswith("bound") for name, *_ in curves):
        body.append(
            note(
                "The dashed line is no estimate: by a theorem the training error can never be "
                "above it, whatever the data are. It is made of the normalisers Z of the rounds; "
                "where it is above 100\xa0% it is not drawn."
            )
        )
    losses, of_losses = _losses(context)
    body += losses
    if thinned:
        body.append(note(thinned))
    about = f"What every further round was good for.{_own_rule(context)}"
    return Section("rounds", _TITLE, body, about, data | of_losses)


def _own_rule(context: ReportContext) -> str:
    """A sentence on the threshold that a model was given, which rounds and margins leave aside."""
    if threshold_of(context.model) is None:
        return ""
    return " Right and wrong are by the model's own rule, without the threshold that it was given."


def _losses(context: ReportContext) -> tuple[list[Node], dict[str, Any]]:
    """The log-loss of the probabilities over the rounds, beside the error."""
    model = context.model
    if not context.classifies:
        return [], {}
    staged = [context.rows] if context.test is None else [context.rows, context.test]
    parts = [rows.sample() for rows in staged]
    if model.n_iter_ > _MOST_STAGES or any((rows.codes < 0).any() for rows in parts):
        return [], {}
    try:
        curves = [
            (_name(rows, context, True), staged_loss(part), *_look(rows, context))
            for rows, part in zip(staged, parts, strict=True)
        ]
    except (NotImplementedError, AttributeError):
        return [], {}
    last = max(len(values) for _, values, _, _ in curves)
    if last < 2:
        return [], {}
    shown = np.array(spread_rounds(last, _POINTS))
    top = max(float(values.max()) for _, values, _, _ in curves)
    y = Scale(0, max(1.05 * top, 0.02))
    x = Scale(1, last, log=last >= 20)
    plot = Plot(x, y, width=540, height=280, size="wide", x_label="rounds", y_label="log-loss")
    texts = [f"round {t:,}" for t in shown]
    for name, values, colour, dash in curves:
        ends = shown[shown <= len(values)]
        plot.line(plot.path(ends, values[ends - 1]), colour, dash=dash)
        for k, t in enumerate(ends):
            texts[k] += f" · {name} {number(values[t - 1], 4)}"
    description = "log-loss over the rounds: " + "; ".join(
        f"{name} ends at {number(values[-1], 4)}" for name, values, _, _ in curves
    )
    title = "Loss"
    small = "log-loss of the probabilities: where it rises again, later rounds do harm"
    chart, data = read_out(plot, "losses", shown, texts, description, title=title, small=small)
    return [chart, legend([(name, colour, dash) for name, _, colour, dash in curves])], data


def _curves(context: ReportContext, history: Any) -> tuple[list[Curve], str]:
    model, numbers = context.model, context.classes is None
    found: list[Curve] = []
    thinned = ""
    train = history.get("train_error")
    if train is not None and not numbers:
        found.append(("training error", np.asarray(train, np.float64), "blue", ""))
    staged = [context.rows] if context.test is None else [context.rows, context.test]
    for rows in staged:
        if rows is context.rows and found and rows.origin == "training":
            continue  # the record has it already
        if model.n_iter_ > _MOST_STAGES:
            thinned = (
                "There are too many rounds to evaluate one by one; only what was recorded is drawn."
            )
            continue
        part = rows.sample()
        if part is not rows:
            thinned = f"Evaluated on {part.n:,} of {rows.n:,} rows, evenly spread."
        found.append((_name(rows, context, numbers), _staged(part), *_look(rows, context)))
    return [curve for curve in found if np.isfinite(curve[1]).any()], thinned


def _staged(rows: EvaluatedRows) -> Floats:
    """The error after every round; empty where the model has no stages for such rows."""
    try:
        return staged_error(rows.model, rows.X, rows.y)
    except (NotImplementedError, AttributeError):
        return np.array([])


def _name(rows: EvaluatedRows, context: ReportContext, numbers: bool) -> str:
    if rows is context.test:
        return "test rows" if numbers else "test error"
    words = {"training": "training", "new": "new"}
    if rows.origin in words:
        return f"{words[rows.origin]} {'rows' if numbers else 'error'}"
    return "these rows" if numbers else "error on these rows"


def _look(rows: EvaluatedRows, context: ReportContext) -> tuple[str, str]:
    if rows is not context.test and rows.origin == "training":
        return "blue", ""
    if rows is not context.test and context.test is not None:
        return "green", "chain"
    return "vermilion", ""


_MARGINS = "Margins"
_STAGES, _CURVE_POINTS = 24, 160
_AXIS = Scale(-1, 1, marks=((-1, "−1"), (-0.5, "−0.5"), (0, "0"), (0.5, "0.5"), (1, "1")))


def margins(context: ReportContext) -> Part:
    """The cumulative distribution of the margins, with a slider over the rounds."""
    model = context.model
    if not offers(model, "margins") or context.several_labels:
        return Absent(_MARGINS, "the model has no margins: its prediction is no vote among classes")
    if (context.rows.codes < 0).any():
        return Absent(_MARGINS, "some rows have classes that were not in training")
    rows = context.rows.sample()
    stages = _stages(rows)
    if not stages:
        return Absent(_MARGINS, "the margins of this model are not finite")
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
    about += _own_rule(context)
    return Section("margins", _MARGINS, body, about, data)


def _stages(rows: EvaluatedRows) -> dict[int, Floats]:
    """Sorted margins by number of rounds; none where they are not finite."""
    model, n = rows.model, n_rounds(rows.model)
    whole = sorted_margins(model, rows.X, rows.y)
    if not np.isfinite(whole[n]).all():
        return {}
    if not offers(model, "truncate") or n < 2:
        return whole
    return sorted_margins(model, rows.X, rows.y, spread_rounds(n, _STAGES)[:-1]) | whole


def _path(plot: Plot, values: Floats) -> str:
    """The cumulative distribution of sorted margins as a path."""
    places = np.linspace(-1, 1, _CURVE_POINTS + 1)
    shares = np.searchsorted(values, places, side="right") / len(values)
    return plot.path(places, shares)


def _words(t: int, values: Floats) -> str:
    wrong, middle = float(np.mean(values <= 0)), values[len(values) // 2]
    text = (
        f"after {t:,} round{'s' * (t > 1)}: {percent(wrong)} of the rows at or below 0, half of "
        f"them at {middle:.3f} or more, the least {values[0]:.3f}"
    )
    return text.replace("-", "−")
