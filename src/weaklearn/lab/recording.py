"""Recordings: the JSON object from which the page shows every round of one or two runs."""

from __future__ import annotations

import base64
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf, isfinite
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import WeaklearnWarning
from ..base.trees.tree_arrays import LEAF
from ..base.types import Floats
from ..estimators.boosting.round_by_round import WatchedRound, rounds
from ..estimators.trees.base import TreeEstimator
from ..estimators.trees.tree import DecisionTreeRegressor
from .choices import LEARNERS, SPAN, Booster
from .recipe import recipe
from .refusal import Refusal
from .scenes import OWN, SCENES
from .setting import Examples, Setting

AXES = ("x₁", "x₂")
Box = tuple[float, float, float, float]  # from x, y to x, y; ends may be infinite
PLANE: Box = (-inf, -inf, inf, inf)


def boxes(h: Any) -> list[Box]:
    """The boxes of a fitted stump or tree of two columns, from left to right and bottom to top.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> boxes(wl.DecisionStumpClassifier().fit(X, y))
    [(-inf, -inf, 2.5, inf), (2.5, -inf, inf, inf)]
    """
    if isinstance(h, TreeEstimator):
        return _under(h.tree_, 0, PLANE)
    return _halves(PLANE, int(h.feature_), float(h.threshold_))


def _under(tree: Any, node: int, box: Box) -> list[Box]:
    if tree.ask[node] == LEAF:
        return [box]
    halves = _halves(box, int(tree.feature[node]), float(tree.threshold[node]))
    first = int(tree.first[node])
    return [part for k, half in enumerate(halves) for part in _under(tree, first + k, half)]


def _halves(box: Box, feature: int, threshold: float) -> list[Box]:
    if not isfinite(threshold):  # a constant rule
        return [box]
    low, high = list(box), list(box)
    low[feature + 2] = high[feature] = threshold
    return [(low[0], low[1], low[2], low[3]), (high[0], high[1], high[2], high[3])]


def cuts(parts: list[Box], axis: int) -> set[float]:
    """The finite ends of boxes on an axis."""
    return {box[end] for box in parts for end in (axis, axis + 2) if isfinite(box[end])}


def inside(parts: list[Box]) -> Floats:
    """A point in each box."""
    return np.array([[_between(box[k], box[k + 2]) for k in (0, 1)] for box in parts], np.float64)


def _between(low: float, high: float) -> float:
    if isfinite(low) and isfinite(high):
        return (low + high) / 2
    if isfinite(low):
        return low + 1.0
    return high - 1.0 if isfinite(high) else 0.0


IsCancelled = Callable[[], bool]

MOST_CELLS = 96  # of the grid of regions, per axis
MOST_SECONDS = 6.0  # per run: half for the fit, half for the recording


@dataclass(frozen=True)
class Plane:
    """The part of the plane that is shown."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, X: Floats) -> Plane:
        """The bounding box of the points, with a margin."""
        low, high = X.min(axis=0), X.max(axis=0)
        room = np.where(high > low, 0.08 * (high - low), 0.5 + 0.05 * np.abs(low))
        low, high = low - room, high + room
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))

    def edges(self, parts: Sequence[list[Box]], axis: int) -> Floats:
        """The grid lines on an axis: the rules' thresholds if they are few, else evenly spaced."""
        low, high = self.low[axis], self.high[axis]
        found = sorted(cut for cut in set().union(*(cuts(p, axis) for p in parts)))
        within = [cut for cut in found if low < cut < high]
        if len(within) < MOST_CELLS:
            return np.array([low, *within, high])
        return np.linspace(low, high, MOST_CELLS + 1)


@dataclass(frozen=True)
class Points:
    """Labelled points, and the part of the plane that is shown with them."""

    name: str
    examples: Examples
    plane: Plane
    classes: Sequence[str] = ("−1", "+1")
    axes: Sequence[str] = ("", "")

    def scene(self) -> dict[str, Any]:
        """The points, their labels and the plane, as JSON."""
        found = self.examples
        return {
            "points": found.X.tolist(),
            "labels": self._codes(found.y),
            "flipped": np.flatnonzero(found.is_flipped).tolist(),
            "held": {"points": found.X_test.tolist(), "labels": self._codes(found.y_test)},
            "order": found.order.tolist(),
            "classes": list(self.classes),
            "axes": [f"{x} {name}".strip() for x, name in zip(AXES, self.axes)],
            "low": self.plane.low,
            "high": self.plane.high,
        }

    def _codes(self, labels: Any) -> list[int]:
        return [int(code) for code in np.searchsorted(np.unique(self.examples.y), labels)]


def record(
    setting: Setting, seconds: float = MOST_SECONDS, given_up: IsCancelled = lambda: False
) -> dict[str, Any]:
    """The recording of one or two runs on a set of points of the lab.

    ``given_up`` is called in every round; where it returns True, the run is cancelled.
    """
    found = setting.examples()
    points = Points("your own points", found, Plane((0.0, 0.0), (SPAN, SPAN)))
    if setting.data != OWN:
        plane = Plane.around(np.concatenate([found.X, found.X_test]))
        points = Points(SCENES[setting.data].name, found, plane)
    return record_points(setting, points, seconds, given_up) | {"code": recipe(setting)}


def record_points(
    setting: Setting,
    points: Points,
    seconds: float = MOST_SECONDS,
    given_up: IsCancelled = lambda: False,
) -> dict[str, Any]:
    """The recording of a setting on any points."""
    noise = f", {setting.noise:.0%} of the labels flipped" if setting.noise else ""
    learner = LEARNERS[setting.learner].name
    n, n_held = len(points.examples.y), len(points.examples.y_test)
    held = f", {n_held} more held out" if n_held else ""
    named = f"{_sentence(points.name)}: {n} points{held}{noise}"
    return {
        "title": " and ".join(booster.title(own) for booster, own in setting.runs),
        "lead": f"{named}. Weak learner: {learner}.",
        "scene": points.scene(),
        "runs": [
            _record_run(booster, own, setting, points, _Clock(seconds / 2, given_up))
            for booster, own in setting.runs
        ],
    }


def _record_run(
    booster: Booster, own: Mapping[str, float], setting: Setting, points: Points, clock: _Clock
) -> dict[str, Any]:
    """Fits one booster and returns the record of its rounds, of those that the time allows."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", WeaklearnWarning)
        learner = LEARNERS[setting.learner].estimator()
        model = booster.form(learner, n_estimators=setting.rounds, callbacks=[clock], **own)
        X, y = points.examples.X, points.examples.y
        model.fit(X, y)
        seen = []
        for watched in islice(rounds(model, X, y), len(clock.votes)):
            if clock.given_up():
                raise Refusal("the request was cancelled.", 503)
            seen.append(watched)
        shown = [r for r in seen if r.h is not None]
        if not shown:
            raise Refusal(f"no round can be fitted: {_why(seen)}.")
        parts = [boxes(r.h) for r in shown]
        across, up = (points.plane.edges(parts, axis) for axis in (0, 1))
        grid = np.array([(a, b) for b in _middles(up) for a in _middles(across)])
        votes = [clock.votes[r.t - 1] for r in shown]
        shades = np.array([_shades(F) for F in _stages(votes, model._rows(grid))], np.uint8)
        tested = _test_errors(votes, model, points.examples)
    notes = [_ending(seen, shown, clock, setting.rounds)]
    notes += [_sentence(str(warning.message)) for warning in noted]
    bound = booster.bound
    return {
        "name": booster.title(own),
        "summary": booster.summary,
        "notes": " ".join(dict.fromkeys(notes)).strip(),
        "rounds": len(shown),
        "rule": [r.rule for r in shown],
        "boxes": [_answers(r.h, part) for r, part in zip(shown, parts)],
        "epsilon": [finite_or_none(r.epsilon) for r in shown],
        "alpha": ["∞" if r.alpha == inf else finite_or_none(r.alpha) for r in shown],
        "error": [finite_or_none(r.error) for r in shown],
        "bound": [None if bound is None else finite_or_none(bound(r)) for r in shown],
        "test_error": tested,
        "coefficients": packed(_coefficients(votes)),
        "weights": packed(np.array([r.D for r in shown])),
        "margins": packed(np.nan_to_num(np.array([r.margins for r in shown]))),
        "across": across.tolist(),
        "up": up.tolist(),
        "regions": packed_steps(shades),
    }


class _Clock:
    """A callback that keeps the vote after each round, and stops the fit when the time is over."""

    def __init__(self, seconds: float, given_up: IsCancelled) -> None:
        self.votes: list[Any] = []
        self.late = False
        self.given_up = given_up
        self._end = monotonic() + seconds

    def __call__(self, t: int, state: Any, history: Any) -> bool:
        self.votes.append(state.ensemble)
        self.late = monotonic() > self._end
        return self.late or self.given_up()


def _stages(votes: list[Any], rows: Any) -> Iterator[Floats]:
    """The scores of rows after each round."""
    if len(votes[-1]) == len(votes):
        yield from votes[-1].stages(rows)
    else:  # a rule without error replaced the others
        for vote in votes:
            yield np.asarray(vote(rows))


def _test_errors(votes: list[Any], model: Any, examples: Examples) -> list[float | None]:
    """The share of the points held out that the vote misclassifies after each round."""
    if not len(examples.y_test):
        return [None] * len(votes)
    rows, classes = model._rows(examples.X_test), np.unique(examples.y)
    says = [classes[(F > 0).astype(int)] for F in _stages(votes, rows)]
    return [float(np.mean(said != examples.y_test)) for said in says]


def _coefficients(votes: list[Any]) -> Floats:
    """What the rule of each round votes with: one row, or a row per round where that changes."""
    home: dict[int, int] = {}
    table = np.zeros((len(votes), len(votes)))
    for t, vote in enumerate(votes):
        for alpha, h in vote:
            table[t, home.setdefault(id(h), t)] += alpha
    grown = np.tril(np.broadcast_to(table[-1], table.shape))
    return table[-1:] if np.array_equal(table, grown) else table


def _middles(edges: Floats) -> Floats:
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def _shades(F: Floats) -> NDArray[np.uint8]:
    """Scores as bytes: 128 is a tie, and the larger the score, the farther from it."""
    sizes = np.abs(F)
    top = float(np.quantile(sizes, 0.95)) or float(sizes.max()) or 1.0
    steps = np.maximum(np.ceil(127 * np.minimum(sizes / top, 1.0)), sizes > 0)
    return np.asarray(128 + np.sign(F) * steps, np.uint8)


def _answers(h: Any, parts: list[Box]) -> list[list[float | None]]:
    """The boxes of a rule, each followed by the class predicted there, 1 or 0, and the answer."""
    given = np.asarray(h.predict(inside(parts)))
    if isinstance(h, DecisionTreeRegressor):  # a rule that answers with scores
        answers = given.astype(float)
    else:
        answers = np.where(given == h.classes_[1], 1.0, -1.0)
    return [
        [*(finite_or_none(end) for end in box), int(answer > 0), float(answer)]
        for box, answer in zip(parts, answers)
    ]


def _ending(
    seen: list[WatchedRound], shown: list[WatchedRound], clock: _Clock, n_rounds: int
) -> str:
    """Why a run stopped before its last round; the last round seen may have found no rule."""
    if clock.late:
        return f"Stopped after {_rounds(len(clock.votes))}: it took too long."
    stop = seen[-1].stop
    if stop is None or len(shown) >= n_rounds:
        return ""
    return f"Ended after {_rounds(len(shown))}: {stop.value}."


def _why(seen: list[WatchedRound]) -> str:
    """Why not even one rule was found."""
    stop = seen[-1].stop if seen else None
    return "no rule is better than guessing" if stop is None else stop.value


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rounds(n: int) -> str:
    return "1 round" if n == 1 else f"{n} rounds"


# ------------------------------------------------------------------------------ arrays as text


def packed(rows: NDArray[Any]) -> str:
    """Numbers as little-endian float32, one row after another."""
    return _text(np.asarray(rows, "<f4").tobytes())


def packed_steps(rows: NDArray[np.uint8]) -> str:
    """Bytes, each row as its difference from the one before: little changes between rounds."""
    steps = rows.copy()
    steps[1:] -= rows[:-1]
    return _text(steps.tobytes())


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def finite_or_none(value: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinities: None in their place."""
    value = float(value)
    return value if isfinite(value) else None
