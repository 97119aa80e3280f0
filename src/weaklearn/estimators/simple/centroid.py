"""CentroidClassifier: the class whose mean is nearest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.fixed_point import units
from ...base.numeric.total import mean
from ...base.sample import Sample
from ...base.types import Bools, Floats
from ...intake import parameters
from ...learners.intervals import nearness
from ...prediction import simple
from .base import Facts, PlainClassifier

_LARGE, _LESS = 2.0**900, 2.0**-100  # sums of what is larger may leave the numbers


@parameters.declared
class CentroidClassifier(PlainClassifier):
    """The class with the nearest mean: what the simplest generative model has to say.

    At equal distance the later class in ``classes_`` is predicted; on one column with two classes
    that is ``classes_[1]`` where x >= (mu_0 + mu_1) / 2, or <= where mu_1 is the smaller. Of
    classes with the same mean the heaviest alone is ever predicted, the later on ties.

    Guarantee: the best rule of all where the classes are Gaussian, equally spread in all directions
    and equally frequent. Elsewhere there is none: on skewed classes it loses to a threshold that
    looks at the errors.

    Attributes
    ----------
    means_ : ndarray of shape (K, d)
        The weighted mean of each class.
    error_ : float
        The weighted training error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import CentroidClassifier
    >>> model = CentroidClassifier().fit([[1.0], [2.0], [6.0], [7.0]], ["low", "low", "up", "up"])
    >>> model.means_.tolist(), model.predict([[3.9], [4.0]]).tolist()
    ([[1.5], [6.5]], ['low', 'up'])

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, section 2.1.2.
    """

    _rule = "a mean"
    _binary = False

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        K = len(sample.classes)
        codes = sample.y if K > 2 else (sample.y > 0) & (K == 2)
        weights, w = sample.weights, units(sample.weights, len(sample))
        means = np.empty((K, sample.cells.n_features))
        masses = np.empty(K, np.int64)
        for k in range(K):
            own = codes == k
            masses[k] = w[own].sum()
            own_weights = None if weights is None else weights[own]
            for j in range(means.shape[1]):
                means[k, j] = _mean(sample.column(j)[own], own_weights)
        return {"means_": means + 0.0, "_open": _heaviest(means, masses)}

    _codes = simple.nearest_means

    def _label_scores(self, X: Any) -> Floats:
        """How much further than the nearest mean each is; a mean that is another's is never."""
        rows = self._rows(X)
        scores = np.full((len(rows), len(self.classes_)), -np.inf)
        for k, score in nearness(rows, self.means_, self._open):
            scores[:, k] = score
        return np.asarray(scores.max(axis=1, keepdims=True) - scores)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = False
        return tags


def _mean(x: Floats, weights: NDArray[Any] | None) -> float:
    scale = _LESS if float(np.abs(x).max()) > _LARGE else 1.0
    return mean(x * scale, weights) / scale


def _heaviest(means: Floats, masses: NDArray[np.int64]) -> Bools:
    """Which classes are the heaviest of those with their mean, the last of equals."""
    _, same = np.unique(means + 0.0, axis=0, return_inverse=True)
    same = same.ravel()
    order = np.lexsort((np.arange(len(masses)), masses, same))
    last = np.r_[same[order][1:] != same[order][:-1], True]
    heaviest = np.zeros(len(masses), bool)
    heaviest[order[last]] = True
    return heaviest
