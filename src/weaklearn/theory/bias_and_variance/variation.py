"""Bias and variance of a learner, measured by training it on many training sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.value_text import show
from ...base.offered import fact, offers
from ...base.sample import take_rows
from ..pac.distribution import canonical, labels_of, n_rows, seed_of, trained
from .decomposition import Decomposition, Numbers, take_apart

_RESPONSES = ("auto", "value", "proba", "sign")


@dataclass(frozen=True, eq=False)
class MainPrediction:
    """Statistics of the 0-1 loss, which has no additive decomposition.

    The main prediction at a point is the label that most training sets lead to, the smallest on
    ties; ``disagreement`` is the share of training sets that lead to another one.
    """

    labels: NDArray[Any]
    disagreement: NDArray[np.float64]
    wrong: NDArray[np.bool_] | None  # where the main prediction differs from the test label
    expected_error: NDArray[np.float64] | None  # the share of training sets that err


@dataclass(frozen=True, eq=False)
class BiasVariance(Decomposition):
    """The decomposition over the training sets drawn, at the test points ``points``.

    Points that no training set left out cannot be judged by the bootstrap and are not among them.
    """

    points: NDArray[np.intp]
    n_sets: int
    response: str  # "value", "proba" or "sign": what was taken for the answer
    zero_one: MainPrediction | None  # for classifiers


@dataclass(frozen=True, eq=False)
class _Task:
    """Training sets, the test points that each predicts (None: all), and the test points."""

    sets: Iterator[tuple[Any, Any, NDArray[np.bool_] | None]]
    X: Any
    y: NDArray[Any] | None


@dataclass(frozen=True, eq=False)
class _Predictions:
    """The predictions of one trained copy at the test points."""

    answers: NDArray[Any]  # numbers or labels
    unseen: NDArray[np.bool_] | None  # the points it was not trained on
    classes: NDArray[Any] | None = None  # the order of the probabilities
    proba: NDArray[np.float64] | None = None


def bias_variance(
    estimator: Any,
    sampler: Any,
    y: Any = None,
    *,
    X_test: Any = None,
    y_test: Any = None,
    f: Any = None,
    noise_variance: Any = None,
    n_sets: int = 50,
    response: str = "auto",
    random_state: Any = None,
) -> BiasVariance:
    """Trains an estimator on many training sets and decomposes its squared error.

    Parameters
    ----------
    estimator : any regressor or classifier with fit and predict
        It is copied for every training set; where it has a ``random_state``, each copy gets its
        own, so that its randomness counts as variance.
    sampler : function of a numpy Generator that returns (X, y), or X itself
        A function gives fresh training sets, and test points where none are given. With X and y
        the training sets are bootstrap samples of their rows; without test points every row is
        judged by the sets that left it out.
    y : labels or numbers, with X
    X_test, y_test : test points, optional
    f : function of X, or its values at the test points
        The true value: the mean of a regressor's target, the probability of the second class, or
        for ``response="sign"`` the mean of the labels -1 and +1. Without it the test labels stand
        in for it, and their noise counts as bias.
    noise_variance : number or array, optional
        That of the answers around f. Where it is left out, labels give it exactly (p(1 - p), or
        1 - f^2 for signs), and numbers the mean of (y_test - f)^2.
    n_sets : int, default 50
    response : {"auto", "value", "proba", "sign"}, default "auto"
        A number predicted; a probability; or labels, as -1 and +1 (for more than two classes one
        coordinate a class). "auto" takes probabilities of classifiers that have them.
    random_state : None, int or Generator

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> def sampler(rng):
    ...     x = rng.uniform(size=(60, 1))
    ...     return x, np.sin(6 * x[:, 0]) + rng.normal(scale=0.3, size=60)
    >>> def truth(x):
    ...     return np.sin(6 * x[:, 0])
    >>> for depth in (1, 3, 8):
    ...     tree = DecisionTreeRegressor(max_depth=depth)
    ...     parts = bias_variance(tree, sampler, f=truth, noise_variance=0.09, random_state=0)
    ...     print(depth, round(parts.means["bias_sq"], 2), round(parts.means["variance"], 2))
    1 0.07 0.03
    3 0.0 0.04
    8 0.0 0.08
    >>> parts.holds
    True
    """
    _check(response, n_sets, f, noise_variance)
    seed = seed_of(random_state)
    task = (_sampled if callable(sampler) else _bootstrapped)(
        sampler, y, X_test, y_test, n_sets, seed
    )
    predictions: list[_Predictions] = []
    for s, (X, labels, unseen) in enumerate(task.sets):
        model = trained(estimator, X, labels, seed, s)
        response = _resolve(response, model)
        predictions.append(_predict(model, task.X, response, unseen))
    classes = None if response == "value" else _classes(predictions, task.y)
    values = np.array([_coordinates(one, response, classes) for one in predictions])
    target, noise = _truth(task, f, noise_variance, response, classes, values.shape[1:])
    known, points = None, np.arange(values.shape[1])
    if predictions[0].unseen is not None:
        known = np.array([one.unseen for one in predictions])
        points = np.flatnonzero(known.any(axis=0))
        known, values = known[:, points], values[:, points]
    parts = take_apart(values, target[points], noise[points], known)
    zero_one = None if classes is None else _main(predictions, task.y, classes, points, known)
    return BiasVariance(
        **vars(parts), points=points, n_sets=n_sets, response=response, zero_one=zero_one
    )


def _check(response: str, n_sets: Any, f: Any, noise_variance: Any) -> None:
    if response not in _RESPONSES:
        listed = ", ".join(map(repr, _RESPONSES))
        raise ValueError(f"response={show(response)} is not allowed: it must be one of {listed}.")
    if isinstance(n_sets, bool) or not isinstance(n_sets, (int, np.integer)) or n_sets < 1:
        raise ValueError(f"n_sets={show(n_sets)} is not allowed: it must be a whole number >= 1.")
    if f is None and noise_variance is not None:
        raise ValueError(
            "noise_variance is given without f: the noise of the test labels can only be told from "
            "bias where the true value f is known."
        )


# ----------------------------------------------------------------------------------- training sets


def _sampled(
    sampler: Callable[..., Any], y: Any, X_test: Any, y_test: Any, n_sets: int, seed: int
) -> _Task:
    """Fresh training sets; set s is keyed by (seed, s), whatever their number."""
    if y is not None:
        raise ValueError("y is given beside a sampler, which draws its own: pass X and y, or it.")
    if X_test is None:
        X_test, y_test = sampler(np.random.default_rng([seed, 0]))
    sets = ((*sampler(np.random.default_rng([seed, 1 + s])), None) for s in range(n_sets))
    return _Task(sets, X_test, None if y_test is None else np.asarray(y_test))


def _bootstrapped(X: Any, y: Any, X_test: Any, y_test: Any, n_sets: int, seed: int) -> _Task:
    """Bootstrap samples of X and y; without test points each predicts the rows it leaves out."""
    if y is None:
        raise ValueError("y is None: pass y with X, or a function that draws both.")
    labels, n = labels_of(X, y), n_rows(X)
    order = canonical(X, labels)

    def sets() -> Iterator[tuple[Any, Any, NDArray[np.bool_] | None]]:
        for s in range(n_sets):
            rows = order[np.random.default_rng([seed, 1 + s]).integers(0, n, n)]
            unseen = np.bincount(rows, minlength=n) == 0 if X_test is None else None
            yield take_rows(X, rows), labels[rows], unseen

    if X_test is None:
        return _Task(sets(), X, labels)
    return _Task(sets(), X_test, None if y_test is None else np.asarray(y_test))


# ----------------------------------------------------------------------------- answers and targets


def _resolve(response: str, model: Any) -> str:
    """The kind of answers to decompose: "value", "proba", "sign", or the one requested."""
    if fact(model, "classes_") is None:
        if response in ("auto", "value"):
            return "value"
        raise ValueError(
            f"response={show(response)} is not allowed: {type(model).__name__} is no classifier; "
            "pass 'value'."
        )
    if response == "auto":
        return "proba" if offers(model, "predict_proba") else "sign"
    return response


def _predict(model: Any, X: Any, response: str, unseen: NDArray[np.bool_] | None) -> _Predictions:
    answers = np.asarray(model.predict(X))
    if response == "value":
        return _Predictions(answers, unseen)
    classes = np.asarray(model.classes_)
    proba = np.asarray(model.predict_proba(X)) if response == "proba" else None
    return _Predictions(answers, unseen, classes, proba)


def _classes(predictions: list[_Predictions], y: NDArray[Any] | None) -> NDArray[Any]:
    """Every class that a training set or the test points hold."""
    held = [one.classes for one in predictions if one.classes is not None]
    return np.unique(np.concatenate([*held, *([] if y is None else [y])]))


def _coordinates(predictions: _Predictions, response: str, classes: NDArray[Any] | None) -> Numbers:
    """Answers as (points, coordinates): one for regression and two classes, else one per class."""
    if classes is None:
        return predictions.answers.astype(np.float64).reshape(len(predictions.answers), -1)
    if predictions.proba is None or predictions.classes is None:
        return _coded(predictions.answers, response, classes)
    wide = np.zeros((len(predictions.answers), len(classes)))
    wide[:, np.searchsorted(classes, predictions.classes)] = predictions.proba
    return wide[:, 1:] if len(classes) == 2 else wide


def _coded(labels: NDArray[Any], response: str, classes: NDArray[Any]) -> Numbers:
    """Labels on the scale of the answers."""
    hot: Numbers = (labels[:, None] == classes).astype(np.float64)
    if len(classes) != 2:
        return hot
    second: Numbers = hot[:, 1:]
    return 2 * second - 1 if response == "sign" else second


def _truth(
    task: _Task,
    f: Any,
    noise_variance: Any,
    response: str,
    classes: NDArray[Any] | None,
    shape: tuple[int, ...],
) -> tuple[Numbers, Numbers]:
    """The true value at every test point, and the variance of the noise around it."""
    labels = task.y
    if labels is not None:
        labels = (
            labels.astype(np.float64).reshape(shape)
            if classes is None
            else _coded(labels, response, classes)
        )
    if f is None:
        if labels is None:
            raise ValueError("X_test is given without y_test or f: pass one of them.")
        return labels, np.zeros(shape[0])
    target = np.asarray(f(task.X) if callable(f) else f, np.float64)
    if target.size != np.prod(shape):
        raise ValueError(f"f gives values of shape {target.shape}; the answers have {shape}.")
    target = target.reshape(shape)
    if noise_variance is not None:
        noise = np.asarray(noise_variance, np.float64)
    elif classes is not None:
        most = 1.0 if response == "sign" and len(classes) == 2 else target.sum(axis=1)
        noise = np.maximum(most - (target * target).sum(axis=1), 0.0)
    else:
        noise = np.zeros(1) if labels is None else ((labels - target) ** 2).sum(axis=1).mean()
    return target, np.broadcast_to(noise, shape[0])


def _main(
    predictions: list[_Predictions],
    y: NDArray[Any] | None,
    classes: NDArray[Any],
    points: NDArray[np.intp],
    known: NDArray[np.bool_] | None,
) -> MainPrediction:
    """The label that most training sets lead to, and how many disagree."""
    codes = np.array([np.searchsorted(classes, one.answers[points]) for one in predictions])
    judged = np.ones(codes.shape, bool) if known is None else known
    votes = np.array([((codes == k) & judged).sum(axis=0) for k in range(len(classes))])
    counts = judged.sum(axis=0)
    labels, disagreement = classes[votes.argmax(axis=0)], 1 - votes.max(axis=0) / counts
    if y is None:
        return MainPrediction(labels, disagreement, None, None)
    right = np.take_along_axis(votes, np.searchsorted(classes, y[points])[None], axis=0)[0]
    return MainPrediction(labels, disagreement, labels != y[points], 1 - right / counts)
