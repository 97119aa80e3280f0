"""The learning curve: error after every round, and what a theorem promises of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.certificate import Certificates
from ...page.element import Node
from ...page.plot import Plot, figure, legend
from ...page.span import Span
from .section import Absent, Part, Section, note, percent
from .subject import Judged, Subject, spread_rounds

Floats = NDArray[np.float64]
Curve = tuple[str, Floats, str, str]  # a name, a number a round, its colour and its dashes

_TITLE = "Learning curve"
_MOST_STAGES = 3_000  # rounds that are judged one by one
_POINTS = 220


def rounds(subject: Subject, certificates: Certificates | None) -> Part:
    """Error, or 1 - score, over the rounds."""
    model = subject.model
    history = getattr(model, "history_", None)
    if history is None or not hasattr(model, "staged_score") or len(history) < 2:
        return Absent(_TITLE, "the model keeps no record of rounds that could be judged one by one")
    if subject.several_labels:
        return Absent(_TITLE, "a row may have several labels")
    curves, thinned = _curves(subject, history)
    bound = _bound(subject, history, certificates)
    if bound is not None:
        curves.append(("bound on the training error", bound, "grey", "dash"))
    if not curves:
        return Absent(_TITLE, "no error was recorded")
    last = max(len(values) for _, values, _, _ in curves)
    if last < 2:
        return Absent(_TITLE, "there was one round only")
    shown = np.array(spread_rounds(last, _POINTS))
    numbers = subject.classes is None
    x = Span(1, last, log=last >= 20)
    top = max(float(np.nanmax(values)) for _, values, _, _ in curves)
    y = Span(0, min(max(1.05 * top, 0.02), 1.05 if not numbers else np.inf), percent=True)
    said = "variance left to explain" if numbers else "share of rows that are wrong"
    plot = Plot(x, y, width=540, height=280, size="wide", x_label="rounds", y_label=said)
    texts = [f"round {t:,}" for t in shown]
    for name, values, colour, dash in curves:
        ends = shown[shown <= len(values)]
        plot.line(plot.path(ends, values[ends - 1]), colour, dash=dash)
        for k, t in enumerate(shown):
            if t <= len(values) and np.isfinite(values[t - 1]):
                texts[k] += f" · {name} {percent(values[t - 1])}"
    told = f"{said} over {last} rounds: " + "; ".join(
        f"{name} ends at {percent(values[-1])}" for name, values, _, _ in curves
    )
    chart = plot.element(told, "rounds")
    body: list[Node] = [
        legend([(name, colour, dash) for name, _, colour, dash in curves]),
        figure(chart, reads=True),
    ]
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
    return Section(
        "rounds",
        _TITLE,
        body,
        "What every further round was good for.",
        {"rounds": {"x": plot.across(shown).round(1), "text": texts}},
    )


def _curves(subject: Subject, history: Any) -> tuple[list[Curve], str]:
    model, numbers = subject.model, subject.classes is None
    found: list[Curve] = []
    thinned = ""
    train = history.get("train_error")
    if train is not None and not numbers:
        found.append(("training error", np.asarray(train, np.float64), "blue", ""))
    staged = [subject.rows] if subject.test is None else [subject.rows, subject.test]
    for judged in staged:
        if judged is subject.rows and found and judged.where == "training":
            continue  # the record has it already
        if model.n_iter_ > _MOST_STAGES:
            thinned = (
                "Rounds are too many to be judged one by one; only what was recorded is drawn."
            )
            continue
        part = judged.part()
        if part is not judged:
            thinned = f"Judged on {part.n:,} of {judged.n:,} rows, evenly spread."
        found.append(
            (_name(judged, subject, numbers), _staged(model, part), *_look(judged, subject))
        )
    return [curve for curve in found if np.isfinite(curve[1]).any()], thinned


def _bound(subject: Subject, history: Any, certificates: Certificates | None) -> Floats | None:
    """What the normalisers promise of the training error, as far as it is below 1."""
    classes, known = subject.classes, {c.id for c in certificates or () if c.applies}
    if classes is None or "Z" not in history:
        return None
    factor = 1.0 if len(classes) <= 2 and getattr(subject.model, "_product_bounds", False) else 0.0
    if len(classes) > 2:
        factor = len(classes) / 2 if "mh-train" in known else float("m1-train" in known)
    bound = factor * np.cumprod(history["Z"])
    return np.where(bound <= 1, bound, np.nan) if factor and (bound <= 1).any() else None


def _staged(model: Any, judged: Judged) -> Floats:
    try:
        return np.array([1 - score for score in model.staged_score(judged.X, judged.y)])
    except (NotImplementedError, AttributeError):
        return np.array([])


def _name(judged: Judged, subject: Subject, numbers: bool) -> str:
    if judged is subject.test:
        return "test rows" if numbers else "test error"
    words = {"training": "training", "new": "new"}
    if judged.where in words:
        return f"{words[judged.where]} {'rows' if numbers else 'error'}"
    return "these rows" if numbers else "error on these rows"


def _look(judged: Judged, subject: Subject) -> tuple[str, str]:
    if judged is not subject.test and judged.where == "training":
        return "blue", ""
    if judged is not subject.test and subject.test is not None:
        return "green", "chain"
    return "vermilion", ""
