"""Checks of the booster's interface."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster, Played, Round, State, match, play
from ..base.history import History
from ..base.sample import Sample
from ..engines import on_threads
from ..estimators.boosting.weak_learner import learner_for
from ..intake.prepare import prepare


def check_booster(
    booster: Booster, estimator: Any = None, *, n_classes: int = 2, n_rounds: int = 12
) -> None:
    """Runs a booster and raises an AssertionError that says which part of its interface it breaks.

    Every D_t must be a distribution; what is recorded as ``alpha`` and ``epsilon`` must be the vote
    and the error of the hypothesis; a round asked for after the end must end again and add nothing;
    a fit resumed from its members must go on as if it had never stopped; neither the order of
    examples nor a weight in place of copies may change a bit; and the booster itself must stay as
    it is. ``estimator`` is the weak learner to play with, exact stumps by default.

    >>> from weaklearn.boosters import AdaBoost
    >>> check_booster(AdaBoost())
    >>> class Backwards(AdaBoost):
    ...     def replay(self, sample, state, vote, h):
    ...         return super().replay(sample, state, -vote, h)
    >>> check_booster(Backwards())
    Traceback (most recent call last):
        ...
    AssertionError: Backwards resumed after 5 rounds goes on otherwise than without a stop
    """
    if not isinstance(booster, Booster):
        raise TypeError(
            f"booster is of type {type(booster).__name__}; pass an instance of a class that "
            "inherits from weaklearn.base.Booster."
        )
    table = _Table(booster, estimator, n_classes, n_rounds)
    before = copy.deepcopy(vars(booster)) if hasattr(booster, "__dict__") else None
    table.check_rounds()
    straight = table.play(table.sample)
    table.check_resumed(straight)
    table.check_order(straight)
    table.check_copies()
    assert before is None or vars(booster) == before, (
        f"{table.name} changes itself during a fit: what a fit remembers belongs into its State"
    )


class _Table:
    """A sample, a learner, and the booster to check."""

    def __init__(self, booster: Booster, estimator: Any, n_classes: int, n_rounds: int) -> None:
        self.booster, self.n_rounds = booster, n_rounds
        self.name = type(booster).__name__
        self.learner = learner_for(estimator, False, n_rounds, 0)
        match(booster, self.learner)
        self.X, self.y = noisy_rows(n_classes)
        self.sample = sample_of(self.X, self.y)

    def play(
        self, sample: Sample, state: State | None = None, history: History | None = None
    ) -> Played[State]:
        return play(
            self.booster,
            sample,
            self.learner.bind(sample),
            state=self.booster.begin(sample) if state is None else state,
            history=History() if history is None else history,
            n_rounds=self.n_rounds,
        )

    def check_rounds(self) -> None:
        sample, booster = self.sample, self.booster
        learn, state = self.learner.bind(sample), booster.begin(sample)
        self.check_distribution(state, 0)
        for t in range(1, self.n_rounds + 1):
            D, members = state.D.array, len(state.ensemble)
            state, played = booster.round(sample, learn, state)
            self.check_distribution(state, t)
            if len(state.ensemble) > members:
                self.check_metrics(state, played, D, t)
            if played.stop is not None:
                again, ended = booster.round(sample, learn, state)
                assert (ended.stop, len(again.ensemble)) == (played.stop, len(state.ensemble)), (
                    f"{self.name} ended in round {t} ({played.stop}), and does not end again when "
                    "asked for another round"
                )
                return

    def check_distribution(self, state: State, t: int) -> None:
        D = state.D.array
        good = len(D) == len(self.sample) and D.min() >= 0 and abs(D.sum() - 1) <= 1e-9
        assert good, f"the D of {self.name} after round {t} is no distribution over the examples"

    def check_metrics(self, state: State, played: Round, D: NDArray[np.float64], t: int) -> None:
        metrics, h = played.metrics, state.ensemble.members[-1]
        error = float(D @ (np.asarray(self.sample.correctness(h)) < 0))
        if "epsilon" in metrics:
            assert abs(metrics["epsilon"] - error) <= 1e-9, (
                f"{self.name} records epsilon = {metrics['epsilon']:.6g} in round {t}; the error "
                f"of the hypothesis under D is {error:.6g}"
            )
        vote = float(state.ensemble.votes[-1])
        assert "alpha" in metrics, f"{self.name} does not record alpha in round {t}"
        assert metrics["alpha"] in (vote, np.inf, -np.inf), (
            f"{self.name} records alpha = {metrics['alpha']:.6g} in round {t}; the vote is "
            f"{vote:.6g}"
        )

    def check_resumed(self, straight: Played[State]) -> None:
        n = min(len(straight.state.ensemble), len(straight.history) - 1) // 2
        history = straight.history.first(n)
        members = straight.state.ensemble.staged(n)
        state = self.booster.resume(self.sample, members, history)
        assert _result_bytes(self.play(self.sample, state, history)) == _result_bytes(straight), (
            f"{self.name} resumed after {n} rounds goes on otherwise than without a stop"
        )

    def check_order(self, straight: Played[State]) -> None:
        order = np.random.default_rng(0).permutation(len(self.y))
        other = self.play(sample_of(self.X[order], self.y[order]))
        assert _result_bytes(other) == _result_bytes(straight), (
            f"{self.name} depends on the order of the examples: sum with "
            "weaklearn.base.numeric.total, or by D.mass"
        )

    def check_copies(self) -> None:
        copies = np.random.default_rng(1).integers(1, 4, len(self.y))
        rows = np.repeat(np.arange(len(self.y)), copies)
        weighted = self.play(sample_of(self.X, self.y, copies))
        assert _result_bytes(weighted) == _result_bytes(
            self.play(sample_of(self.X[rows], self.y[rows]))
        ), f"{self.name} does not take a weight of k for k copies"


def _result_bytes(run: Played[State]) -> tuple[Any, ...]:
    """The history and the votes of a run as bytes, to compare runs exactly."""
    columns = {name: run.history[name].tobytes() for name in run.history}
    return columns, run.state.ensemble.votes.tobytes(), len(run.state.ensemble)


def noisy_rows(n_classes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows with missing values and ties, and labels with noise."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 6, size=(120, 4)).astype(float)
    y = np.digitize(X[:, 0] + X[:, 1], np.linspace(2, 8, n_classes + 1)[1:-1]).astype(np.int64)
    y = np.where(rng.random(120) < 0.1, rng.permutation(y), y)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


def sample_of(X: Any, y: Any, weights: Any = None) -> Sample:
    """A sample as the estimators prepare it."""
    return prepare(X, y, weights, engine=on_threads(), name="check").sample
