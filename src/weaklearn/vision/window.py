"""WindowClassifier: boosting over rectangle features of windows of one size."""

from __future__ import annotations

from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..base.booster import Stop, play
from ..base.history import History
from ..base.messages.value_text import show
from ..base.types import Floats
from ..boosters.adaboost import AdaBoost
from ..callbacks import Progress
from ..engines import choose
from ..estimators.model import Model, in_one_step
from ..intake import parameters
from ..intake.label_kind import score_of_labels
from ..intake.labels import read_labels
from ..production.provenance import fitted_now
from . import window_scores
from .boosting import (
    Bank,
    BoosterName,
    Node,
    Rated,
    halves,
    oracle_of,
    sample_of,
    stage_of,
)
from .cascade import Cascade
from .haar import HaarFeatures, haar_features, types_of
from .pixels import windows_of


@parameters.declared
class WindowClassifier(ClassifierMixin, Model):
    """Faces or not: AdaBoost over stumps on all rectangle features of a window.

    D_1 gives each class one half. Every round takes the stump of least error over all features and
    thresholds; F is the sum of the votes, and a window is of ``classes_[1]`` where F > b. With
    b = 0 this is AdaBoost on the matrix of normalised feature values; raising b never adds a
    detection. The rule "sum of a_t h_t >= half the sum of a_t" with h_t of 0 and 1 and
    a_t = ln((1 - epsilon_t) / epsilon_t) is the same, but where F is 0.

    Guarantee: that of AdaBoost, the training error under D_1 is at most prod Z_t; see
    ``weaklearn.AdaBoostClassifier``.

    Parameters
    ----------
    n_estimators : int, default 20
        Features to choose.
    b : float, default 0.0
        The threshold for F.
    booster : {"adaboost", "real", "gentle"}, default "adaboost"
        Stumps of least error with one vote each, or confidence-rated ones.
    types : str, default "ABCD"
        Types of rectangle features; see ``haar_features``.
    max_memory : float, default 2.0
        Room for coded features in GiB; those beyond it are coded anew in every round.

    Attributes
    ----------
    features_ : HaarFeatures
        The features chosen, in order.
    cascade_ : Cascade
        The same as one stage with threshold b at the time of the fit.
    history_ : History
        The facts of each round.
    classes_ : ndarray of shape (2,)

    Examples
    --------
    >>> from weaklearn.vision import WindowClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 256, (200, 6, 6))
    >>> X[:100, :, 3:] //= 3  # darker on the right
    >>> y = np.repeat([1, 0], 100)
    >>> model = WindowClassifier(n_estimators=3).fit(X, y)
    >>> model.features_[0]
    HaarFeature(type='A', top=0, left=0, unit_height=6, unit_width=3)
    >>> model.score(X, y) > 0.95
    True

    References
    ----------
    Viola and Jones (2001); Schapire and Freund, Boosting, section 3.4.3.
    """

    score = score_of_labels

    n_estimators: int = 20
    b: float = 0.0
    booster: BoosterName = "adaboost"
    types: str = "ABCD"
    max_memory: float = 2.0
    n_jobs: Any = None
    verbose: Any = False

    def _check_parameters(self) -> None:
        """Refuses parameters that are out of range."""
        parameters.integer("n_estimators", self.n_estimators, 1)
        parameters.real("b", self.b, -inf, inf, strict=True)
        parameters.one_of("booster", self.booster, BoosterName)
        types_of(self.types)
        parameters.real("max_memory", self.max_memory, None, inf, least=0.0)
        parameters.verbosity(self.verbose)

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Chooses features on windows X, (n, height, width), with labels y of two classes.

        Pixels are numbers of any range, or True and False; colours become grey.
        """
        self._check_parameters()
        windows = windows_of("X", X)
        if len(windows) == 0:
            raise ValueError("X has 0 rows: no window to learn from (0 sample(s)).")
        classes, sides = _labels(y, len(windows))
        engine = choose(self.n_jobs)
        features = haar_features(windows.shape[1], windows.shape[2], self.types)
        if len(features) == 0:
            size = f"{windows.shape[1]} x {windows.shape[2]}"
            raise ValueError(
                f"windows of {size} pixels have no features of types {show(self.types)}."
            )
        bank = Bank(windows, features, engine)
        prior = halves(sides, np.zeros(len(windows)), engine)
        keep = int(min(self.max_memory * 2**30, 2**60))
        nodes, history, reason = self._boosted(bank, sides, prior, keep)
        self.classes_ = classes
        self.features_: HaarFeatures = features[[node.feature for node in nodes]]
        own = [Node(k, n.threshold, n.low, n.high) for k, n in enumerate(nodes)]
        self.cascade_: Cascade = stage_of(self.features_, [own], [float(self.b)])
        self.history_: History = history
        self.stop_reason_ = reason
        self._origin = fitted_now()
        return self

    def _boosted(
        self, bank: Bank, y: NDArray[np.int8], prior: Floats, keep: int
    ) -> tuple[list[Node], History, str]:
        watchers = []
        if self.verbose:
            watchers.append(Progress(self.n_estimators, type(self).__name__))
        try:
            if self.booster != "adaboost":
                return self._rated(bank, y, prior, keep)
            sample, booster = sample_of(bank, y, prior), AdaBoost()
            played = play(
                booster,
                sample,
                oracle_of(bank, keep),
                state=booster.begin(sample),
                history=History(),
                n_rounds=self.n_estimators,
                callbacks=watchers,
            )
        finally:
            for watcher in watchers:
                watcher.close()
        if played.interrupt is not None:
            raise played.interrupt
        ensemble = played.state.ensemble
        pairs = zip(ensemble.votes, ensemble.members, strict=True)
        nodes = [h.node(float(vote)) for vote, h in pairs]  # type: ignore[attr-defined]
        return nodes, played.history, str(played.stop)

    def _rated(
        self, bank: Bank, y: NDArray[np.int8], prior: Floats, keep: int
    ) -> tuple[list[Node], History, str]:
        rated = Rated(bank, y, prior, np.zeros(len(y)), keep, self.booster == "gentle")
        nodes: list[Node] = []
        history = History()
        while len(nodes) < self.n_estimators:
            node = rated.step()
            if node is None:
                return nodes, history, str(Stop.NO_EDGE)
            nodes.append(node)
            wrong = (rated.F > 0) != (y > 0)
            history.append({"train_error": float(wrong.mean())})
        return nodes, history, str(Stop.ROUNDS)

    def _windows(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self, "cascade_")
        return window_scores.windows_to_score(self, X)

    decision_function = window_scores.decision_function
    predict = window_scores.predict


def _labels(y: Any, n: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The two classes, and -1 or +1 for each window."""
    classes, codes = read_labels(y, n, estimator_name="WindowClassifier")
    if len(classes) != 2:
        raise ValueError(f"y holds {len(classes)} classes; it must hold two, such as 0 and 1.")
    return classes, np.where(codes > 0, 1, -1).astype(np.int8)
