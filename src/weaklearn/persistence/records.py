"""The records of all values that model files hold, except schemas; they need numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.trees.term_edit import Edit
from ..files.check import instance, integer, need, of_type, real, text
from ..files.game import VOTES
from ..files.history import HISTORY
from ..files.loss import LOSSES
from ..files.member import CLASS_TREE, LABEL_TREE, NUMBER_TREE, PARTITION
from ..files.online import KERNELS, STANDING
from ..files.readable import RULE, SPLITTER
from ..files.record import Record, expect, plain
from ..files.shape import Shape
from ..files.stump import STUMP
from ..files.term import TERM, TERM_SUM, alike
from ..files.term import fits as terms_fit
from ..files.tree import TREE
from ..losses.links import Calibration
from .column_record import COLUMN


def _take_edit(edit: Edit) -> list[Any]:
    return [edit.term, edit.what, edit.place, edit.before, edit.after, edit.scores]


def _make_edit(fields: list[Any]) -> Edit:
    expect(fields, 6)
    term, what, place, before, after, scores = fields
    text("term", term)
    text("what", what)
    integer()("place", place)
    instance(TERM.home)("before", before)
    if after is not None:
        instance(TERM.home)("after", after)
        need(alike(before, after, cells_only=True), "a term has other cells after an edit")
    of_type("scores", scores, tuple)
    for score in scores:
        need(
            type(score) is tuple and list(map(type, score)) == [str, float, float],
            "a score is no name with two numbers",
        )
    return Edit(term, what, place, before, after, scores)


def _edits_fit(name: str, edits: Sequence[Edit], shape: Shape) -> None:
    for edit in edits:
        terms_fit(name, [term for term in (edit.before, edit.after) if term is not None], shape)


CALIBRATION = plain(22, Calibration, {"slope": real(), "shift": real()})
EDIT = Record(23, Edit, _take_edit, _make_edit, fits=_edits_fit)
RECORDS = (
    *(STUMP, TREE, *VOTES, HISTORY, CLASS_TREE, NUMBER_TREE, PARTITION, LABEL_TREE, TERM, TERM_SUM),
    *(SPLITTER, RULE, COLUMN, CALIBRATION, EDIT, STANDING, *LOSSES, *KERNELS),
)
