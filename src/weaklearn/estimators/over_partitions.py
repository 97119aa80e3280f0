"""What cannot be fitted where the rows lie in several partitions: refused before round 1.

Estimators, boosters and weak learners declare by a class attribute that they can be. Whoever does
not declare it needs all rows in one place.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ..base.messages.value_text import show
from ..base.messages.warnings import suppressed_warnings
from ..engines.collective import Collective, Operation, collective, running

if TYPE_CHECKING:
    from ..base.booster import Booster
    from ..base.hypothesis import WeakLearner

_WORKS = (
    "fit it on all rows in one place, or use gradient boosting, or AdaBoostClassifier with stumps "
    "(multiclass='auto', 'mh', 'mo' or 'ovr' where there are more than two classes)"
)


class _Planned(Collective):
    """One of several partitions that are not there yet: parameters are checked for them."""

    rank, size = 0, 2

    def exchange(self, operation: Operation, value: Any) -> Any:
        raise RuntimeError("parameters are checked before there are partitions.")


def planned_partitions() -> AbstractContextManager[Collective]:
    """Context manager: what is not possible over several partitions is refused within it."""
    return running(_Planned())


def heard_once() -> AbstractContextManager[None]:
    """Context manager: of several partitions, the first alone issues this library's warnings."""
    return suppressed_warnings() if collective().rank > 0 else nullcontext()


def refuse_estimator(model: Any) -> None:
    """Raises TypeError for an estimator that cannot be fitted over several partitions."""
    _refuse_unless(model.over_partitions, type(model).__name__)


def refuse_parts(booster: Booster, learner: WeakLearner) -> None:
    """Raises TypeError for a booster or a weak learner that needs all rows in one place."""
    _refuse_unless(booster.over_partitions, type(booster).__name__)
    _refuse_unless(learner.over_partitions, learner.title)


def _refuse_unless(possible: bool, name: str) -> None:
    if collective().size > 1 and not possible:
        raise TypeError(f"{name} cannot be fitted over several partitions of the rows: {_WORKS}.")


def refuse_options(model: Any) -> None:
    """Raises ValueError for a parameter that is not at its default, and needs all rows at once.

    A weak learner that does is a TypeError.
    """
    if collective().size == 1:
        return
    for name in model.options_of_all_rows:
        value, default = getattr(model, name), getattr(type(model), name)
        if value != default:
            raise ValueError(
                f"{name}={show(value)} is not supported over several partitions of the rows: set "
                f"{name}={show(default)}, or fit on all rows in one place."
            )
    learner = model._learner_before_rows()
    if learner is not None:
        _refuse_unless(learner.over_partitions, learner.title)
