"""AdaBoost as the textbook writes it, and its two readings for several classes.

With exact weights (Fractions) every D_t and epsilon_t is exact: wrong examples get
D/(2 epsilon), right ones D/(2 (1 - epsilon)), which needs no root. A result is a dict:

* ``rounds``: one dict a round played, the ending one included: t, D, stump, eps, alpha, Z;
* ``members``: the (vote, stump) pairs kept;
* ``F`` (scores on X), ``H`` (labels), ``margins``, and ``stop``: "rounds", "perfect", "no_edge".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tests.reference.stump import Stump, best_stump, best_stump_multiclass, stump_predict

TIE = 1e-12


def first_distribution(m: int, D1: Any, exact: bool | None) -> Any:
    """Normalised weights: Fractions unless floats were given (or exact=False)."""
    weights = [1] * m if D1 is None else [Fraction(w) if isinstance(w, str) else w for w in D1]
    if exact is None:
        exact = all(isinstance(w, int | np.integer | Fraction) for w in weights)
    if not exact:
        D = np.array([float(w) for w in weights])
        return D / D.sum()
    whole = [Fraction(w) for w in weights]
    return np.array([w / sum(whole) for w in whole], dtype=object)


def weighted_error(D: Any, wrong: Any) -> Any:
    """The weight of the mistakes: 0 exactly when no mistake has positive weight."""
    return D[wrong].sum() if (D[wrong] > 0).any() else 0


def half_log_odds(eps: Any) -> float:
    return 0.5 * math.log((1 - eps) / eps)


def _halves(D: Any, wrong: Any, eps: Any) -> Any:
    return np.where(wrong, D / (2 * eps), D / (2 * (1 - eps)))


def _reweight(D: Any, wrong: Any, alpha: float) -> tuple[Any, float]:
    """D exp(-alpha y h) / Z, and Z."""
    reweighted = D * np.exp(np.where(wrong, alpha, -alpha))
    return reweighted / reweighted.sum(), float(reweighted.sum())


def adaboost(
    X: Any,
    y: Any,
    T: int,
    D1: Any = None,
    learning_rate: float = 1.0,
    exact: bool | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Algorithm 1.1 over exact stumps; ``options`` go to :func:`best_stump`.

    Without a mistake: only that stump is kept, with vote 1. Without an edge: stop, nothing added.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    D = first_distribution(len(y), D1, exact if learning_rate == 1 else False)
    rounds: list[dict[str, Any]] = []
    members: list[tuple[float, Stump]] = []
    stop = "rounds"
    for t in range(1, T + 1):
        stump = best_stump(X, y, D, **options)
        wrong = stump_predict(stump, X) != y
        eps = weighted_error(D, wrong)
        played = {"t": t, "D": D, "stump": stump, "eps": eps}
        if eps == 0:
            rounds.append({**played, "alpha": math.inf, "Z": 0.0})
            members, stop = [(1.0, stump)], "perfect"
            break
        if abs(eps - Fraction(1, 2)) <= TIE:
            rounds.append({**played, "alpha": 0.0, "Z": 1.0})
            stop = "no_edge"
            break
        alpha = learning_rate * half_log_odds(eps)
        if learning_rate == 1:
            D, Z = _halves(D, wrong, eps), 2 * math.sqrt(eps * (1 - eps))
        else:
            D, Z = _reweight(D, wrong, alpha)
        rounds.append({**played, "alpha": alpha, "Z": Z})
        members.append((alpha, stump))
    F = score(members, X)
    margins = y * F / (sum(abs(alpha) for alpha, _ in members) or 1)
    H = np.where(F > 0, 1, -1)
    return _result(rounds, members, F, H, margins, stop)


def score(members: list[tuple[float, Stump]], X: Any) -> Any:
    """F(x), the sum of alpha_t h_t(x)."""
    return sum((alpha * stump_predict(h, X) for alpha, h in members), np.zeros(len(X)))


def _result(rounds: Any, members: Any, F: Any, H: Any, margins: Any, stop: str) -> dict[str, Any]:
    return {
        "rounds": rounds, "members": members, "F": F, "H": H, "margins": margins, "stop": stop,
    }  # fmt: skip


# --- Several classes -------------------------------------------------------------------------


def _multiclass(
    X: Any,
    codes: Any,
    T: int,
    n_classes: int,
    D: Any,
    limit: Fraction,
    vote: Callable[[Any], float],
    update: Callable[[Any, Any, Any], Any],
) -> dict[str, Any]:
    """Rounds until T, until a hypothesis errs nowhere, or until its error reaches the limit."""
    rounds: list[dict[str, Any]] = []
    members: list[tuple[float, Stump]] = []
    stop = "rounds"
    for t in range(1, T + 1):
        stump = best_stump_multiclass(X, codes, D, n_classes)
        wrong = stump_predict(stump, X) != codes
        eps = weighted_error(D, wrong)
        played = {"t": t, "D": D, "stump": stump, "eps": eps}
        if eps == 0:
            rounds.append({**played, "alpha": math.inf})
            members, stop = [(1.0, stump)], "perfect"
            break
        if eps >= limit - TIE:
            rounds.append({**played, "alpha": 0.0})
            stop = "no_edge"
            break
        rounds.append({**played, "alpha": vote(eps)})
        members.append((vote(eps), stump))
        D = update(D, wrong, eps)
    F = score_multiclass(members, X, n_classes)
    true = F[np.arange(len(codes)), codes]
    rest = np.where(np.arange(n_classes) == codes[:, None], -np.inf, F).max(axis=1)
    total = sum(abs(alpha) for alpha, _ in members) or 1
    margins = (true - rest) / total if n_classes > 1 else np.ones(len(codes))
    return _result(rounds, members, F, heaviest_label(F), margins, stop)


def score_multiclass(members: list[tuple[float, Stump]], X: Any, n_classes: int) -> Any:
    """F(x, k), the sum of the votes for label k."""
    F = np.zeros((len(X), n_classes))
    for alpha, stump in members:
        F += alpha * (stump_predict(stump, X)[:, None] == np.arange(n_classes))
    return F


def heaviest_label(scores: Any) -> Any:
    """argmax over labels, the smallest on ties."""
    slack = TIE * np.abs(scores).sum(axis=1, keepdims=True)
    return np.argmax(scores >= scores.max(axis=1, keepdims=True) - slack, axis=1)


def adaboost_m1(
    X: Any, codes: Any, T: int, n_classes: int, D1: Any = None, exact: bool | None = None
) -> dict[str, Any]:
    """AdaBoost.M1: AdaBoost's votes and weights, stopping once epsilon >= 1/2."""
    X, codes = np.asarray(X, dtype=float), np.asarray(codes)
    D = first_distribution(len(codes), D1, exact)
    return _multiclass(X, codes, T, n_classes, D, Fraction(1, 2), half_log_odds, _halves)


def samme(
    X: Any, codes: Any, T: int, n_classes: int, D1: Any = None, exact: bool | None = None
) -> dict[str, Any]:
    """SAMME: vote ln((1 - eps)/eps) + ln(K - 1), stopping once epsilon >= 1 - 1/K."""
    X, codes = np.asarray(X, dtype=float), np.asarray(codes)
    K = n_classes

    def vote(eps: Any) -> float:
        return math.log((1 - eps) / eps) + math.log(K - 1)

    def update(D: Any, wrong: Any, eps: Any) -> Any:
        return np.where(wrong, D * (K - 1) / (eps * K), D / ((1 - eps) * K))

    D = first_distribution(len(codes), D1, exact)
    return _multiclass(X, codes, T, K, D, 1 - Fraction(1, K), vote, update)
