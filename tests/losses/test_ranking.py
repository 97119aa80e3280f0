"""The loss of queries: a query worked by hand, and the definition beside the kernel."""

from __future__ import annotations

from itertools import product
from math import log2

import numpy as np
import pytest

from tests.reference import ranking
from weaklearn import losses
from weaklearn.engines import on_threads
from weaklearn.estimators.gradient.queries import bound
from weaklearn.losses.ranking import metric_of, position_bias

METRICS = [f"{kind}{k}" for kind, k in product(("ndcg", "map", "mrr"), ("", "@1", "@2", "@4"))]


def derived(loss, y, F, numbers=None, weight=None, threads=1):
    """Gradient, curvature and mean metric of rows whose content is their number."""
    y, F = np.asarray(y, np.float64), np.asarray(F, np.float64)
    numbers = np.zeros(len(y), np.int64) if numbers is None else numbers
    engine = on_threads(threads)
    of = bound(loss, engine, y, numbers, np.arange(len(y), dtype=np.uint64))
    g, c, cost = engine.gradients.derivatives(of, y, F[None], weight, None)
    everything = len(y) if weight is None else weight.sum()
    return g[0], c[0], 1 - cost / everything


def test_three_items_by_hand() -> None:
    # Grades 0, 1, 0 in this order: the right item at place 2 has an NDCG of 1/log2(3).
    loss = losses.LambdaMART("ndcg", normalize=False)
    g, c, found = derived(loss, [0, 1, 0], [0.0, 0.0, 0.0])
    up, down = 1 - 1 / log2(3), 1 / log2(3) - 1 / 2
    assert found == pytest.approx((1 + 1 / log2(3) + 1 / 2) / 3)  # over all orders of a tie
    assert g == pytest.approx([up / 2, -(up + down) / 2, down / 2])
    assert c == pytest.approx([up / 4, (up + down) / 4, down / 4])


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("normalize", [False, True])
def test_every_pair_by_its_definition(name: str, normalize: bool) -> None:
    kind, k = metric_of(name)
    rng = np.random.default_rng(0)
    for n in (2, 3, 6, 9):
        y = rng.integers(0, 4, n).astype(np.float64)
        F = rng.normal(size=n).round(1)
        loss = losses.LambdaMART(name, k, 0.7, normalize)
        g, c, _ = derived(loss, y, F)
        own = ranking.lambdas(kind, k or n, y, F, 0.7, normalize)
        assert g == pytest.approx(own[0], abs=1e-9)
        assert c == pytest.approx(own[1], abs=1e-9)


@pytest.mark.parametrize("name", METRICS)
def test_equal_scores_count_as_the_mean_of_their_orders(name: str) -> None:
    kind, k = metric_of(name)
    rng = np.random.default_rng(1)
    for _ in range(20):
        y = np.append(rng.integers(0, 3, 5), 1).astype(np.float64)
        F = rng.integers(0, 3, 6).astype(np.float64)
        found = derived(losses.LambdaMART(name), y, F)[2]
        assert found == pytest.approx(ranking.metric(kind, k or 6, y, F))


def test_order_of_rows_and_threads_change_no_bit() -> None:
    rng = np.random.default_rng(2)
    y, numbers = rng.integers(0, 5, 3000).astype(np.float64), rng.integers(0, 80, 3000)
    F, weight = rng.normal(size=3000).round(2), rng.random(80)[numbers]
    content = rng.permutation(3000).astype(np.uint64)
    found = []
    for order, threads in ((np.arange(3000), 1), (rng.permutation(3000), 3)):
        engine, y_o = on_threads(threads), y[order]
        loss = bound(losses.LambdaMART(), engine, y_o, numbers[order], content[order])
        w = np.ascontiguousarray(weight[order])
        g, c, cost = engine.gradients.derivatives(loss, y_o, F[order][None], w, None)
        back = np.argsort(order)
        found.append((g[0][back].tobytes(), c[0][back].tobytes(), cost))
    assert found[0] == found[1]


def test_scores_far_apart_stay_finite() -> None:
    g, c, _ = derived(losses.LambdaMART(), [0, 1, 2, 1], [1e6, 0.0, -1e6, -2e6])
    assert np.isfinite([g, c]).all()
    assert abs(g.sum()) < 1e-12
    assert g[2] < 0 < g[0]


def test_position_bias_of_a_known_world() -> None:
    clicked, passed = 1 / np.arange(1, 6), np.arange(1, 6) ** 0.5
    cost = np.rint(1e12 * np.outer(clicked, passed)).astype(np.int64)
    found = position_bias(cost, 0.0)
    assert found[0] == pytest.approx(clicked, abs=1e-5)  # what is divided out explains all
    assert found[1] == pytest.approx(passed, abs=1e-5)
    assert position_bias(np.zeros((2, 2), np.int64), 1.0)[0].tolist() == [1, 1]


@pytest.mark.parametrize("name", ["ndcg@0", "ndcg@x", "auc", "", 3, None, "map@-1"])
def test_metrics_that_are_none(name) -> None:
    with pytest.raises(ValueError, match=r"metric=.* is not allowed: it must be 'ndcg'"):
        losses.LambdaMART(name)


def test_single_examples_have_no_loss() -> None:
    with pytest.raises(TypeError, match="one of whole queries"):
        losses.LambdaMART().value(np.zeros(2), np.zeros(2))
    with pytest.raises(ValueError, match="use GradientBoostingRanker"):
        losses.named(losses.LambdaMART())
