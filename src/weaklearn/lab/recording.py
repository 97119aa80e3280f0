"""Recordings: the JSON object from which the page shows every round of one or two runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from ..base.messages.warnings import WeaklearnWarning
from ..base.types import Floats
from ..estimators.boosting.round_by_round import WatchedRound, rounds
from .choices import LEARNERS, METHODS, SPAN, Booster
from .methods import record_method
from .plane import (
    Plane,
    Points,
    answers,
    boxes,
    finite_or_none,
    middles,
    packed,
    packed_steps,
    shades,
)
from .recipe import recipe
from .refusal import Refusal
from .scenes import OWN, SCENES
from .setting import Examples, Setting

IsCancelled = Callable[[], bool]

MOST_SECONDS = 6.0  # per run: half for the fit, half for the recording


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
            record_method(booster, setting, points, given_up)
            if booster in METHODS.values()
            else _record_run(booster, own, setting, points, _Clock(seconds / 2, given_up))
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
        grid = np.array([(a, b) for b in middles(up) for a in middles(across)])
        votes = [clock.votes[r.t - 1] for r in shown]
        regions = np.array([shades(F) for F in _stages(votes, model._rows(grid))], np.uint8)
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
        "boxes": [answers(r.h, part) for r, part in zip(shown, parts)],
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
        "regions": packed_steps(regions),
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
