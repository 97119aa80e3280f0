"""``Model``, the base of every estimator of this library."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator

from ..intake.parameters import refuse_unset, suggesting
from ..persistence import save_load
from ..production import methods as production


class Model(BaseEstimator):
    """What every estimator can do once it is fitted: be saved, watched and described.

    The work is done by functions of the packages named; classes of estimators that can do more
    take those functions as methods in the same way. An estimator can be saved once it has a row in
    the table of kinds (``persistence/registry.py``).
    """

    saved_in_files: ClassVar[bool] = True

    save = save_load.save
    fingerprint = save_load.fingerprint
    predictor = production.predictor
    check = production.check
    card = production.card

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:
            cls.__init__ = suggesting(cls.__init__)  # type: ignore[method-assign]

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; ``estimator__name`` is one of the estimator inside."""
        refuse_unset(self, params)
        super().set_params(**params)
        return self
