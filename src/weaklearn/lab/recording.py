"""A game as a film: everything that a page needs to show its rounds, and nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import WeaklearnWarning
from ..estimators.boosting.round_by_round import WatchedRound, rounds
from .choices import LEARNERS, SPAN, Booster
from .packing import packed, packed_steps, told
from .recipe import recipe
from .refusal import Refusal
from .regions import Box, boxes, cuts, inside
from .scenes import OWN, SCENES
from .setting import Setting

Floats = NDArray[np.float64]
Asked = Callable[[], bool]

MOST_CELLS = 96  # of the regions, each way
MOST_SECONDS = 6.0  # a game: half to play it, half to look at what was played


@dataclass(frozen=True)
class Plane:
    """The part of the plane that is shown."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, X: Floats) -> Plane:
        """What holds all points, with some room around them."""
        low, high = X.min(axis=0), X.max(axis=0)
        room = np.where(high > low, 0.08 * (high - low), 0.5 + 0.05 * np.abs(low))
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


def film(
    setting: Setting, seconds: float = MOST_SECONDS, given_up: Asked = lambda: False
) -> dict[str, Any]:
    """One or two games of a setting, played and recorded for a page.

    ``given_up`` is asked in every round whether anybody still waits for it.
    """
    X, y = setting.sample()
    plane = Plane((0.0, 0.0), (SPAN, SPAN)) if setting.data == OWN else Plane.around(X)
    shown = scene(X, y, plane, ["−1", "+1"])
    called = "points of one's own" if setting.data == OWN else SCENES[setting.data].name
    games = filmed(setting, called, X, y, plane, shown, seconds, given_up)
    return games | {"code": recipe(setting)}


def filmed(
    setting: Setting,
    called: str,
    X: Floats,
    y: Any,
    plane: Plane,
    shown: dict[str, Any],
    seconds: float = MOST_SECONDS,
    given_up: Asked = lambda: False,
) -> dict[str, Any]:
    """The games of a setting on any points; ``called`` names them, ``shown`` is their scene."""
    estimator = LEARNERS[setting.learner].estimator()
    return {
        "title": " and ".join(booster.called(turned) for booster, turned in setting.games),
        "lead": _lead(setting, called, len(y)),
        "scene": shown,
        "games": [
            game(booster, turned, estimator, setting.rounds, X, y, plane, seconds, given_up)
            for booster, turned in setting.games
        ],
    }


def _lead(setting: Setting, called: str, n: int) -> str:
    """What is played on, and with what."""
    noise = f", {setting.noise:.0%} of the labels turned about" if setting.noise else ""
    learner = LEARNERS[setting.learner].name
    return f"{_sentence(called)}: {n} points{noise}. Weak learner: {learner}."


def scene(
    X: Floats, y: Any, plane: Plane, names: Sequence[str], axes: Sequence[str] = ("", "")
) -> dict[str, Any]:
    """The points, and the plane they lie in; rules name its axes x[0] and x[1]."""
    return {
        "points": X.tolist(),
        "labels": np.unique(y, return_inverse=True)[1].tolist(),
        "classes": list(names),
        "axes": [f"x[{k}] {name}".strip() for k, name in enumerate(axes)],
        "low": plane.low,
        "high": plane.high,
    }


def game(
    booster: Booster,
    turned: Mapping[str, float],
    estimator: Any,
    n_rounds: int,
    X: Floats,
    y: Any,
    plane: Plane,
    seconds: float,
    given_up: Asked,
) -> dict[str, Any]:
    """Plays and records one game; where time runs out, the rounds played until then."""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", WeaklearnWarning)
        clock = _Clock(seconds / 2, given_up)
        model = booster.form(estimator, n_estimators=n_rounds, callbacks=[clock], **turned)
        model.fit(X, y)
        seen = []
        for watched in islice(rounds(model, X, y), len(clock.votes)):
            if given_up():
                raise Refusal("nobody waits for this any more.", 503)
            seen.append(watched)
        played = [r for r in seen if r.h is not None]
        if not played:
            raise Refusal(f"nothing can be played here: {_why(seen)}.")
        parts = [boxes(r.h) for r in played]
        across, up = (plane.edges(parts, axis) for axis in (0, 1))
        grid = np.array([(a, b) for b in _middles(up) for a in _middles(across)])
        votes = [clock.votes[r.t - 1] for r in played]
        levels = np.array([_levels(F) for F in _stages(votes, model._rows(grid))], np.uint8)
    remarks = [_sentence(str(warning.message)) for warning in noted]
    return {
        "name": booster.called(turned),
        "said": booster.said,
        "told": " ".join(dict.fromkeys([_ending(seen, played, clock, n_rounds), *remarks])).strip(),
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

    def __init__(self, seconds: float, given_up: Asked) -> None:
        self.votes: list[Any] = []
        self.late = False
        self._given_up = given_up
        self._end = monotonic() + seconds

    def __call__(self, t: int, state: Any, history: Any) -> bool:
        self.votes.append(state.ensemble)
        self.late = monotonic() > self._end
        return self.late or self._given_up()


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


def _ending(
    seen: list[WatchedRound], played: list[WatchedRound], clock: _Clock, n_rounds: int
) -> str:
    """Why a game ended before its rounds were over; the last one seen may have found no rule."""
    if clock.late:
        return f"Stopped after {_rounds(len(clock.votes))}: it took too long."
    stop = seen[-1].stop
    if stop is None or len(played) >= n_rounds:
        return ""
    return f"Ended after {_rounds(len(played))}: {stop.value}."


def _why(seen: list[WatchedRound]) -> str:
    """Why not even one rule was found."""
    stop = seen[-1].stop if seen else None
    return "no rule is better than a coin" if stop is None else stop.value


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rounds(n: int) -> str:
    return "1 round" if n == 1 else f"{n} rounds"
