"""A game as a film: everything that a page needs to show its rounds, and nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.notice import WeaklearnWarning
from ..estimators.classroom import WatchedRound, rounds
from .boxes import Box, boxes, cuts, inside
from .choices import BOOSTERS, LEARNERS, SPAN, Booster
from .packing import packed, packed_steps, told
from .recipe import recipe
from .refusal import Refusal
from .scenes import OWN
from .setting import Setting

Floats = NDArray[np.float64]

MOST_CELLS = 96  # of the regions, each way
MOST_SECONDS = 6.0  # of play, a game


@dataclass(frozen=True)
class Plane:
    """The part of the plane that is shown."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, X: Floats) -> Plane:
        """What holds all points, with some room around them."""
        low, high = X.min(axis=0), X.max(axis=0)
        room = np.where(high > low, 0.08 * (high - low), 0.5)
        low, high = low - room, high + room
        return cls((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))

    def edges(self, parts: Sequence[list[Box]], axis: int) -> Floats:
        """The ends of cells on an axis: at every cut where there are few, else even ones."""
        low, high = self.low[axis], self.high[axis]
        found = sorted(cut for cut in set().union(*(cuts(p, axis) for p in parts)))
        within = [cut for cut in found if low < cut < high]
        if len(within) < MOST_CELLS:
            return np.array([low, *within, high])
        return np.linspace(low, high, MOST_CELLS + 1)


def film(setting: Setting, seconds: float = MOST_SECONDS) -> dict[str, Any]:
    """One or two games of a setting, played and recorded for a page."""
    X, y = setting.sample()
    plane = Plane((0.0, 0.0), (SPAN, SPAN)) if setting.data == OWN else Plane.around(X)
    title = " and ".join(BOOSTERS[name].name for name in setting.boosters)
    return {
        "title": title,
        "scene": scene(X, y, plane, ["−1", "+1"]),
        "games": [_game(name, setting, X, y, plane, seconds) for name in setting.boosters],
        "code": recipe(setting),
    }


def scene(X: Floats, y: Any, plane: Plane, names: Sequence[str]) -> dict[str, Any]:
    """The points, and the plane they lie in."""
    return {
        "points": [[round(float(a), 6), round(float(b), 6)] for a, b in X],
        "labels": np.unique(y, return_inverse=True)[1].tolist(),
        "classes": list(names),
        "low": plane.low,
        "high": plane.high,
    }


def _game(
    name: str, setting: Setting, X: Floats, y: Any, plane: Plane, seconds: float
) -> dict[str, Any]:
    booster = BOOSTERS[name]
    estimator = LEARNERS[setting.learner].estimator()
    return game(booster, estimator, setting.rounds, X, y, plane, seconds)


def game(
    booster: Booster,
    estimator: Any,
    n_rounds: int,
    X: Floats,
    y: Any,
    plane: Plane,
    seconds: float = MOST_SECONDS,
) -> dict[str, Any]:
    """Plays and records one game; where time runs out, the rounds played until then."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", WeaklearnWarning)
        clock = _Clock(seconds)
        model = booster.form(n_estimators=n_rounds, estimator=estimator, callbacks=[clock])
        model.fit(X, y)
        seen = list(islice(rounds(model, X, y), len(clock.votes)))
        played = [r for r in seen if r.h is not None]
        if not played:
            raise Refusal("no rule is better than a coin here: nothing can be played.")
        parts = [boxes(r.h) for r in played]
        across, up = (plane.edges(parts, axis) for axis in (0, 1))
        grid = np.array([(a, b) for b in _middles(up) for a in _middles(across)])
        votes = [clock.votes[r.t - 1] for r in played]
        levels = np.array([_levels(F) for F in _stages(votes, model._rows(grid))], np.uint8)
    remarks = [str(warning.message) for warning in noted]
    return {
        "name": booster.name,
        "said": booster.said,
        "told": " ".join(dict.fromkeys([_ending(seen, clock, n_rounds), *remarks])).strip(),
        "rounds": len(played),
        "rule": [r.rule for r in played],
        "boxes": [_answers(r.h, part) for r, part in zip(played, parts)],
        "epsilon": [told(r.epsilon) for r in played],
        "alpha": ["∞" if r.alpha == inf else told(r.alpha) for r in played],
        "error": [told(r.error) for r in played],
        "bound": [None if booster.bound is None else told(booster.bound(r)) for r in played],
        "weights": packed(np.array([r.D for r in played])),
        "margins": packed(np.nan_to_num(np.array([r.margins for r in played]))),
        "across": across.tolist(),
        "up": up.tolist(),
        "regions": packed_steps(levels),
    }


class _Clock:
    """Keeps the vote after each round, and asks for an end when the time is over."""

    def __init__(self, seconds: float) -> None:
        self.votes: list[Any] = []
        self.late = False
        self._end = monotonic() + seconds

    def __call__(self, t: int, state: Any, history: Any) -> bool:
        self.votes.append(state.ensemble)
        self.late = monotonic() > self._end
        return self.late


def _stages(votes: list[Any], rows: Any) -> Iterator[Floats]:
    """The scores of rows after each round."""
    if len(votes[-1]) == len(votes):
        yield from votes[-1].stages(rows)
    else:  # a rule without error came to stand alone
        for vote in votes:
            yield np.asarray(vote(rows))


def _middles(edges: Floats) -> Floats:
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def _levels(F: Floats) -> NDArray[np.uint8]:
    """Scores as bytes: 128 is a tie, and the clearer the vote, the farther from it."""
    sizes = np.abs(F)
    top = float(np.quantile(sizes, 0.95)) or float(sizes.max()) or 1.0
    steps = np.maximum(np.ceil(127 * np.minimum(sizes / top, 1.0)), sizes > 0)
    return np.asarray(128 + np.sign(F) * steps, np.uint8)


def _answers(h: Any, parts: list[Box]) -> list[list[float | None]]:
    """The boxes of a rule with 1 or 0 after each: which class it answers there."""
    given = np.asarray(h.predict(inside(parts)))
    if hasattr(h, "tree_") and not hasattr(h, "predict_proba"):  # a rule that answers with scores
        says = given > 0
    else:
        says = given == h.classes_[1]
    return [[*(told(end) for end in box), int(say)] for box, say in zip(parts, says)]


def _ending(seen: list[WatchedRound], clock: _Clock, n_rounds: int) -> str:
    """Why a game ended before its rounds were over."""
    if clock.late:
        return f"Stopped after {_rounds(len(clock.votes))}: it took too long."
    stop = seen[-1].stop
    if stop is None or len(seen) >= n_rounds:
        return ""
    return f"Ended after {_rounds(len(seen))}: {stop.value}."


def _rounds(n: int) -> str:
    return "1 round" if n == 1 else f"{n} rounds"
