"""Comparable estimators of other installed libraries, for timing."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from ..intake.schema import Schema

Make = Callable[[], Any]


def rounds_of(model: Any) -> int:
    """The number of rounds or members of a fitted model."""
    return int(getattr(model, "n_iter_", 0) or getattr(model, "n_estimators", 0) or 1)


def peers_of(estimator: Any, rounds: int) -> dict[str, Make]:
    """Comparable estimators of other libraries, by name, with as many rounds."""
    name, classes = type(estimator).__name__, is_classifier(estimator)
    if "Forest" in name or "Bagging" in name:
        return {"scikit-learn's random forest": lambda: _forest(rounds, classes)}
    if "Perceptron" in name or "SGD" in name:
        linear = "SGDClassifier" if "SGD" in name else "Perceptron"
        return {f"scikit-learn's {linear}": lambda: _linear(linear, rounds)}
    leaves = 2 if _of_stumps(estimator) else getattr(estimator, "max_leaf_nodes", None)
    leaves = leaves if isinstance(leaves, int) else 31
    found = {}
    if leaves == 2:
        found["scikit-learn's AdaBoost"] = lambda: _adaboost(rounds, classes)
    else:
        found["HistGradientBoosting"] = lambda: _histogram(rounds, classes, leaves)
    if find_spec("lightgbm") is not None:
        found["LightGBM"] = lambda: _lightgbm(rounds, classes, leaves)
    if find_spec("xgboost") is not None:
        found["XGBoost"] = lambda: _xgboost(rounds, classes, leaves)
    return found


def _of_stumps(estimator: Any) -> bool:
    return "AdaBoost" in type(estimator).__name__ and getattr(estimator, "estimator", None) in (
        None,
        "stump",
    )


def _linear(name: str, rounds: int) -> Any:
    from sklearn import linear_model

    return getattr(linear_model, name)(max_iter=rounds, tol=None)


def _forest(rounds: int, classes: bool) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return (RandomForestClassifier if classes else RandomForestRegressor)(rounds, n_jobs=-1)


def _adaboost(rounds: int, classes: bool) -> Any:
    from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor

    return (AdaBoostClassifier if classes else AdaBoostRegressor)(n_estimators=rounds)


def _histogram(rounds: int, classes: bool, leaves: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return kind(max_iter=rounds, max_leaf_nodes=leaves, early_stopping=False)


def _lightgbm(rounds: int, classes: bool, leaves: int) -> Any:
    import lightgbm

    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    return kind(n_estimators=rounds, num_leaves=leaves, verbose=-1)


def _xgboost(rounds: int, classes: bool, leaves: int) -> Any:
    import xgboost

    kind = xgboost.XGBClassifier if classes else xgboost.XGBRegressor
    return kind(n_estimators=rounds, max_leaves=leaves, max_depth=0, grow_policy="lossguide")


def as_numbers(X: Any, y: NDArray[Any], classes: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """X as a numeric matrix, categories as codes and missing values as NaN; y as class codes."""
    _, cells = Schema.learn(X)
    if cells.columns is not None:
        matrix = np.column_stack(
            [np.where(c < 0, np.nan, c) if c.dtype.kind == "i" else c for c in cells.columns]
        )
    else:
        matrix = cells.sparse.toarray() if cells.matrix is None else cells.matrix
    return np.asarray(matrix, np.float64), np.unique(y, return_inverse=True)[1] if classes else y
