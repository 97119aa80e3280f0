"""Members that answer every label: as rules to read, and to be asked one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.label_tree import LabelTree
from ..base.sample import Rows
from ..base.table import Table, printable
from ..engines import LocalEngine
from .branch import Words
from .intake import Schema
from .merging import votes_of

Floats = NDArray[np.float64]

_TOLD = 4  # labels named in one line, those that it says most of


class LabelMember:
    """One member of a model of many labels, fitted.

    ``predict`` gives its answers: for each row a number for each label, above 0 where the label is
    likely. ``tree_`` holds its tests; of a stump ``feature_`` and ``threshold_`` tell the test.
    """

    def __init__(self, h: LabelTree, schema: Schema, labels: NDArray[Any]) -> None:
        self.tree_ = h.tree
        self.labels_ = labels
        self.n_features_in_ = schema.n_features
        self.feature_ = int(h.tree.feature[0])  # -1 where it asks nothing
        self.threshold_ = float(h.tree.threshold[0])
        self._h, self._schema = h, schema

    def predict(self, X: Any) -> Floats:
        """The answers, (rows, labels)."""
        return self._h.shares(Rows(self._schema.read(X), X, LocalEngine()))

    def rules(self) -> Table:
        """One row a leaf: its conditions, what it answers, and how many examples it had."""
        rows = list(leaf_rules(self._h, self._schema, self.labels_))
        return Table("rules", ["if", "then", "support"], rows)

    def __repr__(self) -> str:
        return f"LabelMember({self.tree_.n_leaves} leaves, {self.tree_.n_outputs} labels)"


def leaf_rules(h: LabelTree, schema: Schema, labels: NDArray[Any]) -> list[tuple[str, str, int]]:
    """Of every leaf: its conditions, its answer, and how many examples it had."""
    inner = ~h.tree.is_leaf
    gaps = frozenset(
        int(j)
        for j, width, missing in zip(
            h.tree.feature[inner], h.tree.width[inner], h.tree.missing[inner], strict=True
        )
        if missing == width - 1 and width > 2
    )

    def answer(node: int) -> str:
        return answer_text(h.tree.values[h.tree.value[node]], labels)

    words = Words(h.tree, schema, gaps, answer, lambda _: None)
    return [rule[:3] for rule in words.leaf_rules()]


def answer_text(answers: Floats, labels: NDArray[Any]) -> str:
    """The labels that an answer says most of, with its numbers; the largest first.

    >>> answer_text(np.array([0.1, -1.25, 0.5]), np.array(["a", "b", "c"]))
    'b -1.25, c +0.5, a +0.1'
    """
    order = np.argsort(-np.abs(answers), kind="stable").tolist()
    told = [f"{printable(str(labels[k]))} {answers[k]:+.3g}" for k in order[:_TOLD]]
    rest = len(order) - len(told)
    return ", ".join(told) + (f" and {rest} more" if rest > 0 else "")


def label_rules(
    ensemble: Any, schema: Schema, classes: NDArray[Any], n: int | None, merge: bool
) -> Table:
    """One row a leaf of every member: round, if, then, support, vote."""
    labels, of = classes, "label"
    if hasattr(ensemble, "code"):
        labels, of = np.array([f"bit {j}" for j in range(ensemble.n_classes)]), "bit"
    rows: list[tuple[Any, ...]] = []
    for t, vote, h in votes_of(ensemble, n, merge):
        rows += [(t, *rule, vote) for rule in leaf_rules(h, schema, labels)]
    names = ["rounds" if merge else "round", "if", "then", "support", "vote"]
    note = f"then: what the score of each {of} gains, of {_TOLD} at most"
    return Table("rules", names, rows, note, shown=30 if n is None else len(rows))
