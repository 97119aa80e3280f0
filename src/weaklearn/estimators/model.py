"""``Model``, the base of every estimator of this library."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator

from ..intake.parameters import refuse_unset
from ..persistence import save_load
from ..production import methods as production


class Model(BaseEstimator):
    """What every estimator can do once it is fitted: be saved, watched and described.

    The work is done by functions of the packages named; classes of estimators that can do more
    take those functions as methods in the same way. An estimator can be saved once its row in
    ``weaklearn/registry`` has a number and a rule. Parameters that most estimators have are
    described here.

    Parameters
    ----------
    class_weight : None, "balanced" or dict, default None
        Factors on the weights of the classes; "balanced" gives every class the same total.
    categorical_features : "from_dtype", None, or columns by mask, number or name
        The columns that hold categories; by default those whose type says so.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw is taken for a missing value, or refused.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds what is random; None is 0.
    n_jobs : int, optional
        Threads; None means all this process may use. The model is the same for any number.
    verbose : int, default 0
        1 shows a progress bar.
    """

    saved_in_files: ClassVar[bool] = True
    # The method that gives the weak learner which boosters take for it; None where there is none.
    _native_learner: Any = None
    # Set by a fit that has them: the provenance, whether an offset was given, the edits since.
    _origin: Any = None
    _has_offset: bool = False
    _edits: tuple[Any, ...] = ()

    save = save_load.save
    fingerprint = save_load.fingerprint
    predictor = production.predictor
    check = production.check
    card = production.card

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; ``estimator__name`` is one of the estimator inside."""
        refuse_unset(self, params)
        super().set_params(**params)
        return self
