"""Exact contributions of columns to sums of trees: SHAP values of trees, stumps by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.messages.table import Table, Tabular
from ..base.rows import Rows
from ..base.types import Floats
from ..intake import parameters
from ..intake.raw_column import Raw
from ..intake.schema import Schema
from ..prediction.positive import positive_code
from ..prediction.rows import class_list
from .explanation import Explanation, cells_of, other_side
from .rule_text import feature_name
from .tree_sum import Addend, TreeSum

_MOST_NUMBERS = 2**31  # of a table of interactions: 16 GB


class RawColumns(dict[int, Raw]):
    """The columns of rows as the user gave them, read on first use."""

    def __init__(self, rows: Rows, used: Sequence[int]) -> None:
        super().__init__(cells_of(rows, [(j,) for j in used]))
        self._rows = rows

    def __missing__(self, j: int) -> Raw:
        self.update(cells_of(self._rows, [(j,)]))
        return self[j]


@dataclass(frozen=True, eq=False, repr=False)
class Interactions(Tabular):
    """SHAP interaction values: the joint effect of every two columns on the scores of rows.

    ``values`` is (n, d, d), or (n, d, d, K) where there are K scores a row: a pair stands half at
    both of its places, and what a column does alone on the diagonal, so that a row of the table
    adds up to the column's contribution, and all of it with ``base`` to the score. Of two
    ``classes`` the score is that of the second named, as ``scale`` says.
    """

    base: Any
    values: Floats
    names: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    scale: str = "score"  # what the numbers are counted in
    classes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def of_positive(self, model: Any, positive: Any) -> Interactions:
        """Those of the class which is asked for, of two, or which the model was given."""
        if positive is None and not self.classes:
            return self
        name = str(class_list(model)[positive_code(model, positive)])
        if name == self.classes[1]:
            return self
        total, scale = other_side(self.scale, self.classes)
        return replace(
            self,
            base=total - self.base,
            values=-self.values,
            scale=scale,
            classes=self.classes[::-1],
        )

    def table(self, n: int | None = None) -> Table:
        """The n pairs of columns (all by default) that do most together, on average over the rows
        and, of several scores, in sum over them: the mean size of what they add.
        """
        if n is not None:
            parameters.integer("n", n, 1)
        sizes = 2 * np.abs(self.values).mean(axis=0) if len(self) else self.values.sum(axis=0)
        sizes = sizes.sum(axis=2) if sizes.ndim == 3 else sizes
        first, second = np.triu_indices(len(self.names), 1)
        found = sizes[first, second]
        order = [int(k) for k in np.argsort(-found, kind="stable") if found[k] > 0][:n]
        rows = [(self.names[first[k]], self.names[second[k]], float(found[k])) for k in order]
        note = "strength: the mean size, over the rows, of what the two add together"
        return Table("interactions", ["column", "with", "strength"], rows, note, shown=10)


def explained(
    summed: TreeSum,
    rows: Rows,
    schema: Schema,
    outputs: Sequence[str],
    scale: str,
    offset: Floats | None = None,
    classes: tuple[str, ...] = (),
) -> Explanation:
    """The contributions of columns; ``outputs`` names the scores if there are several.

    ``classes``: the two between which one score decides.
    """
    n, d, K = len(rows), schema.n_features, summed.n_outputs
    parts, base = np.zeros((n, d, K)), summed.base.copy()
    grown = [a for a in summed.addends if a.cover is not None]
    if grown:
        kernel = _kernel(grown, rows, K)
        parts += kernel.contributions(rows.cells, rows.engine.threads)
        base += kernel.base
    base += _add_stumps([a for a in summed.addends if a.cover is None], rows, parts)
    if summed.known is not None:
        offset = summed.known(rows)
    features = tuple((j,) for j in range(d))
    return Explanation(
        base=float(base[0]) if K == 1 else base,
        contributions=parts[:, :, 0] if K == 1 else parts,
        names=tuple(feature_name(schema, j) for j in range(d)),
        features=features,
        outputs=tuple(outputs) if K > 1 else (),
        scale=scale,
        cells=RawColumns(rows, summed.features),
        offset=offset,
        classes=classes if K == 1 else (),
    )


def interactions(
    summed: TreeSum,
    rows: Rows,
    schema: Schema,
    outputs: Sequence[str],
    scale: str,
    classes: tuple[str, ...] = (),
) -> Interactions:
    """The SHAP interaction values of rows; arguments as those of ``explained``."""
    n, d, K = len(rows), schema.n_features, summed.n_outputs
    refuse_many(n, d, K)
    pairs, base = np.zeros((n, d, d, K)), summed.base.copy()
    grown = [a for a in summed.addends if a.cover is not None]
    if grown:
        kernel = _kernel(grown, rows, K)
        pairs += kernel.interactions(rows.cells, rows.engine.threads)
        base += kernel.base
    alone = np.zeros((n, d, K))
    base += _add_stumps([a for a in summed.addends if a.cover is None], rows, alone)
    diagonal = np.arange(d)
    pairs[:, diagonal, diagonal] += alone
    return Interactions(
        base=float(base[0]) if K == 1 else base,
        values=pairs[..., 0] if K == 1 else pairs,
        names=tuple(feature_name(schema, j) for j in range(d)),
        outputs=tuple(outputs) if K > 1 else (),
        scale=scale,
        classes=classes if K == 1 else (),
    )


def refuse_many(n: int, d: int, K: int) -> None:
    """Refuses a table of interactions that does not fit into memory."""
    if n * d * d * K > _MOST_NUMBERS:
        raise ValueError(
            f"interactions of {n} rows and {d} columns are {n * d * d * K:.2g} numbers, more than "
            f"{_MOST_NUMBERS:.2g}; pass fewer rows at a time."
        )


def _kernel(addends: Sequence[Addend], rows: Rows, K: int) -> Any:
    cells = rows.cells
    return rows.engine.prediction.shapley(
        [a.tree for a in addends],
        [a.cover for a in addends if a.cover is not None],
        cells.n_features,
        cells.n_categories,
        votes=np.array([a.vote for a in addends]),
        outputs=np.array([a.output for a in addends], np.int32),
        n_outputs=K,
    )


def _add_stumps(stumps: Sequence[Addend], rows: Rows, parts: Floats) -> Floats:
    """Adds each stump to the part of its column; returns the sum of the constant ones."""
    base = np.zeros(parts.shape[2])
    for feature in sorted({a.feature for a in stumps}):
        of_feature = [a for a in stumps if a.feature == feature]
        added = TreeSum(np.zeros(len(base)), tuple(of_feature))
        if feature >= 0:
            parts[:, feature] += added.scores(rows)
            continue
        for a in of_feature:
            base[a.scores] += a.vote * a.tree.values[a.tree.value[0]]
    return base
