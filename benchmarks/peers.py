"""Who is measured: this library and its peers, each boosting stumps as well as it can."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# On data A this step reaches the best test log-loss with 500 stumps in all three gradient boosters.
STEP = 0.3


@dataclass(frozen=True)
class Contender:
    """A library's boosted stumps: ``make(rounds, threads)`` gives an unfitted classifier."""

    name: str  # the library's, then what is special after a comma
    module: str
    make: Callable[[int, int], Any]

    @property
    def library(self) -> str:
        return self.name.split(",")[0]

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.module) is not None

    def load(self) -> None:
        """Imports all that a fit and a prediction use, so that no measurement pays for it."""
        X, y = np.arange(512.0).reshape(256, 2), np.arange(256) // 3 % 2
        self.make(2, 1).fit(X, y).predict_proba(X)


def _weaklearn(rounds: int, threads: int) -> Any:
    from weaklearn import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=rounds, n_jobs=threads)


def _scikit_learn(rounds: int, threads: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=rounds)  # on exact stumps, on one thread


def _lightgbm(rounds: int, threads: int, **options: Any) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=rounds,
        num_leaves=2,
        learning_rate=STEP,
        n_jobs=threads,
        verbose=-1,
        **options,
    )


def _lightgbm_by_column(rounds: int, threads: int) -> Any:
    return _lightgbm(rounds, threads, force_col_wise=True)


def _xgboost(rounds: int, threads: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=rounds, max_depth=1, learning_rate=STEP, tree_method="hist", n_jobs=threads
    )


def _hist_gradient_boosting(rounds: int, threads: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    # It takes its threads from OpenMP, whose number the command line limits.
    return HistGradientBoostingClassifier(
        max_iter=rounds, max_leaf_nodes=2, learning_rate=STEP, early_stopping=False
    )


OURS = Contender("weaklearn", "weaklearn", _weaklearn)
ADABOOST = Contender("scikit-learn AdaBoost", "sklearn", _scikit_learn)
LIGHTGBM = Contender("LightGBM", "lightgbm", _lightgbm)
LIGHTGBM_BY_COLUMN = Contender("LightGBM, by column", "lightgbm", _lightgbm_by_column)
XGBOOST = Contender("XGBoost", "xgboost", _xgboost)
HIST = Contender("HistGradientBoosting", "sklearn", _hist_gradient_boosting)

GRADIENT = (LIGHTGBM, LIGHTGBM_BY_COLUMN, XGBOOST, HIST)
FOUR = (ADABOOST, LIGHTGBM, XGBOOST, HIST)
