"""The members of a vote: as rules to read, and as fitted estimators."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone

from ...base.hypothesis import Stump
from ...base.messages.table import Table, printable
from ...base.trees.label_tree import LabelTree
from ...base.trees.rule import Rule
from ...base.trees.scored_tree import ScoredTree
from ...base.trees.splitter import Splitter
from ...base.votes.prior import Foreknown
from ...inspection.label_rules import LabelMember, label_rules
from ...inspection.merge_rules import votes_of
from ...inspection.rule_text import rule_texts
from ...inspection.tree_text import rule_condition
from ...intake.schema import Schema
from ...learners.tree import TreeHypothesis
from ..trees.base import TreeEstimator
from ..trees.stump import DecisionStumpClassifier, RuleClassifier
from ..trees.tree import DecisionTreeClassifier, DecisionTreeRegressor
from .weak_learner import BOOSTED_TREE


def rule_table(
    ensemble: Any, schema: Schema, classes: NDArray[Any], n: int | None, merge: bool = False
) -> Table:
    """One row a stump: round, test, then, else, if missing, vote; one a leaf of a tree; or one a
    rule. With ``merge`` members that ask the same are one, and the first column names all rounds.
    """
    names = ["round", "test", "then", "else", "if missing", "vote"]
    members = [h for _, h in ensemble]
    if _are(members, LabelTree):
        return label_rules(ensemble, schema, classes, n, merge)
    of_trees = _are(members, TreeHypothesis, ScoredTree)
    scores = _are(members, ScoredTree)
    if of_trees:
        names = ["round", "if", "then", "support", "error", "vote"]
    if scores:  # numbers, which are neither right nor wrong
        names.remove("error")
    of_rules = _are(members, Rule)
    if of_rules:
        names = ["round", "if", "then", "right", "wrong", "vote"]
    rows: list[tuple[Any, ...]] = []
    for t, vote, h in votes_of(ensemble, n, merge):
        if isinstance(h, Stump):
            rows.append((t, *rule_texts(schema, h, classes), vote))
        elif of_rules:
            label, counts = classes[-1], (h.right, h.wrong)
            if vote < 0:  # it speaks for the others
                label, counts = classes[0], counts[::-1]
            rows.append((t, rule_condition(schema, h), str(label), *counts, vote))
        elif of_trees:
            words = fitted_member(h, schema, classes, 0.0, 0)._words()
            rules = words.leaf_rules(_leaves_reached(h))
            rows += [(t, *rule[: len(names) - 2], vote) for rule in rules]
        else:
            rows.append((t, type(h.wrapped).__name__, "", "", "", vote))
    note = ""
    if scores and len(classes) == 2:
        note = f"then: what the score gains; above 0 speaks for {classes[1]}"
    if _are(members, Splitter):
        note += f"; it begins with {beginning(ensemble)}"
        names, rows = names[:-1], [row[:-1] for row in rows]  # its votes are in the numbers
    if of_rules:
        note = "right and wrong: where the rule holds, examples of the class in then, and others"
    source = _prior_of(ensemble)
    if source is not None:
        note = f"before the rules the score is the log-odds of the prior, {source}"
    if merge:
        names[0] = "rounds"
    return Table("rules", names, rows, note, shown=30 if n is None else len(rows))


def beginning(ensemble: Any) -> str:
    """The score of an alternating tree before its first question; of others nothing."""
    of_questions = _are([h for _, h in ensemble], Splitter)
    return f"{ensemble.base:.4g}" if of_questions else ""


def _prior_of(ensemble: Any) -> str | None:
    """What votes begin with, by name; None where that is nothing."""
    first = ensemble.parts[0]
    if not isinstance(first, Foreknown):
        return None
    source = first.prior.source
    return printable(getattr(source, "__name__", type(source).__name__))


def _leaves_reached(h: Any) -> list[int] | None:
    """The leaves of a splitter that training examples reached; None: all."""
    if not isinstance(h, Splitter):
        return None
    return [leaf for leaf, count in zip(h.outcomes, h.counts, strict=True) if count]


def _are(members: list[Any], *kinds: type) -> bool:
    return len(members) > 0 and all(isinstance(h, kinds) for h in members)


def fitted_member(
    h: Any, schema: Schema, classes: NDArray[Any], error: float, t: int, like: Any = None
) -> Any:
    """A member as a fitted estimator, with the settings of the one it is like.

    Stumps carry their error; stumps and trees have, as a seed, their number t.
    """
    if isinstance(h, Stump):
        settings = like.get_params() if isinstance(like, DecisionStumpClassifier) else {}
        stump = DecisionStumpClassifier(**(settings | {"random_state": t}))
        return stump._from_stump(h, schema, classes, error)
    if isinstance(h, TreeHypothesis):
        own = isinstance(like, TreeEstimator)
        tree = clone(like) if own else DecisionTreeClassifier(**BOOSTED_TREE)
        if "random_state" in tree.get_params():
            tree.set_params(random_state=t)
        return tree._keep(h.tree, schema, classes, h.criterion, h.gaps)
    if isinstance(h, LabelTree):
        return LabelMember(h, schema, classes, t)
    if isinstance(h, Rule):
        settings = like.get_params() if isinstance(like, RuleClassifier) else {}
        rule = RuleClassifier(**(settings | {"random_state": t}))
        return rule._from_rule(h, schema, classes, 1.0, error)
    if isinstance(h, ScoredTree):
        own = isinstance(like, DecisionTreeRegressor)
        scores = clone(like) if own else DecisionTreeRegressor(max_depth=h.tree.depth or None)
        scores.set_params(random_state=t)
        return scores._keep(h.tree, schema, classes, "squared_error", frozenset())
    return h.wrapped
