"""Votes on labels in a file: pseudo-losses, scores of every label, code words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.trees.label_tree import LabelTree
from ..base.votes.graded_rules import GradedRules
from ..base.votes.label_scores import CodedScores, LabelScores, LabelSum
from .check import flag, need, one_of
from .ensembles import COUNT, voted, votes_fit
from .member import members_fit
from .shape import Shape


def _code(name: str, code: Any) -> None:
    need(
        isinstance(code, np.ndarray)
        and code.dtype == np.int8
        and code.ndim == 2
        and code.size > 0
        and bool((np.abs(code) <= 1).all()),
        "the code is no table of -1, 0 and +1",
    )


def _labels_fit(name: str, ensembles: Sequence[LabelSum], shape: Shape) -> None:
    for ensemble in ensembles:
        K = ensemble.n_classes
        need(K == shape.n_classes, f"{name} has {K} classes; the model has {shape.n_classes}")
    votes_fit(name, ensembles, shape)


def _scores_fit(name: str, ensembles: Sequence[LabelScores], shape: Shape) -> None:
    for ensemble in ensembles:
        K = ensemble.n_labels if isinstance(ensemble, CodedScores) else ensemble.n_classes
        need(K == shape.n_classes, f"{name} has {K} labels; the model has {shape.n_classes}")
        needed = ensemble.n_classes
        for h in ensemble.members:
            known = isinstance(h, (LabelTree, GradedRules))
            need(known, f"{name}: a member is a {type(h).__name__}")
            assert isinstance(h, (LabelTree, GradedRules))
            K = len(h.base) if isinstance(h, GradedRules) else h.tree.n_outputs
            need(K == needed, f"{name}: a member does not answer {needed} labels")
        members_fit(name, ensemble.members, shape, ensemble.n_outputs)


LABEL_SUM = voted(
    63, LabelSum, {"n_classes": COUNT}, lambda e: [e.n_classes], LabelSum, _labels_fit
)
LABEL_SCORES = voted(
    60,
    LabelScores,
    {"n_classes": COUNT, "several": flag},
    lambda e: [e.n_classes, e.several],
    lambda n_classes, several: LabelScores(n_classes, bool(several)),
    _scores_fit,
)
CODED_SCORES = voted(
    61,
    CodedScores,
    {"code": _code, "decoding": one_of("hamming", "loss")},
    lambda e: [e.code, e.decoding],
    CodedScores,
    _scores_fit,
)
