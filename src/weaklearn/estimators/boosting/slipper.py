"""SlipperClassifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from sklearn.utils.validation import check_is_fitted

from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.messages.table import Table, printable
from ...base.sample import Rows, Sample
from ...base.votes.pairwise import class_pairs
from ...boosters import Slipper
from ...inspection.explanation import Explanation
from ...inspection.merge_rules import votes_of
from ...inspection.score_terms import Sum, Summand, explained
from ...inspection.tree_text import rule_condition
from ...intake import parameters
from ...intake.schema import Schema
from ...learners.rule import RuleLearner
from ..fit import Game
from ..gradient.folds import rounds_of_votes
from ..trees.stump import RuleClassifier
from .classifier import TwoClassBoosting

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

    def _game_of_two(self, sample: Sample) -> Booster:
        return Slipper(float(self.learning_rate))

    @property
    def _most_rounds(self) -> int:
        return _MOST if self._finds_rounds else int(self.n_estimators)

    def _rounds_to_play(self, game: Game) -> int:
        if not self._finds_rounds:
            return int(self.n_estimators)
        sample, learner = game.prepared.sample, game.learner
        return rounds_of_votes(
            self._make_booster, sample, learner, seed=game.seed, most_rounds=_MOST
        ).rounds

    # ------------------------------------------------------------------------------------ telling

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

    def explain(self, X: Any) -> Explanation:
        """What every rule adds to the score of every row; the base is the default's number.

        >>> import numpy as np
        >>> from weaklearn import SlipperClassifier
        >>> X = [[k % 10, k // 10] for k in range(100)]
        >>> model = SlipperClassifier(n_estimators=4).fit(X, [int(a > 3 < b) for a, b in X])
        >>> bool(np.allclose(model.explain(X).scores, model.decision_function(X)))
        True
        """
        rows = self._rows(X)
        return explained(rows, [self._sum(rows, label, rules) for label, rules in self._sets()])

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
