"""Online gradient descent of linear scores and of circuits of soft gates; passes over a batch."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..base.history import History
from ..base.messages.value_text import show
from ..base.numeric.hashing import shares, stream
from ..base.types import Floats
from ..engines import Engine

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
        by_name = isinstance(self.step, str)
        fading = by_name and self.step == FADING  # a number of numpy gives a flag of numpy
        named = {"cost": LOSSES.index(self.loss), "fading": fading, "seen": seen}
        if callable(self.step):
            return named | {"rate": self.rate, "steps": schedule(self.step, seen, n)}
        constant = 1.0 if by_name else float(self.step)
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


_ORDERS = 0x4F5244  # the purpose of the numbers that shuffle rows


@dataclass(frozen=True, eq=False)
class Played:
    """The result of passes over a batch.

    ``answer`` are the weights to predict by; ``clean`` tells whether a whole pass changed nothing,
    ``settled`` whether the loss had stopped falling, ``errors`` how many rows an answer from the
    pocket labels wrongly.
    """

    state: LinearState
    answer: Floats
    history: History
    clean: bool
    settled: bool
    errors: int | None


@dataclass(frozen=True)
class Passes:
    """The settings of passes over a batch.

    ``pocket``: where no pass is clean, the answer is the best that was seen: of the weights at the
    end of each pass and those of the longest run of examples without a change in it, the ones with
    the fewest training errors. ``averaged``: what is judged, and answered, is the average of all
    weights in force. ``tol``: end after ``patience`` passes whose mean loss was not below the best
    by that much.
    """

    most: int
    pocket: bool = True
    averaged: bool = False
    tol: float | None = None
    patience: int = 5
    seed: int | None = None  # of the shuffling; None: rows come as they lie
    refuse_zero: bool = False

    def play(
        self, rule: Rule, state: LinearState, lines: Any, y: NDArray[np.int32], engine: Engine
    ) -> Played:
        """Runs passes until one changes nothing, or the limit is reached."""
        history = History()
        best: tuple[int, Floats] | None = None
        least_loss, idle = np.inf, 0
        for k in range(self.most):
            learnt = learn(
                rule,
                state,
                lines,
                y,
                engine,
                order=None if self.seed is None else shuffled(len(lines), self.seed, k),
                refuse_zero=self.refuse_zero,
                keep_run=self.pocket and not self.averaged,
            )
            state, clean = learnt.state, learnt.updates == 0
            loss = learnt.loss / len(lines)
            metrics = {"mistakes": learnt.mistakes, "updates": learnt.updates, "loss": loss}
            if self.pocket:
                found = self._judged(learnt, lines, y, engine)
                best = found if best is None or found[0] < best[0] else best
                metrics["errors"] = best[0]
            history.append(metrics)
            if clean:
                return self._ended(state, history, clean=True)
            idle = 0 if loss < least_loss - (self.tol or 0.0) else idle + 1
            least_loss = min(loss, least_loss)
            if self.tol is not None and idle >= self.patience:
                return self._ended(state, history, settled=True)
        if best is None:
            return self._ended(state, history)
        errors, answer = best
        if not self.averaged:
            state = replace(state, w=answer)
        return Played(state, answer, history, False, False, errors)

    def _ended(
        self, state: LinearState, history: History, clean: bool = False, settled: bool = False
    ) -> Played:
        answer = state.average if self.averaged else state.w
        return Played(state, answer, history, clean, settled, None)

    def _judged(
        self, learnt: Learnt, lines: Any, y: NDArray[np.int32], engine: Engine
    ) -> tuple[int, Floats]:
        """The fewest errors among the candidates of a pass, and the candidate that makes them."""
        state = learnt.state
        if learnt.updates == 0 and not self.averaged:  # each example was right, by these weights
            return 0, state.w
        candidates = [state.average if self.averaged else state.w]
        if learnt.kept is not None:
            candidates.append(learnt.kept)
        errors = engine.linear.errors(lines, y, state.outputs, np.concatenate(candidates))
        k = int(np.argmin(errors))
        return errors[k], candidates[k]


def shuffled(n: int, seed: int, k: int) -> NDArray[np.int64]:
    """The order of n rows in the k-th pass."""
    return np.argsort(stream(n, seed, k, _ORDERS), kind="stable").astype(np.int64)
