"""How much to prune, found by folds: trees grown without the rows that they are judged on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.hashing import mixed
from ...base.rows import Rows
from ...base.sample import Sample
from ...base.trees.packed import answers_of
from ...base.trees.tree import Tree
from ...base.types import Floats
from ...intake.splitting import deal
from ...learners.pruning import decreases, path
from ...learners.tree import TreeLearner, leaves

_FOLDS = 5


def chosen_alpha(sample: Sample, learner: TreeLearner, tree: Tree, seed: int) -> float:
    """The alpha whose subtrees err least on the fold left out; of equals the largest.

    The candidates are those at which the tree itself changes; a candidate stands for the alphas up
    to the next, and is tried at their geometric mean.
    """
    alphas = path(tree, decreases(tree, learner.criterion)).alphas
    tried = np.r_[np.sqrt(alphas[:-1] * alphas[1:]), np.inf]
    copies = sample.copies_or_ones
    hashes = sample.code_hashes
    labels = np.zeros(len(sample), np.int64)
    if sample.n_classes == 0:  # the number to predict belongs to the content of a row
        hashes = hashes + mixed(sample.y.view(np.uint64))
    else:
        labels = sample.y.astype(np.int64) + 1
    folds = deal(hashes, labels, copies, sample.importance, _FOLDS, seed, sample.engine)
    # In an order of their own, so that sums over rows keep their bits.
    order = np.lexsort((labels, hashes))
    errors = np.zeros(len(tried))
    for held in folds.T:
        inside, outside = np.flatnonzero(copies > held), order[held[order] > 0]
        if len(inside) and len(outside):
            errors += _errors(
                sample, learner, inside, (copies - held)[inside], outside, held, tried
            )
    return float(alphas[len(errors) - 1 - int(np.argmin(errors[::-1]))])


def _errors(
    sample: Sample,
    learner: TreeLearner,
    inside: NDArray[np.intp],
    copies: NDArray[np.int64],
    outside: NDArray[np.intp],
    held: NDArray[np.int64],
    tried: Floats,
) -> Floats:
    """The loss on the rows outside of a tree grown inside, pruned by each alpha tried."""
    importance = None if sample.importance is None else sample.importance[inside]
    part = replace(sample.subset(inside, copies), importance=importance)
    tree = part.engine.trees.grower(part, learner.settings(part)).grow(None)
    found = path(tree, decreases(tree, learner.criterion))
    rows = Rows(sample.cells.take(outside), None, sample.engine)
    weights = held[outside].astype(np.float64)
    if sample.importance is not None:
        weights *= sample.importance[outside]
    losses = np.zeros(len(tried) + 1)
    here, y = leaves(tree, rows).astype(np.intp), sample.y[outside]
    parents, falls = tree.parents, np.where(tree.is_leaf, 0.0, found.falls)
    while len(here):  # a node answers from the alpha at which it falls to that of the next above
        above = _next_to_fall(here, parents, falls)
        begin = np.searchsorted(tried, falls[here], side="left")
        end = np.searchsorted(tried, np.where(above < 0, np.inf, falls[above]), side="left")
        end[above < 0] = len(tried)
        loss = weights * _loss(tree, here, y, sample.n_classes)
        losses += np.bincount(begin, loss, len(losses)) - np.bincount(end, loss, len(losses))
        climbing = above >= 0
        here, y, weights = above[climbing], y[climbing], weights[climbing]
    return np.cumsum(losses)[:-1]


def _next_to_fall(
    nodes: NDArray[np.intp], parents: NDArray[np.int32], falls: Floats
) -> NDArray[np.intp]:
    """The nearest ancestor that falls by itself; -1 above the last."""
    above = parents[nodes].astype(np.intp)
    while True:
        idle = np.flatnonzero((above >= 0) & np.isinf(falls[above]))
        if len(idle) == 0:
            return above
        above[idle] = parents[above[idle]]


def _loss(tree: Tree, nodes: NDArray[np.intp], y: NDArray[np.int64], n_classes: int) -> Floats:
    values = tree.values[tree.value[nodes]]
    if n_classes == 0:
        return np.asarray((values[:, 0] - y) ** 2)
    return np.asarray(answers_of(values, n_classes) != y, np.float64)
