"""The parameters that boosted estimators share, each declared once."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ...intake import parameters


@parameters.declared
class GameSettings:
    """What every game is played with, and who watches it."""

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: int = 100
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 0.0
    scoring: Any = None
    warm_start: bool = False
    callbacks: Any = None
    unseen: str = "missing"
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0


@parameters.declared
class VoteSettings(GameSettings):
    """What every game of classes has besides."""

    min_weight_fraction_leaf: float = 0.0
    class_weight: Any = None
    calibrate: str | None = None
