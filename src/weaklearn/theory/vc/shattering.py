"""Labellings, growth, VC dimension and shattered sets of any class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from ...base.messages.value_text import show
from ..bounds.reading import ROUNDS
from .finite import Finite, Predicate
from .kind import HypothesisClass, Labels, Witnesses, integer

ClassLike: TypeAlias = HypothesisClass | Callable[[list[Any], Labels], Any] | Iterable[Any]


def as_class(cls: ClassLike) -> HypothesisClass:
    """A class as it is, a rule as a Predicate, a list or matrix as Finite."""
    if isinstance(cls, HypothesisClass):
        return cls
    if isinstance(cls, type) or not (callable(cls) or isinstance(cls, np.ndarray | list | tuple)):
        raise TypeError(
            "cls must be a class of hypotheses such as Stumps(2), a list of functions, a matrix of "
            f"answers, or a function realisable(points, labels), got {show(cls)}."
        )
    return Predicate(cls) if callable(cls) else Finite(cls)


def dichotomies(cls: ClassLike, points: Any) -> frozenset[Labels]:
    """All labellings of the points by hypotheses of the class, as tuples of -1 and +1.

    >>> from weaklearn.theory import vc
    >>> sorted(vc.dichotomies(vc.Thresholds(), [10, 20]))
    [(-1, -1), (-1, 1), (1, 1)]
    >>> len(vc.dichotomies(vc.Halfspaces(2), [[0, 0], [0, 1], [1, 0], [1, 1]]))
    14

    Reference: Schapire and Freund, Boosting, section 2.2.3.
    """
    return frozenset(as_class(cls).witnesses(points))


def witnesses(cls: ClassLike, points: Any) -> Witnesses:
    """Each labelling of the points with a hypothesis that yields it: called with points, labels.

    >>> from weaklearn.theory import vc
    >>> found = vc.witnesses(vc.Intervals(1), [1, 2, 3])
    >>> found[-1, 1, -1]
    Steps(first=-1, cuts=(1.5, 2.5))
    >>> found[-1, 1, -1]([1.4, 1.6])
    array([-1,  1])
    """
    return as_class(cls).witnesses(points)


def is_shattered(cls: ClassLike, points: Any) -> bool:
    """Whether the class has all 2^m labellings of the m points.

    :func:`witnesses` gives a hypothesis for each labelling, :func:`missing` the labellings that
    the class does not have.

    >>> from weaklearn.theory import vc
    >>> vc.is_shattered(vc.Stumps(2), [[0, 0], [1, 2], [2, 1]])
    True
    >>> vc.is_shattered(vc.Stumps(1), [0, 1, 2])
    False
    """
    points = list(points)
    return len(dichotomies(cls, points)) == 1 << len(points)


def missing(cls: ClassLike, points: Any, limit: int | None = None) -> list[Labels]:
    """The labellings of the points that the class does not have, up to ``limit`` of them.

    >>> from weaklearn.theory import vc
    >>> vc.missing(vc.Stumps(1), [0, 1, 2])
    [(-1, 1, -1), (1, -1, 1)]
    """
    points = list(points)
    found = dichotomies(cls, points)
    absent: list[Labels] = []
    for code in range(2 ** len(points)):
        labels = tuple(1 if code >> i & 1 else -1 for i in reversed(range(len(points))))
        if len(absent) == limit:
            break
        if labels not in found:
            absent.append(labels)
    return absent


def growth(cls: ClassLike, m: int) -> int:
    """The growth function: the most labellings that m points can have.

    Guarantee: 2^m if and only if m is at most the VC dimension d, and at most
    C(m, 0) + ... + C(m, d) (Sauer's lemma, ``bounds.sauer``).

    >>> from weaklearn.theory import vc
    >>> [vc.growth(vc.Intervals(1), m) for m in range(6)]
    [1, 2, 4, 7, 11, 16]
    >>> vc.growth(vc.Rectangles(2), 5)
    28

    Reference: Schapire and Freund, Boosting, sections 2.2.3 and 2.2.4.
    """
    return as_class(cls).growth(integer(ROUNDS, m=m))


def vc_dimension(cls: ClassLike) -> float:
    """The VC dimension: the size of the largest shattered set; math.inf where there is none.

    Guarantee: at most lg |H| for a finite class H.

    >>> from weaklearn.theory import vc
    >>> vc.vc_dimension(vc.Halfspaces(3)), vc.vc_dimension(vc.Intervals(None))
    (4, inf)
    >>> vc.vc_dimension([[-1, -1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]])  # rows of answers
    2

    Reference: Schapire and Freund, Boosting, section 2.2.3.
    """
    return as_class(cls).vc_dimension()


def shattered_set(cls: ClassLike, m: int | None = None) -> Any:
    """m points that the class shatters; unless given, as many as its VC dimension.

    >>> from weaklearn.theory import vc
    >>> vc.shattered_set(vc.Monomials(3)).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    found = as_class(cls)
    d = found.vc_dimension()
    if m is None and d == np.inf:
        raise ValueError(f"m must be given: {found!r} shatters sets of any size.")
    m = integer(ROUNDS, m=d if m is None else m)
    if m > d:
        raise ValueError(f"m must be at most the VC dimension of {found!r}, {d}, got {m}.")
    return found.shattered_set(m)
