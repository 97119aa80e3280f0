"""Checks of the loss's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import CLASSES, SIGNS, Loss
from ..base.numeric.total import total
from ..base.types import Floats
from ..losses import CustomLoss, named
from ..losses.custom import is_pair

_STEP = 1e-5


def check_loss(loss: Any, y: Any = None) -> None:
    """Checks a loss against its definition and raises an AssertionError that says which part it
    breaks.

    The gradient must be the derivative of the value and the curvature that of the gradient (where
    the gradient does not grow any curvature that is not negative may stand in); all three must be
    finite for scores up to 1000, must treat each example by itself and must not change their
    arguments; and no constant near the best one may be better. ``y`` are targets to check with, for
    losses that take none of signs, integers and numbers above 0.

    >>> from weaklearn import losses
    >>> check_loss(losses.Logistic())
    >>> check_loss((lambda y, F: 2 * (F - y), None, lambda y, F: (F - y) ** 2))
    >>> check_loss((lambda y, F: F - y, lambda y, F: 0 * F + 2))
    Traceback (most recent call last):
        ...
    AssertionError: the curvature of loss '<lambda>' is 2, but the gradient changes by 1 in row 0
    """
    loss = named(loss, n_classes=None)
    rng = np.random.default_rng(0)
    y = _targets(loss, rng) if y is None else np.asarray(y)
    shape = (len(y),) if loss.n_outputs == 1 else (len(y), loss.n_outputs)
    F = 2 * rng.normal(size=shape)
    F += np.where(np.abs(F - y.reshape(-1, *[1] * (F.ndim - 1))) < 0.01, 0.05, 0.0)  # off the kinks
    _check_far(loss, y, shape)
    _check_each_alone(loss, y, F)
    if _tells(loss, "value"):
        _check_slope(loss, y, F)
        _check_constant(loss, y)
    if _tells(loss, "curvature") or _is_objective(loss, y, F):
        _check_curvature(loss, y, F)
    _check_link(loss, F)


def _tells(loss: Loss, what: str) -> bool:
    return not isinstance(loss, CustomLoss) or loss.has(what)


def _is_objective(loss: Loss, y: NDArray[Any], F: Floats) -> bool:
    """Whether one function gives gradient and curvature."""
    return isinstance(loss, CustomLoss) and is_pair(loss.of_gradient(y, F))


def _targets(loss: Loss, rng: Any) -> NDArray[Any]:
    """Targets the loss takes."""
    if loss.target == CLASSES:
        return np.arange(60) % loss.n_outputs
    offered = [
        np.where(rng.random(60) < 0.4, -1, 1),
        rng.normal(size=60) * 3,
        rng.poisson(2.0, 60).astype(float),
        rng.gamma(2.0, size=60),
    ]
    for y in offered[:1] if loss.target == SIGNS else offered[1:]:
        try:
            loss.check_target(y)
        except ValueError:
            continue
        return np.asarray(y)
    raise AssertionError(f"loss {loss.name!r} takes none of the usual targets: pass y.")


def _all(loss: Loss) -> dict[str, Callable[..., Floats]]:
    return {"value": loss.value, "gradient": loss.gradient, "curvature": loss.curvature}


def _check_far(loss: Loss, y: NDArray[Any], shape: tuple[int, ...]) -> None:
    for score in (-1000.0, -30.0, 0.0, 30.0, 1000.0):
        F = np.full(shape, score)
        F[::2] *= 0.5  # a row of equal scores is a special case
        for what, function in _all(loss).items():
            found = function(y, F.copy())
            wanted = (len(y),) if what == "value" else shape
            assert found.shape == wanted, (
                f"the {what} of loss {loss.name!r} has the shape {found.shape}, not {wanted}"
            )
            assert np.isfinite(found).all() or not _tells(loss, what), (
                f"the {what} of loss {loss.name!r} is not finite at F = {score:g}"
            )
        assert (loss.curvature(y, F) >= 0).all(), (
            f"the curvature of loss {loss.name!r} is negative at F = {score:g}"
        )


def _check_each_alone(loss: Loss, y: NDArray[Any], F: Floats) -> None:
    y_before, F_before = y.copy(), F.copy()
    for what, function in _all(loss).items():
        together = function(y, F)
        alone = np.concatenate([function(y[i : i + 1], F[i : i + 1]) for i in range(len(y))])
        assert np.array_equal(together, alone, equal_nan=True), (
            f"the {what} of loss {loss.name!r} depends on other examples"
        )
    assert np.array_equal(y, y_before), f"loss {loss.name!r} changed y"
    assert np.array_equal(F, F_before), f"loss {loss.name!r} changed F"


def _moved(F: Floats, k: int, step: float) -> Floats:
    """F with a step added to output k."""
    moved = F.copy()
    _column(moved, k)[...] += step
    return moved


def _column(x: Floats, k: int) -> Floats:
    """Output k, as a view."""
    return x if x.ndim == 1 else x[:, k]


def _check_slope(loss: Loss, y: NDArray[Any], F: Floats) -> None:
    for k in range(loss.n_outputs):
        up, down = loss.value(y, _moved(F, k, _STEP)), loss.value(y, _moved(F, k, -_STEP))
        _compare(loss, "gradient", "value", _column(loss.gradient(y, F), k), up, down)


def _check_curvature(loss: Loss, y: NDArray[Any], F: Floats) -> None:
    for k in range(loss.n_outputs):
        up, down = (_column(loss.gradient(y, _moved(F, k, step)), k) for step in (_STEP, -_STEP))
        stands_in = up <= down  # the loss is straight there, or bends downwards
        found = np.where(stands_in, 0.0, _column(loss.curvature(y, F), k))
        _compare(loss, "curvature", "gradient", found, np.maximum(up, down), down)


def _compare(
    loss: Loss, what: str, primitive: str, found: Floats, up: Floats, down: Floats
) -> None:
    expected = (up - down) / (2 * _STEP)
    off = np.abs(found - expected) > 1e-4 * (1 + np.abs(expected))
    row = int(np.argmax(off))
    assert not off.any(), (
        f"the {what} of loss {loss.name!r} is {found[row]:.6g}, but the {primitive} changes by "
        f"{expected[row]:.6g} in row {row}"
    )


def _check_constant(loss: Loss, y: NDArray[Any]) -> None:
    if isinstance(loss, CustomLoss) and not hasattr(loss.own, "best_constant"):
        return
    w = np.arange(len(y)) % 3 + 1
    best = loss.best_constant(y, w)
    assert best.shape == (loss.n_outputs,), (
        f"the best constant of loss {loss.name!r} has the shape {best.shape}"
    )
    many = np.tile(best, (len(y), 1))
    loss = loss if loss.n_outputs > 1 else loss.adapted(y, many[:, 0], w)

    def cost(constant: Floats) -> float:
        F = np.tile(constant, (len(y), 1))
        return total(loss.value(y, F[:, 0] if loss.n_outputs == 1 else F), w)

    least = cost(best)
    for k in range(loss.n_outputs):
        for step in (-0.1, 0.1):
            other = best.copy()
            other[k] += step
            assert cost(other) >= least - 1e-9 * abs(least), (
                f"the best constant of loss {loss.name!r} is {best}, but {other} is better"
            )


def _check_link(loss: Loss, F: Floats) -> None:
    found = loss.inverse_link(F)
    assert found.shape == F.shape, f"the link of loss {loss.name!r} changes the shape of F"
    assert np.isfinite(found).all(), f"the link of loss {loss.name!r} is not finite"
