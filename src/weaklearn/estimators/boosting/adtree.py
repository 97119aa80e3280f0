"""ADTreeClassifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.ensemble import StackedEnsemble
from ...base.hypothesis import WeakLearner
from ...base.sample import Binning, Rows, Sample
from ...base.votes.pairwise import class_pairs
from ...boosters import ADTree
from ...inspection.adtree_text import Decision, Prediction, alternating, decisions, tree_text
from ...inspection.explanation import Explanation, Sum, Summand, explained
from ...intake import parameters
from ...intake.prepare import Prepared
from ...intake.schema import Schema
from ...learners.partition import CONDITION, ConditionLearner
from ...registry import display
from .classifier import TwoClassBoosting


@parameters.declared
class ADTreeClassifier(TwoClassBoosting):
    """An alternating decision tree: questions, and numbers that their answers add to a score.

    Every round asks one more question, of all rows or of those that gave a certain answer to an
    earlier one. A row follows all ways that are open to it, not one as in a decision tree, and the
    numbers it meets are added up: above 0 speaks for ``classes_[1]``. So a few questions make a
    model that can be read, drawn (``plot``) and checked by hand.

    A missing value has an answer of its own where training met one; elsewhere it adds nothing.

    Parameters
    ----------
    estimator : None or "stump"
        Questions are stumps: x > threshold, or a category.
    n_estimators : int, default 20
        Questions at most.
    max_depth : int, optional
        At most so many questions one after another; with 1 all are asked of all rows.
    learning_rate : float, default 1.0
        Factor on every number but that of the root.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes have a tree for each against the rest, or for every two.
    min_weight_fraction_leaf : float, default 0.0
        The least share, on each side of a question, of the weight of the rows that are asked.

    Examples
    --------
    >>> from weaklearn import ADTreeClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = ADTreeClassifier(n_estimators=3).fit(X, y)
    >>> print(model.to_text())
    all rows: +0 (10)
    [1] x[0] > 2.5
    |   yes: -0.2027 (8)
    |   |   [2] x[1] > 6.5
    |   |   |   yes: +0.4726 (4)
    |   |   |   |   [3] x[0] > 8.5
    |   |   |   |   |   yes: -0.4186 (1)
    |   |   |   |   |   no: +0.5955 (3)
    |   |   |   no: -0.7253 (4)
    |   no: +0.5493 (2)
    (the score of a row is the sum of the numbers on its ways; above 0: 1)
    >>> print(model.certify(X, y)[0].verdict)
    holds
    """

    n_estimators: int = 20
    max_depth: int | None = None

    _product_bounds = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("estimator", self.estimator, [None, "stump"])
        if self.max_depth is not None:
            parameters.integer("max_depth", self.max_depth, 1, None, "None")

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        share = float(self.min_weight_fraction_leaf)
        return ConditionLearner(replace(CONDITION, least_share=share))

    @property
    def _binning(self) -> Binning:
        return CONDITION.binning

    def _game_of_two(self, sample: Sample) -> Booster:
        depth = None if self.max_depth is None else int(self.max_depth)
        return ADTree(float(self.learning_rate), depth)

    def _nothing_learnt(self, prepared: Prepared) -> str:
        return "every row will be given the class that is the most frequent"

    # ------------------------------------------------------------------------------------ telling

    def _trees(self) -> list[tuple[Any, Prediction]]:
        """The tree, or that of each binary problem, with the label that scores above 0 mean."""
        check_is_fitted(self, "ensemble_")
        stacked = isinstance(self.ensemble_, StackedEnsemble)
        parts = self.ensemble_.parts if stacked else None
        if parts is None:
            return [(self.classes_[-1], alternating(self.ensemble_, self._schema))]
        labels = list(self.classes_)
        if self._scheme != "OneVsRest":
            labels = [f"{b} against {a}" for a, b in class_pairs(self.classes_)]
        trees = (alternating(part, self._schema) for part in parts)
        return list(zip(labels, trees, strict=True))

    def to_text(self) -> str:
        """The tree as indented lines; of more than two classes one tree after another.

        A question stands behind the rounds in which it came up, and below it are its answers, each
        with what it adds and, in brackets, how many training examples gave it.
        """
        trees = self._trees()
        texts = [tree_text(root, label) for label, root in trees]
        if len(trees) > 1:
            texts = [f"{label}\n{text}" for (label, _), text in zip(trees, texts, strict=True)]
        return "\n\n".join(texts)

    def plot(self, **settings: Any) -> Any:
        """A picture of the tree: see weaklearn.show.AlternatingTreeDisplay.

        Of several classes, which have a tree each, ``output="name"`` draws that of one, by default
        the first; ``n=10`` draws the first ten rounds, ``counts=False`` no numbers of examples, and
        ``ax=`` draws on axes of yours.
        """
        return display("AlternatingTreeDisplay").from_estimator(self, **settings)

    def explain(self, X: Any) -> Explanation:
        """What every question adds to the score of every row; the base is the number of the root.

        >>> import numpy as np
        >>> from weaklearn import ADTreeClassifier, datasets
        >>> X, y = datasets.toy()
        >>> model = ADTreeClassifier(n_estimators=3).fit(X, y)
        >>> why = model.explain(X)
        >>> bool(np.allclose(why.scores, model.decision_function(X)))
        True
        """
        rows = self._rows(X)
        return explained(
            rows,
            [
                Sum(label, root.number, [_summand(rows, each) for each in decisions(root)])
                for label, root in self._trees()
            ],
        )


def _summand(rows: Rows, decision: Decision) -> Summand:
    where = f" [{', '.join(decision.way)}]" if decision.way else ""
    feature = decision.members[0][1].test[1]
    adds = sum((vote * h(rows) for vote, h in decision.members), np.zeros(len(rows)))
    return Summand(decision.question + where, (feature,), adds)
