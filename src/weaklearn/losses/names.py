"""Losses by name."""

from __future__ import annotations

import inspect
from typing import Any

from ..base.loss import SIGNS, Loss
from ..base.spelling import nearest
from .custom import made_of
from .margin import Exponential, Hinge, Logistic
from .positive import Gamma, Poisson, Tweedie
from .residual import Absolute, Huber, Quantile, Squared
from .softmax import Softmax

_KINDS: tuple[type[Loss], ...] = (
    Logistic,
    Exponential,
    Hinge,
    Squared,
    Absolute,
    Huber,
    Quantile,
    Poisson,
    Gamma,
    Tweedie,
)
NAMES = {kind.name: kind for kind in _KINDS}
_SHORT = {"exp": "exponential", "logistic": "log_loss", "squared": "squared_error"}
FOR_CLASSES = tuple(name for name, kind in NAMES.items() if kind.target == SIGNS)
FOR_NUMBERS = tuple(name for name, kind in NAMES.items() if kind.target != SIGNS)


def named(loss: Any, *, n_classes: int = 0, **options: Any) -> Loss:
    """The loss a name stands for, or one made of the user's functions or object.

    ``n_classes`` is 0 where numbers are to be predicted. Options are those of the loss:
    ``level`` of "quantile" and "huber", ``power`` of "tweedie".

    >>> named("quantile", level=0.9)
    Quantile(level=0.9)
    >>> named("log_loss", n_classes=3)
    Softmax(n_classes=3)
    >>> named("hubert")
    Traceback (most recent call last):
        ...
    ValueError: loss='hubert' is not allowed: ... Did you mean 'huber'?
    """
    if not isinstance(loss, str):
        return _object(loss, options)
    loss = _SHORT.get(loss, loss)
    known = FOR_NUMBERS if n_classes == 0 else FOR_CLASSES
    if loss not in known:
        told = "numbers" if n_classes == 0 else "classes"
        other = f" ({loss!r} is for other targets.)" if loss in NAMES else ""
        raise ValueError(
            f"loss={loss!r} is not allowed: for {told} it must be one of "
            f"{', '.join(map(repr, known))}, a loss object, or a tuple of functions (gradient, "
            f"curvature, value).{other}{nearest(loss, known)}"
        )
    kind = NAMES[loss]
    allowed = list(inspect.signature(kind).parameters)
    for option in options:
        if option not in allowed:
            listed = ", ".join(allowed) or "none"
            raise TypeError(
                f"loss={loss!r} has no option {option!r}; it has {listed}."
                + nearest(option, allowed)
            )
    if n_classes > 2:
        if kind is Logistic:
            return Softmax(n_classes)
        raise ValueError(
            f"loss={loss!r} is for two classes, and y holds {n_classes}; use loss='log_loss'."
        )
    return kind(**options)


def _object(loss: Any, options: dict[str, Any]) -> Loss:
    found = loss if isinstance(loss, Loss) else made_of(loss)
    if found is None:
        shown = loss.__name__ if isinstance(loss, type) else repr(loss)
        kind = f" Pass an instance, {shown}()." if isinstance(loss, type) else ""
        raise TypeError(
            f"loss={shown} is not allowed: it must be a name, a loss object, or a tuple of "
            f"functions (gradient, curvature, value) of (y, F).{kind}"
        )
    if options:
        raise TypeError(f"options {', '.join(options)} are for losses given by name.")
    return found
