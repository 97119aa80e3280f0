"""The threshold by which a classifier tells two classes apart: methods that classifiers take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..base.messages.warnings import warn
from ..base.types import Floats
from ..prediction.rows import class_list, share_difference
from . import later

if TYPE_CHECKING:
    from ..uncertainty.decision_threshold import TunedThreshold

M = TypeVar("M")


def given_threshold(self: Any) -> float | None:
    """The threshold that was tuned or set; None where the model's own rule decides."""
    threshold: float | None = self._threshold
    return threshold


def decision_scores(self: Any, X: Any) -> Floats:
    """The scores of ``decision_function``, of which the threshold is one."""
    return np.asarray(self.decision_function(X), np.float64)


def share_scores(self: Any, X: Any) -> Floats:
    """The share of ``classes_[1]`` less that of the other class."""
    return share_difference(np.asarray(self.predict_proba(X), np.float64))


def of_difference(self: Any, score: float) -> float:
    """The share of ``classes_[1]`` that a difference of shares stands for."""
    return (1 + min(max(score, -1.0), 1.0)) / 2


def forget_threshold(before: Any, model: Any, by: str) -> None:
    """Warns where a model had a threshold that it has no longer, since scores have changed.

    ``before`` is the model before the change; the class that it speaks of stays.
    """
    if before._positive is not None and model._positive is None:
        later.give_threshold(model, None, class_list(model)[before._positive])
    if before._threshold is not None and model._threshold is None:
        warn(
            f"{by} forgets the threshold that the model was given, since scores change; choose it "
            "anew, with tune_threshold or set_threshold."
        )


def tune_threshold(
    self: Any,
    X: Any,
    y: Any,
    *,
    by: str = "cost",
    positive: Any = None,
    costs: tuple[float, float] = (1.0, 1.0),
    least: float = 0.9,
    sample_weight: Any = None,
    seen: str = "error",
) -> TunedThreshold:
    """Chooses the threshold by which ``predict`` tells two classes apart, on rows held out.

    From then on a row is predicted as ``classes_[1]`` where its score (``decision_function``)
    is above the threshold, by the runtime too: model files keep it. Scores, probabilities,
    staged predictions and the fingerprint stay what they are. It is forgotten by all that
    changes the scores: a new ``fit``, and, with a warning, ``update``, ``refit``, ``truncate`` and
    ``merge``; and by ``set_threshold(None)``. While it holds, ``certify`` counts these rows as
    seen. Where a class has fewer than 30 of the rows a warning says how uncertain the threshold is.

    Parameters
    ----------
    X, y : rows and labels
        That the fit has not looked at.
    by : {"cost", "recall", "precision", "f1", "balanced_accuracy", "accuracy"}, default "cost"
        "cost" has the least cost on these rows. "recall" finds the share ``least`` of the
        positive rows with as few false alarms as possible; "precision" has at least that share
        of its alarms right and finds as many positive rows as possible. The others make that
        score as large as possible. Of thresholds that are equally good, the one nearest to the
        model's own.
    positive : label, optional
        The class that is spoken of; the one that the model was given, or ``classes_[1]``.
    costs : (float, float), default (1, 1)
        For ``by="cost"``: the costs of a false alarm and of a positive row that is missed.
    least : float, default 0.9
        For "recall" and "precision".
    sample_weight : array, optional
        A weight of 2 is two equal rows.
    seen : {"error", "keep"}, default "error"
        What to do with rows that look like rows of training: refuse them, or take them.

    >>> import numpy as np, weaklearn
    >>> X, y = weaklearn.datasets.make_three_piece(400, random_state=0)
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=1).fit(X[:200], y[:200])
    >>> found = model.tune_threshold(X[200:], y[200:], by="recall", least=1.0)
    >>> found.recall, bool((model.predict(X) == model.classes_[1]).mean() > 0.5)
    (1.0, True)
    >>> model.set_threshold(None).threshold_ is None
    True
    """
    found: TunedThreshold = later.tuned(self, X, y, by, positive, costs, least, sample_weight, seen)
    return found


def set_threshold(self: M, threshold: float | None, *, positive: Any = None) -> M:
    """Sets the score above which ``predict`` says ``classes_[1]``; None is the model's own.

    The threshold is a score as ``decision_function`` gives it, which is no probability: of
    gradient boosting with ``loss="log_loss"`` the log-odds, so that a probability p of
    ``classes_[1]`` is log(p / (1 - p)); of votes of AdaBoost half of that; of trees and forests,
    which have no ``decision_function``, the share of ``classes_[1]`` less that of the other class,
    2 p - 1. ``fit``, ``update``, ``refit``, ``truncate`` and ``merge`` forget it.

    ``positive`` is the class that reports and explanations speak of from then on, where it is
    given.
    """
    later.give_threshold(self, threshold, positive)
    return self
