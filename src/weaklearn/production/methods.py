"""A fitted model in production: prediction of single rows, drift checks, model cards.

Functions of a fitted model, which every estimator has as methods.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import Method, offers
from ..prediction.rows import classes_of

if TYPE_CHECKING:
    from .card import Card
    from .drift import Drift
    from .predictor import Predictor


def predictor(self: Any) -> Predictor:
    """A function that predicts one row, given as a dict, a list or an array.

    For two classes it is the probability of ``classes_[1]``, for numbers the number; for more
    classes an array, one entry a class. Where there are no probabilities the score is given.
    Dicts are read by names, and names that are no columns are let lie; lists are in the order
    of the columns. It gives what ``predict_proba`` or ``predict`` would, to the bit, in a few
    microseconds, and threads may share it.

    >>> import weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> predict_one = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y).predictor()
    >>> round(predict_one([1.0, 5.0]), 3)
    0.575
    """
    from .predictor import predictor_of

    check_is_fitted(self)
    model = of_columns(self)
    if model is None:
        raise TypeError(
            f"{type(self).__name__} has no predictor of one row: it is not asked about "
            "columns; use predict with a list of one."
        )
    return predictor_of(model, type(model).__name__, model.get_params(deep=False))


def check(self: Any, X: Any, reference: Any = None) -> Drift:
    """Drift of new rows against the training rows.

    For every column the shift of its values (the population stability index less what chance
    gives), and the shares of rows with missing values, with categories not seen in
    training, with values outside the training range; and the shift of the scores. The answer has
    ``ok``, ``verdict``, ``to_frame()``, ``to_dict()`` and ``to_json()``; printing shows it.

    Scores are compared with those of rows that the fit held out, or, for votes of stumps and
    sums of functions, of its own rows. Other models tell the rows that they were grown on from
    new ones: pass rows not used in fitting as ``reference``, from a time when all was well.
    Both may be pyarrow datasets larger than memory.

    >>> import numpy as np, weaklearn
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2))
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=20).fit(X, X[:, 0] > 0)
    >>> model.check(rng.normal(size=(500, 2))).ok
    True
    >>> found = model.check(rng.normal(loc=[1.0, 0.0], size=(500, 2)))
    >>> found.ok, found.columns[0].verdict, found.columns[1].verdict
    (False, 'alarm', 'ok')
    """
    from .drift import drift_of, reference_scores
    from .profile import of_scores

    check_is_fitted(self)
    origin, model = self._origin, of_columns(self)
    profile = None if origin is None else origin.profile
    if model is None or profile is None:
        raise ValueError(
            "the model keeps no histograms of its training: it was fitted without, or saved "
            "with profile=False or by an earlier version (fit it again), or it learns from "
            "texts, images, a stream or more than 2,000 columns, of which none are kept."
        )
    then, note, score = profile.scores, "", _scores
    if reference is not None:
        then = of_scores(reference_scores(model, reference, partial(_scores, model)))
    elif then is not None and not model._edits:
        score = _own_scores
    else:
        then = None
        note = "the scores were not compared; pass rows not used in fitting as reference"

    def quietly(table: Any) -> Any:
        with suppressed_warnings():  # the columns are read once more, and warned of there
            return score(model, table)

    return drift_of(model, profile, X, then, quietly, note)


def card(self: Any, X: Any = None, y: Any = None, *, qid: Any = None, **about: Any) -> Card:
    """The model card: data, columns, parameters, quality, certificates, fingerprint.

    With the rows of fit as X and y it tells out-of-fold metrics with 95 % intervals (models of
    the same parameters, each asked about a fifth of the rows that it was fitted without), and
    the certificates. Of several targets or quantiles, of survival and of rankers the metric is the
    model's own score; rankers need ``qid``, the ids of the queries of the rows. ``about`` are texts
    of your own, such as ``purpose="..."``. The answer has ``to_markdown()``, ``to_dict()`` and
    ``to_json()``; no row of the data is in it.

    >>> import weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(model.card(purpose="ten points of a book").to_markdown()[:54])
    # AdaBoostClassifier
    <BLANKLINE>
    ## Purpose
    <BLANKLINE>
    ten points of a book
    """
    from .card import card_of

    check_is_fitted(self)
    return card_of(self, X, y, qid, about)


def of_columns(model: Any) -> Any:
    """The model that reads the columns: itself or the model it wraps; None if neither does."""
    model = model if model._within is None else model._within
    return None if model._schema is None else model


def _own_scores(model: Any, X: Any) -> Any:
    return np.asarray(model.ensemble_(model._rows(X)))


def _scores(model: Any, X: Any) -> Any:
    """Scores by ``decision_function``, else ``predict_proba``, else ``predict``."""
    names: tuple[Method, ...] = ("decision_function", "predict_proba")
    for name in names:
        if offers(model, name):
            found = np.asarray(getattr(model, name)(X))
            return found[:, 1] if found.ndim == 2 and found.shape[1] == 2 else found
    predicted = np.asarray(model.predict(X))
    if classes_of(model) is not None:
        return (predicted[:, None] == model.classes_).astype(np.float64)
    return predicted
