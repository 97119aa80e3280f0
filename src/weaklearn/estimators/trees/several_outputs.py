"""Trees and forests of several outputs: what they cannot do, and how they are judged out of bag."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

from ...base.messages.value_text import show
from ...base.messages.warnings import suppressed_warnings
from ...base.types import Floats
from ...intake.outputs import Outputs
from ...intake.prepare import Prepared
from ...learners.tree import TreeLearner
from ...prediction.outputs import n_outputs

_CRITERIA = ("gini", "entropy", "squared_error")


def refused_settings(model: Any, learner: TreeLearner) -> dict[str, str]:
    """Parameters that trees of several outputs cannot have as they are, and what they can be."""
    alphaless = learner.pruning == "cost_complexity" and learner.ccp_alpha is None
    refused = {
        "criterion": (learner.criterion not in _CRITERIA, "'gini', 'entropy' or 'squared_error'"),
        "monotonic_cst": (model.monotonic_cst is not None, "None"),
        "missing": (learner.missing != "side", "'side'"),
        "categorical": (learner.categorical == "multiway", "'subset' or 'equality'"),
        "pruning": (learner.pruning == "pessimistic" or alphaless, "None, and a ccp_alpha"),
    }
    return {name: remedy for name, (wrong, remedy) in refused.items() if wrong}


def refuse_settings(model: Any, learner: TreeLearner, prepared: Prepared) -> None:
    """Refuses what trees of several outputs cannot do."""
    n = prepared.n_outputs
    for name, remedy in refused_settings(model, learner).items() if n > 1 else ():
        raise ValueError(
            f"{name}={show(getattr(model, name))} is not allowed where y holds {n} outputs a "
            f"row: it must be {remedy}; or fit a model for each output."
        )


def settings_allow_several(model: Any, make_learner: Callable[[], TreeLearner]) -> bool:
    """Whether trees of these parameters take several outputs; fit refuses wrong parameters."""
    try:
        with suppressed_warnings():
            return not refused_settings(model, make_learner())
    except (TypeError, ValueError):
        return True


def refuse_other_outputs(model: Any, prepared: Prepared) -> None:
    """Refuses another number of outputs than members were trained on that are kept."""
    n, before = prepared.n_outputs, n_outputs(model)
    if n != before:
        raise ValueError(
            f"warm_start=True goes on with members of {before} output(s) a row, and y holds {n}; "
            "pass y as before, or set warm_start=False."
        )


def refuse_several(model: Any, what: str) -> None:
    """Refuses what is of one output."""
    n = n_outputs(model)
    if n > 1:
        raise TypeError(
            f"{what} of one output a row, and this {type(model).__name__} has {n}: ask "
            "of_output(0), and so on, or fit a model for each."
        )


def known_classes(prepared: Prepared) -> dict[str, Any]:
    """The fitted names of the classes, of several outputs lists; none where numbers are learnt."""
    outputs, classes = prepared.outputs, prepared.classes
    if outputs is not None and outputs.classes:
        sizes = [len(each) for each in outputs.classes]
        return {"classes_": list(outputs.classes), "n_classes_": sizes}
    return {"classes_": classes, "n_classes_": len(classes)} if len(classes) else {}


def no_intervals(model: Any) -> str:
    """Why answers cannot be made conformal, where they cannot."""
    n = n_outputs(model)
    if n == 1:
        return ""
    return (
        f"y in training held {n} outputs a row, and conformal answers are of one; fit and "
        "conformalize a model for each."
    )


def several_tags(tags: Any, several: bool) -> None:
    """Says in scikit-learn's tags whether y may have several outputs."""
    tags.target_tags.multi_output = several
    if tags.classifier_tags is not None:
        tags.classifier_tags.multi_label = several


def of_one_output(model: Any) -> bool:
    """Whether a model has one output a row, as far as it is fitted."""
    return n_outputs(model) == 1


def takes_outputs(estimator: Any) -> bool:
    """Whether a learner takes a y of several columns: "tree", the default, and others by tags."""
    if isinstance(estimator, BaseEstimator):
        return bool(get_tags(estimator).target_tags.multi_output)
    return estimator is None or (isinstance(estimator, str) and estimator == "tree")


def check_out_of_bag(outputs: Outputs) -> None:
    """Refuses out-of-bag scores of outputs of more than two classes, as scikit-learn does."""
    if any(len(classes) > 2 for classes in outputs.classes):
        raise ValueError(
            "The type of target cannot be used to compute OOB estimates. Of several outputs each "
            "may have two classes at most (multilabel-indicator), and one has more: set "
            "oob_score=False, or fit a forest for each output."
        )


def by_class_and_output(outputs: Outputs, average: Floats) -> Floats:
    """Shares of classes of all outputs side by side as (rows, classes, outputs)."""
    found = np.zeros((len(average), max(map(len, outputs.classes)), outputs.n))
    first = 0
    for k, classes in enumerate(outputs.classes):
        found[:, : len(classes), k] = average[:, first : first + len(classes)]
        first += len(classes)
    return found


def all_right(y: NDArray[Any], predicted: NDArray[Any], weights: Floats) -> float:
    """The share of the rows whose outputs are all right."""
    return fsum(weights[(predicted == y).all(axis=1)]) / fsum(weights)
