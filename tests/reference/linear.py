"""Linear scores and circuits learnt one example at a time, in plain numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def push(loss: str, z: float) -> float:
    """-dL/dz."""
    return {
        "perceptron": lambda: float(z <= 0),
        "hinge": lambda: float(z < 1),
        "logistic": lambda: 1 / (1 + np.exp(min(z, 700.0))),
        "squared": lambda: 2 * (1 - z),
    }[loss]()


def value(loss: str, z: float) -> float:
    return {
        "perceptron": lambda: max(0.0, -z),
        "hinge": lambda: max(0.0, 1 - z),
        "logistic": lambda: float(np.logaddexp(0, -z)),
        "squared": lambda: (1 - z) ** 2,
    }[loss]()


def signs(y: Any, outputs: int) -> Any:
    """A column of -1 and +1 for each output."""
    y = np.asarray(y)
    return y[:, None] if outputs == 1 else np.where(y[:, None] == np.arange(outputs), 1, -1)


def is_mistake(scores: Any, y: int) -> bool:
    """Whether no score of another class is reached, or a lone score has the wrong sign."""
    if len(scores) == 1:
        return bool(y * scores[0] <= 0)
    return bool((np.delete(scores, y) >= scores[y]).any())


def linear_pass(
    X: Any, y: Any, outputs: int, loss: str, step: Callable[[int], float], w: Any = None
) -> dict[str, Any]:
    """One pass; the history of the weights beside what was said."""
    X = np.asarray(X, float)
    w = np.zeros((outputs, X.shape[1])) if w is None else np.array(w, float)
    scores, mistakes, after, losses = [], [], [], []
    for t, (x, target, label) in enumerate(zip(X, signs(y, outputs), y), start=1):
        F = w @ x
        scores.append(F)
        mistakes.append(is_mistake(F, label))
        losses.append(sum(value(loss, z) for z in target * F))
        for k in range(outputs):
            w[k] += step(t) * push(loss, target[k] * F[k]) * target[k] * x
        after.append(w.copy())
    return {
        "w": w,
        "scores": np.array(scores),
        "mistakes": np.array(mistakes),
        "losses": np.array(losses),
        "average": np.mean(after, axis=0),
    }


def perceptron(X: Any, y: Any, passes: int) -> tuple[Any, list[int]]:
    """Weights, and the rows mistaken, one after the other; passes end with a clean one."""
    w, wrong = np.zeros(np.shape(X)[1]), []
    for _ in range(passes):
        before = len(wrong)
        for i, (x, sign) in enumerate(zip(np.asarray(X, float), y)):
            if sign * (w @ x) <= 0:
                w = w + sign * x
                wrong.append(i)
        if len(wrong) == before:
            break
    return w, wrong


def circuit(x: Any, layers: Sequence[Any], constant: bool) -> list[Any]:
    """What each layer says, the scores last."""
    said = [np.asarray(x, float)]
    for k, W in enumerate(layers):
        v = W @ np.append(said[-1], [1.0] * constant)
        said.append(v if k == len(layers) - 1 else 1 / (1 + np.exp(-v)))
    return said


def circuit_loss(x: Any, y: int, layers: Sequence[Any], constant: bool, loss: str) -> float:
    F = circuit(x, layers, constant)[-1]
    return sum(value(loss, z) for z in signs([y], len(F))[0] * F)


def gradient(
    x: Any, y: int, layers: Sequence[Any], constant: bool, loss: str, h: float = 1e-6
) -> list[Any]:
    """The slope of the loss in every weight, by differences."""
    found = []
    for k, W in enumerate(layers):
        slope = np.empty_like(W)
        for place in np.ndindex(W.shape):
            ends = []
            for sign in (-1, 1):
                moved = [layer.copy() for layer in layers]
                moved[k][place] += sign * h
                ends.append(circuit_loss(x, y, moved, constant, loss))
            slope[place] = (ends[1] - ends[0]) / (2 * h)
        found.append(slope)
    return found
