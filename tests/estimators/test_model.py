"""Methods that learn change the model in one step, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.estimators.model import in_one_step

Y = np.arange(20) % 2
X = np.arange(20.0)[:, None]


class Slotted(wl.DecisionStumpClassifier):
    """Attributes in slots, one of them private, beside those of the estimator."""

    __slots__ = ("__secret", "gone", "kept", "noted", "unset")

    def hide(self, value: Any) -> None:
        self.__secret = value

    @property
    def secret(self) -> Any:
        return self.__secret

    @in_one_step
    def learn(self, X: Any, y: Any, error: type[BaseException] | None = None) -> Any:
        self.fit(X, y)
        self.noted = (self.noted, self.kept, len(X))
        self.hide(self.secret + 1)
        del self.gone
        if error is not None:
            raise error
        return self


def slotted() -> Slotted:
    model = Slotted()
    model.kept, model.noted, model.gone = "kept", "before", 1
    model.hide(3)
    return model


def test_attributes_in_slots_are_there_in_a_fit_and_after_it() -> None:
    model = slotted()
    assert model.learn(X, Y) is model
    assert (model.noted, model.kept, model.secret) == (("before", "kept", 20), "kept", 4)
    assert not hasattr(model, "gone")
    assert not hasattr(model, "unset")


def test_a_fit_that_fails_leaves_slots_as_they_were() -> None:
    model = slotted()
    with pytest.raises(MemoryError):
        model.learn(X, Y, MemoryError)
    assert (model.noted, model.kept, model.gone, model.secret) == ("before", "kept", 1, 3)
    assert not hasattr(model, "stump_")


def test_an_interrupt_keeps_slots_where_it_keeps_a_complete_fit() -> None:
    model = slotted()
    with pytest.raises(KeyboardInterrupt):
        model.learn(X, Y, KeyboardInterrupt)
    assert hasattr(model, "stump_")
    assert (model.noted, model.secret) == (("before", "kept", 20), 4)
