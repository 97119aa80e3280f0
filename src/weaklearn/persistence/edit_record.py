"""Edits of an additive model in files; they need numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.trees.term import Edit
from ..files.check import instance, integer, maybe, need, of_type, text
from ..files.record import plain
from ..files.shape import Shape
from ..files.term import TERM, alike
from ..files.term import fits as terms_fit


def _edit(**fields: Any) -> Edit:
    edit = Edit(**fields)
    same = edit.after is None or alike(edit.before, edit.after, cells_only=True)
    need(same, "a term has other cells after an edit")
    return edit


def _scores(name: str, scores: Any) -> None:
    of_type(name, scores, tuple)
    for score in scores:
        need(
            type(score) is tuple and list(map(type, score)) == [str, float, float],
            "a score is no name with two numbers",
        )


def _edits_fit(name: str, edits: Sequence[Edit], shape: Shape) -> None:
    for edit in edits:
        terms_fit(name, [term for term in (edit.before, edit.after) if term is not None], shape)


_TERM = instance(TERM.home)
EDIT = plain(
    23,
    Edit,
    {"term": text, "what": text, "place": integer(), "before": _TERM, "after": maybe(_TERM)}
    | {"scores": _scores},
    _edit,
    fits=_edits_fit,
    holds={3: {TERM.number}, 4: {TERM.number}},
    several=True,
)
