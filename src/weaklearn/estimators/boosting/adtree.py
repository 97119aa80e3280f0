"""Models to be read: the alternating decision tree, and the rules of SLIPPER."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.ensemble import StackedEnsemble
from ...base.hypothesis import WeakLearner
from ...base.messages.table import Table, printable
from ...base.rows import Binning, Rows
from ...base.sample import Sample
from ...base.votes.pairwise import class_pairs
from ...boosters import ADTree, Slipper
from ...inspection.adtree_text import Decision, Prediction, alternating, decisions, tree_text
from ...inspection.explanation import Explanation, Sum, Summand, explained
from ...inspection.merge_rules import votes_of
from ...inspection.tree_text import rule_condition
from ...intake import parameters
from ...intake.prepare import Prepared
from ...intake.schema import Schema
from ...learners.partition import CONDITION, ConditionLearner
from ...learners.rule import RuleLearner
from ...prediction.rows import two_classes
from ...registry import display
from ..fit import FitInputs
from ..gradient.folds import rounds_of_votes
from ..trees.stump import RuleClassifier
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

    def _booster_of_two(self, sample: Sample) -> Booster:
        depth = None if self.max_depth is None else int(self.max_depth)
        return ADTree(float(self.learning_rate), depth)

    def _nothing_learnt(self, prepared: Prepared) -> str:
        return "every row will be given the class that is the most frequent"

    # --------------------------------------------------------------------------------- describing

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

    def explain(self, X: Any, *, positive: Any = None) -> Explanation:
        """What every question adds to the score of every row; the base is the number of the root.

        ``positive`` is the class, of two, whose score it is: the model's own, else ``classes_[1]``.

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
            two_classes(self),
        ).of_positive(self, positive)


def _summand(rows: Rows, decision: Decision) -> Summand:
    where = f" [{', '.join(decision.way)}]" if decision.way else ""
    feature = decision.members[0][1].test[1]
    adds = sum((vote * h(rows) for vote, h in decision.members), np.zeros(len(rows)))
    return Summand(decision.question + where, (feature,), adds)


_MOST = 100  # rounds that folds try


@parameters.declared
class SlipperClassifier(TwoClassBoosting):
    """SLIPPER: a set of rules, each a reason for ``classes_[1]``, and a default against it.

    A rule is a conjunction of tests (x <= t, x > t, a category, a missing value) with a number. The
    numbers of all rules that hold for a row are added up: above 0 speaks for ``classes_[1]``. Rules
    are built one by one on reweighted examples, grown on a part of them and pruned on the rest.
    Only the default, which always holds, may have a negative number, so that the set can be read
    and checked rule by rule: ``print(model.to_text())``. A missing value meets no test but that for
    missing values.

    Parameters
    ----------
    estimator : None, "rule" or a RuleClassifier
        How single rules are built.
    n_estimators : "auto" or int, default "auto"
        Rounds; "auto" finds their number, 100 at most, by five folds (beyond 50,000 examples by one
        of them), and runs so many on all examples.
    learning_rate : float, default 1.0
        Factor on every number.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes have a set of rules for each against the rest, or for every two.
    min_weight_fraction_leaf : float, default 0.0
        No test leaves a rule a smaller share of the weight it is grown on.
    early_stopping : bool, default False
        Stop when the score on held-out rows has stayed below its best for ``n_iter_no_change``
        rounds, and keep the rounds up to the best one; it needs a number of rounds.

    Examples
    --------
    >>> from weaklearn import SlipperClassifier
    >>> X = [[k % 10, k // 10] for k in range(100)]
    >>> y = [int(3 <= a < 8 and b > 4) for a, b in X]
    >>> model = SlipperClassifier(n_estimators=4).fit(X, y)
    >>> print(model.to_text())
    rules for 1
      -1.111  always (25 of 100 are 1)
      +2.307  if x[1] > 4.5 and 2.5 < x[0] <= 7.5 (25 of 25 are 1)
      +1.857  if x[1] > 5.5 and 2.5 < x[0] <= 7.5 (20 of 20 are 1)
    (the numbers of all rules that hold are added up; above 0: 1)
    >>> model.score(X, y)
    1.0
    """

    n_estimators: int | Literal["auto"] = "auto"  # type: ignore[assignment]

    _rounds_by_folds = True

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not isinstance(self.estimator, RuleClassifier):
            allowed = [None, "rule"]
            if self.estimator is not None and not isinstance(self.estimator, str):
                raise TypeError(
                    f"estimator={self.estimator!r} builds no rules; pass None, 'rule' or a "
                    "RuleClassifier."
                )
            parameters.one_of("estimator", self.estimator, allowed)
        if self.early_stopping and self._finds_rounds:
            raise ValueError(
                "early_stopping=True and n_estimators='auto' both look for the number of rounds; "
                "set early_stopping=False, or pass a whole number of rounds."
            )

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        learner = RuleLearner()
        if isinstance(self.estimator, RuleClassifier):
            learner = self.estimator._native_learner()
        share = max(learner.least_share, float(self.min_weight_fraction_leaf))
        return replace(learner, least_share=share, seed=seed)

    def _booster_of_two(self, sample: Sample) -> Booster:
        return Slipper(float(self.learning_rate))

    @property
    def _most_rounds(self) -> int:
        return _MOST if self._finds_rounds else int(self.n_estimators)

    def _rounds_to_play(self, inputs: FitInputs) -> int:
        if not self._finds_rounds:
            return int(self.n_estimators)
        sample, learner = inputs.prepared.sample, inputs.learner
        return rounds_of_votes(
            self._make_booster, sample, learner, seed=inputs.seed, most_rounds=_MOST
        ).rounds

    # --------------------------------------------------------------------------------- describing

    def rules(
        self, n: int | None = None, *, merge: bool = True, feature_names: Any = None
    ) -> Table:
        """The rules of the first n rounds (all by default); those that came up again count once.

        ``feature_names`` says what columns are called where training did not see names, as those of
        a sparse matrix: ``pipeline[:-1].get_feature_names_out()`` knows what comes before a model.
        """
        return super().rules(n, merge=merge, feature_names=feature_names)

    def _sets(self) -> list[tuple[Any, list[tuple[float, Any]]]]:
        """Each set of rules with its label; in it the default rule first, then by weight."""
        check_is_fitted(self, "ensemble_")
        parts = self.ensemble_.parts
        labels = list(self.classes_) if len(parts) > 1 else [self.classes_[-1]]
        if self._scheme == "AllPairs":
            labels = [f"{b} against {a}" for a, b in class_pairs(self.classes_)]
        sets = []
        for part in parts:
            voting = [(vote, h) for _, vote, h in votes_of(part, None, merge=True)]
            sets.append(sorted(voting, key=lambda pair: (not pair[1].constant, -abs(pair[0]))))
        return list(zip(labels, sets, strict=True))

    def to_text(self) -> str:
        """The rules, a line each: the number, the conditions, and the examples it holds for."""
        texts = []
        for label, rules in self._sets():
            name = printable(str(label))
            lines = [_line(self._schema, vote, h, name) for vote, h in rules]
            about = f"(the numbers of all rules that hold are added up; above 0: {name})"
            texts.append("\n".join([f"rules for {name}", *lines, about]))
        return "\n\n".join(texts)

    def explain(self, X: Any, *, positive: Any = None) -> Explanation:
        """What every rule adds to the score of every row; the base is the default's number.

        ``positive`` is the class, of two, whose score it is: the model's own, else ``classes_[1]``.

        >>> import numpy as np
        >>> from weaklearn import SlipperClassifier
        >>> X = [[k % 10, k // 10] for k in range(100)]
        >>> model = SlipperClassifier(n_estimators=4).fit(X, [int(a > 3 < b) for a, b in X])
        >>> bool(np.allclose(model.explain(X).scores, model.decision_function(X)))
        True
        """
        rows = self._rows(X)
        sums = [self._sum(rows, label, rules) for label, rules in self._sets()]
        return explained(rows, sums, two_classes(self)).of_positive(self, positive)

    def _sum(self, rows: Rows, label: Any, rules: list[tuple[float, Any]]) -> Sum:
        base = sum(vote for vote, h in rules if h.constant)
        summands = [
            Summand(
                rule_condition(self._schema, h),
                tuple(dict.fromkeys(demand.feature for demand in h.demands)),
                vote * h(rows),
            )
            for vote, h in rules
            if not h.constant
        ]
        return Sum(label, base, summands)


def _line(schema: Schema, vote: float, h: Any, label: str) -> str:
    condition = rule_condition(schema, h)
    when = condition if h.constant else f"if {condition}"
    return f"{vote:+8.4g}  {when} ({h.right} of {h.right + h.wrong} are {label})"
