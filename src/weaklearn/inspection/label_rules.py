"""The members of multi-label ensembles: as rules, and as models of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.table import Table, printable
from ..base.rows import Rows
from ..base.trees.label_tree import LabelTree
from ..base.trees.splitter import asks_if_known
from ..base.trees.tree import MULTIWAY
from ..base.types import Floats
from ..base.votes.label_scores import CodedScores
from ..engines import on_threads
from ..intake.schema import Schema
from .merge_rules import votes_of
from .tree_text import Words

_SHOWN = 4  # labels named in one line


class LabelMember:
    """One fitted member of a multi-label model.

    ``predict`` gives its answers: for each row a number for each label, above 0 where the label is
    likely. ``tree_`` holds its tests; of a stump ``feature_`` and ``threshold_`` tell the test.
    """

    def __init__(
        self, h: LabelTree, schema: Schema, labels: NDArray[Any], random_state: int
    ) -> None:
        self.tree_ = h.tree
        self.labels_ = labels
        self.random_state = random_state  # its number, as other members have it
        self.n_features_in_ = schema.n_features
        self.feature_ = int(h.tree.feature[0])  # -1 where it asks nothing
        self.threshold_ = float(h.tree.threshold[0])
        self._h, self._schema = h, schema

    def predict(self, X: Any) -> Floats:
        """The scores, (rows, labels)."""
        return self._h(Rows(self._schema.read(X), X, on_threads()))

    def rules(self) -> Table:
        """One row per leaf: its conditions, its scores, and its number of examples."""
        words = words_of(self._h, self._schema, self.labels_)
        return Table("rules", ["if", "then", "support"], [r[:3] for r in words.leaf_rules()])

    def __repr__(self) -> str:
        return f"LabelMember({self.tree_.n_leaves} leaves, {self.tree_.n_outputs} labels)"


def words_of(h: LabelTree, schema: Schema, labels: NDArray[Any]) -> Words:
    """The text writer of a label tree; missing values have leaves of their own."""
    return Words(h.tree, schema, frozenset(), _answers(h, labels), lambda _: None)


def _answers(h: LabelTree, labels: NDArray[Any]) -> Callable[[int], str]:
    return lambda node: answer_text(h.tree.values[h.tree.value[node]], labels)


def answer_text(answers: Floats, labels: NDArray[Any]) -> str:
    """Labels with their scores; of many those spoken for most, then those most spoken against.

    Where all are spoken against, those least.

    >>> answer_text(np.array([0.1, -1.25, 0.5]), np.array(["a", "b", "c"]))
    'a +0.1, b -1.25, c +0.5'
    >>> answer_text(np.array([0.1, -1.25, 0.5, -0.2, -0.3]), np.array(list("abcde")))
    'c +0.5, a +0.1, b -1.25, e -0.3 and 1 more'
    >>> answer_text(-np.arange(1.0, 6.0), np.array(list("abcde")))
    'a -1, b -2, c -3, d -4 and 1 more'
    """
    most = list(range(len(answers)))
    if len(answers) > _SHOWN:
        most.sort(key=lambda k: -answers[k])
        if answers[most[0]] > 0:
            most.sort(key=lambda k: (answers[k] <= 0, -abs(answers[k])))
        most = most[:_SHOWN]
    texts = [f"{printable(str(labels[k]))} {answers[k]:+.3g}" for k in most]
    rest = len(answers) - len(texts)
    return ", ".join(texts) + (f" and {rest} more" if rest > 0 else "")


def label_rules(
    ensemble: Any, schema: Schema, classes: NDArray[Any], n: int | None, merge: bool
) -> Table:
    """One row per stump: round, test, then, else, if missing, vote; or one per leaf."""
    labels, of = classes, "label"
    if isinstance(ensemble, CodedScores):
        labels, of = np.array([f"bit {j}" for j in range(ensemble.n_classes)]), "bit"
    voting = votes_of(ensemble, n, merge)
    stumps = all(_is_stump(h) for _, _, h in voting)
    names = ["test", "then", "else", "if missing"] if stumps else ["if", "then", "support"]
    rows: list[tuple[Any, ...]] = []
    for t, vote, h in voting:
        if stumps:
            rows.append((t, *stump_texts(h, schema, labels), vote))
        else:
            texts = words_of(h, schema, labels).leaf_rules()
            rows += [(t, *rule[:3], vote) for rule in texts]
    note = f"what the score of each {of} gains"
    if len(labels) > _SHOWN:
        note = f"what the scores of {_SHOWN} {of}s gain, those first that a rule speaks for"
    names = ["rounds" if merge else "round", *names, "vote"]
    return Table("rules", names, rows, note, shown=30 if n is None else len(rows))


def _is_stump(h: LabelTree) -> bool:
    """Whether the tree has at most one test, with two outcomes."""
    return bool((~h.tree.is_leaf[1:]).sum() == 0 and h.tree.ask[0] != MULTIWAY)


def stump_texts(h: LabelTree, schema: Schema, labels: NDArray[Any]) -> tuple[str, str, str, str]:
    """The texts of test, then, else, and if missing."""
    tree, answer = h.tree, _answers(h, labels)
    if h.constant:
        return "always", answer(0), "", answer(0)
    first, words = int(tree.first[0]), words_of(h, schema, labels)
    missing = answer(first + int(tree.missing[0]))
    if asks_if_known(tree, 0):
        return next(words.leaf_rules())[0], answer(first), "", missing
    return words.question(0), answer(first + 1), answer(first), missing
