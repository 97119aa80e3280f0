"""Worlds in which certificates about the true error are wrong nearly as often as they may be.

Where a bound adds a penalty to an error count, it is tightest where no error was seen: then Occam's
bound by bits, and that of Hoeffding for one row, are wrong with nearly the probability allowed. The
theorems of the growth function, of margins and of voters drawn have constants that no world uses
up: of them the worlds show only that they hold, and that copies do not fool them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.stats import binom

import weaklearn as wl
from tests.campaign.statistics import Kind, World, any_of
from tests.trials import TRIALS
from weaklearn.base import Ensemble, History
from weaklearn.registry import ROWS, class_of
from weaklearn.registry.row import Row
from weaklearn.theory import bounds
from weaklearn.theory.certificates.code_length import Table
from weaklearn.theory.certificates.generalisation import _Case
from weaklearn.theory.certificates.pac_bayes import drawn_bound
from weaklearn.theory.certificates.theorem import Evidence
from weaklearn.theory.distinct import Distinct
from weaklearn.theory.pac.compression import compression_scheme

Rng = np.random.Generator

# ------------------------------------------------------------------------------------ rows held out

_N, _DELTA = 80, 0.2  # test rows; the exact interval has half of delta
_COIN = 0.5  # the error of any rule where labels are tosses of a fair coin


def _tails(n: int, share: float, p: Any) -> Any:
    """The probabilities that the exact interval of n rows does not hold each of the rates p."""
    k, p = np.arange(n + 1)[:, None], np.asarray(p)
    low = np.r_[0.0, bounds.binomial_lower(k[1:, 0], n, share / 2)][:, None]
    high = np.r_[bounds.binomial_upper(k[:-1, 0], n, share / 2), 1.0][:, None]
    return np.where((p < low) | (p > high), binom.pmf(k, n, p), 0.0).sum(axis=0)


def _hardest(n: int, share: float) -> float:
    """The error rate that the exact interval of n rows misses most often."""
    tried = np.linspace(0.02, 0.5, 961)
    return float(tried[np.argmax(_tails(n, share, tried))])


P = _hardest(_N, _DELTA / 2)
P_NEW = _hardest(_N, _DELTA / 4)
P_ONE = sqrt(log(1 / (0.99 / 4)) / 2) + 1e-6  # one row without error is not enough for it


def _threshold() -> Any:
    x = np.linspace(-1, 1, 20)[:, None]
    return wl.DecisionStumpClassifier().fit(x, (x[:, 0] > 0).astype(int))


def _rows(rng: Rng, n: int, p: float, wrong: int | None = None) -> tuple[Any, Any]:
    """Rows that the rule x > 0 gets wrong with probability p; they have the label ``wrong``."""
    x = rng.normal(size=(n, 1))
    y, bad = (x[:, 0] > 0).astype(int), rng.random(n) < p
    return x, np.where(bad, 1 - y if wrong is None else wrong, y)


def _missed(certificate: Any, p: float) -> tuple[bool, float]:
    low = certificate.lower or 0.0
    return not low <= p <= certificate.bound, certificate.delta


def _exact(wrong: int | None = None) -> World:
    model = _threshold()

    def world(rng: Rng) -> tuple[bool, float]:
        X, y = _rows(rng, _N, P, wrong)
        y[0] = int(X[0, 0] > 0) if (y == wrong).all() else y[0]  # one label at least is known
        return _missed(model.certify(None, None, X, y, _DELTA).of("test-exact"), P)

    return world


def _exact_of_copies(repeats: str) -> World:
    model = _threshold()

    def world(rng: Rng) -> tuple[bool, float]:
        X, y = _rows(rng, _N, P)
        times = np.where(model.predict(X) == y, rng.integers(1, 30, _N), 1)  # errors stand alone
        given = np.repeat(X, times, axis=0), np.repeat(y, times)
        found = model.certify(None, None, *given, _DELTA, repeats=repeats)
        return _missed(found.of("test-exact"), P)

    return world


def _hoeffding() -> World:
    model = _threshold()

    def world(rng: Rng) -> tuple[bool, float]:
        found = model.certify(None, None, *_rows(rng, 1, P_ONE), 0.99).of("test-set")
        return P_ONE > found.bound, found.delta

    return world


def _unlike_training() -> World:
    model = _threshold()
    seen = np.linspace(-1, 1, 20)[:, None]

    def world(rng: Rng) -> tuple[bool, float]:
        X, y = _rows(rng, _N, P_NEW)
        given = np.r_[seen, X], np.r_[np.ones(20, int), y]
        return _missed(model.certify(None, None, *given, _DELTA).of("test-new"), P_NEW)

    return world


# -------------------------------------------------------------------------- training rows, as tight


def _case(margins: Any, delta: float, lnH: float = 0.0, distinct: Distinct | None = None) -> _Case:
    """Margins of a vote of a class whose size is known: all that the theorems look at."""
    known: Any = SimpleNamespace(
        coded=True, doubles=True, by_label=False, n_parts=1, table=Table(1), shape=0.0,
        bits=lnH / log(2), grid=lnH, base=lnH, growth=lambda m: lnH,
        members=[SimpleNamespace(tests=1)],
    )  # fmt: skip
    training = margins, np.full(len(margins), 1 / len(margins))
    evidence = Evidence(History(), Ensemble(), len(margins), training, distinct=distinct)
    return _Case(evidence, known, delta)


_RULES, _M, _SHARE = 32, 20, 0.1
P_BITS = (1 - (_SHARE / _RULES) ** (1 / _M)) * (1 + 1e-9)
WRONG_BITS = 1 - (1 - (1 - P_BITS) ** _M) ** _RULES
P_FINITE = sqrt(log(1 / 0.6) / 2) + 1e-9


def _best_of_many(rng: Rng) -> Any:
    """Margins of the best of 32 rules of equal error, on 20 rows."""
    wrong = rng.random((_RULES, _M)) < P_BITS
    return np.where(wrong[wrong.sum(axis=1).argmin()], -1.0, 1.0)


def _bits(weighted: bool) -> World:
    def world(rng: Rng) -> tuple[bool, float]:
        margins, distinct = _best_of_many(rng), None
        if weighted:
            distinct = Distinct(np.arange(_M), rng.integers(1, 1000, _M))
        found = _case(margins, _SHARE, log(_RULES), distinct).description()
        assert found.bound is not None
        return found.bound < P_BITS, _SHARE

    return world


def _bits_of_draws() -> World:
    def world(rng: Rng) -> tuple[bool, float]:
        distinct = Distinct(np.arange(_M), rng.integers(1, 1000, _M), drawn=True)
        found = _case(_best_of_many(rng), _SHARE, log(_RULES), distinct).description()
        assert found.bound is not None
        return found.bound < P_BITS, _SHARE

    return world


def _finite() -> World:
    def world(rng: Rng) -> tuple[bool, float]:
        margins = np.where(rng.random(1) < P_FINITE, -1.0, 1.0)
        bound = _case(margins, 0.6).finite().bound
        assert bound is not None
        return bound < P_FINITE, 0.6

    return world


def _loose(
    theorem: Callable[[_Case, float], float], p: float, part: float = 1.0
) -> Callable[[], World]:
    """The best of 1,000 rules of the error p on 400 rows; of the penalty only a part counts."""
    rules, m = 1000, 400

    def begin() -> World:
        def world(rng: Rng) -> tuple[bool, float]:
            errors = rng.binomial(m, p, rules).min()
            margins = np.where(np.arange(m) < errors, -1.0, 1.0)
            bound = theorem(_case(margins, _SHARE, log(rules)), log(rules))
            return errors / m + part * (bound - errors / m) < p, _SHARE

        return world

    return begin


def _by_growth(case: _Case, lnH: float) -> float:
    return float(case.growth().bound or 1.0)


def _by_margins(case: _Case, lnH: float) -> float:
    return float(case.margins().bound or 1.0)


def _by_draws(case: _Case, lnH: float) -> float:
    return drawn_bound(case.margin, lnH, case.delta, case.distinct).bound


_KEPT = 400  # rows, of which one is kept
P_KEPT = (log(_KEPT) + log(1 / _SHARE)) / (_KEPT - 1) + 1e-9
WRONG_KEPT = 1 - (1 - (1 - P_KEPT) ** (_KEPT - 1)) ** _KEPT


def _best_kept() -> World:
    """Each row rebuilds a rule that errs on any other row with probability p."""
    X, y = np.arange(float(_KEPT))[:, None], np.ones(_KEPT, int)

    def world(rng: Rng) -> tuple[bool, float]:
        wrong = rng.random((_KEPT, _KEPT)) < P_KEPT
        np.fill_diagonal(wrong, False)

        def rebuild(kept: Any, labels: Any) -> Callable[[Any], Any]:
            return lambda rows: np.where(wrong[int(kept[0, 0]), rows[:, 0].astype(int)], -1, 1)

        best = [int(wrong.sum(axis=1).argmin())]
        found = compression_scheme((lambda X, y: best, rebuild), X, y, kappa=1, delta=_SHARE)
        return found.bound is not None and found.bound < P_KEPT, _SHARE

    return world


# ----------------------------------------------------------------------------- fits, and everything


def _compression(make: Callable[[], Any], d: int) -> Callable[[], World]:
    """A rule without error, rebuilt from a few of 40 rows; what it misses is known by area."""

    def begin() -> World:
        grid = (np.arange(400) + 0.5)[:, None] / 400 if d == 1 else _square(60)
        truth = _inside(grid)

        def world(rng: Rng) -> tuple[bool, float]:
            X = rng.random((40, d))
            y = _inside(X)
            if y.all() or not y.any():
                return False, _SHARE
            model = make().fit(X, y)
            found = model.certify(X, y, delta=_SHARE).of("gen-compression")
            return found.applies and np.mean(model.predict(grid) != truth) > found.bound, _SHARE

        return world

    return begin


def _square(n: int) -> Any:
    x = (np.arange(n) + 0.5) / n
    return np.column_stack([np.repeat(x, n), np.tile(x, n)])


def _inside(X: Any) -> Any:
    return ((X > 0.25).all(axis=1) if X.shape[1] == 1 else (abs(X - 0.5) < 0.35).all(axis=1)) * 1


def _noise(
    how: str, make: Callable[[], Any] = lambda: wl.AdaBoostClassifier(n_estimators=2)
) -> Callable[[], World]:
    """A fit to labels that are tosses of a coin: no rule has another error than one half."""

    def begin() -> World:
        def world(rng: Rng) -> tuple[bool, float]:
            n, given, repeats = 60, None, "copies"
            X, y = rng.integers(0, 1000, (n, 2)).astype(float), rng.integers(0, 2, n)
            y[:2] = 0, 1
            if how == "importances":
                given = rng.random(n) + 0.5
            elif how == "weights":
                given = rng.integers(1, 4000, n)
            elif how != "plain":
                times = rng.integers(100, 300, n)
                X, y = np.repeat(X, times, axis=0), np.repeat(y, times)
                repeats = "draws" if how == "draws" else "copies"
            model = make().fit(X, y, given)
            found = model.certify(X, y, delta=0.5, sample_weight=given, repeats=repeats)
            return any_of([c.bound < _COIN for c in found.truth if c.applies]), 0.5

        return world

    return begin


def _erm(copies: bool) -> World:
    def world(rng: Rng) -> tuple[bool, float]:
        x, y = rng.normal(size=(1, 1)), (rng.random(1) < P_FINITE).astype(int)
        model = wl.ERMClassifier([lambda X: np.zeros(len(X), int)])
        rows = np.repeat(x, 50, axis=0) if copies else x, np.repeat(y, 50) if copies else y
        bound = model.fit(*rows).certify(*rows, delta=0.6).of("gen-finite").bound
        return bound < P_FINITE, 0.6

    return world


def _training(row: Row) -> Callable[[], World]:
    """Theorems about the run itself, which may never fail, of one booster."""

    def begin() -> World:
        made, given = class_of(row), TRIALS[row.name]
        several = made(**given).__sklearn_tags__().classifier_tags.multi_class

        def world(rng: Rng) -> tuple[bool, float]:
            n = int(rng.integers(6, 60))
            X = rng.integers(0, 6, (n, 3)).astype(float)
            K = int(rng.integers(2, 4)) if several else 2
            y = np.where(rng.random(n) < 0.2, rng.integers(0, K, n), X[:, 0] * K // 6).astype(int)
            y[:K] = np.arange(K)
            weight = rng.integers(1, 4, n) if rng.random() < 0.3 else None
            model = made(**(given | {"n_estimators": int(rng.integers(1, 12))}))
            found = model.fit(X, y, weight).certify(X, y, sample_weight=weight).training
            return any_of([c.holds is False for c in found]), 0.0

        return world

    return begin


def _boosters() -> list[Row]:
    """The boosters of votes of the registry, those that wrap one left out."""
    rows = [row for row in ROWS.values() if row.runtime == "votes.VoteClassifier"]
    return [row for row in rows if row.reads == "columns" and row.schemes]


def kinds() -> list[Kind]:
    """All kinds of certificates."""
    exact, new = (float(_tails(_N, _DELTA / k, [p])[0]) for k, p in ((2, P), (4, P_NEW)))
    return [
        Kind("test-exact", _exact, exact),
        Kind("test-exact, errors are unknown labels", lambda: _exact(7), exact),
        Kind("test-exact, right rows copied", lambda: _exact_of_copies("copies")),
        Kind("test-exact, copies taken for draws", lambda: _exact_of_copies("draws"), None, True),
        Kind("test-new", _unlike_training, new),
        Kind("test-set, one row", _hoeffding, 1 - P_ONE),
        Kind("gen-bits, best of 32 rules", lambda: _bits(False), WRONG_BITS),
        Kind("gen-bits, the same with weights", lambda: _bits(True)),
        Kind("gen-bits, weights taken for draws", _bits_of_draws, None, True),
        Kind("gen-finite, one rule and one row", _finite, 1 - P_FINITE),
        Kind("gen-finite of a list", lambda: _erm(False), 1 - P_FINITE),
        Kind("gen-finite of a list, one row copied", lambda: _erm(True), 1 - P_FINITE),
        Kind("gen-vc", _loose(_by_growth, 0.5)),
        Kind("gen-vc, 15 % of its penalty", _loose(_by_growth, 0.5, 0.15), None, True),
        Kind("gen-margins", _loose(_by_margins, 0.5)),
        Kind("gen-margins, 8 % of its penalty", _loose(_by_margins, 0.5, 0.08), None, True),
        Kind("gen-pac-bayes", _loose(_by_draws, 0.3)),
        Kind("gen-pac-bayes, 25 % of its penalty", _loose(_by_draws, 0.3, 0.25), None, True),
        Kind("gen-compression, best of 400 kept rows", _best_kept, WRONG_KEPT),
        Kind("gen-compression, threshold", _compression(wl.ThresholdClassifier, 1)),
        Kind("gen-compression, rectangle", _compression(wl.RectangleClassifier, 2)),
        *(Kind(f"all of certify, noise, {how}", _noise(how)) for how in ("plain", "importances")),
        Kind("all of certify, noise, whole weights", _noise("weights")),
        Kind("all of certify, noise, copies", _noise("copies")),
        Kind("all of certify, noise, copies taken for draws", _noise("draws"), None, True),
        *(Kind(f"training, {row.name}", _training(row), 0.0) for row in _boosters()),
    ]
