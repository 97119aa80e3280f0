"""Theorems about a weighted vote, applied to the record of a fit."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.certificate import Certificate, Certificates
from . import bounds

if TYPE_CHECKING:
    from ..base.record import History

Floats = NDArray[np.float64]
Training = tuple[Floats, Floats]  # margins of the training rows, and their first distribution

_BOOK = "Schapire and Freund, Boosting, theorem 3.1"
_MARGINS = "Schapire and Freund, Boosting, theorem 5.8"
_M1 = "Freund and Schapire (1997), theorem 6"


def certify_votes(
    family: str, history: History, ensemble: Any, training: Training | None, learning_rate: float
) -> Certificates:
    """Every certificate that speaks of this kind of vote; those that do not apply say why."""
    if family == "adaboost":
        record = _Record(history, ensemble, training, learning_rate)
        items = [record.by_product(), record.by_edges(), record.rounds_needed()]
        return Certificates([*items, *record.margins()])
    if family == "m1":
        return Certificates([_m1(history, ensemble, training, learning_rate)])
    why = "the theorem is about two classes; this model has more"
    return Certificates(
        [Certificate.not_applicable("ada-train", "training error <= product of Z", _BOOK, why)]
    )


class _Record:
    """The rounds of a binary vote, and what the training rows say of it."""

    def __init__(
        self, history: History, ensemble: Any, training: Training | None, learning_rate: float
    ) -> None:
        self.n = len(ensemble)
        self.perfect = bool(self.n == 1 and len(history) and not isfinite(history["alpha"][-1]))
        self.history = history
        self.epsilon = history["epsilon"][: self.n]
        self.Z = history["Z"][: self.n]
        self.weight = ensemble.margin_weight
        self.training = training
        self.learning_rate = learning_rate
        self.product = float(np.prod(self.Z)) if not self.perfect else 0.0

    def why_not(self) -> str | None:
        """A reason why no theorem about these rounds can be applied, if there is one."""
        if self.n == 0:
            return "no hypothesis was kept"
        if self.training is not None and not self.perfect:
            margins, D = self.training
            loss = float(D @ np.exp(-self.weight * margins))
            if abs(loss - self.product) > 1e-6 * max(loss, self.product):
                return (
                    f"the mean exponential loss of these rows, {loss:.6g}, is not the product of the "
                    f"normalisers, {self.product:.6g}: they are not the rows of training"
                )
        return None

    def observed(self) -> float | None:
        """Weight of the training rows with margin at most 0."""
        if self.training is not None:
            margins, D = self.training
            return float(D @ (margins <= 0))
        if "train_error" not in self.history:
            return None
        if self.perfect:
            return 0.0
        return float(self.history["train_error"][self.n - 1])

    def checked(self) -> tuple[str, ...]:
        if self.training is None:
            return ("the recorded rounds",)
        return ("the mean exponential loss of the rows equals the product of the normalisers",)

    def by_product(self) -> Certificate:
        id, statement = "ada-train", "training error <= product of Z_t"
        why = self.why_not()
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        return Certificate(id, statement, _BOOK, self.checked(), (), self.product, self.observed())

    def by_edges(self) -> Certificate:
        id, statement = "ada-train-exp", "training error <= exp(-2 sum gamma_t^2)"
        why = self.why_not() or self._own_votes()
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        bound = 0.0 if self.perfect else float(bounds.ada_exp(self.epsilon))
        return Certificate(id, statement, _BOOK, self.checked(), (), bound, self.observed())

    def _own_votes(self) -> str | None:
        if self.learning_rate != 1:
            return f"learning_rate={self.learning_rate:g} gives other votes than AdaBoost's own"
        if not self.perfect and self._silent():
            return "some hypotheses were silent on some rows"
        return None

    def _silent(self) -> bool:
        r = self.history["r"][: self.n]
        return bool(np.any(np.abs(1 - 2 * self.epsilon - r) > 1e-9))

    def rounds_needed(self) -> Certificate:
        id, statement = "rounds", "rounds until no training error <= ln(m) / (2 gamma^2)"
        why = self.why_not() or self._own_votes()
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is not None or self.training is None:
            return Certificate.not_applicable(id, statement, _BOOK, why or "")
        gamma = 0.5 if self.perfect else float(np.min(np.abs(0.5 - self.epsilon)))
        lightest = float(np.min(self.training[1]))  # 1/m where all rows weigh the same
        n = max(1, round(1 / lightest)) if lightest > 1e-15 else 10**15
        needed = int(bounds.rounds_product_gt(n=n, gamma=gamma))  # type: ignore[arg-type]
        clean = np.flatnonzero(self.history["train_error"][: self.n] == 0)
        first = 1 if self.perfect else int(clean[0]) + 1 if len(clean) else None
        if first is None and self.n < needed:
            why = f"{self.n} rounds were played and {needed} are promised to be enough"
            return Certificate.not_applicable(id, statement, _BOOK, why)
        assumed = (f"every edge is at least the smallest seen, {gamma:.4g}",)
        observed = np.inf if first is None else first
        return Certificate(
            id, statement, _BOOK, self.checked(), assumed, needed, observed, unit="rounds"
        )

    def margins(self) -> list[Certificate]:
        id = "margin-dist"
        statement = "share of margins <= theta <= prod sqrt((1+2g)^(1+theta) (1-2g)^(1-theta))"
        why = self.why_not() or self._own_votes()
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is None and not self.perfect and bool(np.any(self.epsilon > 0.5)):
            why = "a hypothesis did worse than chance"
        if why is not None:
            return [Certificate.not_applicable(id, statement, _MARGINS, why)]
        margins, D = self.training  # type: ignore[misc]
        items = []
        for theta in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5):
            bound = (
                0.0
                if self.perfect
                else float(bounds.margin_product(gammas=0.5 - self.epsilon, theta=theta))
            )
            items.append(
                Certificate(
                    id,
                    f"share of margins <= {theta:g}",
                    _MARGINS,
                    self.checked(),
                    (),
                    bound,
                    float(D @ (margins <= theta)),
                )
            )
        return items


def _m1(
    history: History, ensemble: Any, training: Training | None, learning_rate: float
) -> Certificate:
    id, statement = "m1-train", "training error <= prod 2 sqrt(epsilon_t (1 - epsilon_t))"
    if len(ensemble) == 0:
        return Certificate.not_applicable(id, statement, _M1, "no hypothesis was kept")
    if learning_rate != 1:
        return Certificate.not_applicable(id, statement, _M1, "learning_rate is not 1")
    if training is None:
        return Certificate.not_applicable(id, statement, _M1, "pass the training rows, X and y")
    margins, D = training
    epsilon = history["epsilon"][: len(ensemble)]
    if len(ensemble) == 1 and not isfinite(history["alpha"][-1]):
        epsilon = np.zeros(1)
    bound = float(bounds.ada_product(epsilon))
    return Certificate(
        id,
        statement,
        _M1,
        (),
        ("the rows are those of training",),
        bound,
        float(D @ (margins < 0)),
    )
