"""Bags of trees taken apart: the mean of what their members say, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from ...base.types import Floats
from ...export.link import IDENTITY
from ...inspection.explanation import Explanation
from ...inspection.no_tree_sum import NoTreeSum
from ...inspection.rule_text import feature_name
from ...inspection.shapley import Interactions, RawColumns, explained, interactions, refuse_many
from ...inspection.tree_sum import ALL, Addend, TreeSum, foreign_members, stump_tree
from ...losses.links import stump_answers
from .base import TreeEstimator
from .forest import Forest
from .stump import DecisionStumpClassifier

if TYPE_CHECKING:
    from ...base.sample import Rows
    from ...intake.schema import Schema


Members = list[tuple[Any, Any, Any]]  # each with its columns and its part of X


def explained_bag(
    members: Members, rows: Rows, schema: Schema, classes: NDArray[Any]
) -> Explanation:
    """The explanation of an average."""
    n, K = len(rows), max(1, len(classes))
    parts, base = np.zeros((n, schema.n_features, K)), np.zeros(K)
    for member, columns, X in members:
        positions = _class_positions(member, classes)
        if isinstance(member, DummyClassifier):  # of one class
            base[positions] += 1.0
            continue
        why = explained(sum_of_member(member), member._rows(X), member._schema, [], "")
        parts[:, columns[:, None], positions] += why.contributions.reshape(n, len(columns), -1)
        base[positions] += why.base
    parts, base = _mean(parts, base, len(members))
    scale = "probability" if len(classes) else "prediction"
    several = parts.shape[2] > 1
    return Explanation(
        base=base if several else float(base[0]),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(feature_name(schema, j) for j in range(schema.n_features)),
        features=tuple((j,) for j in range(schema.n_features)),
        outputs=tuple(map(str, classes)) if several else (),
        scale=f"{scale} of {classes[1]}" if len(classes) == 2 else scale,
        cells=RawColumns(rows, ()),
    )


def bag_interactions(
    members: Members, rows: Rows, schema: Schema, classes: NDArray[Any]
) -> Interactions:
    """What every two columns do together, on average over the members."""
    n, d, K = len(rows), schema.n_features, max(1, len(classes))
    refuse_many(n, d, K)
    pairs, base = np.zeros((n, d, d, K)), np.zeros(K)
    for member, columns, X in members:
        positions, m = _class_positions(member, classes), len(columns)
        if isinstance(member, DummyClassifier):
            base[positions] += 1.0
            continue
        found = interactions(sum_of_member(member), member._rows(X), member._schema, [])
        values = found.values.reshape(n, m, m, -1)
        pairs[np.ix_(np.arange(n), columns, columns, positions)] += values
        base[positions] += found.base
    pairs, base = _mean(pairs, base, len(members))
    several = pairs.shape[3] > 1
    return Interactions(
        base=base if several else float(base[0]),
        values=pairs if several else pairs[..., 0],
        names=tuple(feature_name(schema, j) for j in range(d)),
        outputs=tuple(map(str, classes)) if several else (),
    )


def _class_positions(member: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """The positions of a member's classes among those of the bag; 0 for regressors."""
    if not len(classes):
        return np.zeros(1, np.intp)
    return np.asarray(np.searchsorted(classes, member.classes_), np.intp)


def _mean(parts: Floats, base: Floats, n: int) -> tuple[Floats, Floats]:
    """Sums over n members as means; of two classes the second one alone."""
    parts, base = parts / n, base / n
    return (parts[..., 1:], base[1:]) if len(base) == 2 else (parts, base)


def sum_of_member(member: Any) -> TreeSum:
    """The sum of trees that gives a member's class shares, or its number."""
    if isinstance(member, (TreeEstimator, Forest)):
        return member._tree_sum()
    if isinstance(member, DecisionStumpClassifier):
        classes = member.classes_

        def shares(answer: int) -> list[float]:
            answered = stump_answers(classes, np.array([answer]))[0]
            return [float(k == answered) for k in range(len(classes))]

        tree = stump_tree(member.stump_, shares)
        return TreeSum(np.zeros(len(classes)), (Addend(tree, 1.0, ALL, None),))
    if hasattr(member, "_tree_sum") and adds_up(member):
        return cast(TreeSum, member._tree_sum())
    if hasattr(member, "explain"):
        raise NoTreeSum(
            f"its members are of type {type(member).__name__}, and an average of them is no sum of "
            "stumps or trees",
            "explain each of estimators_ by itself, or bag trees",
            "export each of estimators_ by itself, or bag trees",
        )
    raise foreign_members(member)


def adds_up(member: Any) -> bool:
    """Whether a member's predictions are the sums of its trees, with no link function."""
    if isinstance(member, (TreeEstimator, Forest, DecisionStumpClassifier)):
        return True
    from ...export.trees import answers_link

    return not hasattr(member, "classes_") and answers_link(member, 1).form == IDENTITY
