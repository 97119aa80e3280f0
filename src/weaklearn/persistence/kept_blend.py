"""Which fitted attributes of blends model files hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.check import array, listed, need, one_of, text
from ..prediction.rows import classes_of
from . import checks as fit
from .kept import Kept

_BLEND = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_played": listed(text),
    "_losses": array("f", finite=False),
    "_methods": listed(one_of("decision_function", "predict_proba", "predict")),
    "estimators_": listed(fit.estimator),
    "weights_": array("f"),
    "factors_": array("f"),
    "intercept_": array("f"),
}


def _blended(model: Any) -> None:
    """Every model has a weight, a factor and a method, and answers for the columns and classes."""
    parts, classes = model.estimators_, classes_of(model)
    need(parts, "there is no model")
    alike = len(model.factors_) == len(model._methods) == len(parts)
    need(alike, "there are not as many factors or methods as models")
    n = len(model._played)
    need(len(model._losses) == len(model.weights_) == n, "parts have not a loss and a weight each")
    used = np.count_nonzero(model.weights_ > 0)
    need((model.weights_ >= 0).all() and used == len(parts), "weights are not those of the models")
    K = 1 if classes is None or len(classes) <= 2 else len(classes)
    need(len(model.intercept_) == K, f"the intercept has not {K} numbers")
    for part, method in zip(parts, model._methods, strict=True):
        own = classes_of(part)
        need("_schema" in vars(part), "a model is not fitted")
        need(part.n_features_in_ == model._schema.n_features, "a model has other columns")
        need((own is None) == (classes is None), "a model is of another kind")
        need((method == "predict") == (own is None), f"a model is not asked by {method}")
        need(method in dir(part), f"a model has no {method}")
        if own is not None and classes is not None:
            need(own.tolist() == classes.tolist(), "a model has other classes")


blend = Kept(_BLEND, consistent=_blended)
blend_of_classes = Kept(_BLEND | {"classes_": fit.classes}, consistent=_blended)
