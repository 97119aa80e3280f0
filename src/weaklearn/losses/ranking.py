"""The loss of whole queries: pairs of items, weighted by what exchanging them changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..base.loss import Loss, option
from ..base.messages.value_text import show
from ..base.numeric.hashing import Keys
from ..base.queries import Bias, Queries
from ..base.types import Floats, Partitions

METRICS = ("ndcg", "map", "mrr")  # in the order in which the core numbers them
MOST_GRADE = 1000  # of which 2^y is a number
ALL_PLACES = 2**62
_NAME = re.compile(rf"({'|'.join(METRICS)})(?:@([1-9]\d{{0,8}}))?")
_PASSES, _LEAST_BIAS, _DIGITS = 10, 0.01, 2.0**20  # of estimates of position bias


def metric_of(name: Any) -> tuple[str, int | None]:
    """The kind of a metric of rankings by its name, and how many first places count: None, all.

    >>> metric_of("ndcg@10"), metric_of("map")
    (('ndcg', 10), ('map', None))
    """
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(
            f"metric={show(name)} is not allowed: it must be 'ndcg', 'map' or 'mrr', alone or with "
            "the number of first places that count, such as 'ndcg@10'."
        )
    return found[1], None if found[2] is None else int(found[2])


def check_grades(y: NDArray[Any], name: str = "y") -> None:
    """Refuses what is no grade: grades are whole numbers from 0 on."""
    strange = ~((y >= 0) & (y <= MOST_GRADE) & (y == np.rint(y)))
    if strange.any():
        row = int(np.argmax(strange))
        raise ValueError(
            f"{name}[{row}] is {show(y[row].item())}, which is no grade: grades are whole numbers "
            f"from 0 (of no use) to {MOST_GRADE}, as an item of grade y gains 2**y - 1. For other "
            "numbers pass their ranks, np.unique(y, return_inverse=True)[1]."
        )


@dataclass(frozen=True)
class LambdaMART(Loss):
    """Pairs of one query: change * ln(1 + exp(-sigma (F_a - F_b))), a being the better item.

    ``change`` is what exchanging the two changes in the metric, in the order of the scores; it is
    taken for a constant, and derivatives are those of the sum. ``truncation``: how many first
    places count in the changes; None: half as many again as count in the metric. What a fit records
    as its loss is 1 - the mean metric of the queries.
    """

    metric: str = "ndcg@10"
    truncation: int | None = None
    sigma: float = option(1.0, 0.0, 1000.0)
    normalize: bool = True
    position_norm: float = option(1.0, -0.001, 1000.0)

    name = "lambdamart"
    by_name = False
    number = 59
    whole_queries = True

    def __post_init__(self) -> None:
        super().__post_init__()
        metric_of(self.metric)

    @property
    def changes(self) -> tuple[int, int]:
        """The number of the metric in the core, and how many places count in changes."""
        kind, k = metric_of(self.metric)
        beyond = ALL_PLACES if k is None else k + (k + 1) // 2
        return METRICS.index(kind), min(self.truncation or beyond, ALL_PLACES)

    @property
    def judged(self) -> tuple[int, int]:
        """The same of the metric itself."""
        kind, k = metric_of(self.metric)
        return METRICS.index(kind), min(k or ALL_PLACES, ALL_PLACES)

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        check_grades(y)

    def gains(self, y: NDArray[Any]) -> Floats:
        """Numbers that differ where grades differ for the metric."""
        return np.asarray(y if metric_of(self.metric)[0] == "ndcg" else y > 0, np.float64)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.zeros(1)

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        self._refuse_examples()

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        self._refuse_examples()

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        self._refuse_examples()

    def _refuse_examples(self) -> NoReturn:
        raise TypeError(
            f"loss {self.name!r} is one of whole queries, and single examples have none; use "
            "GradientBoostingRanker, whose fit takes qid."
        )


@dataclass(frozen=True)
class LambdaMARTOfQueries(LambdaMART):
    """The loss bound to the queries of a sample."""

    queries: Queries = field(kw_only=True, compare=False)

    @property
    def unbound(self) -> LambdaMART:
        own = {each.name: getattr(self, each.name) for each in fields(LambdaMART)}
        return LambdaMART(**own)

    def keys_of(self, content: Keys) -> Keys:
        return self.queries.keys

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> Loss:
        """With the bias of positions, where rows have any, at these scores."""
        of = self.queries
        if of.position is None:
            return self
        weight = np.ones(len(of.first)) if w is None else w[of.first].astype(np.float64)
        cost, _ = of.pairs.position_costs(
            np.ascontiguousarray(F), weight, of.position, of.n_positions, of.sigma, 1
        )
        bias = Bias(*position_bias(cost, self.position_norm))
        return replace(self, queries=replace(of, bias=bias))


def position_bias(cost: NDArray[np.int64], norm: float) -> tuple[Floats, Floats]:
    """How likely positions are to be clicked and to be passed over, by what pairs of them cost.

    ``cost[a, b]`` is that of the pairs whose better item was shown at a. From ones on, by turns,

        clicked[a] = (sum_b cost[a, b] / passed[b])^(1 / (1 + norm)), over that of position 0,
        passed[b]  = (sum_a cost[a, b] / clicked[a])^(1 / (1 + norm)), over that of position 0,

    where a position without pairs keeps 1, and none has less than 0.01.
    """
    C = cost.astype(np.float64)
    clicked, passed = np.ones(len(C)), np.ones(len(C))
    for _ in range(_PASSES):
        clicked = _relative((C / passed).sum(axis=1), norm)
        passed = _relative((C.T / clicked).sum(axis=1), norm)
    return clicked, passed


def _relative(sums: Floats, norm: float) -> Floats:
    """Powers relative to the first one; rounded, as the last digit of a power is the machine's."""
    if sums[0] == 0:
        return np.ones(len(sums))
    ratios = np.where(sums > 0, sums / sums[0], 1.0) ** (1 / (1 + norm))
    return np.asarray(np.clip(np.rint(ratios * _DIGITS) / _DIGITS, _LEAST_BIAS, 1 / _LEAST_BIAS))
