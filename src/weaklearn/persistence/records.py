"""The records of values that model files hold, except schemas; they need numpy alone.

Those of ``LATER`` are many, and few files hold them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.trees.term import Edit
from ..files.check import instance, integer, maybe, need, of_type, real, text
from ..files.ensembles import VOTES
from ..files.graded_rules import GRADED_RULES
from ..files.history import HISTORY
from ..files.linear_trees import LINEAR_TREES
from ..files.member import (
    CLASS_TREE,
    LABEL_TREE,
    MOST_SCORE,
    NUMBER_TREE,
    PARTITION,
    RULE,
    SPLITTER,
)
from ..files.record import plain
from ..files.shape import Shape
from ..files.stump import STUMP
from ..files.term import TERM, TERM_SUM, alike
from ..files.term import fits as terms_fit
from ..files.tree import TREE
from ..losses.links import Calibration
from .column_record import COLUMN


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


_MOST_STEP = 1e9  # the slope and shift of a link, far beyond those that a fit finds
CALIBRATION = plain(
    22,
    Calibration,
    {"slope": real(-_MOST_STEP, _MOST_STEP), "shift": real(-MOST_SCORE, MOST_SCORE)},
)
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
RECORDS = (
    *(STUMP, TREE, *VOTES, HISTORY, CLASS_TREE, NUMBER_TREE, PARTITION, LABEL_TREE, TERM, TERM_SUM),
    *(SPLITTER, RULE, GRADED_RULES, COLUMN, CALIBRATION, EDIT, LINEAR_TREES),
)
LATER = ("files.loss", "files.online")  # modules with further records
