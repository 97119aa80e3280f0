"""The protocol of a loaded model, whichever estimator it is."""

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
        """The predicted label, or number, of each row."""

    def predictor(self) -> Predictor:
        """A function from one row to its prediction."""

    def check(self, X: Any, reference: Any = None) -> Drift:
        """Drift of new rows against the training rows."""

    def card(self, X: Any = None, y: Any = None, **about: Any) -> Card:
        """The model card: data, columns, parameters, quality, fingerprint."""

    def fingerprint(self) -> str:
        """SHA-256 of the canonical model, in hexadecimal."""

    def save(self, path: str | os.PathLike[str], *, profile: bool = True) -> None:
        """Writes the model to a file."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""

    def set_params(self, **params: Any) -> FittedModel:
        """Sets parameters by name."""

    def __getattr__(self, name: str) -> Any:
        """Any other attribute or method of the estimator."""
