"""Trees that fit a gradient, the plain way: every cut of every column, from the rows themselves.

Columns are coded first: ``codes`` (-1 where missing), and the threshold above each code. A split of
a node is a dict:

* ``gain``, ``feature``, ``right`` (which rows of the node go right);
* ``cut``: the code up to which values go left; None for a category;
* ``levels``: the levels that go right, those the node never saw included; None for a number;
* ``missing``: the side of missing values, 0 or 1; ``chance``: what chance alone would gain.

Sums are plain sums of floats: where gradients are small multiples of a power of two they are exact,
and so is the agreement with the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, log2
from typing import Any

import numpy as np

from tests.reference.stump import midpoint

Split = dict[str, Any]
FEW_LEVELS = 8


@dataclass(frozen=True)
class Limits:
    """What a tree keeps to; the names are those of the learner."""

    max_leaf_nodes: int | None = 15
    max_depth: int | None = None
    min_samples_leaf: int = 1
    min_curvature: float = 1e-3
    l1: float = 0.0
    l2: float = 1.0
    max_step: float = inf
    path_smoothing: float = 0.0
    category_noise: float = 0.8
    category_smooth: float = 10.0
    random_cuts: bool = False
    min_gain: float = 0.0
    level_features: int | None = None
    node_features: int | None = None
    feature_weights: tuple[float, ...] | None = None
    feature_factors: tuple[float, ...] | None = None
    monotonic: tuple[int, ...] | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    forced_feature: tuple[int, ...] = ()
    forced_cut: tuple[int, ...] = ()
    forced_left: tuple[int, ...] = ()
    forced_right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Coded:
    """One column: a code a row (-1: missing), and the threshold above each code of a number."""

    codes: Any
    n_codes: int
    categorical: bool
    thresholds: list[float]

    @property
    def slots(self) -> int:
        """Codes, and one more where values are missing."""
        return self.n_codes + int((self.codes < 0).any())


def coded(x: Any, categorical: bool, n_categories: int | None = None) -> Coded:
    """The column of these values, each with its own code; NaN or a negative level is missing."""
    if categorical:
        codes = np.where(np.isnan(x) | (x < 0), -1, x).astype(int)
        return Coded(
            codes, int(codes.max()) + 1 if n_categories is None else n_categories, True, []
        )
    values = np.unique(x[~np.isnan(x)])
    codes = np.where(np.isnan(x), -1, np.searchsorted(values, x))
    between = [midpoint(a, b) for a, b in pairwise(values)]
    return Coded(codes, len(values), False, [*between, float(np.finfo(np.float64).max)])


WORD = 2**64
LEFT, RIGHT, COLUMNS, CUTS, LEVELS = 0, 1, 2, 3, 1024  # what numbers of a stream are for


def at(key: int, place: int) -> int:
    """The random number at one place of the stream of a key."""
    x = (key + 0x9E3779B97F4A7C15 * (place + 1)) % WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def drawn_columns(columns: Any, n: int | None, weights: Any, key: int) -> list[int]:
    """Those whose exponential times, of rates in proportion to their weights, come first."""
    weight = {j: 1.0 if weights is None else weights[j] for j in columns}
    shares = {j: ((at(key, j) >> 11) + 0.5) / 2**53 for j in columns if weight[j] > 0}
    times = sorted((-log2(share) / weight[j], j) for j, share in shares.items())
    return sorted(j for _, j in times[:n])


def place(number: int, n: int) -> int:
    """A random number as one of 0 .. n-1."""
    return min(int((number >> 11) / 2**53 * n), n - 1)


@dataclass
class Node:
    rows: Any
    depth: int = 0
    above: float | None = None  # the value of its parent; None: it has none
    low: float = -inf  # the range its value must keep
    high: float = inf
    groups: tuple[int, ...] = ()
    key: int = 0  # of what it draws
    forced: int = -1  # number of the split that is asked for
    split: Split | None = None
    first: int = 0
    value: float = 0.0
    others: Any = field(default_factory=lambda: np.array([], int))


class Grower:
    """Grows one tree; ``copies`` count rows several times, ``rows`` are those learnt from."""

    def __init__(
        self,
        columns: list[Coded],
        g: Any,
        c: Any,
        limits: Limits,
        *,
        copies: Any = None,
        rows: Any = None,
        features: Any = None,
        residuals: Any = None,
        quantile: float = 0.5,
        key: int = 0,
    ) -> None:
        m = len(g)
        self.columns, self.limits = columns, limits
        self.n = np.ones(m, int) if copies is None else np.asarray(copies)
        self.g, self.c = np.asarray(g) * self.n, np.asarray(c) * self.n
        self.residuals, self.quantile = residuals, quantile
        inside = np.arange(m) if rows is None else np.asarray(rows)
        squares, C = (np.asarray(g) ** 2 * self.n)[inside].sum(), self.c[inside].sum()
        self.noise = float(squares / C) if C > 0 else 0.0
        self.features = range(len(columns)) if features is None else features
        outside = np.setdiff1d(np.arange(m), inside)
        self.nodes = [Node(inside, groups=tuple(range(len(limits.groups))), others=outside)]
        root, self.key = self.nodes[0], key
        root.key = key
        root.forced = 0 if limits.forced_feature else -1
        root.low, root.high = -limits.max_step, limits.max_step
        signs = limits.monotonic and any(limits.monotonic)
        self.held = bool(signs or limits.l1 or limits.path_smoothing or limits.max_step < inf)

    def grow(self) -> list[Node]:
        """The nodes, children behind their parents; the split of greatest gain is made first."""
        waiting = {0: self.best_split(self.nodes[0])}
        leaves = 1
        while leaves < (self.limits.max_leaf_nodes or inf):
            first = {k: inf if "forced" in s else s["gain"] for k, s in waiting.items()}
            able = [(k, s) for k, s in waiting.items() if first[k] > self.limits.min_gain]
            if not able:
                break
            number, split = max(able, key=lambda found: (first[found[0]], -found[0]))
            del waiting[number]
            self.divide(self.nodes[number], split)
            for k in (len(self.nodes) - 2, len(self.nodes) - 1):
                waiting[k] = self.best_split(self.nodes[k])
            leaves += 1
        for node in self.nodes:
            node.value = self.leaf_value(node)
        return self.nodes

    def sums(self, rows: Any) -> tuple[float, float, int]:
        return float(self.g[rows].sum()), float(self.c[rows].sum()), int(self.n[rows].sum())

    def newton(self, G: float, C: float) -> float:
        """Where G s + l1 |s| + (C + l2) s^2 / 2 is least."""
        if self.limits.l1 > 0:
            G = np.sign(G) * max(abs(G) - self.limits.l1, 0.0)
        return -G / (C + self.limits.l2)

    def held_back(self, node: Node, step: float, n: int, above: float | None) -> float:
        """A step of n examples mixed with the value above, and kept in the node's range."""
        if above is not None and self.limits.path_smoothing > 0:
            share = n / (n + self.limits.path_smoothing)
            step = share * step + (1 - share) * above
        return float(min(max(step, node.low), node.high))

    def own(self, node: Node) -> float:
        """The value of a node."""
        G, C, n = self.sums(node.rows)
        return self.held_back(node, self.newton(G, C), n, node.above)

    def part(self, node: Node, rows: Any) -> float:
        """The value that some rows of a node would have as its child."""
        G, C, n = self.sums(rows)
        return self.held_back(node, self.newton(G, C), n, self.own(node))

    def fall(self, rows: Any, step: float) -> float:
        """Twice what a step lowers the loss of some rows by, l1 and l2 included."""
        G, C, _ = self.sums(rows)
        lost = 2 * G * step + (C + self.limits.l2) * step * step
        return -lost - 2 * self.limits.l1 * abs(step)

    def falls(self, node: Node, left: Any, right: Any) -> float:
        """The same of two parts: G^2 / (C + l2) each, where their values are free.

        Both are brought over one denominator, as in the kernel: equal gains are equal bits then.
        """
        if self.held:
            return sum(self.fall(side, self.part(node, side)) for side in (left, right))
        (x, a, _), (y, b, _) = self.sums(left), self.sums(right)
        a, b = a + self.limits.l2, b + self.limits.l2
        return (x * x * b + y * y * a) / (a * b)

    def leaf_value(self, node: Node) -> float:
        G, C, N = self.sums(node.rows)
        if self.residuals is None:
            step = self.newton(G, C) if C + self.limits.l2 > 0 else 0.0
        else:
            step = weighted_quantile(self.residuals[node.rows], self.quantile, self.c[node.rows])
        return self.held_back(node, step, N, node.above)

    # --------------------------------------------------------------------------------- splitting

    def best_split(self, node: Node) -> Split:
        """Of equal gains the first found: lowest feature, missing values right, lowest cut."""
        best: Split = {"gain": 0.0}
        if node.depth >= (self.limits.max_depth or inf):
            return best
        for feature in self.columns_of(node):
            found = max(self.splits(node, feature), key=lambda split: split["falls"], default=best)
            if found["gain"] > best["gain"]:
                best = found
        return self.forced_split(node) or best

    def forced_split(self, node: Node) -> Split | None:
        """The split that is asked for, whatever it gains; None where a side would break a limit."""
        limits, k = self.limits, node.forced
        if k < 0 or limits.forced_feature[k] not in self.features:
            return None
        feature = limits.forced_feature[k]
        column, found = self.columns[feature], []
        for split in self.number_cuts(node, column, None) if column.slots > 1 else ():
            left, right = node.rows[~split["right"]], node.rows[split["right"]]
            allowed = self.fits(left) and self.fits(right)
            allowed = allowed and self.in_order(node, feature, left, right)
            if allowed and split["cut"] == limits.forced_cut[k]:
                found.append({**split, "falls": self.falls(node, left, right)})
        if not found:
            return None
        best = max(found, key=lambda split: split["falls"])
        gain = max(best["falls"] - self.fall(node.rows, self.own(node)), 0.0)
        return {**best, "gain": gain, "feature": feature, "forced": True}

    def columns_of(self, node: Node) -> list[int]:
        """Columns that may follow, where they are drawn for the level and the node those drawn."""
        limits = self.limits
        weights = limits.feature_weights
        usable = [j for j in self.features if self.columns[j].slots > 1]
        level = drawn_columns(
            usable, limits.level_features, weights, at(self.key, LEVELS + node.depth)
        )
        groups = limits.groups
        level = [j for j in level if not groups or any(j in groups[k] for k in node.groups)]
        return drawn_columns(level, limits.node_features, weights, at(node.key, COLUMNS))

    def splits(self, node: Node, feature: int) -> Iterator[Split]:
        column = self.columns[feature]
        cuts = self.level_cuts if column.categorical else self.number_cuts
        drawn = at(at(node.key, CUTS), feature) if self.limits.random_cuts else None
        factors = self.limits.feature_factors
        for split in cuts(node, column, drawn):
            left, right = node.rows[~split["right"]], node.rows[split["right"]]
            if not (self.fits(left) and self.fits(right)):
                continue
            if not self.in_order(node, feature, left, right):
                continue
            falls = self.falls(node, left, right)
            whole = self.fall(node.rows, self.own(node))
            gain = falls - whole - self.limits.category_noise * split["chance"]
            gain *= 1.0 if factors is None else factors[feature]
            yield {**split, "falls": falls, "gain": gain, "feature": feature}

    def number_cuts(self, node: Node, column: Coded, drawn: int | None) -> Iterator[Split]:
        codes = column.codes[node.rows]
        missing = codes < 0
        cuts = list(range(column.n_codes))
        if drawn is not None and not missing.all():
            low, high = int(codes[~missing].min()), int(codes.max())
            cuts = [cuts[-1] if low == high else low + place(drawn, high - low)]
        for side in (1, 0) if missing.any() else (1,):
            for cut in cuts:
                right = np.where(missing, side == 1, codes > cut)
                chosen = side if missing.any() else self.heavier(node, right)
                yield {
                    "cut": cut, "levels": None, "right": right, "missing": chosen, "chance": 0.0
                }  # fmt: skip

    def level_cuts(self, node: Node, column: Coded, drawn: int | None) -> Iterator[Split]:
        """Cuts through the levels in order of their rates; missing values are one more level."""
        codes = np.where(column.codes[node.rows] < 0, column.n_codes, column.codes[node.rows])
        present = np.unique(codes)
        G, C, N = self.sums(node.rows)
        share = self.limits.category_smooth / N
        rates = {}
        for level in present:
            g, c, _ = self.sums(node.rows[codes == level])
            rates[level] = (g + share * G) / (c + share * C + 1e-300)
        order = sorted(present, key=lambda level: -rates[level])
        chance = max(0, len(present) - FEW_LEVELS) * self.noise
        places = range(1, len(order))
        if drawn is not None and len(order) > 1:
            k = 1 + place(drawn, len(order) - 1)
            places = range(k, k + 1)
        for k in places:
            right = np.isin(codes, order[k:])
            heavy = self.heavier(node, right)
            unseen = np.setdiff1d(np.arange(column.n_codes), present) if heavy else []
            levels = {int(level) for level in [*order[k:], *unseen] if level < column.n_codes}
            met = column.n_codes in present
            chosen = int(column.n_codes in order[k:]) if met else heavy
            yield {
                "cut": None, "levels": levels, "right": right, "missing": chosen, "chance": chance
            }  # fmt: skip

    def heavier(self, node: Node, right: Any) -> int:
        counts = [int(self.n[node.rows[part]].sum()) for part in (~right, right)]
        return int(counts[1] > counts[0])

    def fits(self, rows: Any) -> bool:
        _, C, N = self.sums(rows)
        enough = C >= self.limits.min_curvature and (C > 0 or self.limits.l2 > 0)
        return len(rows) > 0 and N >= self.limits.min_samples_leaf and enough

    def in_order(self, node: Node, feature: int, left: Any, right: Any) -> bool:
        sign = self.limits.monotonic[feature] if self.limits.monotonic else 0
        if sign == 0:
            return True
        low, high = (self.part(node, side) for side in (left, right))
        return sign * low <= sign * high

    def divide(self, node: Node, split: Split) -> None:
        node.split, node.first = split, len(self.nodes)
        column = self.columns[split["feature"]]
        outside = column.codes[node.others]
        if split["levels"] is None:
            away = outside > split["cut"]
        else:
            away = np.isin(outside, list(split["levels"]))
        away = np.where(outside < 0, split["missing"] == 1, away)
        keep = tuple(k for k in node.groups if split["feature"] in self.limits.groups[k])
        parts = [
            Node(
                node.rows[side],
                node.depth + 1,
                self.own(node),
                node.low,
                node.high,
                keep,
                key=at(node.key, turn),
                others=node.others[far],
            )
            for turn, side, far in (
                (LEFT, ~split["right"], ~away),
                (RIGHT, split["right"], away),
            )
        ]
        if "forced" in split:
            parts[0].forced = self.limits.forced_left[node.forced]
            parts[1].forced = self.limits.forced_right[node.forced]
        sign = self.limits.monotonic[split["feature"]] if self.limits.monotonic else 0
        if sign:  # neither child may pass the middle between them
            steps = [self.own(part) for part in parts]
            lower, upper = parts[:: int(sign)]
            lower.high = upper.low = sum(steps) / 2
        self.nodes += parts


def weighted_quantile(x: Any, level: float, w: Any) -> float:
    """The least x with that share of the weight at or below it; the middle of two if just met.

    Without any weight it is 0.
    """
    x, w = x[w > 0], w[w > 0]
    if len(x) == 0:
        return 0.0
    order = np.argsort(x, kind="stable")
    below, wanted = np.cumsum(w[order]), level * w.sum()
    k = int(np.searchsorted(below, wanted))
    if below[k] == wanted and k + 1 < len(x):
        return float(x[order[k]] + x[order[k + 1]]) / 2
    return float(x[order[k]])
