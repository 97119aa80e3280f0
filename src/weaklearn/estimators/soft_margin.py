"""What the boosters share that aim at the largest soft margin."""

from __future__ import annotations

from typing import Any

from ..base.notice import BoostingWarning, warn
from ..base.sample import Sample
from . import parameters
from .column import show
from .setup import Game
from .two_classes import TwoClassBoosting

_NOTHING = 1e-6  # a soft margin so small is none
_LONG = 100  # rounds, after which there should be one
_WORDS = "a number above 0 and at most 1, 'auto' or 'hard'"


@parameters.declared
class SoftMarginBoosting(TwoClassBoosting):
    """Votes of the largest soft margin, and caps on the weights of the examples."""

    nu: Any = "auto"
    accuracy: float = 0.01

    _fixed_votes = "the votes are those that solve a linear program"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("accuracy", self.accuracy, 0.0, 1.0)
        if isinstance(self.nu, str):
            if self.nu not in ("auto", "hard"):
                hint = parameters.nearest(self.nu, ["auto", "hard"])
                raise ValueError(f"nu={show(self.nu)} is not allowed: it must be {_WORDS}.{hint}")
            return
        try:
            parameters.real("nu", self.nu, 0.0, 1.0)
        except (TypeError, ValueError) as error:
            message = f"nu={show(self.nu)} is not allowed: it must be {_WORDS}."
            raise type(error)(message) from None

    def _finished(self, game: Game) -> Any:
        ended = self._final or self.n_iter_ >= _LONG
        if ended and self.nu != "auto" and self.n_iter_ > 0 and len(self.classes_) == 2:
            self._warn_of_none(float(self.history_["value"][-1]))
        return super()._finished(game)

    def _warn_of_none(self, value: float) -> None:
        """Says so where the largest soft margin is not above 0."""
        if value <= _NOTHING:
            warn(
                f"no vote of the {self.n_iter_} rules has a soft margin above 0 at "
                f"nu={show(self.nu)}, so that their votes cancel out: as a rule some labels are "
                "wrong, or rules are too simple. Set nu above the share of wrong labels, or to "
                "'auto'; or give the learner more freedom.",
                BoostingWarning,
            )

    def _nu(self, sample: Sample) -> float | None:
        """nu as boosters take it: None for "auto"."""
        m = sample.m
        if isinstance(self.nu, str):
            return 1 / m if self.nu == "hard" else None
        nu = float(self.nu)
        if nu * m < 1 - 1e-9:
            raise ValueError(
                f"nu={show(self.nu)} is not allowed: with {m} examples it must be at least 1/{m} = "
                f"{1 / m:.6g}, and at most 1; nu='hard' is the least there is, for any m."
            )
        return nu
