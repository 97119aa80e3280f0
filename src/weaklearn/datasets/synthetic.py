"""Small data sets from the literature, synthetic or made up, and noise in labels."""

from __future__ import annotations

from importlib.resources import files
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show

_POINTS = [(6, 9), (7, 8), (8, 7), (10, 10), (2, 4), (3, 6), (4, 5), (1, 2), (5, 3), (9, 1)]
_LABELS = [1, 1, 1, -1, 1, -1, -1, 1, -1, -1]


def toy() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Ten points in the plane with labels -1 and +1, on which three stumps make a perfect vote.

    >>> X, y = toy()
    >>> X.shape, int(y.sum())
    ((10, 2), 0)

    Reference: Schapire and Freund, Boosting, section 1.2.
    """
    return np.array(_POINTS, dtype=np.float64), np.array(_LABELS)


def flip_labels(y: Any, noise: float = 0.2, random_state: Any = None) -> NDArray[Any]:
    """The labels, each replaced with probability ``noise`` by another class, chosen uniformly.

    >>> flip_labels([0, 0, 0, 0, 1, 1, 1, 1], 0.25).tolist()
    [0, 0, 1, 1, 1, 1, 1, 1]
    """
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y has the shape {labels.shape}; it must hold one label per row.")
    _check_share("noise", noise)
    rng = _generator(random_state)
    classes, codes = np.unique(labels, return_inverse=True)
    flipped = rng.random(len(codes)) < noise
    step = 1 + (rng.random(len(codes)) * (len(classes) - 1)).astype(np.int64)
    if len(classes) > 1:  # the only class has no other
        codes = np.where(flipped, (codes + step) % len(classes), codes)
    return np.asarray(classes[codes])


def long_servedio(
    gamma: float = 1 / 24, n_right: int = 9, n_wrong: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Points in the plane, all of class +1, a few of whose duplicates have the label -1.

    There is a point of large margin, (1, 0), two penalisers (gamma, -gamma) and a puller
    (gamma, 5 gamma), each ``n_right`` times with its own label and ``n_wrong`` times with the
    other. x_1 alone is right everywhere. But whoever minimises a convex loss over a_1 x_1 + a_2 x_2
    bends towards the puller, to soften what the wrong label of the large margin costs, and gets
    both penalisers wrong: half of the points, for gamma small enough (1/24 is, 1/12 is not).

    >>> X, y = long_servedio()
    >>> X.shape, int((y < 0).sum())
    ((40, 2), 4)
    >>> a = np.array([1.240, 2.431])  # where the exponential loss is least
    >>> (X[:4] @ a > 0).tolist()  # of the four points without noise
    [True, False, False, True]

    Reference: Long and Servedio (2010), Machine Learning 78.
    """
    _check_share("gamma", gamma)
    _check_integer("n_right", n_right, 1)
    _check_integer("n_wrong", n_wrong, 0)
    points = np.array([(1.0, 0.0), (gamma, -gamma), (gamma, -gamma), (gamma, 5 * gamma)])
    labels = np.repeat([1, -1], [4 * n_right, 4 * n_wrong])
    return np.tile(points, (n_right + n_wrong, 1)), labels


def noisy_bits(
    n_samples: int = 1000, noise: float = 0.1, random_state: Any = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows of 21 bits -1 and +1 whose majority is the label y, before y is flipped by ``noise``.

    A quarter of the rows has all bits equal to y; in a quarter the first 11 equal y and the last 10
    do not; in the rest 5 of the first 11 and 6 of the last 10 do, drawn at random. The majority of
    all bits is right everywhere, and boosters whose weights follow the noise do not find it.

    >>> X, y = noisy_bits(500, noise=0.0)
    >>> bool((np.sign(X.sum(axis=1)) == y).all())
    True

    Reference: Long and Servedio (2010), Machine Learning 78; Schapire and Freund, Boosting,
    section 12.3.
    """
    _check_integer("n_samples", n_samples, 1)
    _check_share("noise", noise)
    rng = _generator(random_state)
    y = np.where(rng.random(n_samples) < 0.5, 1, -1)
    kind = rng.random(n_samples)
    first = np.argsort(rng.random((n_samples, 11)), axis=1) < 5
    last = np.argsort(rng.random((n_samples, 10)), axis=1) < 6
    agree = np.column_stack([first, last])  # 5 of the first 11, 6 of the last 10
    agree[kind < 0.5] = np.arange(21) < 11
    agree[kind < 0.25] = True
    X = np.where(agree, y[:, None], -y[:, None]).astype(np.float64)
    return X, np.where(rng.random(n_samples) < noise, -y, y)


def make_three_piece(
    n_samples: int = 200,
    ends: tuple[float, float] = (1 / 3, 2 / 3),
    inside: int = -1,
    noise: float = 0.0,
    random_state: Any = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Numbers drawn from [0, 1) with one label between the two ends and the other outside.

    ``inside`` is the label -1 or +1 of the middle piece, both ends included; ``noise`` the
    probability with which a label is flipped. Whatever the weights, some stump errs on at most a
    third of them.

    >>> X, y = make_three_piece(6, random_state=1)
    >>> [(round(float(x), 2), int(label)) for x, label in zip(X[:, 0], y)]
    [(0.51, -1), (0.95, 1), (0.14, 1), (0.95, 1), (0.31, 1), (0.42, -1)]

    Reference: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, Example 10.1.
    """
    _check_integer("n_samples", n_samples, 1)
    _check_share("noise", noise)
    if inside not in (-1, 1):
        raise ValueError(f"inside={inside!r} is not allowed: it must be -1 or 1.")
    low, high = ends
    if not low < high:
        raise ValueError(f"ends={ends!r} is not allowed: the first must be below the second.")
    rng = _generator(random_state)
    x = rng.random(n_samples)
    y = np.where((x >= low) & (x <= high), inside, -inside)
    return x[:, None], np.where(rng.random(n_samples) < noise, -y, y)


def messages() -> tuple[list[str], list[str]]:
    """Short messages with their labels, "ham" or "spam".

    All were made up for this library, 80 spam and 100 ham; some of the ham speaks of prizes, cash
    and free days, as people do.

    >>> texts, labels = messages()
    >>> len(texts), labels.count("spam")
    (180, 80)
    """
    lines = (files(__package__) / "messages.tsv").read_text("utf-8").splitlines()
    labels, texts = zip(*(line.split("\t") for line in lines), strict=True)
    return list(texts), list(labels)


def _generator(random_state: Any) -> Any:
    """The generator of a seed (None is 0), or the one given."""
    if isinstance(random_state, (np.random.Generator, np.random.RandomState)):
        return random_state
    if random_state is None:
        return np.random.default_rng(0)
    if isinstance(random_state, bool) or not isinstance(random_state, Integral):
        raise TypeError(
            f"random_state={random_state!r} is not allowed: it must be None, a whole number, or a "
            "random generator of numpy."
        )
    return np.random.default_rng(int(random_state))


def _check_integer(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(
            f"{name}={show(value)} is not allowed: it must be a whole number of at least {least}."
        )


def _check_share(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(
            f"{name}={show(value)} is not allowed: it must be a number between 0 and 1."
        )
