"""Weak learners that behave as badly as a theorem allows, for use as ``estimator`` of any booster.

Their chance is a function of the question: of the seed, the round, and what rows hold. So they keep
what every learner of this library owes: the order of rows does not matter, and a weight is so many
copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import (
    CONSTANT,
    EQUALITY,
    THRESHOLD,
    Hypothesis,
    NoHypothesis,
    Stump,
    WeakLearner,
)
from ..base.messages.value_text import show
from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.rows import Rows
from ..base.sample import Distribution, Sample
from ..base.types import Floats
from ..estimators.boosting.weak_learner import learner_for
from ..learners.function import FunctionHypothesis

Labels = NDArray[np.int64]

_TIED = 1e-12


@dataclass(frozen=True)
class CoinLearner(WeakLearner):
    """Guesses: a hypothesis answers every row at random, equal rows alike.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> model = wl.AdaBoostClassifier(CoinLearner(random_state=1), n_estimators=5).fit(X, y)
    >>> bool((model.predict(X) == model.predict(X)).all())
    True
    """

    random_state: int = 0

    def bind(self, sample: Sample) -> Callable[..., Coin]:
        salt = _salt(sample, self.random_state)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Coin:
            return Coin(_keyed(salt, key), sample.n_classes)

        return learn


@dataclass(frozen=True)
class Coin(Hypothesis):
    """One answer per row at random."""

    salt: int
    n_classes: int

    def __call__(self, rows: Rows) -> Labels:
        return _labels(_uniform(content(rows), self.salt), self.n_classes)


@dataclass(frozen=True)
class NoisyLearner(WeakLearner):
    """Right on each example with probability 1/2 + gamma, independently of the others.

    Where rows are alike and their labels differ, one label is meant for all of them. Of rows that
    were not in the sample it knows nothing: they are answered by a coin. The majority of T such
    hypotheses errs on about exp(-2 T gamma^2) of the examples or fewer.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> noisy = NoisyLearner(gamma=0.2, random_state=1)
    >>> wl.AlphaBoostClassifier(noisy, n_estimators=301).fit(X, y).score(X, y)
    1.0
    """

    gamma: float = 0.1
    random_state: int = 0

    def __post_init__(self) -> None:
        _check_edge(self.gamma)

    def bind(self, sample: Sample) -> Callable[..., Noisy]:
        salt, keys = _salt(sample, self.random_state), content(sample)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Noisy:
            order = np.lexsort((z, keys))  # the largest of several labels last
            last = np.append(keys[order][1:] != keys[order][:-1], True)
            rows = order[last]
            known = z[rows].astype(np.int64)
            return Noisy(_keyed(salt, key), sample.n_classes, keys[rows], known, self.gamma)

        return learn


@dataclass(frozen=True, eq=False)
class Noisy(Hypothesis):
    """The labels of known rows, some of them changed."""

    salt: int
    n_classes: int
    keys: Keys
    known: Labels
    gamma: float

    def __call__(self, rows: Rows) -> Labels:
        keys = content(rows)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        seen = self.keys[place] == keys
        guess = _labels(_uniform(keys, self.salt), self.n_classes)
        right = _uniform(keys, self.salt + 1) < 0.5 + self.gamma
        label = self.known[place]
        if self.n_classes <= 2:
            wrong = -label
        else:  # another class, each as likely
            step = 1 + (_uniform(keys, self.salt + 2) * (self.n_classes - 1)).astype(np.int64)
            wrong = (label + step) % self.n_classes
        return np.where(seen, np.where(right, label, wrong), guess)


@dataclass(frozen=True)
class AdversaryLearner(WeakLearner):
    """The worst hypothesis among all whose edge is gamma or better.

    ``pool``: functions from X to {-1, +1}, or hypotheses of this library; by default every stump
    that tells the rows of the sample apart, and the two constants. Where none has the edge, the
    learner gives up, and the fit ends. For two classes.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> model = wl.GammaMajorityClassifier(AdversaryLearner(gamma=0.1), n_estimators=9, gamma=0.1)
    >>> model.fit(X, y).history_["gamma"].round(2)[:3]
    array([0.1 , 0.12, 0.11])
    """

    gamma: float = 0.1
    pool: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        _check_edge(self.gamma)

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        if not sample.binary:
            return _not_for(sample.n_classes)
        pool = _stumps(sample) if self.pool is None else [_ruled(h) for h in self.pool]
        answers = np.column_stack([np.asarray(h(sample), np.float64) for h in pool])

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            edges = (D.array * z) @ answers / 2
            kept = np.flatnonzero(edges >= self.gamma - _TIED)
            if len(kept) == 0:
                raise NoHypothesis(
                    f"no hypothesis of the pool has the edge {self.gamma:g}; the best has "
                    f"{edges.max():.4g}"
                )
            least = edges[kept].min()
            return pool[int(kept[np.argmax(edges[kept] <= least + _TIED)])]

        return learn


def _not_for(n_classes: int) -> Callable[..., Hypothesis]:
    """An oracle that raises when called; binding it is allowed."""

    def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
        raise TypeError(
            f"AdversaryLearner is for two classes and the sample has {n_classes}: boost one class "
            "against the rest, multiclass='ovr'."
        )

    return learn


@dataclass(frozen=True)
class FlakyLearner(WeakLearner):
    """A good learner that works with probability ``success_probability``, and else guesses.

    ``estimator`` is the good one, in any form that boosters take; exact stumps by default.

    >>> import weaklearn as wl
    >>> X, y = wl.datasets.toy()
    >>> flaky = FlakyLearner(success_probability=0.3, random_state=1)
    >>> sure = {"gamma": 0.15, "success_probability": 0.3, "delta": 0.01, "on_failure": "fail"}
    >>> model = wl.AdaBoostClassifier(flaky, n_estimators=20, resample=sure).fit(X, y)
    >>> bool((model.edges_ >= 0.15).all())  # tries are repeated until they are good
    True
    """

    estimator: Any = None
    success_probability: float = 0.5
    random_state: int = 0

    def __post_init__(self) -> None:
        p = self.success_probability
        if not 0 <= p <= 1:
            raise ValueError(f"success_probability={show(p)} is not allowed: it must be in [0, 1].")

    def bind(self, sample: Sample) -> Callable[..., Hypothesis]:
        good = learner_for(self.estimator, False, 1, self.random_state).bind(sample)
        coin = CoinLearner(self.random_state).bind(sample)
        salt = _salt(sample, self.random_state)

        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> Hypothesis:
            luck = float(_uniform(np.zeros(1, np.uint64), _keyed(salt, key) + 3)[0])
            works = luck < self.success_probability
            return good(D, z, key) if works else coin(D, z, key)

        return learn


# ------------------------------------------------------------------------------------------ chance


def content(rows: Rows) -> Keys:
    """A hash of each row; all missing values are equal."""
    keys = np.zeros(len(rows), np.uint64)
    for j in range(rows.cells.n_features):
        x = rows.column(j)
        if x.dtype.kind == "f":
            x = np.where(np.isnan(x), np.nan, x + 0.0)  # one kind of NaN, and -0.0 is 0.0
        cell = np.ascontiguousarray(x if x.dtype.kind == "f" else x.astype(np.int64))
        keys = mixed(keys + mixed(cell.view(np.uint64) + GOLDEN) + np.uint64(j))
    return keys


def _salt(sample: Sample, seed: int) -> int:
    """A random key of a sample: from the seed, and from the content of its examples."""
    each = mixed(content(sample) + sample.y.astype(np.int64).view(np.uint64) * GOLDEN)
    if sample.copies is not None:
        each = each * sample.copies.astype(np.uint64)
    summed = int(each.sum(dtype=np.uint64))  # modulo 2^64, in any order
    return _keyed(summed, seed)


def _keyed(salt: int, key: int) -> int:
    numbers = np.array([salt, key], np.uint64)
    return int(mixed(mixed(numbers[:1] + GOLDEN) + numbers[1:])[0])


def _uniform(keys: Keys, salt: int) -> Floats:
    """A number in [0, 1) for each key."""
    salted = mixed(keys ^ mixed(np.array([salt % 2**64], np.uint64)))
    return np.asarray((salted >> np.uint64(11)) * 2.0**-53)


def _labels(u: Floats, n_classes: int) -> Labels:
    """Labels as likely as one another."""
    if n_classes <= 2:
        return np.where(u < 0.5, -1, 1)
    return (u * n_classes).astype(np.int64)


# -------------------------------------------------------------------------------------- hypotheses


def _ruled(h: Any) -> Hypothesis:
    return h if isinstance(h, Hypothesis) else FunctionHypothesis(h, 2)


def _stumps(sample: Sample) -> list[Hypothesis]:
    """All stumps that split the rows, feature by feature, after the constants."""
    up = Stump(CONSTANT, 0, -inf, 0, 1, 1, 1)
    found = [up]
    for j in range(sample.cells.n_features):
        x = sample.column(j)
        if x.dtype.kind == "i":
            categories = np.unique(x[x >= 0]).tolist()
            found += [Stump(EQUALITY, j, 0.0, category, -1, 1, -1) for category in categories]
        else:
            values = np.unique(x[~np.isnan(x)])
            cuts = (values[:-1] / 2 + values[1:] / 2).tolist()
            found += [Stump(THRESHOLD, j, cut, 0, -1, 1, -1) for cut in cuts]
    both = [(h, replace(h, low=-h.low, high=-h.high, missing=-h.missing)) for h in found]
    return [h for pair in both for h in pair]


def _check_edge(gamma: float) -> None:
    if not 0 <= gamma <= 0.5:
        raise ValueError(
            f"gamma={show(gamma)} is not allowed: it must be at least 0 and at most 0.5."
        )
