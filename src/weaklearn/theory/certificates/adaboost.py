"""Theorems about a weighted vote, applied to the record of a fit."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp

from ...base.certificate import Certificate
from .. import bounds
from .evidence import Evidence
from .theorem import ANY, theorem

if TYPE_CHECKING:
    from ...base.booster import History


_BOOK = "Schapire and Freund, Boosting, chapter 3"
_MARGINS = "Schapire and Freund, Boosting, chapter 5"
_M1 = "Freund and Schapire (1997), on AdaBoost.M1"
_OTHER_ROWS = "these are not the rows of training"
_THETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


@theorem("AdaBoost", "AdaBoostM1", "Samme")
def adaboost(evidence: Evidence) -> list[Certificate]:
    """The training error falls with the product of the normalisers, and margins grow."""
    if evidence.n_classes > 2:
        return []
    record = _Record(evidence)
    items = [record.by_product(), record.by_edges(), record.rounds_needed()]
    return [*items, *record.margins()]


@theorem("RealAdaBoost")
def product_of_normalisers(evidence: Evidence) -> list[Certificate]:
    """Of rules that say how sure they are the product bounds the error as well."""
    return [_Record(evidence).by_product()]


@theorem("AdaBoostM1")
def several_classes(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.M1: an error means that half of the votes were wrong."""
    return [] if evidence.n_classes <= 2 else [_Record(evidence).m1()]


@theorem("AdaBoost", reduction="OneVsRest")
def one_against_the_rest(evidence: Evidence) -> list[Certificate]:
    """An error is an error of some game: the games' bounds add up."""
    return [_Record(evidence).one_vs_rest(evidence.ensemble)]


@theorem("AnyBoost", reduction=ANY)
def another_descent(evidence: Evidence) -> list[Certificate]:
    """Nothing: votes that descend any loss are not AdaBoost's."""
    why = "the theorem is about AdaBoost; these votes descend in another way"
    statement = "training error <= product of Z"
    return [Certificate.not_applicable("ada-train", statement, _BOOK, why)]


class _Record:
    """The rounds of a vote, and its margins on the training rows."""

    def __init__(self, evidence: Evidence) -> None:
        history, ensemble, perfect = evidence.history, evidence.ensemble, evidence.perfect
        self.n = len(ensemble)
        self.perfect = perfect
        self.history = history
        self.weighted = evidence.weighted
        self.resumed = evidence.resumed
        self.epsilon, self.alpha, self.Z = (
            history[name][-1:] if perfect else history[name][: self.n]
            for name in ("epsilon", "alpha", "Z")
        )
        self.weight = ensemble.margin_weight
        self.training = evidence.training
        with np.errstate(divide="ignore"):
            self.log_product = float(np.sum(np.log(self.Z)))

    def why_not(self) -> str | None:
        """The reason why no theorem about these rounds applies; None if there is none."""
        if self.n == 0:
            return "no hypothesis was kept"
        if self.training is None:
            if self.resumed:
                return "the rounds were played in several fits: pass the training rows, X and y"
            return "weights were given: pass the training rows" if self.weighted else None
        margins, D = self.training
        if self.perfect:
            return None if (margins > 0).all() else _OTHER_ROWS
        log_loss = float(logsumexp(-self.weight * margins, b=D))
        if not abs(log_loss - self.log_product) <= 1e-6:
            return (
                f"{_OTHER_ROWS}: the logarithm of their mean exponential loss is {log_loss:.6g}, "
                f"that of the product of the normalisers {self.log_product:.6g}"
            )
        return None

    def observed(self) -> float | None:
        """Weight of the training rows with margin at most 0."""
        if self.training is not None:
            margins, D = self.training
            return float(D @ (margins <= 0))
        return float(self.history["train_error"][-1 if self.perfect else self.n - 1])

    def checked(self) -> tuple[str, ...]:
        if self.training is None:
            return ("the recorded rounds",)
        return ("the mean exponential loss of the rows equals the product of the normalisers",)

    def by_product(self) -> Certificate:
        id, statement = "ada-train", "training error <= product of Z_t"
        why = self.why_not()
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        bound = float(np.exp(self.log_product))
        return Certificate(id, statement, _BOOK, self.checked(), (), bound, self.observed())

    def by_edges(self) -> Certificate:
        id, statement = "ada-train-exp", "training error <= exp(-2 sum gamma_t^2)"
        why = self.why_not() or self.own_votes()
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        bound = 0.0 if self.perfect else float(bounds.ada_exp(self.epsilon))
        return Certificate(id, statement, _BOOK, self.checked(), (), bound, self.observed())

    def own_votes(self) -> str | None:
        """The reason why the votes are not AdaBoost's 1/2 ln((1 - epsilon)/epsilon); None if they
        are.
        """
        if self.perfect:
            return None
        with np.errstate(divide="ignore"):
            own = 0.5 * np.log((1 - self.epsilon) / self.epsilon)
        if np.allclose(self.alpha, own, rtol=1e-9, atol=1e-9):
            return None
        return (
            "some votes are not AdaBoost's own: a learning rate, smoothing, or hypotheses that "
            "were silent on some rows"
        )

    def rounds_needed(self) -> Certificate:
        id = "rounds"
        statement = "rounds until no training error is left <= 2 ln m / ln(1/(1 - 4 gamma^2)) + 1"
        why = self.why_not() or self.own_votes()
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is None and self.perfect:
            return Certificate(id, statement, _BOOK, self.checked(), (), 1, 1, unit="rounds")
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        gamma = float(np.min(np.abs(0.5 - self.epsilon)))
        assert self.training is not None
        lightest = float(np.min(self.training[1]))  # an error below this is none; 1/m unweighted
        needed = int(bounds.rounds_product_gt(n=ceil(1 / lightest - 1e-6), gamma=gamma))
        faulty = np.flatnonzero(self.history["train_error"][: self.n] > 0)
        clean_from = int(faulty[-1]) + 2 if len(faulty) else 1
        if clean_from > self.n and self.n < needed:
            why = f"not yet, {self.n} rounds were played and {needed} are promised to be enough"
            return Certificate.not_applicable(id, statement, _BOOK, why)
        assumed = (f"every edge is at least the smallest seen, {gamma:.4g}",)
        return Certificate(
            id, statement, _BOOK, self.checked(), assumed, needed, clean_from, unit="rounds"
        )

    def margins(self) -> list[Certificate]:
        id = "margin-dist"
        statement = "share of margins <= theta <= prod sqrt((1+2g)^(1+theta) (1-2g)^(1-theta))"
        why = self.why_not() or self.own_votes()
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is None and bool(np.any(self.epsilon > 0.5)):
            why = "a hypothesis did worse than chance"
        if why is not None:
            return [Certificate.not_applicable(id, statement, _MARGINS, why)]
        return [self._margin(id, theta) for theta in _THETAS]

    def _margin(self, id: str, theta: float) -> Certificate:
        assert self.training is not None
        margins, D = self.training
        bound = 0.0
        if not self.perfect:
            bound = float(bounds.margin_product(gammas=0.5 - self.epsilon, theta=theta))
        observed = float(D @ (margins <= theta))
        statement = f"share of margins <= {theta:g}"
        return Certificate(id, statement, _MARGINS, self.checked(), (), bound, observed)

    def one_vs_rest(self, ensemble: Any) -> Certificate:
        """The bound of one-vs-rest: the sum of the bounds of the binary problems."""
        id, statement = "ovr-train", "training error <= sum over classes of the product of Z_t"
        why = "no hypothesis was kept" if self.n == 0 else None
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is not None:
            return Certificate.not_applicable(id, statement, _BOOK, why)
        assert self.training is not None
        margins, D = self.training
        sizes = enumerate(map(len, ensemble.parts))
        bound = sum(product_of_game(self.history, k, n) for k, n in sizes)
        assumed = ("the rows are those of training",)
        observed = float(D @ (margins <= 0))
        return Certificate(id, statement, _BOOK, (), assumed, bound, observed)

    def m1(self) -> Certificate:
        id, statement = "m1-train", "training error <= prod 2 sqrt(epsilon_t (1 - epsilon_t))"
        why = "no hypothesis was kept" if self.n == 0 else self.own_votes()
        if why is None and self.training is None:
            why = "pass the training rows, X and y"
        if why is not None:
            return Certificate.not_applicable(id, statement, _M1, why)
        assert self.training is not None
        margins, D = self.training
        bound = float(bounds.ada_product(self.epsilon))
        assumed = ("the rows are those of training",)
        return Certificate(id, statement, _M1, (), assumed, bound, float(D @ (margins <= 0)))


def product_of_game(history: History, k: int, n: int) -> float:
    """The product of the normalisers of binary problem k, whose first n votes were kept."""
    if np.isinf(history[f"alpha_{k}"]).any():  # won by one hypothesis without error
        return 0.0
    return float(np.prod(history[f"Z_{k}"][:n]))
