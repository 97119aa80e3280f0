"""What the boosters that play against the clock share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from ..base.booster import Booster, State
from ..base.hypothesis import WeakLearner
from ..base.record import History, Stop
from ..base.sample import Sample
from ..boosters.panel import Panel
from ..boosters.timed import TimedBooster
from . import parameters
from .noise_level import NoiseLevel, noise_level
from .setup import Game
from .two_classes import TwoClassBoosting

_ROUNDS = 100  # of the boosters that tell how noisy labels are, however long the game is to be
_NONE = 1e-6  # an error so small that nothing is given up


class Aimed:
    """The error that was aimed at."""

    epsilon_: float


@parameters.declared
class TimedBoosting(Aimed, TwoClassBoosting):
    """Boosts two classes until time is out, which an error to aim at tells."""

    epsilon: Any = "auto"

    _fixed_votes = "a vote is what keeps the mean potential in the time it takes"

    @abstractmethod
    def _game_towards(self, epsilon: float) -> TimedBooster:
        """The booster that aims at an error."""

    @property
    @abstractmethod
    def _leniency(self) -> float:
        """The error to aim at, in errors on examples left out."""

    @property
    def _most(self) -> float:
        """No error to aim at may be as large."""
        return 1.0

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not (isinstance(self.epsilon, str) and self.epsilon == "auto"):
            parameters.real(
                "epsilon",
                self.epsilon,
                None,
                self._most,
                least=1e-100,
                strict=True,
                others="'auto'",
            )

    def _game_of_two(self, sample: Sample) -> Booster:
        raise NotImplementedError("the learner is needed too: _make_booster")

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        if self.epsilon != "auto":
            epsilon = float(self.epsilon)
        elif self.warm_start and hasattr(self, "ensemble_"):
            epsilon = self.epsilon_
        else:
            epsilon = self._aim(sample, learner)
        two = self._game_towards(epsilon)
        return two if sample.binary else self._game_of_many(sample, learner, two)

    def _settings(self) -> dict[str, Any]:
        found = {"epsilon": self.epsilon_} if self.epsilon == "auto" else {}
        return super()._settings() | found

    def _aim(self, sample: Sample, learner: WeakLearner) -> float:
        """The error that "auto" aims at; one for all games, by their means."""
        games = [sample]
        if not sample.binary:
            panel = self._game_of_many(sample, learner, self._game_towards(_NONE))
            assert isinstance(panel, Panel)
            games = list(panel.samples(sample))
        levels = [noise_level(game, learner, _ROUNDS) for game in games]
        noise = NoiseLevel(*np.mean([(n.error, n.first) for n in levels], axis=0).tolist())
        if noise.by_heart:
            return _NONE
        least = 0.5 / sample.m  # half an example
        return min(self._leniency * max(noise.error, least), 0.9 * self._most)

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        booster = game.booster.booster if isinstance(game.booster, Panel) else game.booster
        assert isinstance(booster, TimedBooster)
        return super()._facts(game, state, history, stop) | {"epsilon_": booster.epsilon}
