"""FilterBoostClassifier: boosting by filtering a table, or a stream of examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Booster, History, Round, State, Stop
from ...base.hypothesis import Hypothesis
from ...base.numeric.exponential import sigmoid
from ...base.numeric.hashing import shares, stream
from ...base.sample import Rows, Sample, take_rows
from ...base.types import Floats
from ...boosters.adaboost import TIED
from ...boosters.filterboost import FilterBoost, vote_of
from ...boosters.parts.filtering import Passed
from ...intake import parameters
from ...intake.example_stream import Batch, Oracle, joined
from ...intake.labels import coded_labels, codes_among
from ..fit import Fit, Game, run, with_callbacks
from .classifier import TwoClassBoosting


@parameters.declared
class FilterBoostClassifier(TwoClassBoosting):
    """FilterBoost: boosting from examples that are drawn, looked at, and forgotten.

    An example passes a filter with probability 1/(1 + exp(y F)): those that the vote gets clearly
    right hardly ever do. From some that pass a rule is learnt, from others its edge is estimated,
    no more closely than its vote needs. Boosting ends when the filter lets nothing through for so
    long that the error must be below ``epsilon``. ``fit_stream`` takes examples from an oracle, as
    many as it needs; ``fit`` draws them from a table. 1/(1 + exp(-F)) is the probability of the
    second class.

    Parameters
    ----------
    epsilon : float above 0 and below 1, default 0.05
        The error to reach.
    delta : float above 0 and below 1, default 0.05
        The probability with which the guarantees may fail.
    tau : float above 0 and below 1, default 0.5
        How well edges are estimated: to within a factor of 1 + 2 tau. A smaller one needs more
        examples.
    n_samples : int, default 1000
        How many examples that passed each rule is learnt from.
    n_edge : int, default 100000
        How many examples an edge may take to be estimated; one that needs more counts as none, and
        the rounds end.
    exact : bool, default False
        Whether a table is summed up instead of drawn from; the game is then AdaBoost.L.
    learning_rate : float, default 1.0
        Must be 1: votes follow from the edges.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes of a table are boosted one against the rest, or every two against one
        another; a stream has two.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``history_`` has the estimated ``edge`` of each round, its ``draws``, how many ``passed``.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import FilterBoostClassifier
    >>> rng = np.random.default_rng(0)
    >>> def examples():
    ...     while True:
    ...         X = rng.normal(size=(500, 2))
    ...         yield X, np.where(X[:, 0] + X[:, 1] > 0, "up", "down")
    >>> model = FilterBoostClassifier(n_estimators=30, epsilon=0.1).fit_stream(examples())
    >>> X, y = next(examples())
    >>> model.score(X, y) > 0.9
    True
    """

    epsilon: float = 0.05
    delta: float = 0.05
    tau: float = 0.5
    n_samples: int = 1000
    n_edge: int = 100_000
    exact: bool = False

    _fixed_votes = "votes follow from the estimates of the edges"

    _product_bounds = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("epsilon", "delta", "tau"):
            parameters.real(name, getattr(self, name), 0.0, 1.0, strict=True)
        parameters.integer("n_samples", self.n_samples, 1, 2**31 - 1)
        parameters.integer("n_edge", self.n_edge, 1, 2**31 - 1)
        parameters.switch("exact", self.exact)

    def _game_of_two(self, sample: Sample) -> FilterBoost:
        return FilterBoost(
            float(self.epsilon),
            float(self.delta),
            float(self.tau),
            int(self.n_samples),
            int(self.n_edge),
            bool(self.exact),
        )

    def _game(self, *given: Any, **named: Any) -> Game:
        game = super()._game(*given, **named)
        return replace(game, booster=_seeded(game.booster, game.seed))

    def _advice(self, stop: Stop) -> str:
        if stop is not Stop.SPENT:
            return super()._advice(stop)
        return (
            f"A round learns from n_samples={self.n_samples} examples that pass the filter, and "
            "estimates an edge from more: give the oracle more examples, or an endless iterator, "
            "or set n_samples lower; or use fit on a table."
        )

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        streamed = "train_error" not in history
        return None if streamed else super()._train_score(ensemble, sample, history)

    # -------------------------------------------------------------------------------- from a stream

    @with_callbacks
    def fit_stream(self, oracle: Any) -> Self:
        """Fits the boosting rounds on a stream of examples of two classes.

        Parameters
        ----------
        oracle : iterator, iterable, or function
            Gives examples, drawn independently: each item, or answer of the function, is one
            example (x, y) or a batch (X, y) of any container that ``fit`` takes. It may be endless;
            where it ends (a function answers None), the rounds so far are the model. The
            first ``n_samples`` examples tell the kinds of the columns and the two classes.
        """
        self._check_parameters()
        self._check_stream()
        resumed = bool(self.warm_start) and hasattr(self, "ensemble_")
        if resumed:
            self._check_going_on()
        if resumed and self._final:
            return self
        stream = Oracle(oracle)
        game = opened(self, stream, resumed)
        history = self.history_.first(self.n_iter_) if resumed else History()
        state = State(game.prepared.sample.prior, self.ensemble_) if resumed else game.begin()
        rounds = StreamGame(self, game, stream)
        fit = Fit(
            game, rounds, None, state, history, self.n_estimators, resumed=resumed, streamed=True
        )
        run(self, fit, (None, None, None))
        return self

    def _check_stream(self) -> None:
        """Refuses parameters that need all rows at once."""
        for name, plain in _NEED_ALL_ROWS.items():
            if getattr(self, name) != plain:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} takes a whole table, which a stream is not; "
                    f"set {name}={plain!r}."
                )


_NEED_ALL_ROWS = {"early_stopping": False, "calibrate": None, "class_weight": None, "exact": False}


def _seeded(booster: Booster, seed: int) -> Booster:
    """The booster, or those of a panel, with the seed of their draws."""
    if isinstance(booster, FilterBoost):
        return replace(booster, seed=seed)
    return replace(booster, booster=_seeded(booster.booster, seed))  # type: ignore[attr-defined, type-var]


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
