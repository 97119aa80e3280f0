"""Estimators as they come: this library's and the peers', each fed as its makers mean it to be.

Categories and missing values go in as they are wherever a library takes them; XGBoost gets labels
as numbers, CatBoost the names of its categories, and scikit-learn's forest and AdaBoost one column
a level, the latter with medians for missing numbers.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

Maker = Callable[[bool, int, Any], Any]


def _categorical(X: Any) -> list[str]:
    if not hasattr(X, "dtypes"):
        return []
    return [name for name, kind in X.dtypes.items() if kind.name == "category"]


def _lightgbm(numbers: bool, threads: int, X: Any) -> Any:
    import lightgbm

    made = lightgbm.LGBMRegressor if numbers else lightgbm.LGBMClassifier
    return made(n_jobs=threads, verbose=-1)


def _xgboost(numbers: bool, threads: int, X: Any) -> Any:
    import xgboost

    made = xgboost.XGBRegressor if numbers else xgboost.XGBClassifier
    return made(n_jobs=threads, enable_categorical=True)


def _catboost(numbers: bool, threads: int, X: Any) -> Any:
    import catboost

    made = catboost.CatBoostRegressor if numbers else catboost.CatBoostClassifier
    return made(
        thread_count=threads,
        verbose=0,
        allow_writing_files=False,
        cat_features=_categorical(X),
    )


def _ebm(numbers: bool, threads: int, X: Any) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    made = ExplainableBoostingRegressor if numbers else ExplainableBoostingClassifier
    return made(n_jobs=threads)


def _hist(numbers: bool, threads: int, X: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    # Its threads come from OMP_NUM_THREADS.
    made = HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier
    return made(categorical_features="from_dtype" if hasattr(X, "dtypes") else None)


def _one_column_a_level(model: Any, X: Any, fill: bool) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    numeric = SimpleImputer(strategy="median") if fill else "passthrough"
    if not hasattr(X, "dtypes"):
        return make_pipeline(numeric, model)
    words = _categorical(X)
    rest = [name for name in X.columns if name not in words]
    levels = OneHotEncoder(handle_unknown="ignore")
    columns = [("words", levels, words), ("numbers", numeric, rest)]
    return make_pipeline(ColumnTransformer(columns, sparse_threshold=0), model)


def _forest(numbers: bool, threads: int, X: Any) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    made = RandomForestRegressor if numbers else RandomForestClassifier
    return _one_column_a_level(made(n_jobs=threads, random_state=0), X, fill=False)


def _ada(numbers: bool, threads: int, X: Any) -> Any:
    from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor

    made = AdaBoostRegressor if numbers else AdaBoostClassifier
    return _one_column_a_level(made(random_state=0), X, fill=True)


PEERS: dict[str, tuple[str, Maker]] = {
    "LightGBM": ("lightgbm", _lightgbm),
    "XGBoost": ("xgboost", _xgboost),
    "CatBoost": ("catboost", _catboost),
    "EBM": ("interpret", _ebm),
    "sklearn hist": ("sklearn", _hist),
    "sklearn forest": ("sklearn", _forest),
    "sklearn ada": ("sklearn", _ada),
}


class _Untuned(BaseEstimator):
    """A peer by name: made when the columns are known."""

    _numbers = False

    def __init__(self, library: str = "LightGBM", threads: int = 1) -> None:
        self.library = library
        self.threads = threads

    def _fit(self, X: Any, y: Any) -> None:
        self.model_ = PEERS[self.library][1](self._numbers, self.threads, X)
        self.model_.fit(self._fed(X), y)

    def _fed(self, X: Any) -> Any:
        words = _categorical(X)
        if self.library != "CatBoost" or not words:
            return X
        return X.assign(**{name: X[name].astype(object).fillna("(missing)") for name in words})


class UntunedClassifier(ClassifierMixin, _Untuned):  # type: ignore[misc]
    """The peer's classifier, with labels as numbers inside."""

    def fit(self, X: Any, y: Any) -> UntunedClassifier:
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._fit(X, codes)
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(self._fed(X))

    def predict(self, X: Any) -> Any:
        return self.classes_[np.ravel(self.model_.predict(self._fed(X))).astype(int)]


class UntunedRegressor(RegressorMixin, _Untuned):  # type: ignore[misc]
    """The peer's regressor."""

    _numbers = True

    def fit(self, X: Any, y: Any) -> UntunedRegressor:
        self._fit(X, y)
        return self

    def predict(self, X: Any) -> Any:
        return np.ravel(self.model_.predict(self._fed(X)))


# This library's, by short name: the classifier, the regressor, and what is not default.
OURS: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "gb": ("GradientBoostingClassifier", "GradientBoostingRegressor", {}),
    "strong": ("StrongClassifier", "StrongRegressor", {}),
    "glass": ("AdditiveBoostingClassifier", "AdditiveBoostingRegressor", {}),
    "forest": ("RandomForestClassifier", "RandomForestRegressor", {}),
    "stumps": ("AdaBoostClassifier", None, {}),
    "trees": ("AdaBoostClassifier", "AdaBoostRegressor", {"estimator": "tree"}),
}


def made(name: str, threads: int, numbers: bool, options: dict[str, Any]) -> Any:
    """An unfitted estimator, of this library or a peer; None where there is none of the kind."""
    if name in PEERS:
        return (UntunedRegressor if numbers else UntunedClassifier)(name, threads)
    import weaklearn

    classifier, regressor, own = OURS[name]
    wanted = regressor if numbers else classifier
    return wanted and getattr(weaklearn, wanted)(n_jobs=threads, **own | options)


def described(peer: str, numbers: bool, threads: int) -> str:
    """A peer's version, and its parameters as they are for columns of numbers."""
    module, make = PEERS[peer]
    packages = {"sklearn": "scikit-learn", "interpret": "interpret-core"}
    version = metadata.version(packages.get(module, module))
    given = make(numbers, threads, np.zeros((1, 1))).get_params(deep=False)
    plain = ", ".join(f"{name}={value!r}" for name, value in sorted(given.items()))
    return f"{module} {version}, {threads} threads ({plain})"


def installed(peer: str) -> bool:
    """Whether the library of a peer can be imported."""
    return importlib.util.find_spec(PEERS[peer][0]) is not None
