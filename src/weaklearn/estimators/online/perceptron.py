"""Perceptron, AveragedPerceptron and MarginPerceptron."""

from __future__ import annotations

from ...intake import parameters
from ...online.descent import Rule
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
