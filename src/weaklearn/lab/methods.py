"""What the page shows beside boosting: a tree as it grows, bagging, and the perceptron."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..base.types import Floats
from ..estimators.trees.bagging import BaggingClassifier
from ..estimators.trees.tree import DecisionTreeClassifier
from ..online import OnlinePerceptron
from .choices import LEARNERS, METHODS, Booster
from .plane import (
    MOST_CELLS,
    Points,
    answered,
    boxes,
    inside,
    middles,
    packed,
    packed_steps,
    shades,
)
from .refusal import Refusal
from .setting import Setting

IsCancelled = Callable[[], bool]


@dataclass(frozen=True)
class Stage:
    """A round: what is new in it, and the scores of rows after it; of bagging what it adds."""

    rule: str
    score: Callable[[Floats], Floats]  # above 0 for the second class
    weight: Floats  # of each point; any sum
    boxes: list[list[float | None]]  # of the new rule, with its answers
    line: list[float] | None = None  # a, b, c where the rule is a x1 + b x2 + c > 0
    epsilon: float | None = None


def record_method(
    method: Booster, setting: Setting, points: Points, given_up: IsCancelled
) -> dict[str, Any]:
    """The record of a run that is no boosting, in the form of a booster's."""
    name = next(key for key, row in METHODS.items() if row is method)
    found = points.examples
    signs = np.where(found.y == np.unique(found.y)[1], 1, -1)
    stages = {"tree": _tree, "bagging": _bagging, "perceptron": _perceptron}[name](
        setting, found.X, signs, given_up
    )
    if not stages:
        raise Refusal("no round can be shown: nothing is learnt from these points.")
    T = len(stages)
    parts = [[tuple(box[:4]) for box in stage.boxes] for stage in stages]
    across, up = (points.plane.edges(_finite(parts), axis) for axis in (0, 1))
    if stages[0].line is not None:
        low, high = points.plane.low, points.plane.high
        across, up = (np.linspace(low[k], high[k], MOST_CELLS + 1) for k in (0, 1))
    grid = np.array([(a, b) for b in middles(up) for a in middles(across)])
    sums = name == "bagging"
    F = _scores(stages, found.X, sums)
    margins = [f * signs / (np.abs(f).max() or 1.0) for f in F]
    tested: list[float | None] = [None] * T
    if len(found.y_test):
        truth = found.y_test == np.unique(found.y)[1]
        tested = [float(np.mean((f > 0) != truth)) for f in _scores(stages, found.X_test, sums)]
    return {
        "name": method.name,
        "summary": method.summary,
        "notes": "" if setting.rounds == T else f"Ended after {T} rounds: nothing is left to do.",
        "rounds": T,
        "rule": [stage.rule for stage in stages],
        "boxes": [stage.boxes for stage in stages],
        "lines": None if stages[0].line is None else [stage.line for stage in stages],
        "epsilon": [stage.epsilon for stage in stages],
        "alpha": [1.0 if sums else None] * T,
        "error": [float(np.mean((f > 0) != (signs > 0))) for f in F],
        "bound": [None] * T,
        "test_error": tested,
        "coefficients": packed(np.ones((1, T)) if sums else np.eye(T)),
        "weights": packed(np.array([stage.weight / stage.weight.sum() for stage in stages])),
        "margins": packed(np.array(margins)),
        "across": across.tolist(),
        "up": up.tolist(),
        "regions": packed_steps(np.array([shades(f) for f in _scores(stages, grid, sums)])),
    }


def _scores(stages: list[Stage], rows: Floats, sums: bool) -> Floats:
    """The scores of rows after each round."""
    found = np.array([stage.score(rows) for stage in stages])
    return np.cumsum(found, axis=0) if sums else found


def _finite(parts: list[list[Any]]) -> list[list[Any]]:
    """Boxes whose open ends are infinite again."""
    ends = (-np.inf, -np.inf, np.inf, np.inf)
    return [
        [tuple(end if v is None else v for v, end in zip(box, ends)) for box in boxes_of]
        for boxes_of in parts
    ]


def _tree(setting: Setting, X: Floats, y: Any, given_up: IsCancelled) -> list[Stage]:
    """A tree with one leaf more in every round."""
    stages: list[Stage] = []
    for t in range(1, setting.rounds + 1):
        _check(given_up)
        model = DecisionTreeClassifier(max_leaf_nodes=t + 1).fit(X, y)
        if model.get_n_leaves() < t + 1:
            break
        stages.append(
            Stage(
                f"a tree of {t + 1} leaves",
                partial(_sureness, model),
                np.ones(len(y)),
                _answers(model),
            )
        )
    return stages


def _bagging(setting: Setting, X: Floats, y: Any, given_up: IsCancelled) -> list[Stage]:
    """One rule more in every round, each learnt from a sample drawn with replacement."""
    learner = LEARNERS[setting.learner].estimator() or DecisionTreeClassifier(max_depth=1)
    model = BaggingClassifier(learner, n_estimators=setting.rounds, random_state=setting.seed)
    model.fit(X, y)
    stages: list[Stage] = []
    for t, h in enumerate(model.estimators_):
        _check(given_up)
        drawn = np.bincount(model.estimators_samples_[t], minlength=len(y))
        stages.append(
            Stage(
                f"rule {t + 1}, from {np.count_nonzero(drawn)} of the points",
                partial(_vote, h),
                drawn.astype(float),
                _answers(h),
                epsilon=float(np.mean(h.predict(X) != y)),
            )
        )
    return stages


def _perceptron(setting: Setting, X: Floats, y: Any, given_up: IsCancelled) -> list[Stage]:
    """One mistake a round: the line after it."""
    learner, mistakes = OnlinePerceptron(fit_intercept=True), np.zeros(len(y))
    stages: list[Stage] = []
    while len(stages) < setting.rounds:
        _check(given_up)
        before = len(stages)
        for i, (x, label) in enumerate(zip(X, y)):
            learner.update(x, int(label))
            if learner.mistakes == mistakes.sum() or len(stages) == setting.rounds:
                continue
            mistakes[i] += 1
            assert learner.w is not None
            stages.append(_line(learner.w, 0.25 + mistakes))
        if len(stages) == before:
            break
    return stages


def _sureness(model: DecisionTreeClassifier, rows: Floats) -> Floats:
    return np.asarray(2 * model.predict_proba(rows)[:, 1] - 1)


def _vote(h: DecisionTreeClassifier, rows: Floats) -> Floats:
    return np.asarray(h.predict(rows), np.float64)


def _answers(h: DecisionTreeClassifier) -> list[list[float | None]]:
    """The boxes of a rule that answers -1 or 1, or one of them where it saw one class alone."""
    parts = boxes(h)
    return answered(parts, _vote(h, inside(parts)))


def _line(w: Floats, weight: Floats) -> Stage:
    a, b, c = w.tolist()
    rule = f"{a:.3g} x[0] {b:+.3g} x[1] {c:+.3g} > 0: 1, else -1"

    def score(rows: Floats) -> Floats:
        return np.asarray(rows @ np.array([a, b]) + c)

    return Stage(rule, score, weight, [], [a, b, c])


def _check(given_up: IsCancelled) -> None:
    if given_up():
        raise Refusal("the request was cancelled.", 503)
