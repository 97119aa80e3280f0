"""Perceptrons, and stochastic gradient descent with the losses of the text."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import show
from ...base.messages.warnings import PassesWarning, warn
from ...base.offered import Method, offers
from ...base.types import Floats
from ...intake import parameters
from ...online.descent import FADING, LossName, Passes, Played, Rule
from ...prediction import linear
from ...prediction.rows import predict_log_proba
from .base import LinearCoefficients, OnlineClassifier


@parameters.declared
class Perceptron(LinearCoefficients, OnlineClassifier):
    """The perceptron: weights that move on mistakes alone, by the example that was mistaken.

    w begins at 0. A row counts as a mistake where y (w.x) <= 0, y being -1 for ``classes_[0]`` and
    +1 for ``classes_[1]``; then w becomes w + y x. ``fit`` goes over the rows in their order until
    a whole pass is clean; ``partial_fit`` goes over them once. More than two classes learn one
    perceptron each, against the rest.

    Guarantee: where some unit vector w* has y (w*.x) >= gamma on all rows, and none is longer than
    R, at most (R/gamma)^2 mistakes are made, over all passes together. On any rows of length at
    most 1 and for any w*, a single pass makes at most |w*|^2 + 2 (the hinge losses of w*, summed)
    mistakes.

    Parameters
    ----------
    max_passes : int, default 100
        Where no pass is clean, ``fit`` ends after so many with a warning, and the weights with the
        fewest training errors are kept: of those at the end of each pass and those of the longest
        run without a mistake in it.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, one row for two classes, else one a class.
    mistakes_, updates_ : int
        Rows that were mistaken, and rows that changed weights, in all passes; the same for two
        classes. For more, a row is a mistake where its class has not the one highest score.
    t_, n_iter_, converged_ : int, int, bool
        Rows learnt from, passes of the last ``fit``, and whether the last one was clean.
    history_ : History
        One row a pass: ``mistakes``, ``updates``, mean ``loss``, fewest ``errors`` so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import Perceptron
    >>> X = [[1.0, 0.2], [0.8, -0.6], [-0.4, 0.9], [-0.7, -0.1]]
    >>> model = Perceptron().fit(X, ["right", "right", "left", "left"])
    >>> model.mistakes_, model.n_iter_, model.coef_.round(3).tolist()
    (1, 2, [[1.0, 0.2]])
    >>> model.predict([[0.5, 0.5]]).tolist()
    ['right']

    References
    ----------
    Rosenblatt (1958); Novikoff (1962); Gallant (1990), Perceptron-based learning algorithms.
    """

    def _rule(self) -> Rule:
        return Rule("perceptron")


@parameters.declared
class AveragedPerceptron(LinearCoefficients, OnlineClassifier):
    """The perceptron that answers with the average of all its weights.

    It learns as ``Perceptron`` does, mistake for mistake. Its answer is the mean of the weights in
    force after each row, so that weights that were right for long count for more than those that
    the last mistake left behind. Where the classes are not separable, this is much steadier.

    Guarantee: the mistake bounds of ``Perceptron``; on rows drawn independently, the average of the
    errors of the weights in force is at most the mistakes over the rows, in expectation.

    Parameters
    ----------
    max_passes : int, default 100
        Where no pass is clean, ``fit`` ends after so many with a warning, and the average after the
        pass that has the fewest training errors is kept.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, one row for two classes, else one per class.
    mistakes_, updates_ : int
        Rows that were mistaken, and rows that changed weights, in all passes.
    t_, n_iter_, converged_ : int, int, bool
        Rows learnt from, passes of the last ``fit``, and whether the last one was clean.
    history_ : History
        One row per pass: ``mistakes``, ``updates``, mean ``loss``, fewest ``errors`` so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import AveragedPerceptron
    >>> X = [[1.0, 0.2], [0.8, -0.6], [-0.4, 0.9], [0.2, -0.9]]
    >>> model = AveragedPerceptron().partial_fit(X, [1, 1, -1, -1])
    >>> model.mistakes_, model.coef_.round(3).tolist()
    (2, [[0.95, 0.425]])

    References
    ----------
    Freund and Schapire (1999), Large Margin Classification Using the Perceptron Algorithm.
    """

    _averaged = True

    def _rule(self) -> Rule:
        return Rule("perceptron")


@parameters.declared
class MarginPerceptron(LinearCoefficients, OnlineClassifier):
    """The perceptron that also learns from close calls.

    w becomes w + y x wherever y (w.x) < 1: stochastic gradient descent on the hinge loss with steps
    of 1. Its halfspace keeps a distance of at least 1/|w| to all rows where a pass was clean.

    Guarantee: with R and gamma as of ``Perceptron``, at most (R^2 + 2)/gamma^2 updates.

    Parameters
    ----------
    max_passes : int, default 100
        A pass is clean where every row has y (w.x) >= 1. Where none is, ``fit`` ends after so many
        with a warning, and the weights with the fewest training errors are kept.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, one row for two classes, else one per class.
    mistakes_, updates_ : int
        Rows that were mistaken, and rows that changed weights, in all passes; ``updates_``
        counts close calls too.
    t_, n_iter_, converged_ : int, int, bool
        Rows learnt from, passes of the last ``fit``, and whether the last one was clean.
    history_ : History
        One row per pass: ``mistakes``, ``updates``, mean ``loss``, fewest ``errors`` so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import MarginPerceptron
    >>> model = MarginPerceptron().fit([[0.5], [-0.25]], [1, -1])
    >>> model.mistakes_, model.updates_, model.coef_.tolist()
    (1, 13, [[4.0]])
    """

    def _rule(self) -> Rule:
        return Rule("hinge")


def _of_probabilities(self: Any) -> bool:
    return bool(self.loss == "logistic")


@parameters.declared
class SGDClassifier(LinearCoefficients, OnlineClassifier):
    """Stochastic gradient descent: after each row, a step down the slope of its loss.

    With z = y f(x), y being -1 or +1, the weights w of the score f become w - lambda_t grad L(z),
    at the t-th row ever seen. The score is linear, or that of a circuit of soft gates
    a(v) = 1/(1 + exp(-v)) in layers, whose slope is found by back-propagation. More than two
    classes have a score each, against the rest.

    With the perceptron loss and a step of 1 this is ``Perceptron`` to the bit, with the hinge loss
    and a step of 1 the online ``MarginPerceptron``.

    Parameters
    ----------
    loss : {"hinge", "perceptron", "logistic", "squared"}, default "hinge"
        max(0, 1 - z); max(0, -z), whose slope at 0 counts as -1; ln(1 + exp(-z)); (1 - z)^2.
    step : float, "constant", "1/sqrt(t)" or callable, default "1/sqrt(t)"
        lambda_t before ``learning_rate``: a number for all rows, "constant" being 1; or a function
        of t, which counts from 1.
    learning_rate : float, default 1.0
        Factor on every step.
    layers : tuple of int or None, default ()
        The hidden units of a circuit, layer by layer; none for a linear score. Their first weights
        are drawn by ``random_state``. With ``fit_intercept`` every unit has a constant input.
    tol : float or None, default 1e-3
        ``fit`` ends after ``n_iter_no_change`` passes in a row whose mean loss, of each row before
        its step, was not below the least one before by this much. The perceptron loss, which
        weights near 0 have little of, ends no fit.
    n_iter_no_change : int, default 5
        Passes without such a gain after which ``fit`` ends.
    max_passes : int, default 100
        Passes of ``fit`` at most; it also ends where a pass changes nothing. With the perceptron
        loss and no layers the weights with the fewest training errors are kept, else the last ones.
    fit_intercept : bool, default False
        Whether a constant feature of 1 stands behind the others.
    shuffle : bool, default False
        Whether ``fit`` draws a new order of the rows for each pass. Rows that come sorted by their
        class need it.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds these orders and the first weights of layers. None is 0.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights of a linear score.
    weights_ : list of ndarray
        The weights of each layer, a row for each unit, that of the constant feature last.
    mistakes_, updates_ : int
        Rows that were mistaken, and rows that changed weights, in all passes.
    t_, n_iter_, converged_ : int, int, bool
        Rows learnt from, passes of the last ``fit``, and whether it ended before ``max_passes``.
    history_ : History
        One row per pass: ``mistakes``, ``updates``, mean ``loss``, fewest ``errors`` so far.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import SGDClassifier
    >>> X = [[1.0, 0.2], [0.8, -0.6], [-0.4, 0.9], [-0.7, -0.1]]
    >>> model = SGDClassifier("logistic").fit(X, [1, 1, 0, 0])
    >>> model.predict(X).tolist(), model.predict_proba([[2.0, 0.0]]).round(2).tolist()
    ([1, 1, 0, 0], [[0.0, 1.0]])

    A circuit can tell apart what no line can:

    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = SGDClassifier(layers=(4,), step=0.5, fit_intercept=True, max_passes=1000, tol=None)
    >>> model.fit(X, [0, 1, 1, 0]).predict(X).tolist()
    [0, 1, 1, 0]
    """

    loss: LossName = field(default="hinge", kw_only=False)
    step: Any = FADING
    learning_rate: float = 1.0
    layers: Any = ()
    n_iter_no_change: int = 5
    tol: float | None = 1e-3

    _refuses_zero = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("loss", self.loss, LossName)
        _check_step(self.step)
        parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        parameters.integer("n_iter_no_change", self.n_iter_no_change, 1)
        if self.tol is not None:
            parameters.real("tol", self.tol, None, 1e9, least=0.0)
        _check_layers(() if self.layers is None else self.layers)

    def _rule(self) -> Rule:
        return Rule(self.loss, self.step, float(self.learning_rate))

    def _hidden(self) -> tuple[int, ...]:
        return tuple(int(units) for units in self.layers or ())

    def _passes(self, seed: int) -> Passes:
        pocket = self.loss == "perceptron" and not self._hidden()
        tol = None if self.tol is None or self.loss == "perceptron" else float(self.tol)
        return replace(
            super()._passes(seed), pocket=pocket, tol=tol, patience=int(self.n_iter_no_change)
        )

    def _doubt(self, played: Played, n_rows: int) -> None:
        super()._doubt(played, n_rows)
        waited = self.tol is not None and self.loss != "perceptron"
        if waited and not (played.clean or played.settled):
            warn(
                f"the loss of SGDClassifier was still falling after max_passes={self.max_passes} "
                "passes; allow more, lengthen the steps, or raise tol.",
                PassesWarning,
            )

    predict_proba = available_if(_of_probabilities)(linear.predict_proba)
    predict_log_proba = available_if(_of_probabilities)(predict_log_proba)

    @property
    def weights_(self) -> list[Floats]:
        """The weights of each layer, a row for each unit."""
        return [weights.copy() for weights in self._weights]

    @property
    def coef_(self) -> Floats:
        """The weights of a linear score: one row for two classes, else one a class."""
        self._refuse_layers("coef_")
        return super().coef_

    @property
    def intercept_(self) -> Floats:
        """The weight of the constant feature, 0 where there is none; one entry a row."""
        self._refuse_layers("intercept_")
        return super().intercept_

    @property
    def _is_linear(self) -> bool:  # type: ignore[override]
        check_is_fitted(self, "_standing")
        return len(self._standing.units) <= 1

    def _refuse_layers(self, name: str) -> None:
        if not self._is_linear:
            raise AttributeError(f"a circuit of layers has no {name}; see weights_.")


def _check_step(step: Any) -> None:
    if callable(step):
        return
    if isinstance(step, str):
        parameters.one_of("step", step, ["constant", FADING])
        return
    if isinstance(step, (bool, np.bool_)) or not 0 < parameters.as_float(step) < np.inf:
        raise ValueError(
            f"step={show(step)} is not allowed: it must be a number above 0, 'constant', "
            f"{FADING!r}, or a function of t."
        )


def _check_layers(layers: Any) -> None:
    if not isinstance(layers, (tuple, list)):
        raise TypeError(
            f"layers={show(layers)} is not allowed: it must be a tuple of the numbers of hidden "
            "units, such as (8,), or () for a linear score."
        )
    for k, units in enumerate(layers):
        parameters.integer(f"layers[{k}]", units, 1, 2**20)


@offers.register
def _(model: SGDClassifier, method: Method) -> bool:
    return method in model._offered and (method != "predict_proba" or _of_probabilities(model))
