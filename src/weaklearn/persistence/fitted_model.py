"""What a model from a file can do, whichever estimator it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..production.card import Card
    from ..production.drift import Drift
    from ..production.predictor import Predictor


class FittedModel(Protocol):
    """A fitted model of this library, as ``load`` returns it.

    Beyond these methods it has those of its estimator, whose class only the file knows:
    ``predict_proba``, ``decision_function``, ``rules``, ``explain``, ``transform`` and others.
    """

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, or the number."""
        ...

    def predictor(self) -> Predictor:
        """A function of one row that answers with a number."""
        ...

    def check(self, X: Any, reference: Any = None) -> Drift:
        """How rows differ from those of training."""
        ...

    def card(self, X: Any = None, y: Any = None, **about: Any) -> Card:
        """What is to be known of the model, on one page."""
        ...

    def fingerprint(self) -> str:
        """SHA-256 of the canonical model, in hexadecimal."""
        ...

    def save(self, path: str | os.PathLike[str], *, profile: bool = True) -> None:
        """Writes the model to a file."""
        ...

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        ...

    def set_params(self, **params: Any) -> FittedModel:
        """Sets parameters by name."""
        ...

    def __getattr__(self, name: str) -> Any:
        """Whatever else the estimator has."""
        ...
