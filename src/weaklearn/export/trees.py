"""The intermediate form of sums of stumps and trees: stumps as steps, trees as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.trees.term import TermSum
from ..base.votes.label_scores import CodedScores
from ..base.votes.pairwise import PairwiseEnsemble
from ..inspection.rule_text import feature_name
from ..inspection.stump_shapes import constants, of_stumps, steps
from ..inspection.tree_sum import ALL, Addend, TreeSum
from .branches import branching, own_cut
from .link import EXP, HELD, IDENTITY, MEANS, SURE, UNKNOWN, Link, found_link, link_of
from .model_ir import InputColumn, ModelIR, Part, Side, notes_of, slim
from .term_tree import term_tree


def tree_ir(model: Any, as_trees: bool = False) -> ModelIR:
    """The intermediate form of a model whose score is a sum of trees; stumps become steps."""
    refuse_decoded(model)
    terms = isinstance(getattr(model, "ensemble_", None), TermSum)
    summed: TreeSum = of_terms(model.ensemble_) if terms else model._tree_sum()
    divisor = len(model.trees_) if hasattr(model, "trees_") else 1
    if divisor > 1:  # the sum is divided once, as it is in a forest
        summed = replace(summed, addends=tuple(replace(a, vote=1.0) for a in summed.addends))
    if summed.known is not None:
        raise TypeError(
            "prior= is a function of yours, which no export can write; fit without it, or add its "
            "log-odds to the score."
        )
    schema = model._schema
    used = sorted({int(j) for tree in summed.trees for j in np.unique(tree.feature) if j >= 0})
    sources = {j: InputColumn(j, feature_name(schema, j), schema.columns[j]) for j in used}
    stumps = divisor == 1 and not as_trees
    stumps = stumps and of_stumps(summed)
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
        tuple(getattr(model, "classes_", np.array([])).tolist()),
        notes_of(model) if terms else (),
        () if stumps else tuple(branching(a, schema.columns) for a in summed.addends),
        divisor=divisor,
        second_on_ties=hasattr(model, "tree_"),
    )


def refuse_decoded(model: Any) -> None:
    """Refuses models that decide otherwise than by the largest score."""
    ensemble = getattr(model, "ensemble_", None)
    name = type(model).__name__
    if isinstance(ensemble, PairwiseEnsemble):
        raise TypeError(
            f"this {name} counts the wins of games between two classes, which no export writes; "
            "use multiclass='ovr'."
        )
    if isinstance(ensemble, CodedScores):
        raise TypeError(
            f"this {name} decodes the scores of bits, which no export writes; use "
            "AdaBoostMHClassifier."
        )
    if getattr(model, "_indicator", None) is not None:
        raise TypeError(
            f"this {name} gives rows several labels, which no export writes; fit a model for each."
        )


def of_terms(ensemble: TermSum) -> TreeSum:
    """The tree sum in which every term is a tree."""
    trees = (Addend(term_tree(slim(term)), 1.0, ALL, None) for term in ensemble.terms)
    return TreeSum(ensemble.intercept, tuple(trees))


def answers_link(model: Any, n_outputs: int) -> Link:
    """The link from the scores of a fitted model to its predictions."""
    classes: Any = getattr(model, "classes_", None)
    if classes is not None and len(classes) == 1:
        return Link(SURE)
    if hasattr(model, "tree_") or hasattr(model, "trees_"):
        return Link(IDENTITY if classes is None else MEANS)
    if hasattr(model, "_loss") and not callable(model._loss):
        return link_of(model)
    if hasattr(model, "calibration_"):
        return found_link(lambda F: model._link(model.calibration_(F)), len(classes), n_outputs)
    if classes is not None:
        return Link(UNKNOWN)
    return _numbers_link(model)


def _numbers_link(model: Any) -> Link:
    """The link of a regressor."""
    F = np.array([-1.5, 0.25, 2.0])
    predicted = model._prediction(F) if hasattr(model, "_prediction") else F
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
    own = None if cuts is None else tuple(own_cut(source.schema, cut) for cut in cuts)
    return Part(source.name, (Side(source, own),), values, np.zeros(len(values)))
