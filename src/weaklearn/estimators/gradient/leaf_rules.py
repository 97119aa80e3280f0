"""The leaves of trees of gradients, in words."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from ...base.messages.table import Spelled, Table
from ...base.trees.tree import Tree
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
