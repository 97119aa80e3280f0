"""What it is, how good it is, and how that is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.certificate import Certificates
from ...base.messages.number_text import number
from ...page.element import Element, tag
from .roc import area
from .section import Section, note, percent
from .subject import Judged, Subject


def summary(subject: Subject, certificates: Certificates | None) -> Section:
    """The tiles at the top, and how the rows stand to the fit."""
    tiles = [*_scores(subject), *_sizes(subject)]
    best = quoted(certificates)
    if best is not None and best.bound is not None:
        sure = f"with probability {percent(1 - subject.delta)}"
        tiles.insert(1, _tile("certified error", f"≤\xa0{percent(best.bound)}", sure))
    body = [tag("div", tiles, class_="tiles"), _standing(subject.judged, best is not None)]
    if subject.test is not None:
        body.append(
            note(
                f"Judged by {subject.judged.n:,} test rows; columns, margins and hardest examples "
                "are those of X."
            )
        )
    return Section("summary", "Summary", body)


def quoted(certificates: Certificates | None) -> Any:
    """The strongest statement about rows to come that says something."""
    known = certificates or ()
    found = (c for c in known if c.about == "truth" and c.applies and not c.vacuous)
    return next((c for c in found if c.unit == "share"), None)


def _tile(name: str, value: str, more: str = "", first: bool = False) -> Element:
    return tag(
        "div",
        tag("div", name, class_="name"),
        tag("div", value, class_="value"),
        tag("div", more, class_="more") if more else None,
        class_="tile first" if first else "tile",
    )


def _scores(subject: Subject) -> list[Element]:
    judged = subject.judged
    on = f"on {subject.words_for_rows}"
    if subject.several_labels:
        right = (judged.said == judged.y).all(axis=1)
        return [_tile("rows with all labels right", percent(float(right.mean())), on, True)]
    if subject.classes is None:
        y, said = judged.y.astype(np.float64), judged.said.astype(np.float64)
        left = y - said
        total = float(((y - y.mean()) ** 2).sum())
        explained = 1 - float((left**2).sum()) / total if total > 0 else float("nan")
        return [
            _tile("variance explained", number(explained, 3) if total else "–", on, True),
            _tile("typical error (RMSE)", number(float(np.sqrt((left**2).mean())), 4)),
            _tile("mean size of errors", number(float(np.abs(left).mean()), 4)),
        ]
    right = judged.answers == judged.codes
    wrong = int(np.count_nonzero(~right))
    tiles = [
        _tile("accuracy", percent(float(right.mean())), on, True),
        _tile("errors", f"{wrong:,}", f"of {judged.n:,} rows"),
    ]
    found = area(subject)
    if found is not None:
        many = "" if len(subject.classes) == 2 else "mean of the classes"
        tiles.append(_tile("area under ROC", number(found, 4), many))
    return tiles


def _sizes(subject: Subject) -> list[Element]:
    model = subject.model
    more = [] if subject.table is None else [f"{subject.table.shape[1]:,} columns"]
    if subject.classes is not None:
        more.append(f"{len(subject.classes):,} {'labels' if subject.several_labels else 'classes'}")
    tiles = [_tile("rows", f"{subject.rows.n:,}", ", ".join(more))]
    rounds = getattr(model, "n_iter_", None)
    if isinstance(rounds, (int, np.integer)):
        why = getattr(model, "stop_reason_", "")
        tiles.append(_tile("rounds", f"{int(rounds):,}", str(why)))
    elif isinstance(getattr(model, "n_estimators", None), int):
        tiles.append(_tile("members", f"{model.n_estimators:,}"))
    return tiles


def _standing(judged: Judged, certified: bool) -> Element:
    """How far the numbers above can be trusted."""
    where = judged.where
    if where == "training":
        return note(
            "The model was trained on these rows. Numbers on them say how well it fits, not how "
            f"well it will do: for that, {'see the certificates, or ' * certified}report it on "
            "rows kept apart (X_test and y_test; --test on the command line).",
            warn=True,
        )
    if where == "new":
        return note("None of these rows was seen in training: the numbers are honest estimates.")
    if where == "mixed" and judged.seen is not None:
        return note(f"Some rows are those of training: {judged.seen.words}.", warn=True)
    return note(
        "The model does not know which rows it was trained on. If these are among them, the "
        "numbers flatter it."
    )
