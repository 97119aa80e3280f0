"""A loss made of the user's functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, checked, wrong_loss
from ..base.types import Floats, Partitions

Function = Callable[[NDArray[Any], Floats], Any]


@dataclass(frozen=True)
class CustomLoss(Loss):
    """A loss made of the user's functions of (y, F), each returning one number per example.

    Without a curvature every example has 1, which makes Newton's steps gradient steps; without a
    value the history has no loss. One function may give both: an objective, as other libraries take
    it, which returns a pair of arrays, gradient and curvature. Returned arrays are checked in every
    call.

    >>> loss = CustomLoss(lambda y, F: F - y, label="mine")
    >>> loss.gradient(np.array([1.0, 2.0]), np.zeros(2)).tolist()
    [-1.0, -2.0]
    >>> CustomLoss(lambda y, F: (F - y, 3 + 0 * F)).curvature(np.zeros(2), np.zeros(2)).tolist()
    [3.0, 3.0]
    """

    of_gradient: Function
    of_curvature: Function | None = None
    of_value: Function | None = None
    label: str = "custom"
    own: Any = None  # the user's object, which may also have best_constant, inverse_link, ...
    zero_one: bool = False  # the functions get labels as 0 and 1, as objectives expect them

    def has(self, what: str) -> bool:
        """Whether the user gave a function for the "value" or the "curvature" alone."""
        return (self.of_value if what == "value" else self.of_curvature) is not None

    @property
    def has_link(self) -> bool:
        """Whether the user's object has an ``inverse_link``."""
        return hasattr(self.own, "inverse_link")

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.label

    @property
    def target(self) -> str:  # type: ignore[override]
        return str(getattr(self.own, "target", "any"))

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        if self.of_value is None:
            return np.full(len(F), np.nan)
        return self._checked("value", self.of_value, y, F)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return self._slopes(y, F)[0]

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        if self.of_curvature is None:
            return self._slopes(y, F)[1]
        return self._checked("curvature", self.of_curvature, y, F)

    def derivatives(self, y: NDArray[Any], F: Floats) -> tuple[Floats, Floats]:
        gradient, curvature = self._slopes(y, F)
        return gradient, curvature if self.of_curvature is None else self.curvature(y, F)

    def _slopes(self, y: NDArray[Any], F: Floats) -> tuple[Floats, Floats]:
        """The gradient and, of an objective, the curvature; 1 where the function tells none."""
        found = self._called("gradient", self.of_gradient, y, F)
        if not is_pair(found):
            return self._read("gradient", found, y, F), np.ones_like(F)
        gradient, curvature = found
        return self._read("gradient", gradient, y, F), self._read("curvature", curvature, y, F)

    def settled(self, y: NDArray[Any], n_classes: int) -> Loss:
        """The same loss; of two classes an objective gets labels 0 and 1, as others hand them over.

        The function is called once, with scores of 0, to see what it returns.
        """
        if n_classes not in (1, 2):
            return self
        try:
            with np.errstate(all="ignore"):
                found = self.of_gradient(_locked((y > 0) * 1.0), _locked(np.zeros(len(y))))
        except MemoryError:
            raise
        except Exception:  # the rounds will meet it too, and say so
            return self
        return replace(self, zero_one=True) if is_pair(found) else self

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        if hasattr(self.own, "best_constant"):
            return np.asarray(self.own.best_constant(y, w), np.float64).reshape(self.n_outputs)
        return np.zeros(self.n_outputs)

    def inverse_link(self, F: Floats) -> Floats:
        link = getattr(self.own, "inverse_link", None)
        return F if link is None else np.asarray(link(F), np.float64)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        if hasattr(self.own, "check_target"):
            self.own.check_target(y)

    def _checked(self, what: str, function: Function, y: NDArray[Any], F: Floats) -> Floats:
        """The array that a user's function returns, checked: finite, one number per example."""
        return self._read(what, self._called(what, function, y, F), y, F)

    def _called(self, what: str, function: Function, y: NDArray[Any], F: Floats) -> Any:
        try:
            return function(_locked((y > 0) * 1.0 if self.zero_one else y), _locked(F))
        except MemoryError as error:
            error.add_note(f"It was raised by the {what} of loss {self.name!r}.")
            raise
        except Exception as error:
            raise wrong_loss(
                RuntimeError,
                f"the {what} of loss {self.name!r} raised {type(error).__name__}: {error}",
            ) from error

    def _read(self, what: str, found: Any, y: NDArray[Any], F: Floats) -> Floats:
        try:
            numbers = np.array(found, np.float64)
        except (TypeError, ValueError) as error:
            raise wrong_loss(
                TypeError,
                f"the {what} of loss {self.name!r} returned {type(found).__name__}, which is no "
                f"array of numbers; it must return one number for each of the {len(F)} rows.",
            ) from error
        return checked(self, what, numbers, y, F)


def is_pair(found: Any) -> bool:
    """Whether a function returned gradient and curvature: a tuple or list of two arrays.

    >>> is_pair((np.zeros(3), np.ones(3))), is_pair([1.0, 2.0]), is_pair(np.zeros((2, 3)))
    (True, False, False)
    """
    return isinstance(found, (tuple, list)) and len(found) == 2 and all(map(np.ndim, found))


def _locked(x: NDArray[Any]) -> NDArray[Any]:
    """A read-only view."""
    view = x.view()
    view.flags.writeable = False
    return view


def made_of(given: Any) -> CustomLoss | None:
    """A loss from functions, or an object with a method ``gradient``; None for anything else."""
    if isinstance(given, (tuple, list)):
        if not 1 <= len(given) <= 3 or not callable(given[0]):
            return None
        if not all(f is None or callable(f) for f in given):
            return None
        gradient, curvature, value = (*given, None, None)[:3]
        return CustomLoss(gradient, curvature, value, _name_of(gradient))
    if isinstance(given, type):
        return None
    if callable(getattr(given, "gradient", None)):
        curvature, value = getattr(given, "curvature", None), getattr(given, "value", None)
        label = str(getattr(given, "name", type(given).__name__))
        return CustomLoss(given.gradient, curvature, value, label, own=given)
    return CustomLoss(given, label=_name_of(given)) if callable(given) else None


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))
