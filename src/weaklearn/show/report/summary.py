"""Metrics and sizes at a glance, and whether the rows were in training."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.certificate import Certificate, Certificates
from ...base.messages.number_text import number
from ...base.offered import fact
from ...page.element import Element, tag
from ...prediction.positive import RARE, threshold_of
from ..data.classification import GOOD_AUC, Confusion, mean_area, precision_recall
from ..data.residuals import Residuals
from ..data.rows import EvaluatedRows
from ..text_fit import cut
from .section import ReportContext, Section, note, percent

_SOME_AREA = 0.65  # under the ROC curve of a model that has learnt something


def summary(context: ReportContext, certificates: Certificates | None) -> Section:
    """The tiles at the top, and whether the evaluated rows were in training."""
    tiles = [*_scores(context), *_sizes(context)]
    best = quoted(certificates)
    if best is not None and best.bound is not None:
        tiles.insert(1, _certified(best, percent(1 - context.delta)))
    body = [tag("div", tiles, class_="tiles"), _remark(context.evaluated, best is not None)]
    hardly = _hardly_better(context)
    if hardly is not None:
        body.append(hardly)
    if context.test is not None:
        body.append(
            note(
                f"Metrics and hardest examples are those of the {context.test.n:,} test rows; "
                f"columns and margins are those of the other {context.rows.n:,}."
            )
        )
    return Section("summary", "Summary", body)


def quoted(certificates: Certificates | None) -> Any:
    """The first certificate that bounds the error on new rows below 1; None where none does."""
    known = certificates or ()
    found = (c for c in known if c.about == "truth" and c.applies and not c.vacuous)
    return next((c for c in found if c.unit == "share"), None)


def _certified(best: Certificate, sure: str) -> Element:
    """What is certain of the error on rows to come: its interval, or the bound above it."""
    high = percent(best.bound or 0.0)
    more = f"with probability {sure}"
    if best.lower is not None:
        more = f"{sure} interval: {percent(best.lower)} to {high}"
    return _tile("certified error", f"≤\xa0{high}", more)


def _tile(name: str, value: str, more: str = "", first: bool = False) -> Element:
    return tag(
        "div",
        tag("div", name, class_="name"),
        tag("div", value, class_="value"),
        tag("div", more, class_="more") if more else None,
        class_="tile first" if first else "tile",
    )


def _scores(context: ReportContext) -> list[Element]:
    rows = context.evaluated
    on = f"on {context.words_for_rows}"
    if context.several_labels:
        right = (rows.predictions == rows.y).all(axis=1)
        return [
            _tile("subset accuracy", percent(float(right.mean())), f"all labels right, {on}", True)
        ]
    if context.outputs:
        return _of_each(context, on)
    if context.classes is None:
        found = Residuals.from_rows(rows)
        return [
            _tile(
                "R² (variance explained)",
                "–" if found.r2 is None else number(found.r2, 3),
                on,
                True,
            ),
            _tile("RMSE", number(found.rmse, 4)),
            _tile("mean absolute error", number(found.mae, 4)),
        ]
    right = rows.predicted_codes == rows.codes
    wrong = int(np.count_nonzero(~right))
    common, usual = _commonest(context)
    tiles = [
        _tile("accuracy", percent(float(right.mean())), on, True),
        _tile("baseline", percent(usual), f"always {cut(context.classes[common], 24)}"),
        _tile("errors", f"{wrong:,}", f"of {rows.n:,} rows"),
    ]
    area = mean_area(rows)
    if area is not None:
        many = "by chance 0.5" if len(context.classes) == 2 else "mean of the classes"
        tiles.append(_tile("ROC AUC", number(area, 4), f"{many}; {on}"))
    if len(context.classes) == 2:
        curve = precision_recall(rows, context.positive)
        if curve is not None:
            words = f"of {cut(context.classes[context.positive], 24)}, by chance "
            words += number(curve.share, 3)
            tiles.append(_tile("average precision", number(curve.average, 4), words))
            if curve.share < RARE:
                tiles += _of_the_rare(context)
    return tiles


def _of_the_rare(context: ReportContext) -> list[Element]:
    """Recall and precision of a rare class: the accuracy says little about it."""
    assert context.classes is not None
    name = cut(context.classes[context.positive], 24)
    recall, precision = _found(context)
    return [
        _tile("recall", recall, f"of the rows of {name} are found"),
        _tile("precision", precision, f"of the rows predicted as {name} are right"),
    ]


def _found(context: ReportContext) -> tuple[str, str]:
    """Recall and precision of the class that is spoken of, in words."""
    found, k = Confusion.from_rows(context.evaluated), context.positive
    recall, precision = (
        "–" if share is None else percent(share) for share in (found.recall(k), found.precision(k))
    )
    return recall, precision


def _of_each(context: ReportContext, on: str) -> list[Element]:
    """The score of all predictions of a row, and what can be said of each."""
    rows, model = context.evaluated, context.model
    tiles = [_tile("score", number(float(model.score(rows.X, rows.y)), 3), on, True)]
    quantiles = rows.y.ndim == 1
    targets = np.broadcast_to(rows.y.astype(np.float64).T, rows.predictions.T.shape)
    for name, true, predicted in zip(context.outputs, targets, rows.predictions.T, strict=True):
        if quantiles:
            below = percent(float(np.mean(true <= predicted)))
            tiles.append(_tile(cut(name, 24), below, "of the rows are at or below it"))
            continue
        found = Residuals(true, predicted.astype(np.float64))
        r2 = "–" if found.r2 is None else number(found.r2, 3)
        tiles.append(_tile(f"R² of {cut(name, 24)}", r2, f"RMSE {number(found.rmse, 4)}"))
    return tiles


def _commonest(context: ReportContext) -> tuple[int, float]:
    """The commonest class of the rows X, y, and its share of the evaluated rows."""
    codes = context.rows.codes
    common = int(np.bincount(codes[codes >= 0]).argmax())
    return common, float(np.mean(context.evaluated.codes == common))


def _hardly_better(context: ReportContext) -> Element | None:
    """A warning where always answering with the commonest class is about as often right.

    Of a threshold that the model was given, what it does.
    """
    if not context.classifies or context.classes is None:
        return None
    if threshold_of(context.model) is not None:
        return _at_threshold(context)
    rows = context.evaluated
    right = float(np.mean(rows.predicted_codes == rows.codes))
    common, usual = _commonest(context)
    if right > usual + np.sqrt(right * (1 - right) / rows.n):
        return None
    area, hint = mean_area(rows), ""
    if area is not None and area > _SOME_AREA and rows.origin == "new":
        ranks = "well" if area >= GOOD_AUC else "better than chance"
        hint = (
            f" It ranks rows {ranks}, though (AUC {number(area, 3)}): another threshold finds more "
            "of them (tune_threshold)."
        )
    elif area is not None and area > _SOME_AREA:
        hint = (
            f" The AUC of {number(area, 3)} is that of {context.words_for_rows}: whether another "
            "threshold (tune_threshold) finds more of them shows on rows kept apart."
        )
    compared = "less" if right < usual else "hardly more" if right > usual else "no more"
    return note(
        f"The model is {compared} often right than always answering {context.classes[common]}: "
        f"{percent(right)} against {percent(usual)}.{hint}",
        warn=True,
    )


def _at_threshold(context: ReportContext) -> Element:
    """What the threshold that the model was given does: it is not there for the accuracy."""
    assert context.classes is not None
    name = context.classes[context.positive]
    recall, precision = _found(context)
    return note(
        f"Answers are by a threshold that the model was given: on {context.words_for_rows} the "
        f"recall of {name} is {recall}, the precision {precision}."
    )


def _sizes(context: ReportContext) -> list[Element]:
    model = context.model
    more = [] if context.table is None else [f"{context.table.shape[1]:,} columns"]
    if context.classes is not None:
        more.append(f"{len(context.classes):,} {'labels' if context.several_labels else 'classes'}")
    tiles = [_tile("rows", f"{context.rows.n:,}", ", ".join(more))]
    rounds = fact(model, "n_iter_")
    if isinstance(rounds, (int, np.integer)):
        why = fact(model, "stop_reason_") or ""
        tiles.append(_tile("rounds", f"{int(rounds):,}", str(why)))
    elif isinstance(fact(model, "n_estimators"), int):
        tiles.append(_tile("members", f"{model.n_estimators:,}"))
    return tiles


def _remark(rows: EvaluatedRows, certified: bool) -> Element:
    """A remark whether the rows were in training, and so how far the metrics can be trusted."""
    if rows.origin == "training":
        return note(
            "The model was trained on these rows. Numbers on them say how well it fits, not how "
            f"well it will do: for that, {'see the certificates, or ' * certified}report it on "
            "rows kept apart (X_test and y_test; --test on the command line).",
            warn=True,
        )
    if rows.origin == "new" and rows.seen is not None:
        found, rest = rows.seen.checked, rows.seen.undecided
        unless = f", unless the model was trained on some of the other {rest}" if rest else ""
        words = f"{found[0].upper()}{found[1:]}: the numbers are out-of-sample estimates{unless}."
        if rows.chose_threshold:
            words += " But the threshold was chosen on some of them, which flatters what it does."
        return note(words, warn=rows.chose_threshold)
    if rows.origin == "mixed" and rows.seen is not None:
        return note(
            f"Some rows were in training: {rows.seen.words}. On these the numbers flatter the "
            "model; report it on rows kept apart.",
            warn=True,
        )
    return note(
        "The model does not know which rows it was trained on. If these are among them, the "
        "numbers flatter it."
    )
