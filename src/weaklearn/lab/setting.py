"""The setting of a request, validated: rows of the tables, and numbers in their ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.spelling import nearest
from ..datasets import flip_labels
from .choices import BOOSTERS, LEARNERS, METHODS, MOST_POINTS, RANGES, SPAN, Booster
from .refusal import Refusal
from .scenes import OWN, SCENES

FIELDS = (
    *("data", "n", "noise", "held_out", "seed", "rounds", "learner", "boosters", "settings"),
    *("points", "flipped"),
)
_MOST_SHOWN = 40  # characters of a refused value that a sentence repeats


@dataclass(frozen=True)
class Examples:
    """Points to learn from, and points held out; the labels of these are never flipped."""

    X: NDArray[np.float64]
    y: NDArray[Any]  # as they are learnt
    is_flipped: NDArray[np.bool_]  # of y
    X_test: NDArray[np.float64]
    y_test: NDArray[Any]
    order: NDArray[np.int64]  # the positions in the set, of those learnt from and of those held out


@dataclass(frozen=True)
class Setting:
    """One or two runs on one set of points."""

    data: str = "toy"
    n: int = int(RANGES["n"].first)
    noise: float = RANGES["noise"].first
    held_out: float = RANGES["held_out"].first
    seed: int = int(RANGES["seed"].first)
    rounds: int = int(RANGES["rounds"].first)
    learner: str = "stump"
    boosters: tuple[str, ...] = ("adaboost",)
    settings: tuple[Mapping[str, float], ...] = ()  # of each booster, those not at their default
    points: tuple[tuple[float, float, int], ...] = ()  # the user's own: x, y, and -1 or +1
    flipped: tuple[int, ...] = ()  # positions of own points that are learnt with the other label

    @classmethod
    def read(cls, given: Any) -> Setting:
        """The setting of a request; fields that are left out have the page's defaults.

        >>> Setting.read({"data": "moons", "rounds": 5}).rounds
        5
        """
        if not isinstance(given, Mapping):
            raise Refusal("the request is no object of JSON with the fields of a setting.")
        for name in given:
            if name not in FIELDS:
                raise Refusal(f"there is no field {_shown(name)}; there are {', '.join(FIELDS)}.")
        first = cls()
        numbers = {
            name: _number(name, given.get(name, getattr(first, name)), r.least, r.most, r.whole)
            for name, r in RANGES.items()
        }
        data = _row("data", given.get("data", first.data), [*SCENES, OWN])
        boosters = _boosters(given.get("boosters", first.boosters))
        points, flipped = given.get("points", ()), given.get("flipped", ())
        if data != OWN and (points or flipped):
            raise Refusal(f"points go with data={OWN!r} alone.")
        own = _points(points) if data == OWN else ()
        return cls(
            data=data,
            n=int(numbers["n"]),
            noise=numbers["noise"],
            held_out=numbers["held_out"],
            seed=int(numbers["seed"]),
            rounds=int(numbers["rounds"]),
            learner=_row("learner", given.get("learner", first.learner), list(LEARNERS)),
            boosters=boosters,
            settings=_settings(given.get("settings", ()), boosters),
            points=own,
            flipped=_positions(flipped, len(own)),
        )

    @property
    def runs(self) -> list[tuple[Booster, Mapping[str, float]]]:
        """The boosters, each with its parameters that are not the defaults."""
        given = self.settings or ({},) * len(self.boosters)
        offered = BOOSTERS | METHODS
        return [(offered[name], own) for name, own in zip(self.boosters, given, strict=True)]

    @property
    def noise_seed(self) -> int:
        """Not the seed of the points: which labels are flipped must not depend on their class."""
        return self.seed + 10_000

    def examples(self) -> Examples:
        """The points, divided, with the noise in the labels that are learnt."""
        if self.data == OWN:
            X = np.array([[x, y] for x, y, _ in self.points], np.float64).reshape(-1, 2)
            labels = np.array([label for *_, label in self.points], np.int64)
        else:
            X, labels = SCENES[self.data].draw(self.n, self.seed)
        return self.divided(X, labels)

    def sample(self) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """The points to learn from, and their labels with the noise in them."""
        found = self.examples()
        return found.X, found.y

    def divided(self, X: NDArray[np.float64], labels: NDArray[Any]) -> Examples:
        """Points of two classes, some of them held out and some of the other labels flipped."""
        held = np.zeros(len(labels), bool)
        if self.held_out:
            held = np.random.default_rng([self.seed, 1]).random(len(labels)) < self.held_out
        learnt, tested = np.flatnonzero(~held), np.flatnonzero(held)
        clean = labels[learnt]
        y = clean.copy()
        if self.flipped:
            other = np.isin(learnt, self.flipped)
            y[other] = -y[other]
        if self.noise and len(y):
            y = flip_labels(y, self.noise, random_state=self.noise_seed)
        if len(np.unique(y)) < 2:
            where = "learnt from" if self.held_out else "there"
            raise Refusal(f"all points {where} are of one class: add points of both.")
        order = np.concatenate([learnt, tested])
        return Examples(X[learnt], y, y != clean, X[tested], labels[tested], order)


def _boosters(given: Any) -> tuple[str, ...]:
    if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= 2:
        raise Refusal(f"boosters={_shown(given)} is not allowed: it must list one or two.")
    return tuple(_row("boosters", name, [*BOOSTERS, *METHODS]) for name in given)


def _settings(given: Any, boosters: tuple[str, ...]) -> tuple[dict[str, float], ...]:
    if not isinstance(given, (list, tuple)) or len(given) not in (0, len(boosters)):
        raise Refusal(
            f"settings={_shown(given)} is not allowed: it must list an object for each booster."
        )
    return tuple(
        _parameters((BOOSTERS | METHODS)[name], found) for name, found in zip(boosters, given)
    )


def _parameters(booster: Booster, given: Any) -> dict[str, float]:
    """The given parameters of a booster, without those at their defaults."""
    knobs = {knob.name: knob for knob in booster.knobs}
    if not isinstance(given, Mapping):
        raise Refusal(f"settings of {booster.name} are {_shown(given)}; they must be an object.")
    changed = {}
    for name, value in given.items():
        if name not in knobs:
            listed = ", ".join(knobs)
            raise Refusal(f"{booster.name} has no setting {_shown(name)}; it has {listed}.")
        knob = knobs[name]
        if value is None and knob.first is None:
            continue
        found = _number(name, value, knob.least, knob.most)
        if found != knob.first:
            changed[name] = found
    return changed


def _row(field: str, value: Any, rows: list[str]) -> str:
    if not isinstance(value, str) or value not in rows:
        meant = nearest(value, rows) if isinstance(value, str) and len(value) < 40 else ""
        raise Refusal(
            f"{field}={_shown(value)} is not allowed: it must be one of {', '.join(rows)}.{meant}"
        )
    return value


def _number(field: str, value: Any, least: float, most: float, whole: bool = False) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not least <= value <= most or (whole and value != int(value)):
        kind = "whole number" if whole else "number"
        raise Refusal(
            f"{field}={_shown(value)} is not allowed: it must be a {kind} between "
            f"{least:g} and {most:g}."
        )
    return float(value)


def _points(given: Any) -> tuple[tuple[float, float, int], ...]:
    if not isinstance(given, (list, tuple)):
        raise Refusal("points must be a list of [x, y, label].")
    if not 2 <= len(given) <= MOST_POINTS:
        raise Refusal(f"there are {len(given)} points; there must be 2 to {MOST_POINTS}.")
    return tuple(_point(k, point) for k, point in enumerate(given, start=1))


def _point(k: int, given: Any) -> tuple[float, float, int]:
    fits = (
        isinstance(given, (list, tuple))
        and len(given) == 3
        and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in given)
        and all(0 <= v <= SPAN for v in given[:2])
        and given[2] in (-1, 1)
    )
    if not fits:
        raise Refusal(
            f"point {k} is {_shown(given)}; it must be [x, y, label] with x and y between 0 and "
            f"{SPAN:g} and the label -1 or 1."
        )
    return float(given[0]), float(given[1]), int(given[2])


def _positions(given: Any, n: int) -> tuple[int, ...]:
    if not isinstance(given, (list, tuple)) or len(given) > MOST_POINTS:
        raise Refusal("flipped must be a list of positions of points.")
    return tuple(int(_number("flipped", k, 0, n - 1, whole=True)) for k in given)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
