"""A fitted model at work: one row at a time, watched, and described for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from .predictor import Predictor


class AtWork:
    """``predictor``; mixed into every estimator of this library."""

    def predictor(self) -> Predictor:
        """A function of one row, as a dict, a list or an array, that answers with a number.

        For two classes it is the probability of ``classes_[1]``, for numbers the number; for more
        classes an array, one entry a class. Where there are no probabilities the score is given.
        Dicts are read by names, and names that are no columns are let lie; lists are in the order
        of the columns. It gives what ``predict_proba`` or ``predict`` would, to the bit, in a few
        microseconds, and threads may share it.

        >>> import weaklearn
        >>> X, y = weaklearn.datasets.toy()
        >>> predict_one = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y).predictor()
        >>> round(predict_one([1.0, 5.0]), 3)
        0.844
        """
        from .predictor import predictor_of

        check_is_fitted(self)
        inner = getattr(self, "model_", None)
        model = self if hasattr(self, "_schema") or inner is None else inner
        if getattr(model, "_schema", None) is None or not hasattr(model, "predict"):
            raise TypeError(
                f"{type(self).__name__} has no predictor of one row: it is not asked about columns; "
                "use predict with a list of one."
            )
        return predictor_of(model)
