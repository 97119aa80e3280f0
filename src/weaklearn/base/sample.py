"""The training sample (rows with labels and weights), and distributions over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .numeric.fixed_point import scale_weights
from .numeric.hashing import Keys
from .numeric.total import total
from .rows import OPENED, Binning, Rows
from .types import Floats, Partitions

if TYPE_CHECKING:
    from .hypothesis import Hypothesis


WRONG, ABSTAINED, RIGHT = -1, 0, 1


class Correctness(Protocol):
    """Per row whether a hypothesis is right (+1), wrong (-1) or abstains (0).

    ``numpy.asarray`` gives the array.
    """

    def __len__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.int8]: ...


class Weights(Protocol):
    """An engine's weights of the examples: integers, so that sums do not depend on the order."""

    @property
    def version(self) -> int: ...
    def mass(self, correct: Any, which: int, threads: int) -> float: ...
    def reweight(self, alpha: float, correct: Any, threads: int) -> None: ...
    def vote_errors(self) -> tuple[float, int]: ...
    def shares(self) -> NDArray[np.float64]: ...
    def exact_shares(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...


class Distribution:
    """Weights over the examples with sum 1.

    A distribution moves on in place: after ``reweight`` the old object may no longer be used, which
    saves a copy of all weights in every round and cannot go unnoticed. ``sign`` holds the labels -1
    and +1 that the weights are multiplied by in sums over examples; None where there are none.
    """

    __slots__ = ("_threads", "_version", "sign", "weights")

    def __init__(
        self, weights: Weights, threads: int = 1, sign: NDArray[np.int8] | None = None
    ) -> None:
        self.weights = weights
        self.sign = sign
        self._threads = threads
        self._version = weights.version

    def _current(self) -> Weights:
        if self.weights.version != self._version:
            raise RuntimeError("this distribution has moved on: use the one that reweight returned")
        return self.weights

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def array(self) -> NDArray[np.float64]:
        """The distribution as an array; a row with a frequency weight has the sum of its copies."""
        return self._current().shares()

    @property
    def exact(self) -> NDArray[np.float64]:
        """The distribution for third-party code, as multiples of 2^-52 per copy of a row.

        Doubles add these up without rounding: code that only sums weights gets the same sums in any
        order of rows, and for a frequency weight as for so many copies.
        """
        return self._current().exact_shares()

    def mass(self, correct: Correctness, side: int) -> float:
        """The weight of the rows that are RIGHT, WRONG or ABSTAINED (``side``).

        It is exactly 0 only where no such row has weight.
        """
        return self._current().mass(correct, side, self._threads)

    def reweight(self, alpha: float, correct: Correctness) -> Distribution:
        """The next distribution: D(i) exp(-alpha * correct_i) / Z."""
        self._current().reweight(alpha, correct, self._threads)
        return Distribution(self.weights, self._threads, self.sign)

    def margin_and_errors(self) -> tuple[float, int]:
        """The smallest y F over the examples, and the number of examples misclassified so far."""
        return self._current().vote_errors()


@dataclass(frozen=True)
class Sample(Rows):
    """A training sample: binned columns, labels, and the first distribution.

    ``y`` is -1 or +1 (int8) for two classes, 0 .. K-1 (int32) for more, any number (float64) where
    ``n_classes`` is 0 (a row of them, of several targets), and -1 or +1 for each of K labels (int8,
    a row each) where rows may have several. ``copies`` are integer frequency weights,
    ``importance`` other weights; both None where all rows count once. ``target``: the name of y.
    ``pooled_keys`` hashes, of rows of the raw X, the categories that share a code, so that rows of
    equal codes may still differ; None where there are none. ``m`` is the number of examples: the
    sum of the frequency weights, sample weights do not count. ``queries`` numbers those of rows.
    Of one partition of several, arrays are of its own rows, and ``m`` and means of all.
    """

    y: NDArray[Any]
    n_classes: int
    copies: NDArray[np.int64] | None
    importance: NDArray[np.float64] | None
    coded: Any
    classes: NDArray[Any] | Sequence[Any] = ()
    pooled_keys: Callable[[Any], Keys] | None = None
    binning: Binning = OPENED
    target: str | None = None
    queries: NDArray[np.int64] | None = None
    m: int = field(init=False)
    _weight: float | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        own = self.cells.n_rows if self.copies is None else int(self.copies.sum())
        object.__setattr__(self, "m", number_of_all(own, self.engine.collective))

    @cached_property
    def binary(self) -> bool:
        return 0 < self.n_classes <= 2 and not self.several

    @cached_property
    def several(self) -> bool:
        """Whether rows may have several labels, or none."""
        return self.y.ndim == 2 and self.n_classes > 0

    @property
    def signs(self) -> NDArray[np.int8]:
        """+1 for the labels that a row has and -1 for the others: (m, K)."""
        if self.several:
            return self.y
        signs = np.full((len(self), self.n_classes), -1, np.int8)
        signs[np.arange(len(self)), self.codes] = 1
        return signs

    @property
    def codes(self) -> NDArray[np.intp]:
        """The number of each row's class."""
        own = (self.y > 0) * (self.n_classes - 1) if self.binary else self.y
        return np.asarray(own, np.intp)

    @property
    def prior(self) -> Distribution:
        """D_1: the given weights, or the same weight for every copy of every row."""
        sign = self.y if self.binary else None
        n = self.cells.n_rows
        return self.engine.weights.distribution(n, self.importance, self.copies, sign)

    @property
    def prior_shares(self) -> NDArray[np.float64]:
        """D_1 as an array."""
        return self.prior.array

    def weighed(self, D: NDArray[np.float64], z: NDArray[Any] | None = None) -> Distribution:
        """Any distribution over these rows, with labels z in place of y where given."""
        sign = (self.y if z is None else z) if self.binary else None
        shares = np.ascontiguousarray(D, np.float64)
        return self.engine.weights.distribution(len(self), shares, None, sign)

    def reweighted(self, w: NDArray[np.float64], z: NDArray[Any] | None = None) -> Distribution:
        """D_1 times w, which is for one copy of each row; labels z in place of y where given."""
        prior = w if self.importance is None else w * self.importance
        sign = (self.y if self.binary else None) if z is None else z
        return self.engine.weights.distribution(
            len(self), np.ascontiguousarray(prior), self.copies, sign
        )

    def facing(self, D: Distribution, z: NDArray[Any]) -> Distribution:
        """D with labels z: D itself where it carries them already, or where it needs none."""
        return D if not self.binary or D.sign is z else self.weighed(D.array, z)

    @property
    def weights(self) -> NDArray[Any] | None:
        """Frequency weights, sample weights, their product, or None where all rows count once."""
        if self.copies is None or self.importance is None:
            return self.copies if self.copies is not None else self.importance
        return self.copies * self.importance

    @property
    def copies_or_ones(self) -> NDArray[np.int64]:
        """How many examples each row stands for."""
        return np.ones(len(self), np.int64) if self.copies is None else self.copies

    def mean(self, x: NDArray[np.float64]) -> float:
        """The mean of x under D_1 over all partitions, free of the order of rows."""
        over = self.engine.collective
        if self.importance is None:
            return total(x, self.copies, over) / self.m
        weight = self._weight
        if weight is None:  # kept by hand: the lock of cached_property would stop other partitions
            weight = total(self.importance, self.copies, over)
            object.__setattr__(self, "_weight", weight)
        return total(x * self.importance, self.copies, over) / weight

    def largest(self, x: Floats) -> float:
        """The largest of numbers, one for each row, over all partitions."""
        return float(self.engine.collective.maximum(x.max(keepdims=True, initial=-inf))[0])

    def everywhere(self, held: NDArray[np.bool_]) -> bool:
        """Whether something holds for all rows of all partitions."""
        failed = np.array([not held.all()], np.int64)
        return not self.engine.collective.maximum(failed)[0]

    @property
    def row_hashes(self) -> Keys:
        """A hash of the content of each row, categories that share a code told apart.

        Where rows of X itself are handed on, as to learners outside this library, these say which
        are equal; whoever sees codes alone goes by ``code_hashes``.
        """
        hashes = self.code_hashes
        return hashes if self.pooled_keys is None else hashes + self.pooled_keys(self.raw)

    @property
    def code_hashes(self) -> Keys:
        """A hash of the codes of each row."""
        hashes: Keys = self.engine.rows.row_hashes(self.coded)
        return hashes

    def correctness(self, h: Hypothesis) -> Correctness:
        """Per row whether h is right, wrong or abstains."""
        return h.judge(self)

    def subset(self, rows: NDArray[np.intp], copies: NDArray[np.int64] | None) -> Sample:
        """The listed rows as a sample of their own, binned anew."""
        cells = self.cells.take(rows)
        return replace(
            self,
            cells=cells,
            raw=take_rows(self.raw, rows),
            y=np.ascontiguousarray(self.y[rows]),
            copies=copies,
            importance=None,
            coded=self.engine.columns.code(cells, self.binning, copies),
            queries=None if self.queries is None else self.queries[rows],
        )

    def among(self, rows: NDArray[np.intp]) -> Sample:
        """The listed rows as a sample of their own, with the weights they have here."""
        over = self.engine.collective
        copies = unless_one(None if self.copies is None else self.copies[rows], over)
        importance = unless_equal(None if self.importance is None else self.importance[rows], over)
        if importance is not None:
            importance = scale_weights(importance, over)  # as in a fit of these rows alone
        return replace(self.subset(rows, copies), importance=importance)


def number_of_all(own: int, over: Partitions) -> int:
    """How many there are in all partitions, ``own`` of them in this one."""
    return own if over.size == 1 else int(over.sum(np.array([own], np.int64))[0])


def unless_one(copies: NDArray[np.int64] | None, over: Partitions) -> NDArray[np.int64] | None:
    """Frequency weights; None where those of all partitions are 1."""
    if copies is None:
        return None
    several = np.array([(copies != 1).any()], np.int64)
    return copies if over.maximum(several)[0] else None


def unless_equal(importance: Floats | None, over: Partitions) -> Floats | None:
    """Sample weights; None where those of all partitions are equal."""
    if importance is None:
        return None
    ends = np.array([importance.max(initial=-inf), -importance.min(initial=inf)])
    most, least = over.maximum(ends)
    return None if most == -least else importance


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """The listed rows of any container, as that container."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "take") and not isinstance(X, np.ndarray) and not hasattr(X, "tocsr"):
        return X.take(rows)
    if hasattr(X, "tocsr"):
        chosen = X.tocsr()[rows]
        return chosen.tocsc() if X.format == "csc" else chosen
    if isinstance(X, (list, tuple)):
        return [X[i] for i in rows]
    try:
        return X[rows]
    except Exception:  # a container that numpy can read, but that cannot be indexed so
        return np.asarray(X)[rows]


def take_columns(X: Any, columns: NDArray[np.int64]) -> Any:
    """The listed columns of any container, as that container."""
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    if hasattr(X, "tocsc"):
        return X.tocsc()[:, columns].asformat("csc" if X.format == "csc" else "csr")
    if hasattr(X, "column_names"):  # of Arrow
        return X.select(columns.tolist())
    if isinstance(X, (list, tuple)):
        return [[row[j] for j in columns] for row in X]
    try:
        return X[:, columns.tolist()]
    except Exception:  # a container that numpy can read, but that cannot be indexed so
        return np.asarray(X)[:, columns]
