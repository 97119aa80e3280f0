"""Who watches a fit: scores on held-out rows, and scikit-learn's callbacks where it has them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from math import isnan
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.history import History
from ..base.messages.value_text import show
from ..base.messages.warnings import BoostingWarning, warn
from ..base.numeric.total import rounded_once
from ..base.types import Floats
from ..intake.parameters import nearest
from ..losses.links import decide

if TYPE_CHECKING:
    from ..base.booster import State
    from ..base.history import History
    from ..intake.validation import Validation

# Whether scikit-learn has callbacks of its own: from 1.9 on.
SUPPORTED = find_spec("sklearn.callback") is not None


def set_callbacks(self: Any, *callbacks: Any) -> Any:
    """Sets scikit-learn's callbacks for this estimator's fits."""
    from sklearn.callback import CallbackSupportMixin as Support  # not light, and rarely needed

    return Support.set_callbacks(self, *callbacks)


def init_callback_context(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The context that scikit-learn's callbacks are called in."""
    from sklearn.callback import CallbackSupportMixin as Support

    return Support._init_callback_context(self, *args, **kwargs)


# ------------------------------------------------------------------------------------- validation


def accuracy_score(validation: Validation, n_classes: int) -> Callable[[Floats, State], float]:
    """The share of the held-out weight that scores get right."""
    weights = np.ones(len(validation.codes)) if validation.weights is None else validation.weights
    over = validation.rows.engine.collective
    total = rounded_once([weights], over)  # so that neither the order of rows nor partitions matter

    def accuracy(F: Floats, state: State) -> float:
        right = rounded_once([weights[decide(F, n_classes) == validation.codes]], over)
        return float((right / total)[0])

    return accuracy


def check_scorer(scoring: Any) -> None:
    """Refuses what is neither a name of scikit-learn's scorers nor a function."""
    from sklearn.metrics import get_scorer_names  # heavy, and rarely needed

    names = get_scorer_names()
    if scoring not in names if isinstance(scoring, str) else not callable(scoring):
        hint = nearest(scoring, names) if isinstance(scoring, str) else ""
        raise ValueError(
            f"scoring={show(scoring)} is not allowed: it must be the name of one of "
            "scikit-learn's scorers (sklearn.metrics.get_scorer_names() lists them), a function of "
            f"(estimator, X, y), or None.{hint}"
        )


def scorer_score(
    estimator: Any, X: Any, y: NDArray[Any], weights: Floats | None
) -> Callable[[Any], float]:
    """The function that scores a model on such rows by the ``scoring`` of the estimator."""
    from sklearn.metrics import check_scoring  # heavy, and rarely needed

    scoring = estimator.scoring
    check_scorer(scoring)
    scorer = check_scoring(estimator, scoring=scoring)
    named: dict[str, Any] = {}
    if weights is not None and not (weights == weights[0]).all():
        if "sample_weight" in inspect.signature(scorer).parameters:
            named = {"sample_weight": weights}
        else:
            warn("scoring takes no sample_weight: validation rows count alike.", BoostingWarning)

    def score(model: Any) -> float:
        try:
            found = scorer(model, X, y, **named)
        except Exception as error:
            error.add_note(f"scoring={show(scoring)} failed on {len(y)} rows to judge by.")
            raise
        if not isinstance(found, Real):
            raise TypeError(
                f"scoring={show(scoring)} gave {show(found)}; it must give one number, "
                "larger where better."
            )
        if isnan(found):
            raise ValueError(
                f"scoring={show(scoring)} gave nan on {len(y)} rows to judge by; it must give a "
                "number. Ranking measures need rows of every class: judge by more rows, by folds "
                "that hold all classes, or by another measure."
            )
        return float(found)

    return score


# -------------------------------------------------------------------------------------- callbacks


def is_protocol_callback(callback: Any) -> bool:
    """Whether a callback follows scikit-learn's protocol and is not a plain function."""
    return hasattr(callback, "on_fit_task_begin") and hasattr(callback, "on_fit_task_end")


def check_callbacks(callbacks: Any) -> None:
    """Refuses what is neither a function of a round nor a callback of scikit-learn's."""
    if callbacks is None:
        return
    if not isinstance(callbacks, (list, tuple)):
        raise TypeError(f"callbacks={show(callbacks)} is not allowed: it must be a list, or None.")
    for callback in callbacks:
        protocol = is_protocol_callback(callback)
        if isinstance(callback, type) or not (protocol or callable(callback)):
            raise TypeError(
                f"callbacks holds {show(callback)}; each must be callable as "
                "callback(t, state, history), or follow scikit-learn's FitCallback protocol."
            )
        if protocol and not SUPPORTED:
            raise TypeError(
                f"callbacks holds {show(callback)}, a callback of scikit-learn's protocol; that "
                "takes scikit-learn 1.9 or later."
            )


@contextmanager
def protocol_callbacks(estimator: Any) -> Iterator[None]:
    """Hands the protocol's callbacks among ``callbacks`` to scikit-learn for one fit."""
    given = [c for c in estimator.callbacks if is_protocol_callback(c)]
    if not given:
        yield
        return
    inner = hasattr(estimator, "_parent_callback_ctx")
    if inner and any(hasattr(c, "max_propagation_depth") for c in given):
        raise TypeError(
            f"{type(estimator).__name__} is fitted by another estimator, which passes such "
            "callbacks on by itself: register them there, not in callbacks."
        )
    before = list(getattr(estimator, "_skl_callbacks", ()))
    estimator.set_callbacks(*before, *given)
    try:
        yield
    finally:
        estimator.set_callbacks(*before)


class ProtocolBridge:
    """Calls scikit-learn's callbacks after every round; True where one of them stops the fit."""

    def __init__(
        self,
        estimator: Any,
        data: tuple[Any, Any, Any],
        n_rounds: int,
        fitted: Callable[[Any], Any],
    ) -> None:
        X, y, sample_weight = data
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        self._estimator = estimator
        self._data = {"X": X, "y": y, "metadata": metadata}
        self._fitted = fitted
        self._root = estimator._init_callback_context(max_subtasks=n_rounds)
        self._root.call_on_fit_task_begin(estimator=estimator, **self._data)

    def __call__(self, t: int, state: Any, history: History) -> bool:
        task = self._root.subcontext(task_name="round")
        task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return self._end(task, state)

    def _end(self, task: Any, state: Any) -> bool:
        return bool(
            task.call_on_fit_task_end(
                estimator=self._estimator,
                reconstruction_attributes=lambda: self._fitted(state),
                **self._data,
            )
        )

    def close(self, state: Any) -> None:
        self._end(self._root, state)
