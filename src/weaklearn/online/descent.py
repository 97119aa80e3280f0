"""Online gradient descent: linear scores, and layered networks of soft gates."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.numeric.hashing import shares, stream
from ..base.types import Floats
from ..engines import Engine

__all__ = [
    "LOSSES",
    "Learnt",
    "LinearState",
    "LossName",
    "Rule",
    "Unlearnable",
    "learn",
    "schedule",
]

Step: TypeAlias = float | str | Callable[[int], float]

# In the order of the kernel's costs.
LossName = Literal["perceptron", "hinge", "logistic", "squared"]
LOSSES: tuple[str, ...] = get_args(LossName)
FADING = "1/sqrt(t)"
_FIRST_WEIGHTS = 0x434952  # the purpose of the numbers that circuits begin with


class Unlearnable(ValueError):
    """An example that allows no step: a row of zeros (``zero``), or a score that is not finite."""

    def __init__(self, row: int, zero: bool) -> None:
        if zero:
            why = (
                "is the zero vector, which no halfspace through the origin can be right on "
                "(w.x = 0 for every w); leave it out, or set fit_intercept=True"
            )
        else:
            why = (
                "has a score beyond float64, or holds a missing value; divide all x by a constant, "
                "or take shorter steps"
            )
        super().__init__(f"x of example {row} {why}.")
        self.row, self.zero = row, zero


@dataclass(frozen=True)
class Rule:
    """The update on an example: w <- w - lambda_t grad L(z), z = y f(x).

    ``loss`` is "perceptron", max(0, -z), whose slope at 0 counts as -1; "hinge", max(0, 1 - z);
    "logistic", ln(1 + exp(-z)); or "squared", (1 - z)^2. lambda_t is ``rate`` times the ``step``: a
    number, "1/sqrt(t)", or a function of t, the number of the example, from 1 on.
    """

    loss: str = "perceptron"
    step: Step = 1.0
    rate: float = 1.0

    @property
    def conservative(self) -> bool:
        """Whether weights change on mistakes only."""
        return self.loss == "perceptron"

    def steps(self, seen: int, n: int) -> dict[str, Any]:
        """The step sizes of the n examples after those seen, as arguments of the kernel."""
        named = {"cost": LOSSES.index(self.loss), "fading": self.step == FADING, "seen": seen}
        if callable(self.step):
            return named | {"rate": self.rate, "steps": schedule(self.step, seen, n)}
        constant = 1.0 if isinstance(self.step, str) else float(self.step)
        return named | {"rate": self.rate * constant, "steps": None}


def schedule(step: Callable[[int], float], seen: int, n: int) -> Floats:
    """The step sizes that a function of t gives the n examples after those seen."""
    found = np.empty(n)
    for k in range(n):
        value = step(seen + k + 1)
        if not isinstance(value, numbers.Real) or not 0 <= value < math.inf:
            raise ValueError(
                f"step({seen + k + 1}) is {show(value)}; a step must be a finite number of at "
                "least 0."
            )
        found[k] = value
    return found


@dataclass(frozen=True, eq=False)
class LinearState:
    """The state of online learning: the weights, and counts of examples, mistakes and updates.

    ``units`` counts the outputs of each layer, the last one's being the scores; a linear score has
    one layer. All weights stand in one array, layer by layer, a row for each unit; where there is
    a ``constant`` feature, its weight ends each row. ``drift`` is the sum of all changes, each
    times the number of examples before it.
    """

    n_features: int
    units: tuple[int, ...]
    constant: bool
    w: Floats
    drift: Floats | None = None
    seen: int = 0
    mistakes: int = 0
    updates: int = 0

    @classmethod
    def start(
        cls,
        n_features: int,
        units: Sequence[int],
        constant: bool,
        *,
        averaged: bool = False,
        seed: int = 0,
    ) -> Self:
        """The initial state: weights of 0, or small random ones where there are hidden units."""
        shapes = shapes_of(n_features, units, constant)
        w = np.zeros(sum(math.prod(shape) for shape in shapes))
        if len(units) > 1:
            parts = [
                (2 * shares(stream(rows * width, seed, k, _FIRST_WEIGHTS)) - 1) / math.sqrt(width)
                for k, (rows, width) in enumerate(shapes)
            ]
            w = np.concatenate(parts)
        return cls(n_features, tuple(units), constant, w, np.zeros_like(w) if averaged else None)

    @property
    def outputs(self) -> int:
        return self.units[-1]

    @property
    def layers(self) -> list[Floats]:
        """The weights of each layer, a row for each unit."""
        return in_layers(self.w, self.n_features, self.units, self.constant)

    @property
    def average(self) -> Floats:
        """The mean of the weights after each example."""
        assert self.drift is not None
        return self.w - self.drift / max(1, self.seen)


def in_layers(w: Floats, n_features: int, units: Sequence[int], constant: bool) -> list[Floats]:
    """A flat weight vector as one matrix per layer."""
    shapes = shapes_of(n_features, units, constant)
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(w, ends[:-1]), shapes)]


def shapes_of(n_features: int, units: Sequence[int], constant: bool) -> list[tuple[int, int]]:
    """The shape (units, inputs) of each layer's matrix."""
    inputs = [n_features, *units[:-1]]
    return [(unit, width + constant) for unit, width in zip(units, inputs)]


@dataclass(frozen=True, eq=False)
class Learnt:
    """The result of one pass: the new state, and counts of mistakes and updates.

    ``kept`` are the weights of the longest run of examples without a change; ``traced`` holds the
    scores, mistakes and losses before each update. Both only where requested.

    ``kept`` are the weights of the longest run of examples without a change; ``scores``,
    ``mistake_flags`` and ``losses`` were noted before each label was told. All of them only where
    asked for.
    """

    state: LinearState
    mistakes: int
    updates: int
    loss: float
    kept: Floats | None = None
    traced: dict[str, NDArray[Any]] = field(default_factory=dict)


def learn(
    rule: Rule,
    state: LinearState,
    lines: Any,
    y: NDArray[np.int32],
    engine: Engine,
    *,
    order: NDArray[np.int64] | None = None,
    refuse_zero: bool = False,
    keep_run: bool = False,
    trace: bool = False,
) -> Learnt:
    """One pass over rows with labels -1 and +1, or class numbers where there are several outputs.

    A row of zeros may be refused: no score through the origin is ever right on it.
    """
    n = len(lines)
    w = state.w.copy()
    drift = None if state.drift is None else state.drift.copy()
    kept = np.empty_like(w) if keep_run else None
    traced: dict[str, Any] = {}
    if trace:
        traced = {
            "scores": np.empty(n * state.outputs),
            "mistakes": np.empty(n, np.uint8),
            "losses": np.empty(n),
        }
    ended, at, mistakes, updates, loss, _ = engine.linear.learn(
        lines,
        y,
        state.units,
        w,
        drift=drift,
        kept=kept,
        refuse_zero=refuse_zero,
        **rule.steps(state.seen, n),
        order=order,
        **traced,
    )
    if ended or not np.isfinite(w).all():
        at = min(at, n - 1)
        raise Unlearnable(at if order is None else int(order[at]), zero=ended == 2)
    later = replace(
        state,
        w=w,
        drift=drift,
        seen=state.seen + n,
        mistakes=state.mistakes + mistakes,
        updates=state.updates + updates,
    )
    return Learnt(later, mistakes, updates, loss, kept, traced)
