"""Everything that can be chosen in the lab: closed tables, and ranges of numbers.

A request names rows of these tables. Nothing that comes from a page is ever a name of a class, a
path or an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from ..estimators.boosting.round_by_round import WatchedRound
from ..estimators.trees.bagging import BaggingClassifier
from ..estimators.trees.tree import DecisionTreeClassifier
from ..online import OnlinePerceptron
from ..registry import ROWS, Knob, class_of

Bound = Callable[[WatchedRound], float]


@dataclass(frozen=True)
class Range:
    """The range of a number in a request."""

    least: float
    most: float
    first: float  # the page's default
    whole: bool = True


@dataclass(frozen=True)
class Booster:
    """A booster that the page offers.

    ``bound`` is the bound on the training error after a round, where a theorem gives one.
    """

    name: str
    form: type[Any]
    summary: str
    bound: Bound | None = None
    knobs: tuple[Knob, ...] = ()

    def title(self, parameters: Mapping[str, float]) -> str:
        """Its name with the parameters that are not its defaults.

        >>> BOOSTERS["majority"].title({"gamma": 0.2})
        'Boost-by-majority, edge γ 0.2'
        """
        given = [knob for knob in self.knobs if knob.name in parameters]
        return ", ".join([self.name, *(f"{k.label} {parameters[k.name]:g}" for k in given)])


# The mean over the examples of a function of yF that is at least 1 where the vote is wrong.
BOUNDS: dict[str, Bound] = {
    "exponential": lambda r: r.bound,  # exp(-yF): the product of all Z
    "logistic": lambda r: r.metrics["loss"] / (len(r.F) * log(2)),  # log2(1 + exp(-yF))
    "capped": lambda r: r.metrics["potential"],  # min(1, exp(-yF))
}
BOOSTERS = {
    row.lab.key: Booster(
        row.lab.name,
        class_of(row),
        row.lab.summary,
        None if row.lab.bound is None else BOUNDS[row.lab.bound],
        row.lab.knobs,
    )
    for row in ROWS.values()
    if row.lab is not None
}


# Beside boosting: what grows or learns in rounds of its own.
METHODS = {
    "tree": Booster(
        "A decision tree, growing",
        DecisionTreeClassifier,
        "in every round the leaf that gains most is divided",
    ),
    "bagging": Booster(
        "Bagging",
        BaggingClassifier,
        "every rule learns from a bootstrap sample, and all votes are equal",
    ),
    "perceptron": Booster(
        "Perceptron",
        OnlinePerceptron,
        "a line that every mistake turns; areas count the mistakes",
    ),
}


@dataclass(frozen=True)
class Learner:
    """A weak learner that the page offers, with its Python code; a stump is every default."""

    name: str
    depth: int

    def estimator(self) -> Any:
        return None if self.depth == 1 else DecisionTreeClassifier(max_depth=self.depth)

    @property
    def code(self) -> str:
        return "" if self.depth == 1 else f"wl.DecisionTreeClassifier(max_depth={self.depth})"


LEARNERS = {
    "stump": Learner("stump (one test)", 1),
    "tree-2": Learner("tree of depth 2", 2),
    "tree-3": Learner("tree of depth 3", 3),
}

MOST_POINTS = 500
SPAN = 10.0  # the user's points lie between 0 and this

RANGES = {
    "n": Range(10, MOST_POINTS, 120),
    "noise": Range(0.0, 0.4, 0.0, whole=False),
    "held_out": Range(0.0, 0.5, 0.0, whole=False),
    "seed": Range(0, 9999, 0),
    "rounds": Range(1, 200, 40),
}
