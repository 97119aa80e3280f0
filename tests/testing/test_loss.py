"""The check of losses finds what is wrong with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from weaklearn.losses import Squared
from weaklearn.testing import check_loss


@dataclass(frozen=True)
class Wrong(Squared):
    what: str = ""

    def value(self, y: Any, F: Any) -> Any:
        if self.what == "overflow":
            return np.exp(np.minimum(np.abs(F), 800)) - 1
        return super().value(y, F)

    def gradient(self, y: Any, F: Any) -> Any:
        if self.what == "writes":
            F *= 1.5
        g = super().gradient(y, F)
        if self.what == "together":
            return g - g.mean()
        if self.what == "shape":
            return g[:, None]
        return 2 * g if self.what == "slope" else g

    def curvature(self, y: Any, F: Any) -> Any:
        factor = {"curvature": 2.0, "negative": -1.0}.get(self.what, 1.0)
        return factor * super().curvature(y, F)

    def best_constant(self, y: Any, w: Any = None) -> Any:
        best = super().best_constant(y, w)
        return {"constant": best + 0.5, "constants": np.zeros(2)}.get(self.what, best)

    def inverse_link(self, F: Any) -> Any:
        return {"link": np.full_like(F, np.nan), "thin": F[:1]}.get(self.what, F)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("overflow", "value of loss 'squared_error' is not finite at F = -1000"),
        ("slope", "gradient of loss 'squared_error' is .* but the value changes by"),
        ("curvature", "curvature of loss 'squared_error' is 2, but the gradient changes by 1"),
        ("negative", "curvature of loss 'squared_error' is negative"),
        ("together", "gradient of loss 'squared_error' depends on other examples"),
        ("shape", "gradient of loss 'squared_error' has the shape"),
        ("writes", "loss 'squared_error' changed F|depends on other"),
        ("constant", "best constant of loss 'squared_error' is .* is better"),
        ("constants", "best constant of loss 'squared_error' has the shape"),
        ("link", "link of loss 'squared_error' is not finite"),
        ("thin", "link of loss 'squared_error' changes the shape"),
    ],
)
def test_what_is_wrong_is_told(what: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_loss(Wrong(what))


def test_what_is_right_passes() -> None:
    check_loss(Wrong())
    check_loss(Squared(), y=np.arange(5.0))
