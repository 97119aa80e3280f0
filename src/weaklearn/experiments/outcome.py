"""How the run of one experiment ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .result import Result

if TYPE_CHECKING:
    from .catalogue import Experiment


@dataclass(frozen=True)
class Outcome:
    """What an experiment found, or ``why`` it could not run.

    ``seconds`` and ``machine`` are those of the run that found it, ``kept`` whether that was an
    earlier one.
    """

    experiment: Experiment
    result: Result | None
    why: str = ""
    seconds: float = 0.0
    machine: str = ""
    kept: bool = False
