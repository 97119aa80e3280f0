"""The learning curve: the error after every round, and the bound on the training error."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.certificate import Certificates
from ...base.types import Floats
from ...page.element import Node
from ...page.plot import Plot, legend
from ...page.scale import Scale
from ..data.rounds import spread_rounds, staged_error, training_error_bound
from ..data.rows import EvaluatedRows
from .section import Absent, Part, ReportContext, Section, note, percent, read_out

Curve = tuple[str, Floats, str, str]  # a name, a number a round, its colour and its dashes

_TITLE = "Learning curve"
_MOST_STAGES = 3_000  # rounds that are evaluated one by one
_POINTS = 220


def rounds(context: ReportContext, certificates: Certificates | None) -> Part:
    """Error, or 1 - score, over the rounds."""
    model = context.model
    history = getattr(model, "history_", None)
    if history is None or not hasattr(model, "staged_score") or len(history) < 2:
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
    if thinned:
        body.append(note(thinned))
    return Section("rounds", _TITLE, body, "What every further round was good for.", data)


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
