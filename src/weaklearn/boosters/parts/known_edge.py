"""Boosters for a weak learner whose edge is known in advance."""

from __future__ import annotations

from dataclasses import dataclass

from ...base import RIGHT, WRONG, BoostingWarning, Correctness, Distribution
from ...base.messages.warnings import warn
from ..adaboost import TIED
from .margin_state import Scored


@dataclass(frozen=True, slots=True)
class Promised(Scored):
    """The state of equal votes; ``kept``: no edge so far was below the known one."""

    kept: bool = True


def correlation(D: Distribution, correct: Correctness) -> float:
    """r: how much more weight a hypothesis gets right than wrong."""
    return D.mass(correct, RIGHT) - D.mass(correct, WRONG)


def reaches(r: float, gamma: float | None) -> bool:
    """Whether the edge r/2 is at least the known one; True without one."""
    return gamma is None or r >= 2 * gamma - 2 * TIED


def warn_once(state: Promised, r: float, gamma: float | None) -> None:
    """Warns of the first round whose edge is below the known one; boosting goes on."""
    if not state.kept or reaches(r, gamma):
        return
    warn(
        f"the weak learner broke its promise in round {len(state.ensemble) + 1}: its edge is "
        f"{r / 2:.4g}, and gamma={gamma:g} was promised. Boosting goes on, but the bound on the "
        "training error is void; lower gamma, or give the learner more freedom.",
        BoostingWarning,
    )
