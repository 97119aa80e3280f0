"""The life of a model of gradient boosting: more rounds or other leaf values, or fewer rounds.

``update``, ``refit`` and ``truncate`` are taken as methods by the estimators.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from math import frexp, inf, ldexp
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.history import History
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, deferred_warnings, warn
from ...base.sample import Sample
from ...base.trees.tree import LEAF, Tree
from ...base.types import Floats
from ...base.votes.linear_trees import LinearTrees
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.gradient import GradientBoosting
from ...intake import parameters
from ...production.provenance import after_fit, provenance_of, training_hash
from ..fit import run, with_callbacks
from ..model import assign, in_one_step
from ..thresholds import forget_threshold
from . import tree_controls
from .fit import Descent, curvature_scale, start

if TYPE_CHECKING:
    from .model import GradientBoostingModel

M = TypeVar("M", bound="GradientBoostingModel")


def truncate(self: M, n: int) -> M:
    """A copy of this model that keeps the first n rounds only; all where there are fewer."""
    check_is_fitted(self, "ensemble_")
    parameters.integer("n", n, 1)
    model = copy.copy(self)
    model.ensemble_ = tree_controls.staged(self, n)
    model.n_iter_ = len(model.ensemble_)
    model.history_ = self.history_.first(model.n_iter_)
    forget_threshold(self, model, "truncate")
    return model


def warn_of_other_rows(model: GradientBoostingModel, descent: Descent) -> None:
    """Warns where a warm start goes on with rows that are not those of the rounds before."""
    before = provenance_of(model).rows
    if before is not None and before != training_hash(descent.sample):
        warn(
            "warm_start=True goes on with rows that are not those of the rounds already played. "
            "Pass the same X and y, set warm_start=False to begin anew, or add rounds by "
            "update(X, y, n_estimators=...), which is for new rows.",
            BoostingWarning,
        )


@with_callbacks
def update(
    self: M, X: Any, y: Any, sample_weight: Any = None, *, n_estimators: int, offset: Any = None
) -> M:
    """Adds rounds that learn from new rows: gradient boosting goes on where it ended.

    Columns, categories and classes stay those of the first fit. ``X``, ``y``, ``sample_weight`` and
    ``offset`` are as in ``fit``; ``n_estimators`` is the number of rounds to add. Certificates
    count the new rows as seen, beside those of earlier fits.

    >>> import numpy as np
    >>> from weaklearn import GradientBoostingRegressor
    >>> X = np.arange(60.0).reshape(-1, 1)
    >>> model = GradientBoostingRegressor(n_estimators=20).fit(X[:30], X[:30, 0])
    >>> model.update(X, X[:, 0], n_estimators=80).n_iter_
    100
    """
    check_is_fitted(self, "ensemble_")
    _refuse_queries(self)
    more = parameters.integer("n_estimators", n_estimators, 1)
    given, before = self.n_estimators, copy.copy(self)
    self.n_estimators = len(self.ensemble_) + more
    with deferred_warnings():
        self._check_parameters()
        tree_controls.check_dropout(self, True)
        descent = self._descent((X, y, sample_weight), offset, None, [], True)
    try:
        run(self, start(self, descent, True), (X, y, sample_weight))
    finally:
        self.n_estimators = given
    self._origin = replace(provenance_of(self), since="update")
    forget_threshold(before, self, "update")
    return self


@in_one_step
def refit(
    self: M,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    keep: float = 0.9,
    offset: Any = None,
) -> M:
    """Learns the values of the leaves anew from new rows; the tests of the trees stay.

    Round by round, with g and c the derivatives of the loss on the new rows at the scores so far, a
    leaf of value v comes to ``keep`` v - (1 - ``keep``) sum g / (sum c + l2), and so does the
    constant that the scores start from. (``l1_regularization`` and ``max_step`` hold as in the
    fit.) A leaf that no new row reaches keeps its value.

    Parameters
    ----------
    X, y, sample_weight, offset
        As in ``fit``; columns, categories and classes are those of the fit.
    keep : float, default 0.9
        The share of the old value, at least 0 and below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import GradientBoostingRegressor
    >>> X = np.arange(40.0).reshape(-1, 1)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X, X[:, 0] > 20)
    >>> other = model.refit(X, 3 + 2 * (X[:, 0] > 20), keep=0)  # the same step, elsewhere
    >>> other.predict(X[[0, 39]]).round(1).tolist()
    [3.1, 4.9]
    """
    check_is_fitted(self, "ensemble_")
    share = parameters.real("keep", keep, None, 1.0, least=0.0, strict=True)
    _refuse_refit(self)
    prepared = self._prepare(X, y, sample_weight, True)
    sample, loss = prepared.sample, self._loss
    loss.check_target(sample.y)
    booster = GradientBoosting(loss, 1.0, self._offset(offset, prepared, loss))
    ensemble, history = _refitted(self, booster, sample, share)
    before = provenance_of(self)
    facts = {
        "ensemble_": ensemble,
        "history_": history,
        "_origin": replace(after_fit(sample, before=before, ensemble=ensemble), since="refit"),
        **self._known_of_loss(booster, sample, ensemble),
    }
    known = copy.copy(self)
    assign(self, facts, forget=("validation_losses_", "validation_scores_"))
    forget_threshold(known, self, "refit")
    return self


def _refuse_queries(model: GradientBoostingModel) -> None:
    """Refuses rankers, whose rows belong to queries."""
    if model._loss.whole_queries:
        raise TypeError(
            f"a {type(model).__name__} learns from whole queries, which refit and update do not "
            "take: fit(X, y, qid=...) with warm_start=True adds rounds."
        )


def _refuse_refit(model: GradientBoostingModel) -> None:
    """Refuses a refit that would break what the parameters or the loss promise."""
    _refuse_queries(model)
    broken = {
        "monotonic_cst": model.monotonic_cst is not None and "predictions would not stay monotone",
        "path_smoothing": model.path_smoothing > 0 and "leaves lean on values that would change",
        "linear_leaves": isinstance(model.ensemble_, LinearTrees)
        and "slopes were learnt around values that would change",
        "dropout": model._dropping is not None and "rounds were learnt without some of the others",
    }
    for name, why in broken.items():
        if why:
            raise ValueError(f"refit is not possible after a fit with {name}: {why}. Fit anew.")
    if model._loss.leaf_quantiles is not None:
        raise ValueError(
            f"refit needs a loss with a curvature, and {show(model._loss.name)} has none: fit anew "
            "on the rows, or add rounds with update."
        )


def _refitted(
    model: GradientBoostingModel, booster: GradientBoosting, sample: Sample, keep: float
) -> tuple[AdditiveTrees, History]:
    """The trees with new values, and their losses round by round."""
    old: AdditiveTrees = model.ensemble_
    l2 = float(model.l2_regularization) * curvature_scale(booster, sample)
    held = {"l1": float(model.l1_regularization), "most": float(model.max_step or inf)}
    start = booster.begin(sample)
    new = AdditiveTrees(keep * old.base + (1 - keep) * start.ensemble.base)
    F, history = start.F + (new.base - start.ensemble.base)[:, None], History()
    g, c, _ = booster.slope(sample, F, (start.g, start.c))
    for vote, trees in old:
        leaves = AdditiveTrees(old.base).plus(vote, trees).leaves(sample)
        settled = []
        for k, tree in enumerate(trees):
            curvature = np.ones(len(sample)) if c is None else c[k]
            at, copies, n = leaves[:, k], sample.copies, len(tree)
            slopes, bends = leaf_sums(g[k], at, copies, n), leaf_sums(curvature, at, copies, n)
            settled.append(with_values(tree, slopes, bends, l2, keep, **held))
            F[k] += vote * settled[-1].values[settled[-1].value[at], 0]
        new = new.plus(vote, settled)
        g, c, loss = booster.slope(sample, F, (g, c))
        history.append({"loss": loss, "leaves": sum(tree.n_leaves for tree in trees)})
    return new, history


def leaf_sums(x: Floats, leaves: NDArray[Any], copies: NDArray[Any] | None, n_nodes: int) -> Floats:
    """The sum of x over the rows of each leaf, whatever their order; copies count.

    Terms become whole multiples of a power of two, which are added up exactly.

    >>> leaf_sums(np.array([0.5, 1.0, 2.0]), np.array([2, 1, 2]), np.array([1, 1, 3]), 3).tolist()
    [0.0, 1.0, 6.5]
    """
    most = float(np.max(np.abs(x), initial=0.0))
    n = len(x) if copies is None else int(copies.sum())
    shift = 62 - n.bit_length() - frexp(most)[1] if most > 0 else 0
    whole = np.rint(np.ldexp(x, shift)).astype(np.int64)
    sums = np.zeros(n_nodes, np.int64)
    np.add.at(sums, leaves, whole if copies is None else whole * copies)
    return np.array([ldexp(int(each), -shift) for each in sums])


def with_values(
    tree: Tree, g: Floats, c: Floats, l2: float, keep: float, l1: float = 0.0, most: float = inf
) -> Tree:
    """The tree whose nodes have moved to the Newton step of the sums of their leaves.

    ``l1`` draws sums of gradients towards 0, and no step is larger than ``most``.
    """
    g, c = g.copy(), c.copy()
    for nodes in reversed(tree.levels()):
        inner = nodes[tree.ask[nodes] != LEAF]
        for node in inner.tolist():
            below = slice(tree.first[node], tree.first[node] + tree.width[node])
            g[node], c[node] = g[below].sum(), c[below].sum()
    reached, old = c > 0, tree.values[tree.value, 0]
    G = np.copysign(np.maximum(np.abs(g) - l1, 0.0), g)
    step = np.clip(-G / np.where(reached, c + l2, 1), -most, most)
    values = np.where(reached, keep * old + (1 - keep) * step, old)
    return replace(tree, value=np.arange(len(tree), dtype=np.int32), values=values[:, None])
