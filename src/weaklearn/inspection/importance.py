"""Feature importances, by gain, permutation and other measures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.table import Table
from ..base.offered import fact
from ..base.types import Floats
from ..intake import parameters
from ..prediction.rows import innermost, schema_of
from ..registry import display
from .no_tree_sum import NoTreeSum
from .rule_text import feature_name
from .tree_sum import OfTrees, TreeSum


class Importances(Table):
    """The columns of a model, the most important first."""

    def plot(self, n: int = 10, ax: Any = None) -> Any:
        """Bars of the n most important columns: see weaklearn.show.ImportanceDisplay."""
        return display("ImportanceDisplay").from_importances(self, n, ax)


WAYS = ("gain", "vote", "permutation", "contribution")


def importances(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    by: str = "gain",
    n_repeats: int = 5,
    random_state: Any = 0,
    scoring: Any = None,
    qid: Any = None,
) -> Importances:
    """The features of a model, the most important first.

    Parameters
    ----------
    model : a fitted model
    X, y : rows, better not those of training; for "permutation" both, for "contribution" X
    by : {"gain", "vote", "permutation", "contribution"}
        "gain": the share of what all tests gained in training; for a sum of stumps whose booster
        records Z, what their rounds took off the bound on the error, -ln Z. "vote": the share of
        the votes, each tree's divided among its tests. "permutation": how much the score of X and
        y drops where the values of the column are shuffled, with its spread over ``n_repeats``.
        "contribution": the mean size of the column's contributions to the scores of X.
    scoring : for "permutation", a name or function of scikit-learn's; ``model.score`` by default
    qid : for "permutation" of a ranker, the ids of the queries of the rows

    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> from weaklearn.show import importances
    >>> X, y = datasets.toy()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(importances(model, by="vote"))  # doctest: +NORMALIZE_WHITESPACE
    column   vote
    x[0]    0.5377
    x[1]    0.4623
    share of all votes
    """
    parameters.one_of("by", by, list(WAYS))
    check_is_fitted(model)
    if by == "permutation":
        if qid is not None and scoring is None:
            scoring = partial(_score_of_queries, qid=qid)
        return _by_permutation(model, X, y, n_repeats, random_state, scoring)
    if by == "contribution":
        return _by_contribution(model, X)
    shares, note = (_by_gain if by == "gain" else _by_vote)(model)
    total = shares.sum()
    return _table(model, by, shares / total if total > 0 else shares, note)


def _table(
    model: Any, by: str, found: Floats, note: str, spread: Floats | None = None
) -> Importances:
    schema = schema_of(model)
    names = [f"x[{j}]" if schema is None else feature_name(schema, j) for j in range(len(found))]
    return _ranked(by, names, note, found, *([] if spread is None else [spread]))


def _ranked(by: str, names: Sequence[str], note: str, *numbers: Floats) -> Importances:
    """The columns by the first of their numbers, the largest first."""
    order = np.argsort(-numbers[0], kind="stable")
    rows = [(names[j], *(float(each[j]) for each in numbers)) for j in order]
    heads = ["column", by, "spread"][: 1 + len(numbers)]
    return Importances("importances", heads, rows, note, shown=20)


def _sum(model: Any) -> TreeSum | None:
    model = innermost(model)
    try:
        return model._tree_sum() if isinstance(model, OfTrees) else None
    except NoTreeSum:
        return None


def _by_gain(model: Any) -> tuple[Floats, str]:
    summed, d = _sum(model), model.n_features_in_
    history = fact(model, "history_") or {}
    kept = [] if summed is None else summed.addends
    if kept and all(a.cover is None for a in kept):  # stumps, which keep no gain
        if "Z" in history and len(history["Z"]) >= len(kept) == model.n_iter_:
            with np.errstate(divide="ignore"):
                taken = np.minimum(-np.log(history["Z"][: len(kept)]), 1e3)
            gains = np.zeros(d)
            for a, gain in zip(kept, taken, strict=True):
                if a.feature >= 0:
                    gains[a.feature] += max(float(gain), 0.0)
            return gains, "share of what the rounds took off the bound, in logarithms"
        return np.asarray(model.feature_importances_), "share of all votes"
    return np.asarray(model.feature_importances_), "share of all gain"


def _by_vote(model: Any) -> tuple[Floats, str]:
    summed, shares = _sum(model), np.zeros(model.n_features_in_)
    if summed is None:
        return np.asarray(model.feature_importances_), "share of all votes"
    for a in summed.addends:
        asked = a.tree.feature[~a.tree.is_leaf]
        if len(asked):
            shares += abs(a.vote) * np.bincount(asked, minlength=len(shares)) / len(asked)
    return shares, "share of all votes"


def _by_permutation(
    model: Any, X: Any, y: Any, n_repeats: int, random_state: Any, scoring: Any
) -> Importances:
    from sklearn.inspection import permutation_importance  # heavy, and rarely needed

    if X is None or y is None:
        raise ValueError("by='permutation' needs rows: pass X and y, better not those of training.")
    found = permutation_importance(
        model, X, y, n_repeats=n_repeats, random_state=random_state, scoring=scoring
    )
    note = f"what the score loses where a column is shuffled; mean and spread of {n_repeats}"
    return _table(model, "permutation", found.importances_mean, note, found.importances_std)


def _score_of_queries(model: Any, X: Any, y: Any, *, qid: Any) -> float:
    return float(model.score(X, y, qid=qid))


def _by_contribution(model: Any, X: Any) -> Importances:
    if X is None:
        raise ValueError("by='contribution' needs rows: pass X.")
    why = model.explain(X)
    sizes = np.abs(why.contributions).mean(axis=0)
    sizes = sizes.sum(axis=1) if sizes.ndim == 2 else sizes
    note = f"mean size of the contributions to the {why.scale}"
    return _ranked("contribution", why.names, note, sizes)
