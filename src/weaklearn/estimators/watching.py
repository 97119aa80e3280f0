"""scikit-learn's callback protocol, where the installed version has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ..base.booster import State
    from ..base.record import History

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Method) -> Method:  # type: ignore[no-redef]
        return method


def is_protocol_callback(callback: Any) -> bool:
    """Whether a callback speaks scikit-learn's protocol rather than being a plain function."""
    return hasattr(callback, "on_fit_task_begin") and hasattr(callback, "on_fit_task_end")


class ProtocolBridge:
    """Tells scikit-learn's callbacks about every round; they may ask to stop."""

    def __init__(
        self, estimator: Any, X: Any, y: Any, n_rounds: int, fitted: Callable[[State], Any]
    ):
        self._estimator = estimator
        self._root = estimator._init_callback_context(max_subtasks=n_rounds)
        self._root.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
        self._data = {"X": X, "y": y}
        self._fitted = fitted
        self._task: Any = None

    def __call__(self, t: int, state: State, history: History) -> bool:
        task = self._root.subcontext(task_name="round")
        task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return bool(
            task.call_on_fit_task_end(
                estimator=self._estimator,
                reconstruction_attributes=lambda: self._fitted(state),
                **self._data,
            )
        )

    def close(self) -> None:
        self._root.call_on_fit_task_end(estimator=self._estimator, **self._data)


def bridge(
    estimator: Any, X: Any, y: Any, n_rounds: int, fitted: Callable[[State], Any]
) -> ProtocolBridge | None:
    """A bridge where the estimator has protocol callbacks set and scikit-learn supports them."""
    if not getattr(estimator, "_skl_callbacks", None) or not hasattr(
        estimator, "_init_callback_context"
    ):
        return None
    return ProtocolBridge(estimator, X, y, n_rounds, fitted)
