"""The members of a vote: as rules to read, and as fitted estimators."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone

from ..base.scored_tree import ScoredTree
from ..base.table import Table
from ..learners.stump import Stump
from ..learners.tree import TreeHypothesis
from .grown import TreeEstimator
from .intake import Schema
from .reading import rule_texts
from .stump import DecisionStumpClassifier
from .tree import DecisionTreeClassifier, DecisionTreeRegressor
from .weak import BOOSTED_TREE


def rule_table(ensemble: Any, schema: Schema, classes: NDArray[Any], n: int | None) -> Table:
    """One row a stump: round, test, then, else, if missing, vote; or one a leaf of a tree."""
    names = ["round", "test", "then", "else", "if missing", "vote"]
    members = [h for _, h in ensemble]
    of_trees = _are(members, TreeHypothesis, ScoredTree)
    scores = _are(members, ScoredTree)
    if of_trees:
        names = ["round", "if", "then", "support", "error", "vote"]
    if scores:  # numbers, which are neither right nor wrong
        names.remove("error")
    rows: list[tuple[Any, ...]] = []
    for t, (vote, h) in enumerate(ensemble, start=1):
        if n is not None and t > n:
            break
        if isinstance(h, Stump):
            rows.append((t, *rule_texts(schema, h, classes), vote))
        elif of_trees:
            words = fitted_member(h, schema, classes, 0.0, t)._words()
            rows += [(t, *rule[: len(names) - 2], vote) for rule in words.leaf_rules()]
        else:
            rows.append((t, type(_inner(h)).__name__, "", "", "", vote))
    note = ""
    if scores and len(classes) == 2:
        note = f"then: what the score gains; above 0 speaks for {classes[1]}"
    return Table("rules", names, rows, note, shown=30 if n is None else len(rows))


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
    if isinstance(h, ScoredTree):
        own = isinstance(like, DecisionTreeRegressor)
        scores = clone(like) if own else DecisionTreeRegressor(max_depth=h.tree.depth or None)
        scores.set_params(random_state=t)
        return scores._keep(h.tree, schema, classes, "squared_error", frozenset())
    return _inner(h)


def _inner(h: Any) -> Any:
    """What a member wraps: an estimator, a function, or nothing."""
    return getattr(h, "estimator", getattr(h, "rule", h))
