"""Reads the estimators, data sets and scorers of a comparison into dicts by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer

from ..base.messages.value_text import show
from .task import NUMBERS


def estimators_by_name(given: Any) -> dict[str, Any]:
    """A dict by name from a dict, a list, a list of (name, estimator), or one estimator."""
    if hasattr(given, "fit"):
        given = [given]
    named = [
        (str(one[0]), one[1])
        if isinstance(one, tuple) and len(one) == 2
        else (type(one).__name__, one)
        for one in _listed("estimators", given)
    ]
    for name, estimator in named:
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "predict")
        ):
            raise TypeError(
                f"the estimator {name} is {show(estimator)}; pass objects with fit and predict, "
                "such as AdaBoostClassifier()."
            )
    return _unique(named)


def datasets_by_name(given: Any) -> dict[str, Any]:
    """A dict by name from a dict, a list, or one data set; functions give their names."""
    if _is_one(given):
        given = [given]
    listed = _listed("datasets", given)
    if isinstance(given, Mapping):
        return {str(name): one for name, one in listed}
    return _unique([(_called(one, k), one) for k, one in enumerate(listed, start=1)])


def _is_one(given: Any) -> bool:
    """Whether it is one data set: a Bunch, a function, or a tuple that begins with a matrix."""
    bunch = hasattr(given, "data") and hasattr(given, "target")
    matrix = isinstance(given, tuple) and len(given) > 1 and len(_shape(given[0])) == 2
    return bunch or callable(given) or matrix


def _shape(X: Any) -> tuple[int, ...]:
    return tuple(getattr(X, "shape", ()))


def _called(dataset: Any, k: int) -> str:
    name = getattr(dataset, "__name__", "")
    for beginning in ("load_", "fetch_", "make_"):
        name = name.removeprefix(beginning)
    return name if name.isidentifier() else f"data {k}"


def _listed(what: str, given: Any) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what}={show(given)} is not allowed: it must be a list, or a dict.")
    listed = list(given.items() if isinstance(given, Mapping) else given)
    if not listed:
        raise ValueError(f"{what} is empty; pass at least one.")
    return listed


def _unique(named: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of the pairs; repeated names get a number."""
    found: dict[str, Any] = {}
    for name, value in named:
        free = name
        k = 2
        while free in found:
            free = f"{name} {k}"
            k += 1
        found[free] = value
    return found


def scorers_by_name(scoring: Any) -> dict[str, Callable[[Any, Any, Any], float]]:
    """Scorers of scikit-learn from a name, a list of names, a dict, or a function."""
    if scoring is None:
        return {}
    if isinstance(scoring, Mapping):
        return {str(key): get_scorer(value) for key, value in scoring.items()}
    listed = [scoring] if isinstance(scoring, str) or callable(scoring) else list(scoring)
    return {getattr(one, "__name__", str(one)): get_scorer(one) for one in listed}


def fits(estimator: Any, kind: str) -> bool:
    """Whether the estimator suits the target: no classifier on numbers, no regressor on classes."""
    return not (is_classifier(estimator) if kind == NUMBERS else is_regressor(estimator))


def meant(estimators: Iterable[Any]) -> bool | None:
    """Whether integers in y are regression targets to these estimators; None: nobody says."""
    lineup = list(estimators)
    if all(map(is_regressor, lineup)):
        return True
    return False if all(map(is_classifier, lineup)) else None
