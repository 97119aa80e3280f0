"""The input of certificates: the history of a fit, its ensemble, and the training rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ...base.certificate import Certificate
from ...base.types import Floats

if TYPE_CHECKING:
    from ...base.booster import History
    from ...base.sample import Sample

Training = tuple[Floats, Floats]  # margins of the training rows, and their first distribution


@dataclass(frozen=True)
class Evidence:
    """The history of a fit, its ensemble, and the margins of the training rows where they were
    passed.

    ``perfect``: the one member is that of the last round, which made no error; ``weighted``: the
    first distribution was given by importances, which recorded training errors do not know;
    ``resumed``: the rounds were played in several fits; ``other_rows``: the rows passed are not
    those of training; ``labels``: the classes of the rows passed, -1 and +1 or their numbers;
    ``sample``: these rows themselves; ``left_out``: how many of those passed had weight 0;
    ``booster``: the name of the booster that played, in every game of the ``reduction`` ("" where
    there was one game); ``own``: it is not one of this library; ``n_classes``: how many classes
    the fit saw; ``settings``: the parameters of the fit and what it found, by their public names.
    """

    history: History
    ensemble: Any
    n_examples: int
    training: Training | None = None
    perfect: bool = False
    weighted: bool = False
    resumed: bool = False
    other_rows: bool = False
    labels: NDArray[Any] | None = None
    sample: Sample | None = None
    left_out: int = 0
    booster: str = ""
    reduction: str = ""
    own: bool = False
    n_classes: int = 2
    settings: Mapping[str, Any] = field(default_factory=dict)

    def metrics(self, name: str) -> Floats:
        """A recorded metric, one number for every member kept."""
        column = self.history[name]
        kept: Floats = column[-1:] if self.perfect else column[: len(self.ensemble)]
        return kept

    def why_not(self, rows_needed: bool = False) -> str | None:
        """The reason why no theorem about these rounds applies; None if there is none."""
        if len(self.ensemble) == 0:
            return "no hypothesis was kept"
        if self.other_rows:
            return "these are not the rows of training"
        if self.training is not None:
            return None
        if self.resumed:
            return "the rounds were played in several fits: pass the training rows, X and y"
        if self.weighted:
            return "weights were given: pass the training rows, X and y"
        return "pass the training rows, X and y" if rows_needed else None

    def error(self) -> float:
        """The weight of the training examples that the vote does not get right."""
        return self.share(0.0) if self.training is not None else self._recorded_error()

    def _recorded_error(self) -> float:
        at = -1 if self.perfect else len(self.ensemble) - 1
        return float(self.history["train_error"][at])

    def share(self, theta: float) -> float:
        """The weight of the training examples with a margin of at most theta."""
        assert self.training is not None
        margins, D = self.training
        return float(D @ (margins <= theta))

    def certificate(
        self,
        id: str,
        statement: str,
        source: str,
        bound: float,
        observed: float,
        *,
        assumed: tuple[str, ...] = (),
        unit: str = "share",
    ) -> Certificate:
        """The certificate of a theorem that applies, with the conditions that were checked."""
        checked: tuple[str, ...] = ("the recorded rounds",)
        if self.training is not None:
            checked = ("the recorded rounds", "the rows are those of training")
        return Certificate(id, statement, source, checked, assumed, bound, observed, unit=unit)
