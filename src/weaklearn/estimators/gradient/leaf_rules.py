"""The leaves of trees of gradients, in words and row by row, and what splits gained."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.messages.table import Spelled, Table
from ...base.trees.tree import Tree
from ...base.types import Floats
from ...base.votes.linear_trees import LinearTrees
from ...inspection.merge_rules import refuse_merge
from ...inspection.rule_text import renamed
from ...inspection.tree_text import Words
from ...intake import parameters
from . import tree_controls

if TYPE_CHECKING:
    from .model import GradientBoostingModel

_LISTED = 6  # scores of which it is said where they start


def rules(
    self: GradientBoostingModel,
    n: int | None = None,
    *,
    merge: bool = False,
    feature_names: Any = None,
) -> Table:
    """The leaves of the first n rounds (all by default): if, then how far the score moves.

    ``merge`` must be False: trees of different rounds have no leaves in common.

    ``feature_names`` says what columns are called where training did not see names, as those of
    a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
    """
    check_is_fitted(self, "ensemble_")
    schema = renamed(self._schema, feature_names)
    refuse_merge(merge, "trees of different rounds have no leaves in common")
    if isinstance(self.ensemble_, LinearTrees):
        raise TypeError(
            "linear_leaves=True gives leaves slopes, which no rule tells: read "
            "ensemble_.trees[k].slopes, or fit with linear_leaves=False."
        )
    if n is not None:
        parameters.integer("n", n, 0, None, "None")
    rounds = self.ensemble_ if n is None else tree_controls.staged(self, n)
    rows: list[tuple[Any, ...]] = []
    for t, (vote, trees) in enumerate(rounds, start=1):
        for k, tree in enumerate(trees):
            step = functools.partial(_step, vote, tree)
            words = Words(tree, schema, self._gaps, step, lambda node: None)
            leaves = words.leaf_rules()
            mark = (self._output_name(k),) if len(trees) > 1 else ()
            rows += [(t, *mark, *row[:3]) for row in leaves]
    several = ["for"] if self.ensemble_.n_outputs > 1 else []
    return Table(
        "rules", ["round", *several, "if", "score", "support"], rows, _starts(self), shown=30
    )


def apply(self: GradientBoostingModel, X: Any) -> NDArray[np.int32]:
    """The leaf each row reaches in every tree, (n, trees)."""
    rows = self._rows(X)
    return np.asarray(self.ensemble_.leaves(rows))


def feature_importances(self: GradientBoostingModel) -> Floats:
    """The share of all gain that splits on each feature brought."""
    check_is_fitted(self, "ensemble_")
    gains = np.zeros(self.n_features_in_)
    for tree in self.ensemble_.trees:
        inner = ~tree.is_leaf
        np.add.at(gains, tree.feature[inner], tree.gain[inner])
    total = gains.sum()
    return gains / total if total > 0 else gains


def _starts(self: GradientBoostingModel) -> str:
    """Where the scores of a row start, to which its leaves are added."""
    base = self.ensemble_.base
    if len(base) == 1:
        return f"every score starts at {base[0]:.4g} ({self._explained_scale()})"
    first = ", ".join(f"{b:.4g} ({self._output_name(k)})" for k, b in enumerate(base[:_LISTED]))
    more = f" and {len(base) - _LISTED:,} more (ensemble_.base)" if len(base) > _LISTED else ""
    return f"the scores start at {first}{more}"


def _step(vote: float, tree: Tree, node: int) -> Spelled:
    """How far a node moves the score."""
    value = float(vote * tree.values[node, 0])
    return Spelled(value, f"{value:+.4g}")
