"""The intermediate form of sums of stumps and trees: stumps as steps, trees as they are."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.offered import fact
from ..base.trees.term import Axis, Term, TermSum
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF
from ..base.votes.label_scores import CodedScores
from ..base.votes.pairwise import PairwiseEnsemble
from ..inspection.column_grid import own_cut
from ..inspection.shape import constants, of_stumps, steps
from ..inspection.tree_sum import ALL, LARGEST, Addend, TreeSum, bare_tree
from ..losses.links import SOFTENED
from ..prediction.rows import class_list, classes_of
from .branches import branching
from .link import (
    EXP,
    HELD,
    IDENTITY,
    MEANS,
    POWERS,
    SURE,
    UNKNOWN,
    Link,
    found_link,
    link_of,
)
from .model_ir import InputColumn, ModelIR, Part, Side, input_columns, notes_of, slim


def tree_ir(model: Any, as_trees: bool = False) -> ModelIR:
    """The intermediate form of a model whose score is a sum of trees; stumps become steps."""
    refuse_decoded(model)
    terms = isinstance(model._ensemble, TermSum)
    summed: TreeSum = of_terms(model.ensemble_) if terms else model._tree_sum()
    divisor = len(model.trees_) if model._tree_holder == "trees_" else 1
    if divisor > 1:  # the sum is divided once, as it is in a forest
        summed = replace(summed, addends=tuple(replace(a, vote=1.0) for a in summed.addends))
    refuse_known(summed)
    summed = exact_votes(summed)
    schema = model._schema
    sources = input_columns(schema, summed.features)
    stumps = divisor == 1 and not as_trees and of_stumps(summed)
    base = summed.base + constants(summed) if stumps else summed.base
    n, noun = len(summed.addends), "stump" if stumps else "tree"
    made = f"{'the mean' if divisor > 1 else 'a sum'} of {n} {noun}s" if n != 1 else f"one {noun}"
    return ModelIR(
        f"{type(model).__name__}, {made}",
        schema.n_features,
        tuple(sources.values()),
        tuple(_steps_of(summed, source) for source in sources.values()) if stumps else (),
        tuple(base.tolist()),
        answers_link(model, summed.n_outputs),
        class_list(model),
        notes_of(model) if terms else (),
        () if stumps else tuple(branching(a, schema.columns) for a in summed.addends),
        divisor=divisor,
        second_on_ties=model._tree_holder == "tree_",
    )


def refuse_known(summed: TreeSum) -> None:
    """Refuses sums that begin with a function of the user."""
    if summed.known is not None:
        raise TypeError(
            "prior= is a function of yours, which no export can write; fit without it, or add its "
            "log-odds to the score."
        )


def exact_votes(summed: TreeSum) -> TreeSum:
    """A sum of votes for classes, with votes that add up exactly in any order.

    They are multiples of one power of two, so that no sum has more than 52 bits: equal votes tie
    here where they tie in the model, whichever way a language adds them. Other sums stay.
    """
    if summed.base.any() or not all(_of_votes(tree) for tree in summed.trees):
        return summed
    weights = np.zeros(summed.n_outputs)
    for addend in summed.addends:
        weights[addend.scores] += abs(addend.vote)
    heaviest = float(weights.max(initial=0.0))
    if not 0 < heaviest < np.inf:
        return summed
    unit = math.ldexp(1.0, max(math.frexp(heaviest)[1] - 52, -1074))
    addends = (replace(a, vote=round(a.vote / unit) * unit) for a in summed.addends)
    return replace(summed, addends=tuple(addends))


def _of_votes(tree: Tree) -> bool:
    """Whether a tree answers -1, 0 and +1 alone, and sends missing values one way."""
    several = bool((tree.missing[tree.ask != LEAF] == EVERY_CHILD).any())
    return not several and bool(np.isin(tree.values, (-1.0, 0.0, 1.0)).all())


def refuse_decoded(model: Any) -> None:
    """Refuses models that decide otherwise than by the largest score."""
    ensemble = model._ensemble
    name = type(model).__name__
    if isinstance(ensemble, PairwiseEnsemble):
        raise TypeError(
            f"this {name} counts the wins of votes between two classes, which no export writes; "
            "use multiclass='ovr'."
        )
    if isinstance(ensemble, CodedScores):
        raise TypeError(
            f"this {name} decodes the scores of bits, which no export writes; use "
            "AdaBoostMHClassifier."
        )
    if model._indicator is not None:
        raise TypeError(
            f"this {name} gives rows several labels, which no export writes; fit a model for each."
        )


def of_terms(ensemble: TermSum) -> TreeSum:
    """The tree sum in which every term is a tree."""
    trees = (Addend(term_tree(slim(term)), 1.0, ALL, None) for term in ensemble.terms)
    return TreeSum(ensemble.intercept, tuple(trees))


def answers_link(model: Any, n_outputs: int) -> Link:
    """The link from the scores of a fitted model to its predictions."""
    classes: Any = classes_of(model)
    if classes is not None and len(classes) == 1:
        return Link(SURE)
    calibration = fact(model, "calibration_")
    if model._tree_holder is not None and calibration is not None:
        return Link(POWERS, calibration.slope, SOFTENED)
    if model._tree_holder is not None:
        return Link(IDENTITY if classes is None else MEANS)
    if model._loss is not None and not callable(model._loss):
        return link_of(model)
    if calibration is not None:
        return found_link(lambda F: model._link(calibration(F)), len(classes), n_outputs)
    if classes is not None:
        return Link(UNKNOWN)
    return _numbers_link(model)


def _numbers_link(model: Any) -> Link:
    """The link of a regressor."""
    F = np.array([-1.5, 0.25, 2.0])
    predicted = F if model._prediction is None else model._prediction(F)
    for form, wanted in ((IDENTITY, F), (EXP, np.exp(np.minimum(F, HELD)))):
        if np.allclose(predicted, wanted, rtol=1e-12):
            return Link(form)
    raise ValueError(
        "the loss turns scores into numbers by a function of yours, which no export can write; use "
        "a named loss."
    )


def _steps_of(summed: TreeSum, source: InputColumn) -> Part:
    """The sum of the stumps of a column as a step function."""
    cuts, values = steps(summed, source.feature, source.schema.n_categories)
    if cuts is not None and source.ranked and len(cuts) and cuts[0] < 0:  # below all ranks
        cuts, values = cuts[1:], values[1:]
    own = None if cuts is None else tuple(own_cut(source.schema, cut) for cut in cuts)
    return Part(source.name, (Side(source, own),), values)


# ------------------------------------------------------------------------------ terms as trees

BinIndices = tuple[int, ...]


def term_tree(term: Term) -> Tree:
    """A tree whose leaves hold the values of the bins of a term."""
    nodes: list[tuple[int, int, float, int, int, int]] = []
    values: list[NDArray[np.float64]] = []
    value: list[int] = []
    # A node to come: the cells that are known, and the cells that are left on the next axis.
    waiting: deque[tuple[BinIndices, range | None]] = deque([((), None)])
    coming = 1
    while waiting:
        known, left = waiting.popleft()
        if left is not None and len(left) == 1:
            known, left = (*known, left[0]), None
        if len(known) == len(term.axes):
            nodes.append((LEAF, -1, 0.0, 0, 0, 0))
            value.append(len(values))
            values.append(term.values[known])
            continue
        test, children = _asked(term.axes[len(known)], known, left)
        nodes.append((*test[:3], coming, len(children), test[3]))
        value.append(0)
        waiting.extend(children)
        coming += len(children)
    ask, feature, threshold, first, width, missing = (np.array(part) for part in zip(*nodes))
    tests = {"ask": ask, "feature": feature, "threshold": threshold}
    return bare_tree(
        **tests, first=first, width=width, missing=missing, value=value, values=np.array(values)
    )


def _asked(
    axis: Axis, known: BinIndices, left: range | None
) -> tuple[tuple[int, int, float, int], list[tuple[BinIndices, range | None]]]:
    """The next test on an axis, its child for missing values, and what its children still have."""
    n = axis.n_cells - 1  # the cell of missing values is the last
    missing: tuple[BinIndices, range | None] = (known, range(n, n + 1))
    if axis.cuts is None:
        each: list[tuple[BinIndices, range | None]] = [(known, range(k, k + 1)) for k in range(n)]
        return (MULTIWAY, axis.feature, 0.0, n), [*each, missing]
    if n == 1:
        return (THRESHOLD, axis.feature, LARGEST, 1), [(known, range(1)), missing]
    cells = range(n) if left is None else left
    middle = (cells.start + cells.stop) // 2
    halves: list[Any] = [(known, range(cells.start, middle)), (known, range(middle, cells.stop))]
    cut = float(axis.cuts[middle - 1])
    if left is None:  # asked for the first time: missing values part here
        return (THRESHOLD, axis.feature, cut, 2), [*halves, missing]
    return (THRESHOLD, axis.feature, cut, 0), halves
