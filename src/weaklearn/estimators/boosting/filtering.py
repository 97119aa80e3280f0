"""Boosting from a stream of examples, of which some are let through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Round, State, Stop
from ...base.history import History
from ...base.hypothesis import Hypothesis
from ...base.messages.value_text import show
from ...base.numeric.exponential import sigmoid
from ...base.numeric.hashing import shares, stream
from ...base.rows import Rows
from ...base.sample import take_rows
from ...base.types import Floats
from ...boosters.adaboost import TIED
from ...boosters.filterboost import FilterBoost, vote_of
from ...boosters.parts.filtering import Passed
from ...intake.example_stream import Batch, Oracle, joined
from ...intake.labels import coded_labels, codes_among
from ..fit import Fit, FitInputs, run

Places = NDArray[np.intp]
# Which examples pass, by their labels -1 and +1, their rows, and a chance in [0, 1) for each.
Passes = Callable[[NDArray[np.int8], Rows, Floats], NDArray[np.bool_]]

NEED_ALL_ROWS = {"early_stopping": False, "calibrate": None, "class_weight": None}

_CHANCE = 0x534956  # the purpose of the numbers by which examples pass
_FARTHEST = 1000  # times n_samples: how far a second class is looked for


def opened(model: Any, oracle: Oracle, resumed: bool) -> FitInputs:
    """The fit on a stream, whose first examples give the columns and the classes."""
    n = model.n_samples
    opening = oracle.opening(n)
    while opening is not None and len(opening[1]) == n < _FARTHEST * model.n_samples:
        if resumed or len(set(opening[1])) > 1:
            break
        n *= 4  # one class so far
        opening = oracle.opening(n)
    if opening is None:
        raise ValueError(
            "oracle gave no example: an iterator must yield pairs (x, y), and a function must "
            "return one at every call (None, as a function without return gives, means the end)."
        )
    X, y = opening
    if len(set(y)) > 2:
        raise ValueError(
            f"oracle gave {len(set(y))} classes in its first {len(y)} examples; fit_stream boosts "
            "two: give the label of one of them against the rest, or use fit on a table."
        )
    inputs: FitInputs = model._inputs(X, y, resumed=resumed)
    return inputs


def fit_from_stream(
    model: Any, oracle: Any, rounds_on: Callable[[FitInputs, Stream], Any], plain: dict[str, Any]
) -> None:
    """Fits a model by the rounds that a stream allows; ``plain`` are parameters it must have."""
    model._check_parameters()
    for name, value in plain.items():
        if getattr(model, name) != value:
            raise ValueError(
                f"{name}={show(getattr(model, name))} takes a whole table, which a stream is not; "
                f"set {name}={show(value)}."
            )
    resumed = model._goes_on
    if resumed:
        model._check_going_on()
    if resumed and model._final:
        return
    examples = Oracle(oracle)
    inputs = opened(model, examples, resumed)
    history = model.history_.first(model.n_iter_) if resumed else History()
    state = State(inputs.prepared.sample.prior, model.ensemble_) if resumed else inputs.begin()
    fit = Fit(
        inputs,
        rounds_on(inputs, Stream(model, inputs, examples)),
        None,
        state,
        history,
        model.n_estimators,
        resumed=resumed,
        streamed=True,
    )
    run(model, fit, (None, None, None))


class Stream:
    """The examples of a fit, and what reads and learns them; none is kept."""

    def __init__(self, model: Any, inputs: FitInputs, oracle: Oracle) -> None:
        self.seed = inputs.seed
        self.learner = inputs.learner
        self.oracle = oracle
        self.reader = model._model_after(
            inputs, inputs.begin(), History()
        )  # knows columns and classes

    def filtered(self, passes: Passes, t: int, stage: int = 0) -> FilteredStream:
        """The examples that pass in round t, as a source; each stage has chances of its own."""
        return FilteredStream(self, passes, t, stage)


class FilteredRounds:
    """FilterBoost's rounds on a stream: nothing is kept of the examples but the vote."""

    def __init__(self, inputs: FitInputs, stream: Stream) -> None:
        assert isinstance(inputs.booster, FilterBoost)
        self._booster, self._stream = inputs.booster, stream

    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        t, F = len(state.ensemble) + 1, state.ensemble

        def passes(y: NDArray[np.int8], rows: Rows, chance: Floats) -> NDArray[np.bool_]:
            yF = np.asarray(y * np.asarray(F(rows)), np.float64)
            return np.asarray(chance < sigmoid(-yF))

        found = self._booster.sift(self._stream.filtered(passes, t), t)
        if isinstance(found, Stop):
            return state, Round({"epsilon": 0.5, "gamma": 0.0, "r": 0.0, "alpha": 0.0}, found)
        metrics = {"epsilon": 0.5 - found.u, "gamma": found.u, "r": 2 * found.u} | found.metrics
        if abs(found.g) <= TIED:
            return state, Round(metrics | {"alpha": 0.0}, Stop.NO_EDGE)
        alpha_t = vote_of(found.g)
        later = replace(state, ensemble=state.ensemble.plus(alpha_t, found.h))
        return later, Round(metrics | {"alpha": alpha_t})


@dataclass(frozen=True)
class _Run:
    """Some examples of a batch."""

    batch: Batch
    rows: Rows
    y: NDArray[np.int8]
    places: Places

    def __len__(self) -> int:
        return len(self.places)

    def part(self, first: int, last: int | None) -> _Run:
        return replace(self, places=self.places[first:last])

    def sides(self, h: Hypothesis) -> Floats:
        if len(self) == 0:
            return np.zeros(0)
        rows = self.rows
        chosen = Rows(rows.cells.take(self.places), take_rows(rows.raw, self.places), rows.engine)
        return np.asarray(self.y[self.places] * np.asarray(h(chosen)), np.float64)

    def examples(self) -> Batch:
        X, y = self.batch
        return take_rows(X, self.places), [y[i] for i in self.places]


class FilteredStream:
    """A stream as the source of a round."""

    def __init__(self, stream: Stream, passes: Passes, t: int, stage: int) -> None:
        self._stream, self._passes, self._t = stream, passes, t
        self._purpose = _CHANCE + stage
        self._n = 0
        self._batch: Batch | None = None

    def more(self) -> Passed | None:
        self._batch = self._stream.oracle.more()
        if self._batch is None:
            return None
        X, labels = self._batch
        reader = self._stream.reader
        rows = reader._rows(X)
        classes = reader.classes_
        y = coded_labels(codes_among(classes, labels, len(rows), "oracle's y"), len(classes))
        chance = shares(stream(len(y), self._stream.seed, self._t, self._purpose, self._n))
        self._n += len(y)
        passed = np.flatnonzero(self._passes(y, rows, chance))
        waits = np.diff(passed, prepend=-1)
        idle = len(y) - 1 - (int(passed[-1]) if len(passed) else -1)
        return Passed(_Run(self._batch, rows, y, passed), waits, idle)

    def unused(self, n: int) -> None:
        assert self._batch is not None
        self._stream.oracle.give_back(self._batch, n)

    def learn(self, runs: list[_Run]) -> Hypothesis:
        X, y = joined([run.examples() for run in runs if len(run)])
        sample = self._stream.reader._prepare(X, y, None, None, True).sample
        h: Hypothesis = self._stream.learner.bind(sample)(sample.prior, sample.y, self._t - 1)
        return h
