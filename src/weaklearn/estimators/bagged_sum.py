"""Bags of trees taken apart: the mean of what their members say, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from .explaining import Explanation
from .forest import Forest
from .grown import TreeEstimator
from .link import IDENTITY
from .probability import stump_answers
from .reading import feature_name
from .shapley import Cells, explained
from .stump import DecisionStumpClassifier
from .tree_sum import ALL, Addend, NoTreeSum, TreeSum, foreign_members, stump_tree

if TYPE_CHECKING:
    from ..base.sample import Rows
    from .intake import Schema

Floats = NDArray[np.float64]


def explained_bag(
    members: list[tuple[Any, Any, Any]], rows: Rows, schema: Schema, classes: NDArray[Any]
) -> Explanation:
    """The explanation of an average; a member comes with its columns and its part of X."""
    n, K = len(rows), max(1, len(classes))
    parts, base = np.zeros((n, schema.n_features, K)), np.zeros(K)
    for member, columns, X in members:
        if isinstance(member, DummyClassifier):  # of one class
            base[np.searchsorted(classes, member.classes_)] += 1.0
            continue
        summed, said = sum_of_member(member), np.arange(K)
        if len(classes):
            said = np.searchsorted(classes, member.classes_)
        why = explained(summed, member._rows(X), member._schema, [], "")
        parts[:, columns[:, None], said] += why.contributions.reshape(n, len(columns), -1)
        base[said] += why.base
    parts, base = parts / len(members), base / len(members)
    if K == 2:
        parts, base = parts[:, :, 1:], base[1:]
    scale = "probability" if len(classes) else "prediction"
    several = parts.shape[2] > 1
    return Explanation(
        base=base if several else float(base[0]),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(feature_name(schema, j) for j in range(schema.n_features)),
        features=tuple((j,) for j in range(schema.n_features)),
        outputs=tuple(map(str, classes)) if several else (),
        scale=f"{scale} of {classes[1]}" if len(classes) == 2 else scale,
        cells=Cells(rows, ()),
    )


def sum_of_member(member: Any) -> TreeSum:
    """What a member says of each class, or its number."""
    if isinstance(member, (TreeEstimator, Forest)):
        return member._tree_sum()
    if isinstance(member, DecisionStumpClassifier):
        classes = member.classes_

        def shares(answer: int) -> list[float]:
            said = stump_answers(classes, np.array([answer]))[0]
            return [float(k == said) for k in range(len(classes))]

        tree = stump_tree(member.stump_, shares)
        return TreeSum(np.zeros(len(classes)), (Addend(tree, 1.0, ALL, None),))
    if hasattr(member, "_tree_sum") and says_its_score(member):
        return cast(TreeSum, member._tree_sum())
    if hasattr(member, "to_python"):
        raise NoTreeSum(
            f"its members are of type {type(member).__name__}, which make probabilities or numbers "
            "of their scores before these are averaged, so that the average is no sum of trees",
            "take each of estimators_ by itself, or bag trees",
        )
    raise foreign_members(member)


def says_its_score(member: Any) -> bool:
    """Whether a regressor predicts what its trees add up to, and no function of it."""
    from .tree_transcript import answers_link

    return not hasattr(member, "classes_") and answers_link(member, 1).form == IDENTITY
