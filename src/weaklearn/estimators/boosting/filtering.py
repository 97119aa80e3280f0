"""Boosting by filtering, from a stream of examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import History, Round, State, Stop
from ...base.hypothesis import Hypothesis
from ...base.numeric.exponential import sigmoid
from ...base.numeric.hashing import shares, stream
from ...base.sample import Rows, take_rows
from ...base.types import Floats
from ...boosters.adaboost import TIED
from ...boosters.filterboost import FilterBoost, vote_of
from ...boosters.parts.filtering import Passed
from ...intake.example_stream import Batch, Oracle, joined
from ...intake.labels import coded_labels, codes_among
from ..fit import Game

Places = NDArray[np.intp]

_CHANCE = 0x534956  # the purpose of the numbers by which examples pass
_FARTHEST = 1000  # times n_samples: how far a second class is looked for


def opened(model: Any, oracle: Oracle, resumed: bool) -> Game:
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
    game: Game = model._game(X, y, resumed=resumed)
    return game


class StreamGame:
    """FilterBoost's rounds on a stream: nothing is kept of the examples but the vote."""

    def __init__(self, model: Any, game: Game, oracle: Oracle) -> None:
        assert isinstance(game.booster, FilterBoost)
        self._booster = game.booster
        self._learner = game.learner
        self._oracle = oracle
        self._reader = model._model_after(
            game, game.begin(), History()
        )  # knows columns and classes

    def round(self, sample: Any, learn: Any, state: State) -> tuple[State, Round]:
        t = len(state.ensemble) + 1
        found = self._booster.sift(_Heard(self, state.ensemble, t), t)
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


class _Heard:
    """A stream as the oracle of a round."""

    def __init__(self, game: StreamGame, F: Any, t: int) -> None:
        self._game, self._F, self._t = game, F, t
        self._n = 0
        self._batch: Batch | None = None

    def more(self) -> Passed | None:
        self._batch = self._game._oracle.more()
        if self._batch is None:
            return None
        X, labels = self._batch
        reader = self._game._reader
        rows = reader._rows(X)
        classes = reader.classes_
        y = coded_labels(codes_among(classes, labels, len(rows), "oracle's y"), len(classes))
        chance = shares(stream(len(y), self._game._booster.seed, self._t, _CHANCE, self._n))
        self._n += len(y)
        passed = np.flatnonzero(chance < sigmoid(-y * np.asarray(self._F(rows))))
        waits = np.diff(passed, prepend=-1)
        idle = len(y) - 1 - (int(passed[-1]) if len(passed) else -1)
        return Passed(_Run(self._batch, rows, y, passed), waits, idle)

    def unused(self, n: int) -> None:
        assert self._batch is not None
        self._game._oracle.give_back(self._batch, n)

    def learn(self, runs: list[_Run]) -> Hypothesis:
        X, y = joined([run.examples() for run in runs if len(run)])
        sample = self._game._reader._prepare(X, y, None, None, True).sample
        h: Hypothesis = self._game._learner.bind(sample)(sample.prior, sample.y, self._t - 1)
        return h
