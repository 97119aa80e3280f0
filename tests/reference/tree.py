"""Decision trees from their definitions: every test of every node is tried, in exact weights.

A node is a dict: ``weight`` and ``count`` of its examples, ``value`` (class shares, or the mean in
a list of one), and, where it asks something, ``feature``, ``ask`` ("threshold", "subset" or
"multiway"), ``threshold`` or ``levels`` (those with outcome 1), ``missing`` (the outcome of missing
values, or -1: all of them), ``gain``, and ``children``. A child without examples has the value of
its parent.

Columns hold numbers, or level codes where ``n_categories`` is positive; NaN is missing. Weights are
whole numbers or Fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, pairwise
from math import fsum, isnan, log, log2, pi, sqrt
from typing import Any

import numpy as np

from tests.reference.stump import midpoint
from weaklearn.base.numeric.hashing import GOLDEN, mixed_integer, share, single

Node = dict[str, Any]
Rows = list[tuple[int, Fraction]]  # rows with the weight they have at a node
TIE = 1e-12
KNOWN = float(np.finfo(float).max)  # a threshold above every value: known against missing


@dataclass(frozen=True)
class Grower:
    """A sample and the rules of growth, named as the engine names them."""

    X: Any
    y: Any
    n_classes: int  # 0: numbers
    weights: list[Fraction]
    copies: list[int]
    n_categories: list[int]
    criterion: str
    splitter: str = "best"
    categorical: str = "subset"
    missing: str = "side"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    least_share: float = 0.0
    min_gain: float = 0.0
    split_zero_gain: bool = False
    category_noise: float = 0.0
    repeats: float = 1.0  # of an example in the bag, on average
    monotonic: list[int] = field(default_factory=list)
    close: list[Node] = field(default_factory=list)  # tests that a rounding would allow or forbid

    def grow(self) -> Node:
        rows = [(i, Fraction(w)) for i, w in enumerate(self.weights) if w > 0]
        return self.node(rows, 0, -np.inf, np.inf, 1)

    # --- blocks of rows ----------------------------------------------------------------------

    def sums(self, rows: Rows) -> dict[Any, Fraction]:
        sums: dict[Any, Fraction] = {}
        for i, w in rows:
            sums[self.y[i]] = sums.get(self.y[i], Fraction(0)) + w
        return sums

    def mean(self, rows: Rows) -> float:
        total = sum(w for _, w in rows)
        if self.n_classes:
            return float(sum(w for i, w in rows if self.y[i] == 1) / total)
        return float(sum(w * Fraction(float(self.y[i])) for i, w in rows) / total)

    def median(self, rows: Rows) -> float:
        """The middle of the numbers that leave no more than half of the weight on either side."""
        low, high = self.halves(rows)
        return (low + high) / 2

    def halves(self, rows: Rows) -> tuple[float, float]:
        """The least and the greatest of these numbers."""
        sums, total = sorted(self.sums(rows).items()), sum(w for _, w in rows)
        above = [sum(w for _, w in sums[k + 1 :]) for k in range(len(sums))]
        low = next(y for (y, _), w in zip(sums, above, strict=True) if 2 * w <= total)
        high = next(y for (y, _), w in zip(sums, above, strict=True) if 2 * w < total)
        return float(low), float(high)

    def merit(self, rows: Rows) -> float:
        """Minus impurity times weight."""
        if not rows:
            return 0.0
        sums, total = self.sums(rows), sum(w for _, w in rows)
        if self.criterion == "absolute_error":
            median = Fraction(self.median(rows))
            return -float(sum(w * abs(Fraction(float(y)) - median) for y, w in sums.items()))
        if self.criterion == "poisson":  # up to sums over single rows, which no test changes
            events = float(sum(w * Fraction(float(y)) for y, w in sums.items()))
            return events * log(events / float(total)) if events > 0 else 0.0
        if self.criterion == "squared_error":
            mean = sum(w * Fraction(float(y)) for y, w in sums.items()) / total
            return -float(sum(w * (Fraction(float(y)) - mean) ** 2 for y, w in sums.items()))
        if self.criterion == "error":
            return float(max(sums.values()) - total)
        if self.criterion == "gini":
            return float(sum(w * w for w in sums.values()) / total - total)
        if self.criterion == "sqrt":
            return float(total) - fsum(sqrt(w) for w in sums.values()) ** 2
        return fsum(float(w) * log2(w / total) for w in sums.values())

    def count(self, rows: Rows) -> int:
        return sum(self.copies[i] for i, _ in rows)

    def enough(self, rows: Rows) -> bool:
        weight, least = float(sum(w for _, w in rows)), self.least_share * float(sum(self.weights))
        return self.count(rows) >= self.min_samples_leaf and weight >= least * (1 - TIE)

    # --- tests -------------------------------------------------------------------------------

    def drawn(self, j: int, values: list[float], path: int) -> Any:
        """Whether a row has outcome 1, and the threshold or the levels: by lot."""
        purpose = mixed_integer(path + 0x435554) + j
        lots = (share(single(0, 0, purpose, place)) for place in count())
        if not self.n_categories[j]:
            low, high, u = values[0], values[-1], next(lots)
            cut = max(low * (1 - u) + high * u, low)
            cut = cut if cut < high else values[-2]
            return (lambda i: self.X[i, j] > cut), {"ask": "threshold", "threshold": cut}
        n = len(values)
        levels = {v for v in values if int(2 * next(lots)) == 1}
        if len(levels) in (0, n):
            levels = {values[int(n * next(lots))]}
        return (lambda i: self.X[i, j] in levels), {"ask": "subset"}

    def tests(self, j: int, rows: Rows, path: int) -> list[Node]:
        """The tests of a feature in order of preference; ``blocks`` hold known rows by outcome."""
        known = [(i, w) for i, w in rows if not isnan(self.X[i, j])]
        lost = [(i, w) for i, w in rows if isnan(self.X[i, j])]
        if not known:
            return []
        values = sorted({float(self.X[i, j]) for i, _ in known})

        def parted(ones: Any) -> list[Rows]:
            return [[r for r in known if not ones(r[0])], [r for r in known if ones(r[0])]]

        found: list[Node] = []
        if self.splitter == "random":
            if len(values) > 1:
                ones, test = self.drawn(j, values, path)
                found.append({**test, "blocks": parted(ones)})
        elif self.n_categories[j] and self.categorical == "multiway":
            blocks = [
                [r for r in known if self.X[r[0], j] == k] for k in range(self.n_categories[j])
            ]
            found.append({"ask": "multiway", "blocks": blocks})
        elif self.n_categories[j] and self.in_order:
            for k in range(1, len(values)):
                high = set(self.by_rate(j, values, rows)[k:])
                blocks = parted(lambda i, s=high: self.X[i, j] in s)
                toll = self.category_noise * self.chance(len(values), rows)
                found.append({"ask": "subset", "blocks": blocks, "toll": toll})
        elif self.n_categories[j]:
            for level in values if len(values) > 1 else []:
                blocks = parted(lambda i, v=level: self.X[i, j] == v)
                found.append({"ask": "subset", "blocks": blocks})
        else:
            for a, b in pairwise(values):
                cut = midpoint(a, b)
                blocks = parted(lambda i, t=cut: self.X[i, j] > t)
                found.append({"ask": "threshold", "threshold": cut, "blocks": blocks})
        tests = []
        for test in found:
            tests += self.routed(test, lost)
        if lost and self.missing != "fraction":
            test = {"blocks": [known, lost], "missing": 1}
            if self.n_categories[j]:  # no level is in the empty set
                tests.append({**test, "ask": "subset", "levels": set()})
            else:
                tests.append({**test, "ask": "threshold", "threshold": KNOWN})
        for test in tests:
            test["feature"] = j
            if test["ask"] == "subset" and "levels" not in test:
                test["levels"] = self.levels_of(j, test["blocks"], values)
        return tests

    @property
    def in_order(self) -> bool:
        """Whether categories are cut in the order of their rates."""
        medians = self.criterion == "absolute_error"
        return self.categorical == "subset" and self.n_classes <= 2 and not medians

    def by_rate(self, j: int, levels: list[float], rows: Rows) -> list[float]:
        def rate(level: float) -> float:
            return self.mean([(i, w) for i, w in rows if self.X[i, j] == level])

        return sorted(levels, key=lambda level: (round(rate(level), 12), level))

    def levels_of(self, j: int, blocks: list[Rows], present: list[float]) -> set[int]:
        """Levels with outcome 1; those that do not occur follow the heavier side of a subset."""
        levels = {int(self.X[i, j]) for i, _ in blocks[1] if not isnan(self.X[i, j])}
        left, right = (sum(w for _, w in block) for block in blocks[:2])
        if (self.in_order or self.splitter == "random") and right > left:
            levels |= set(range(self.n_categories[j])) - {int(v) for v in present}
        return levels

    def routed(self, test: Node, lost: Rows) -> list[Node]:
        """The test with missing rows sent each way that is allowed."""
        blocks = test["blocks"]
        weights = [sum(w for _, w in block) for block in blocks]
        heaviest = weights.index(max(weights))
        if self.missing == "fraction":
            return [{**test, "missing": -1, "lost": lost}]
        if not lost:
            return [{**test, "missing": heaviest}]
        if self.missing == "branch":
            return [{**test, "blocks": [*blocks, lost], "missing": len(blocks)}]
        sides = [heaviest] if test["ask"] == "multiway" else [0, 1]
        return [
            {**test, "missing": s, "blocks": [b + lost * (k == s) for k, b in enumerate(blocks)]}
            for s in sides
        ]

    def allowed(self, test: Node, low: float, high: float) -> bool:
        filled = [block for block in test["blocks"] if block]
        if test["ask"] == "multiway":
            if sum(self.enough(block) for block in filled) < 2:
                return False
        elif len(filled) < 2 or not all(self.enough(b) for b in test["blocks"][:2]):
            return False
        if self.criterion == "poisson" and not all(self.mean(block) > 0 for block in filled):
            return False
        if not self.monotonic:
            return True
        means = [self.mean(block) for block in filled]
        way = self.monotonic[test["feature"]]
        edges = (low, high, *means[:2]) if way else (low, high)
        exact = (0.0, 1.0) if self.n_classes else ()  # of blocks all alike
        for mean in (mean for mean in means if mean not in exact):
            if any(abs(mean - edge) <= TIE for edge in edges if edge is not mean):
                self.close.append(test)
        if not all(low <= mean <= high for mean in means):
            return False
        return way * (means[1] - means[0]) >= 0

    def gain(self, test: Node, rows: Rows) -> float:
        lost = test.get("lost", [])
        reference = [r for r in rows if r not in lost]
        before = self.merit(reference) + test.get("toll", 0.0)
        return fsum(self.merit(block) for block in test["blocks"]) - before

    def chance(self, levels: int, rows: Rows) -> float:
        """What the best cut through so many levels gains if these mean nothing, and a bit more."""
        examples = self.count(rows)
        kept = 2 / pi + (1 - 2 / pi) * (levels / examples) ** 2
        times = kept * (levels - 1) + sqrt(levels - 1) - 4
        if times <= 0:
            return 0.0
        drawn = max(examples / self.repeats, 2)
        if self.criterion == "poisson":
            mean = self.mean(rows)
            spread = fsum(float(w) * (float(self.y[i]) - mean) ** 2 for i, w in rows)
            return times * spread / (drawn - 1) / (2 * mean)
        impurity, total = -self.merit(rows), float(sum(w for _, w in rows))
        if self.criterion in ("squared_error", "gini"):
            return times * impurity / (drawn - 1)
        p, n = self.mean(rows), max(drawn / levels, 1)
        if self.criterion == "error":
            p = min(p, 1 - p)
            scatter = n * p * max(2 * (p + (1 - p) / sqrt(n)) - 1, 0)
        elif self.criterion == "sqrt":
            series = (1 + 7 / (16 * n * p * (1 - p))) / (4 * sqrt(p * (1 - p)))
            scatter = min(n * impurity / total, series)
        else:
            series = (1 + (1 / (p * (1 - p)) - 1) / (6 * n)) / log(4)
            scatter = min(n * impurity / total, series)
        return times * scatter * total / (drawn - 1)

    def information(self, test: Node, rows: Rows) -> float:
        total = sum(w for _, w in rows)
        parts = [sum(w for _, w in block) / total for block in [*test["blocks"], test.get("lost")]
                 if block]  # fmt: skip
        return -fsum(float(p) * log2(p) for p in parts)

    # --- nodes -------------------------------------------------------------------------------

    def node(self, rows: Rows, depth: int, low: float, high: float, path: int) -> Node:
        total = sum(w for _, w in rows)
        if self.n_classes:
            sums = self.sums(rows)
            value = [float(sums.get(k, Fraction(0)) / total) for k in range(self.n_classes)]
        else:
            value = [self.median(rows) if self.criterion == "absolute_error" else self.mean(rows)]
        here: Node = {"weight": float(total), "count": self.count(rows), "value": value}
        if self.criterion == "absolute_error" and len(set(self.halves(rows))) == 2:
            self.close.append(here)  # by rounded shares either half may be the heavier one
        pure = len({self.y[i] for i, _ in rows}) == 1
        if pure or depth == self.max_depth or here["count"] < self.min_samples_split:
            return here
        test = self.chosen(rows, low, high, path)
        if test is None:
            return here
        for name in ("feature", "ask", "threshold", "levels", "missing", "gain"):
            if name in test:
                here[name] = test[name]
        here["children"] = []
        for k, block in enumerate(self.children(test)):
            bounds = self.bounds(test, k, low, high)
            empty = {"weight": 0.0, "count": 0, "value": value}
            way = mixed_integer(path + int(GOLDEN) * (k + 1))
            here["children"].append(self.node(block, depth + 1, *bounds, way) if block else empty)
        return here

    def chosen(self, rows: Rows, low: float, high: float, path: int) -> Node | None:
        numbers = [float(self.y[i]) for i, _ in rows]
        if self.criterion == "poisson":
            scale = max(numbers)
        else:
            scale = max(numbers) - min(numbers) if self.n_classes == 0 else 1.0
        scale **= 2 if self.criterion == "squared_error" else 1
        tie = TIE * float(sum(w for _, w in rows)) * scale
        best = []
        for j in range(self.X.shape[1]):
            tests = [test for test in self.tests(j, rows, path) if self.allowed(test, low, high)]
            for test in tests:
                test["gain"] = self.gain(test, rows)
            best.append(tests)
        if self.criterion == "gain_ratio":  # one test a feature
            best = [[first_of(tests, tie)] for tests in best if tests]
        gaining = [test["gain"] for tests in best for test in tests if test["gain"] > tie]
        tests = [test for tests in best for test in tests if self.worth(test, tie)]
        if not tests:
            return None
        if self.criterion != "gain_ratio" or not gaining:
            return first_of(tests, tie)
        average = fsum(gaining) / len(gaining)
        tests = [test for test in tests if test["gain"] > tie and test["gain"] >= average - tie]
        if not tests:
            return None
        ratios = [test["gain"] / self.information(test, rows) for test in tests]
        total = float(sum(w for _, w in rows))
        near = [t for t, r in zip(tests, ratios, strict=True) if r >= max(ratios) - TIE * total]
        return near[0]

    def worth(self, test: Node, tie: float) -> bool:
        gain = test["gain"]
        if not (gain >= -tie if self.split_zero_gain else gain > tie):
            return False
        return bool(gain + tie >= self.min_gain * float(sum(self.weights)))

    def children(self, test: Node) -> list[Rows]:
        if self.missing != "fraction":
            return list(test["blocks"])
        weights = [sum(w for _, w in block) for block in test["blocks"]]
        return [
            sorted(block + [(i, w * part / sum(weights)) for i, w in test["lost"] if part])
            for block, part in zip(test["blocks"], weights, strict=True)
        ]

    def bounds(self, test: Node, k: int, low: float, high: float) -> tuple[float, float]:
        way = self.monotonic[test["feature"]] if self.monotonic else 0
        if way == 0 or k > 1:
            return low, high
        middle = (self.mean(test["blocks"][0]) + self.mean(test["blocks"][1])) / 2
        return (low, min(high, middle)) if (k == 0) == (way > 0) else (max(low, middle), high)


def first_of(tests: list[Node], tie: float) -> Node:
    """The first test as good as the best."""
    best = max(test["gain"] for test in tests)
    return next(test for test in tests if test["gain"] >= best - tie)


def walk(tree: Any, X: Any, row: int) -> Any:
    """What a flat tree answers to a row, level codes and numbers compared as they are."""

    def shares(node: int) -> Any:
        if tree.width[node] == 0:
            return tree.values[tree.value[node]]
        x, first, width = X[row, tree.feature[node]], tree.first[node], tree.width[node]
        if isnan(x) and tree.missing[node] < 0:
            weights = tree.weight[first : first + width]
            parts = [shares(first + k) * weights[k] for k in range(width) if weights[k] > 0]
            return sum(parts) / weights.sum()
        if isnan(x):
            outcome = tree.missing[node]
        elif tree.ask[node] == 1:
            outcome = int(x > tree.threshold[node])
        elif tree.ask[node] == 2:
            words = tree.subsets[tree.subset[node]]
            outcome = int(words[int(x) // 64] >> np.uint64(int(x) % 64)) & 1
        else:
            outcome = int(x)
        return shares(first + outcome)

    return shares(0)
