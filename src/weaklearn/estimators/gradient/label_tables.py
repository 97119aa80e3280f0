"""Gradient boosting on a y with a column for each class: several labels a row, or shares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import losses
from ...base.loss import Loss
from ...base.messages.value_text import show
from ...base.numeric.magnitude import SQUARED
from ...base.types import Array, Floats
from ...intake.multilabel import Indicator, LabelTable, labels_in_table, read_label_table
from ...intake.prepare import Prepared, Target
from ...intake.validation_sets import ValidationSet
from ...losses.shares import of_shares

if TYPE_CHECKING:
    from .estimators import GradientBoostingClassifier

_SHARES = (losses.ShareLogistic, losses.ShareSoftmax)


def prepared_table(
    model: GradientBoostingClassifier, X: Any, y: Any, sample_weight: Any, resumed: bool
) -> Prepared:
    """The sample of a y with several columns: a number for each label, or for each class."""
    _refuse_parameters(model)
    table = read_label_table(y, known=_known(model) if resumed else None)
    n_targets = table.numbers.shape[1] if table.numbers.ndim == 2 else 1
    target = Target(regression=True, largest=SQUARED, form="columns", n_targets=n_targets)
    prepared = model._prepared(X, table.numbers, sample_weight, resumed, target)
    if prepared.sample.engine.collective.size > 1:
        raise ValueError(
            "y holds a column for each class, which is not supported over several partitions of "
            "the rows: fit on all rows in one place."
        )
    if table.indicator is None and model.scoring is not None:
        raise ValueError(
            f"scoring={show(model.scoring)} is not allowed where y holds shares of classes, which "
            "scores cannot take; rounds are judged by the loss of the shares: set scoring=None."
        )
    return replace(prepared, classes=table.names, indicator=table.indicator)


def table_loss(prepared: Prepared, monotonic: bool) -> Loss:
    """The log-loss of each label, or of the shares of the classes."""
    n = len(prepared.classes)
    if prepared.indicator is not None:
        return losses.Several.of(losses.Logistic(), n)
    if n > 2 and monotonic:
        raise ValueError(
            f"monotonic_cst is set, and y holds shares of {n} classes: it is for two classes and "
            "for numbers."
        )
    return of_shares(n)


def table_sets(prepared: Prepared, sets: list[ValidationSet]) -> list[ValidationSet]:
    """The validation sets with their tables as numbers."""
    known = LabelTable(prepared.classes, np.zeros(0), prepared.indicator)
    return [
        (name, X, [y if y is None else _numbers(y, "y_val", known), *rest])
        for name, X, (y, *rest) in sets
    ]


def refuse_other_form(model: GradientBoostingClassifier, y: Any) -> None:
    """Refuses one class a row where rounds go on that learnt from a table, or the reverse."""
    before, now = _is_of_table(model), labels_in_table(y)
    if before != now:
        forms = {False: "one class a row", True: "a column for each class"}
        raise ValueError(
            f"y holds {forms[now]}, and y in training held {forms[before]}: pass y as in training, "
            "or fit anew with warm_start=False."
        )


def table_score(model: GradientBoostingClassifier, y: Any, answers: Any, weight: Any) -> float:
    """The mean share of the class that each row is given."""
    shares = _numbers(y, "y", LabelTable(model.classes_, np.zeros(0), None))
    if shares.ndim == 1:
        shares = np.column_stack([(1 - shares) / 2, (1 + shares) / 2])
    place = {label: k for k, label in enumerate(model.classes_.tolist())}
    codes = np.array([place[label] for label in answers.tolist()], np.intp)
    return float(np.average(shares[np.arange(len(codes)), codes], weights=weight))


def learnt_shares(model: GradientBoostingClassifier) -> bool:
    """Whether the model has learnt from shares of classes."""
    return isinstance(model._loss, _SHARES)


def _numbers(y: Any, argument: str, known: LabelTable) -> Floats:
    return read_label_table(y, argument=argument, known=known).numbers


def _is_of_table(model: GradientBoostingClassifier) -> bool:
    return model._indicator is not None or learnt_shares(model)


def _known(model: GradientBoostingClassifier) -> LabelTable:
    form, names = model._indicator, np.asarray(model.classes_)
    indicator = None if form is None else Indicator(names, *form)
    return LabelTable(names, np.zeros(0), indicator)


def _refuse_parameters(model: GradientBoostingClassifier) -> None:
    """Refuses what is defined for one class a row alone."""
    if model.class_weight is not None:
        raise ValueError(
            f"class_weight={show(model.class_weight)} is not allowed where y holds a column for "
            "each class, as it weighs a row by its one class: pass sample_weight."
        )
    if model.label_smoothing:
        raise ValueError(
            f"label_smoothing={model.label_smoothing:g} is not allowed where y holds a column for "
            "each class: pass shares that are smooth, (1 - s) * y + s / K."
        )
    if losses.named(model.loss, n_classes=2) != losses.Logistic():
        raise ValueError(
            f"loss={show(model.loss)} is for one class a row, and y holds a column for each class: "
            "pass loss='log_loss'."
        )


def written(model: GradientBoostingClassifier, F: Floats) -> Array | Any:
    """The labels whose score is above 0, in the form of the y of training."""
    indicator = _known(model).indicator
    assert indicator is not None
    return indicator.written(F > 0)
