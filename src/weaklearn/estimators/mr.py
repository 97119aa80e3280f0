"""AdaBoostMRClassifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster, State
from ..base.certificate import Certificate
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import AdaBoostMR
from ..theory.evidence import Evidence
from ..theory.label_certificates import by_rank_loss
from . import parameters
from .indicator import Signs
from .label_boosting import LabelBoosting
from .playing import Score
from .setup import Game

Floats = NDArray[np.float64]


@parameters.declared
class AdaBoostMRClassifier(LabelBoosting):
    """AdaBoost.MR: the labels of an example are to rank above those that it has not.

    Weights are on pairs of labels of an example, one that it has and one that it has not. In every
    round the stump g and the signs u of labels get the vote alpha = 1/2 ln((1 + r)/(1 - r)) whose
    answers h(x, l) = u_l g(x) have the largest correlation r = 1/2 sum D (h(x, own) - h(x, other)).
    Labels are ranked by the sum of alpha h, and the first is predicted. Where y is a table of
    labels, those are whose sum is above a threshold, the one of least Hamming loss in training,
    which scores are told from: ``decision_function`` is above 0 for them.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact stumps by default. All other learners tell two groups of examples apart, and are found
        in turns with the signs of the labels.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that ranks every pair rightly outvotes all others and ends the game, or is counted as
        if it erred on half an example.
    min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction, n_iter_no_change,
    tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs, verbose
        As in ``AdaBoostClassifier``. Of a table of labels early stopping looks at the share of
        pairs that are ranked rightly.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``classes_`` are the labels: where y is a table, the names of its columns, or their numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostMRClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostMRClassifier(n_estimators=20).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    >>> print(model.certify(X, y)[0].verdict)
    holds

    Reference: Schapire and Singer (1999), Machine Learning 37, section 8.
    """

    _takes_several: ClassVar[bool] = True

    @property
    def _of_products(self) -> bool:
        return True

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        if sample.several and not _some_pairs(sample.y):
            raise ValueError(
                "y gives every row all labels or none, so that there is nothing to rank: pass rows "
                "that have some labels and lack others."
            )

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostMR(float(self.learning_rate), self.on_perfect)

    def _label_score(self, signs: Signs, weights: Floats | None) -> Score:
        has, lacks = signs > 0, signs < 0
        pairs = has.sum(axis=1) * lacks.sum(axis=1)

        def score(F: Floats, state: State) -> float:
            right = np.zeros(len(F))
            for own, column in zip(has.T, F.T, strict=True):
                right += own * ((F < column[:, None]) & lacks).sum(axis=1)
            return float(np.average(right / np.maximum(pairs, 1), weights=weights))

        return score

    @property
    def _link_scale(self) -> float:
        """Two labels differ by log-odds of F, not of 2F."""
        return 1.0 if self._indicator is None else 0.5

    # ------------------------------------------------------------------------------- several labels

    def _finished(self, game: Game) -> Any:
        sample = game.prepared.sample
        if sample.several:
            times = None if sample.copies is None else sample.copies
            self._cut = best_cut(self.ensemble_(sample), sample.y, times)
        return super()._finished(game)

    def _above(self, F: Floats) -> Floats:
        """Scores from the threshold on, where rows may have several labels."""
        return F if self._indicator is None else F - getattr(self, "_cut", 0.0)

    def decision_function(self, X: Any) -> Floats:
        """F, (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        return self._above(super().decision_function(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F after 1, 2, ... members."""
        for F in super().staged_decision_function(X):
            yield self._above(F)

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        return by_rank_loss(evidence)


def best_cut(F: Floats, signs: Signs, copies: NDArray[np.int64] | None) -> float:
    """The threshold above which scores get most labels right; the lowest of equals.

    >>> best_cut(np.array([[0.5, 2.0, 3.0]]), np.array([[-1, -1, 1]], np.int8), None)
    2.5
    """
    times = np.ones(len(F), np.int64) if copies is None else copies
    values, place = np.unique(F, return_inverse=True)
    gained = np.zeros(len(values), np.int64)  # rights less wrongs, for a cut just above each value
    np.add.at(gained, place.ravel(), (-signs.astype(np.int64) * times[:, None]).ravel())
    best = int(np.argmax(np.concatenate([[0], np.cumsum(gained)])))
    ends = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2, [values[-1] + 1]])
    return float(ends[best])


def _some_pairs(signs: Signs) -> bool:
    own = (signs > 0).sum(axis=1)
    return bool(((own > 0) & (own < signs.shape[1])).any())
