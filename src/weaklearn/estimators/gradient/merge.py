"""Several fitted models of gradient boosting, or glass boxes, merged into one: their average."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.history import History
from ...base.messages.value_text import show
from ...base.trees.tree import SUBSET, Tree
from ...base.types import Floats, Ints
from ...base.votes.linear_trees import LinearTrees
from ...base.votes.tree_sum import AdditiveTrees
from ...intake import parameters
from ...intake.column_schema import ColumnSchema
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ...production.provenance import current_versions, provenance_of
from ..fit import column_names
from ..model import assign
from ..thresholds import forget_threshold
from .additive import AdditiveModel
from .merged_terms import average_of_terms
from .model import GradientBoostingModel

_CODES = 256  # of categories in a set

Codes = Mapping[int, Ints]  # for columns of categories: the code in the merged schema of each code


def merge(models: Iterable[Any], weights: Any = None) -> Any:
    """One model whose score is the (weighted) mean of the scores of several.

    The models are of one class, gradient boosting or the glass box, and were fitted apart: on other
    rows of the same columns, or with other seeds. A category that only some models know is an
    unknown one to the others, as it was before. Rounds stand one after another, those of the first
    model first; functions of the glass box are added up on the cells of all of them.

    Parameters
    ----------
    models : iterable of fitted models
    weights : array-like of numbers above 0, optional
        One for each model; all equal by default.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import GradientBoostingRegressor, merge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> sites = [slice(0, 200), slice(200, 400)]
    >>> models = [GradientBoostingRegressor(n_estimators=50).fit(X[s], y[s]) for s in sites]
    >>> both = merge(models)
    >>> both.n_iter_, len(both.predict(X))
    (100, 442)
    """
    listed = list(models)
    shares = _shares(listed, weights)
    _refuse_unlike(listed)
    schema, codes = merged_schema([model._schema for model in listed])
    merged = copy.copy(listed[0])
    facts = column_names(schema) | {"_origin": _provenance(listed, alike=not any(codes))}
    if isinstance(merged, AdditiveModel):
        sums = [model.ensemble_ for model in listed]
        facts["ensemble_"] = average_of_terms(sums, shares, schema, codes)
        facts |= {"n_iter_": sum(model.n_iter_ for model in listed), "_edits": ()}
        facts["validation_losses_"] = np.array([])
    else:
        facts["ensemble_"] = _average_of_trees([m.ensemble_ for m in listed], shares, codes)
        history = History()
        for model in listed:
            for metrics in model.history_.metrics[: len(model.ensemble_)]:
                history.append(metrics)
        facts |= {"history_": history, "n_iter_": len(facts["ensemble_"])}
        facts["_gaps"] = frozenset().union(*(model._gaps for model in listed))
    assign(merged, facts, forget=_OF_ONE_FIT)
    known = [(m._threshold is not None, m._positive is not None) for m in listed]
    forget_threshold(listed[known.index(max(known))], merged, "merge")
    return merged


# Fitted names that say something of one fit alone.
_OF_ONE_FIT = (
    *("validation_losses_", "validation_scores_", "_conformity", "feature_names_in_"),
    *("_dropping", "baseline_", "scale_", "_decision", "position_bias_"),
    *("oob_score_", "oob_loss_", "oob_decision_function_", "oob_prediction_"),
)


def _shares(models: Sequence[Any], weights: Any) -> Floats:
    """The share of each model in the mean."""
    if not models:
        raise ValueError("models is empty: pass at least one fitted model.")
    if weights is None:
        return np.full(len(models), 1 / len(models))
    found = np.asarray([parameters.real("weights", w, 0.0, 1e300) for w in weights])
    if len(found) != len(models):
        raise ValueError(
            f"there are {len(models)} models and {len(found)} weights; pass a weight for each."
        )
    return np.asarray(found / found.sum())


def _refuse_unlike(models: Sequence[Any]) -> None:
    """Refuses models that have no mean: of other classes, labels or losses."""
    first = models[0]
    for place, model in enumerate(models):
        if not isinstance(model, (GradientBoostingModel, AdditiveModel)):
            raise TypeError(
                f"models[{place}] is of type {type(model).__name__}; merge takes gradient boosting "
                "and glass boxes. Average others by their predictions, as VotingClassifier does."
            )
        check_is_fitted(model, "ensemble_")
        if type(model) is not type(first):
            raise TypeError(
                f"models[{place}] is a {type(model).__name__} and models[0] a "
                f"{type(first).__name__}; merge models of one class."
            )
        if not first._regression and not np.array_equal(model.classes_, first.classes_):
            raise ValueError(
                f"models[{place}] has the classes {show(model.classes_.tolist())} and models[0] "
                f"{show(first.classes_.tolist())}; fit them on rows of the same classes."
            )
        if isinstance(model.ensemble_, LinearTrees):
            raise ValueError(
                f"models[{place}] was fitted with linear_leaves=True, whose slopes merge does not "
                "join: fit with linear_leaves=False, or average predictions."
            )
        names = () if isinstance(model, AdditiveModel) else model._target_names
        if names and names != first._target_names and first._target_names:
            raise ValueError(
                f"models[{place}] learnt the targets {show(list(names))} and models[0] "
                f"{show(list(first._target_names))}; fit them on targets of the same names, in one "
                "order."
            )
        if not parameters.same(model._loss, first._loss):
            raise ValueError(
                f"models[{place}] has another loss than models[0]; merge models of one loss."
            )


def merged_schema(schemas: Sequence[Schema]) -> tuple[Schema, list[dict[int, Ints]]]:
    """The columns of several fits as one, and for each fit where its codes of categories go, for
    the columns in which they move.
    """
    first, codes = schemas[0], [dict[int, Ints]() for _ in schemas]
    for place, other in enumerate(schemas):
        if other.n_features != first.n_features or other.names != first.names:
            raise ValueError(f"models[{place}] has other columns than models[0].")
    special: dict[int, ColumnSchema] = {}
    empty = frozenset[int].intersection(*(schema.empty for schema in schemas))
    for j in sorted(set().union(*(schema.special for schema in schemas))):
        filled = [k for k, schema in enumerate(schemas) if j not in schema.empty]
        known = [schemas[k].columns[j] for k in filled]
        special[j] = _merged_column(known, first.label(j))
        for k, own in zip(filled, known, strict=True):
            moved = np.array([special[j].categories.index(c) for c in own.categories], np.int64)
            if len(special[j].categories) != len(own.categories):
                codes[k][j] = moved
    return replace(first, special=special, empty=empty), codes


def _merged_column(known: Sequence[ColumnSchema], label: str) -> ColumnSchema:
    """One column of several fits."""
    first = known[0]
    for other in known:
        own, others = (np.array([]) if c.marks is None else c.marks for c in (first, other))
        if other.kind is not first.kind or (other.unit, other.tz) != (first.unit, first.tz):
            raise ValueError(f"{label} is of another kind in some of the models.")
        if not np.array_equal(own, others):
            raise ValueError(
                f"{label} holds dates, or integers beyond 2**53, which the models know by their "
                "order among the rows of each fit; make numbers of them before the fits."
            )
        if other.pooled != first.pooled:
            raise ValueError(
                f"{label} has rare categories that the models have pooled differently; name them "
                "alike before the fits."
            )
    if first.kind is not Kind.CATEGORY or all(o.categories == first.categories for o in known):
        return first
    if first.pooled:
        raise ValueError(
            f"{label} has rare categories that are pooled, and others in some of the models; name "
            "them alike before the fits."
        )
    every = sorted(set().union(*(column.categories for column in known)))
    if len(every) >= _CODES - 1:
        raise ValueError(
            f"{label} has {len(every)} categories in all models together; at most {_CODES - 2} can "
            "be told apart. Join rare ones before the fits."
        )
    return replace(first, categories=tuple(every))


def _average_of_trees(
    sums: Sequence[AdditiveTrees], shares: Floats, codes: Sequence[Codes]
) -> AdditiveTrees:
    """The rounds of all, each with the share of its model."""
    base = sum(share * each.base for share, each in zip(shares.tolist(), sums, strict=True))
    merged = AdditiveTrees(np.asarray(base))
    for share, each, moves in zip(shares.tolist(), sums, codes, strict=True):
        for vote, trees in each:
            merged = merged.plus(share * vote, [_moved(tree, moves) for tree in trees])
    return merged


def _moved(tree: Tree, codes: Codes) -> Tree:
    """The tree with the categories of its tests at their codes in the merged schema.

    A category that the model never saw goes where it went before: with the missing values.
    """
    nodes = [v for v in np.flatnonzero(tree.ask == SUBSET) if int(tree.feature[v]) in codes]
    if not nodes:
        return tree
    subset, sets = tree.subset.copy(), list(tree.subsets)
    for v in nodes:
        inside = np.unpackbits(tree.subsets[tree.subset[v]].view(np.uint8), bitorder="little")
        moves = codes[int(tree.feature[v])]
        unknown = tree.missing[v] == 1
        bits = np.full(_CODES, unknown, np.uint8)
        bits[moves] = inside[: len(moves)]
        subset[v] = len(sets)
        sets.append(np.packbits(bits, bitorder="little").view(np.uint64))
    return replace(tree, subset=subset, subsets=np.array(sets, np.uint64))


def _provenance(models: Sequence[Any], alike: bool) -> Any:
    """The rows of all fits together; ``alike``: categories have one code in all of them."""
    noted = [provenance_of(model) for model in models]
    sketch = noted[0].row_sketch
    for each in noted[1:]:
        known = each.row_sketch
        sketch = None if sketch is None or known is None else sketch.joined(known)
    numbers = [each.n_examples for each in noted]
    n = None if None in numbers else sum(number or 0 for number in numbers)
    dates = [each.fitted for each in noted if each.fitted is not None]
    return replace(
        current_versions(),
        n_examples=n,
        fitted=max(dates, default=None),
        target=noted[0].target,
        reading=noted[0].reading,
        row_sketch=sketch if alike else None,
    )
