"""Ensemble members that are models of this library, in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from ..base.offered import fact
from ..files.check import need
from ..files.member import MEMBERS, Member
from ..files.member import MODEL_MEMBER as NUMBER
from ..files.record import MODELS, Record, expect
from ..files.shape import Shape
from ..learners.foreign import ForeignHypothesis
from . import checks as fit


def _take(h: Any) -> list[Any]:
    """The model and its labels; for a model of one label, that label."""
    return [h.estimator.classes_ if h.constant else h.estimator, h.classes]


def _make(fields: list[Any]) -> Any:
    expect(fields, 2)
    estimator, classes = fields
    fit.classes("the classes of a member", classes)
    if isinstance(estimator, np.ndarray):
        estimator = _constant(estimator)
    else:
        fit.estimator("a member", estimator)
    known = fact(estimator, "classes_")
    need(known is not None, "a member is no fitted classifier")
    named = set(classes.tolist())
    need(all(label in named for label in known.tolist()), "a member answers other classes")
    return ForeignHypothesis(estimator, classes)


def _constant(labels: NDArray[Any]) -> DummyClassifier:
    fit.classes("the label of a member", labels)
    need(len(labels) == 1, f"a member that knows one label has {len(labels)}")
    return DummyClassifier(strategy="most_frequent").fit(np.zeros((1, 1)), labels)


def _models_fit(name: str, models: Sequence[Any], shape: Shape, n_outputs: int) -> None:
    """Refuses members that are models of other columns or classes than the ensemble."""
    for h in models:
        n, K = h.estimator.n_features_in_, len(h.classes)
        need(h.constant or n == shape.n_features, f"{name}: a member has {n} columns")
        need((K if K > 2 else 1) == n_outputs, f"{name}: a member of {K} classes")


MODEL_MEMBER = Record(NUMBER, ForeignHypothesis, _take, _make, holds={0: MODELS})
MEMBERS[ForeignHypothesis] = Member(_models_fit)
