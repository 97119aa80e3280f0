"""What the stumps of a column say together: one number for each of its cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.tree import EVERY_CHILD, THRESHOLD, Tree
from .tree_sum import LARGEST, TreeSum

Floats = NDArray[np.float64]


def of_stumps(summed: TreeSum) -> bool:
    """Whether no tree of a sum asks more than one question."""
    return all(len(a.tree) == 1 or a.tree.depth == 1 for a in summed.addends)


def constants(summed: TreeSum) -> Floats:
    """What is added whatever the row holds."""
    total = np.zeros(summed.n_outputs)
    for a in summed.addends:
        if len(a.tree) == 1:
            total[a.scores] += a.vote * a.tree.values[a.tree.value[0]]
    return total


def steps(summed: TreeSum, feature: int, n_levels: int) -> tuple[list[float] | None, Floats]:
    """The cuts of a column (None: it has levels), and a number for each cell and score.

    The last cell is that of missing values.
    """
    addends = [a for a in summed.addends if a.feature == feature]
    cuts = sorted({t for a in addends if (t := _cut(a.tree)) is not None})
    n = (n_levels or len(cuts) + 1) + 1
    values = np.zeros((n, summed.n_outputs))
    for a in addends:
        tree, inside = a.tree, np.zeros(n, int)
        if n_levels:
            inside[:-1] = [_outcome(tree, level) for level in range(n_levels)]
        elif (cut := _cut(tree)) is not None:
            inside[cuts.index(cut) + 1 :] = 1
        answers = tree.values[tree.value[tree.first[0] : tree.first[0] + tree.width[0]]]
        added = answers[inside]
        added[-1] = _missing(tree, answers)
        values[:, a.scores] += a.vote * added
    return None if n_levels else cuts, values


def _cut(tree: Tree) -> float | None:
    """Where a stump cuts numbers; None where it parts known values from missing ones."""
    cut = float(tree.threshold[0])
    return cut if tree.ask[0] == THRESHOLD and cut != LARGEST else None


def _outcome(tree: Tree, level: int) -> int:
    """The child of a level."""
    if tree.ask[0] == THRESHOLD:
        return int(level > tree.threshold[0])
    if tree.subset[0] < 0:
        return level
    return int(tree.subsets[tree.subset[0], level >> 6]) >> (level & 63) & 1


def _missing(tree: Tree, answers: Floats) -> Floats:
    """What is said of a missing value; where all children have a part in it, their mean."""
    if tree.missing[0] != EVERY_CHILD:
        return np.asarray(answers[tree.missing[0]])
    weight = tree.weight[tree.first[0] : tree.first[0] + tree.width[0]]
    return np.asarray(np.average(answers, axis=0, weights=weight if weight.any() else None))
