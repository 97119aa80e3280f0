"""Classes that look at one coordinate at a time: only the order along each axis matters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from .. import bounds
from .kind import HypothesisClass, Witnesses, affordable, cut_between, in_space, signs


@dataclass(frozen=True)
class Stump:
    """``sign`` where the feature is above the threshold, minus that elsewhere."""

    feature: int
    threshold: float
    sign: int

    def __call__(self, points: Any) -> NDArray[np.int64]:
        x = np.asarray(points, np.float64)
        column = x if x.ndim == 1 else x[:, self.feature]
        return np.where(column > self.threshold, self.sign, -self.sign)


@dataclass(frozen=True)
class Box:
    """+1 between two corners; without a point where the low one is above the high one."""

    low: tuple[float, ...]
    high: tuple[float, ...]

    def __call__(self, points: Any) -> NDArray[np.int64]:
        x = in_space(points, len(self.low))
        inside = (x >= np.array(self.low)) & (x <= np.array(self.high))
        return np.where(inside.all(axis=1), 1, -1)


class AxisAligned(HypothesisClass):
    """A class over the coordinates of R^n."""

    n: int

    def arrangements(self, m: int) -> Iterable[Any]:
        """All orders along the axes: the first axis numbers the points, ties gain nothing."""
        affordable(
            math.factorial(m) ** (self.n - 1),
            f"trying all orders of {m} points along {self.n} axes",
            "count the labellings of your own points with dichotomies()",
        )
        orders = list(permutations(range(m)))
        for others in product(orders, repeat=self.n - 1):
            yield np.column_stack([range(m), *others]).astype(np.float64).reshape(m, self.n)


@dataclass(frozen=True)
class Stumps(AxisAligned):
    r"""Decision stumps on n features, either way round, the two constants included.

    The VC dimension is the largest k with C(k, floor(k/2)) <= 2n. An order of m points has one set
    of each size at either end, so that there are at most

    .. math:: 2 + 2 \sum_{0 < s < m/2} \min\bigl(2n, \tbinom{m}{s}\bigr)
              \quad \bigl(+\; 2 \min\bigl(n, \tfrac12 \tbinom{m}{m/2}\bigr)
              \text{ for even } m\bigr)

    labellings. This is the growth: an equality up to the VC dimension and from m = 2n on, where it
    is n (2m - 2) + 2; between the two it is known by searches (all n <= 6).
    """

    n: int = 1

    def witnesses(self, points: Any) -> Witnesses:
        x = in_space(points, self.n)
        found: Witnesses = {}
        for feature in range(self.n):
            values = np.unique(x[:, feature]).tolist()
            cuts = [cut_between(low, high) for low, high in pairwise(values)]
            for threshold in (-math.inf, *cuts):
                for sign in (1, -1):
                    stump = Stump(feature, threshold, sign)
                    found.setdefault(tuple(stump(x).tolist()), stump)
        return found

    def growth(self, m: int) -> int:
        if m == 0:
            return 1
        ends = sum(min(2 * self.n, math.comb(m, s)) for s in range(1, (m + 1) // 2))
        halves = min(self.n, math.comb(m, m // 2) // 2) if m % 2 == 0 else 0
        return 2 + 2 * (ends + halves)

    def vc_dimension(self) -> float:
        return int(bounds.stump_vc_exact(self.n))

    def shattered_set(self, m: int) -> Floats:
        """Each column is an order; every set of half the points is at an end of one of them."""
        orders = _orders(m)
        columns = [np.argsort(orders[j % len(orders)]) for j in range(self.n)]
        return np.column_stack(columns).astype(np.float64)


def _orders(m: int) -> list[list[int]]:
    """Orders of m points such that every set of up to half of them starts or ends one of them.

    A set of size s - 1 is kept inside one of size s, for each s, by matchings; then a chain goes
    down from each set of half the points, and two chains from disjoint sets make an order.
    """
    half = m // 2
    inner: dict[frozenset[int], frozenset[int]] = {}
    for size in range(half, 0, -1):
        inner.update(_one_inside(m, size))
    orders = []
    for first, last in _disjoint_pairs(m, half):
        front, back = _chain(first, inner), _chain(last, inner)
        orders.append([*front, *(set(range(m)) - first - last), *reversed(back)])
    return orders


def _chain(top: frozenset[int], inner: dict[frozenset[int], frozenset[int]]) -> list[int]:
    """The elements of a set, those of its kept subset first."""
    taken: list[int] = []
    while top:
        (last,) = top - inner[top]
        taken.append(last)
        top = inner[top]
    return taken[::-1]


def _one_inside(m: int, size: int) -> dict[frozenset[int], frozenset[int]]:
    """For each set of this size one of size - 1 inside it, so that each of these is chosen."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    large = [frozenset(s) for s in combinations(range(m), size)]
    small = [frozenset(s) for s in combinations(range(m), size - 1)]
    number = {s: j for j, s in enumerate(small)}
    links = [(i, number[s - {x}]) for i, s in enumerate(large) for x in s]
    rows, columns = np.array(links).T
    graph = csr_array((np.ones(len(links)), (rows, columns)), shape=(len(large), len(small)))
    matched = maximum_bipartite_matching(graph, perm_type="column")
    return {
        s: small[j] if j >= 0 else s - {max(s)}
        for s, j in zip(large, matched.tolist(), strict=True)
    }


def _disjoint_pairs(m: int, half: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    """All sets of ``half`` of m points in as few disjoint pairs as can be."""
    everyone = frozenset(range(m))
    sets = [frozenset(s) for s in combinations(range(m), half)]
    if m % 2 == 0:
        return [(s, everyone - s) for s in sets if 0 in s or not s]
    number = {s: i for i, s in enumerate(sets)}
    edges = [
        (s, t) for s in sets for x in everyone - s if number[s] < number[t := everyone - s - {x}]
    ]
    if not edges:  # a single point
        return [(sets[0], sets[0])]
    kept = _matching(len(sets), [(number[s], number[t]) for s, t in edges])
    pairs = [edge for edge, keep in zip(edges, kept, strict=True) if keep]
    alone = set(sets).difference(*pairs)
    return pairs + [(s, frozenset(sorted(everyone - s)[:half])) for s in alone]


def _matching(n: int, edges: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """As many edges as can be without a common end."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    ends = np.array(edges).reshape(-1)
    which = np.repeat(np.arange(len(edges)), 2)
    at = csr_array((np.ones(len(ends)), (ends, which)), shape=(n, len(edges)))
    found = milp(
        -np.ones(len(edges)),
        integrality=np.ones(len(edges), np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(at, ub=np.ones(n)),
    )
    return np.asarray(found.x) > 0.5


@dataclass(frozen=True)
class Rectangles(AxisAligned):
    """Boxes along the axes of R^n are +1, the empty one included. VC dimension 2n.

    Growth on the line as for one interval; in R^n beyond 2n points by trying all orders of the
    points along the axes, which is possible for small n and m only.
    """

    n: int

    def witnesses(self, points: Any) -> Witnesses:
        """Every box shrinks to the span of its points: add points to those found, one at a time."""
        x = in_space(points, self.n)
        nothing = Box((math.inf,) * self.n, (-math.inf,) * self.n)
        found: Witnesses = {signs(np.zeros(len(x), bool)): nothing}
        waiting = [nothing]
        while waiting:
            box = waiting.pop()
            for p in x[box(x) < 0] if len(x) else x:
                low, high = np.minimum(box.low, p), np.maximum(box.high, p)
                larger = Box(tuple(low.tolist()), tuple(high.tolist()))
                labels = tuple(larger(x).tolist())
                if labels not in found:
                    found[labels] = larger
                    waiting.append(larger)
        return found

    def growth(self, m: int) -> int:
        if m <= 2 * self.n:
            return int(2**m)
        if self.n == 1:
            return 1 + m * (m + 1) // 2
        return _most_spans(self.n, m)

    def vc_dimension(self) -> float:
        return 2 * self.n

    def shattered_set(self, m: int) -> Floats:
        return np.vstack([np.eye(self.n), -np.eye(self.n)])[:m]


def _most_spans(n: int, m: int) -> int:
    """The most subsets of m points of R^n that are all of their box, over all orders."""
    orders = math.factorial(m) // 2  # an axis may be turned round
    affordable(
        math.comb(orders + n - 2, n - 1) * 2.0**m / 64,  # 64 subsets a step
        f"trying all orders of {m} points along {n} axes",
        "count the labellings of your own points with dichotomies()",
    )
    spans = np.array([_spans(order) for order in permutations(range(m)) if order[0] < order[-1]])
    subsets = np.arange(2**m, dtype=spans.dtype)
    most = 0
    first = _spans(tuple(range(m)))
    for rows in _chosen(len(spans), n - 2):
        joint = first.copy()
        for row in rows:
            joint &= spans[row]
        last = spans[rows[-1] if rows else 0 :]
        for part in range(0, len(last), 4096):
            own = ((last[part : part + 4096] & joint) == subsets).sum(axis=1)
            most = max(most, int(own.max()))
    return most


def _chosen(n: int, k: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range(n), k)


def _spans(order: tuple[int, ...]) -> NDArray[np.uint16]:
    """For each subset of the points, as bits, all points between its first and its last."""
    m = len(order)
    rank = np.argsort(order)
    held = (np.arange(2**m)[:, None] >> np.arange(m)) & 1 == 1
    low = np.where(held, rank, m).min(axis=1)[:, None]
    high = np.where(held, rank, -1).max(axis=1)[:, None]
    between = (rank >= low) & (rank <= high)
    return np.asarray(between @ (1 << np.arange(m)), np.uint16)
