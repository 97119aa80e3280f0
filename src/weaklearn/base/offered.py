"""What a model offers besides ``fit``, and the facts of its fit that it keeps.

Models of this library declare it. Of models of others, which a bag may hold and a report show, the
attributes are looked at, by scikit-learn's convention.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, Literal, get_args

# What some models have and others have not; a class offers those that it defines.
Method = Literal[
    "certify",
    "decision_function",
    "distributions",
    "explain",
    "feature_importances_",
    "margins",
    "predict",
    "predict_proba",
    "rules",
    "shapes",
    "staged_predict",
    "staged_score",
    "to_javascript",
    "truncate",
    "tune_threshold",
]


def methods_of(kind: type) -> frozenset[str]:
    """The optional methods that a class defines."""
    return frozenset(dir(kind)).intersection(get_args(Method))


@singledispatch
def offers(model: Any, method: Method) -> bool:
    """Whether a model has an optional method."""
    return hasattr(model, method)


@singledispatch
def fact(model: Any, name: str) -> Any:
    """A fact of a fit, by the name of its attribute; None where the model does not keep it."""
    return getattr(model, name, None)
