"""Trees of gradients over partitions of the rows: those of all rows in one, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from weaklearn import _core
from weaklearn.base.trees.grower_settings import GradientSettings
from weaklearn.engines import Engine, choose
from weaklearn.engines.collective import collective
from weaklearn.engines.here import run_here
from weaklearn.engines.structs import filled
from weaklearn.losses import Logistic, Squared

_VALUES = 40  # of a column, so that every partition codes it by the same bins


def _table(rng: np.random.Generator, m: int) -> np.ndarray:
    """Two columns of numbers, of which one has gaps, and two of categories."""
    X = rng.integers(0, _VALUES, (m, 4)).astype(np.float64)
    X[rng.random(m) < 0.2, 1] = np.nan
    return X


def _coded(X: np.ndarray) -> tuple[_core.Columns, int]:
    """Binned columns of the rows, behind rows that hold every value, and how many these are."""
    every = np.repeat(np.arange(_VALUES + 1.0)[:, None], X.shape[1], axis=1)
    every[-1] = [0, np.nan, 0, 0]
    full = np.concatenate([every, X])
    kinds_of = (np.float64, np.float64, np.int32, np.int32)
    columns = [full[:, j].astype(kind) for j, kind in enumerate(kinds_of)]
    kinds = np.array([0, 0, _VALUES, _VALUES], np.int32)
    return _core.Columns.from_table(
        len(full),
        columns,
        kinds,
        threads=1,
        most_codes=255,
        least_rows=1,
        keep_order=False,
        copies=None,
    ), len(every)


@dataclass
class _Task:
    """What trees are grown from, a row for each of two trees."""

    X: np.ndarray
    g: np.ndarray
    c: np.ndarray | None
    copies: np.ndarray | None
    inside: np.ndarray  # whether a row is in the bag
    residuals: np.ndarray | None
    bounded: bool
    settings: GradientSettings

    def of(self, rows: np.ndarray) -> _Task:
        def part(x: np.ndarray | None) -> Any:
            return None if x is None else np.ascontiguousarray(x[..., rows])

        return replace(
            self,
            X=self.X[rows],
            g=part(self.g),
            c=part(self.c),
            copies=part(self.copies),
            inside=part(self.inside),
            residuals=part(self.residuals),
        )

    def grow(self, threads: int = 1) -> tuple[list[dict[str, Any]], np.ndarray]:
        """The trees, and the scores after them."""
        coded, ahead = _coded(self.X)

        def padded(x: np.ndarray | None, dtype: Any = np.float64) -> Any:
            return (
                None
                if x is None
                else np.concatenate(
                    [np.zeros((*x.shape[:-1], ahead), dtype), x.astype(dtype)], axis=-1
                )
            )

        engine = choose(threads)
        struct = filled(_core.GradientSettings(), GradientSettings, self.settings)
        grower = _core.GradientGrower(coded, struct, engine.threads, engine.collective.core)
        n, m = len(self.g), len(self.X)
        scores = np.zeros((n, ahead + m))
        rows = (ahead + np.flatnonzero(self.inside)).astype(np.uint32)
        trees = grower.grow(
            padded(self.g),
            padded(self.c),
            bounded=self.bounded,
            copies=[padded(self.copies, np.int64)] * n,
            rows=[rows] * n,
            features=[None] * n,
            vote=0.5,
            scores=scores,
            residuals=padded(self.residuals),
            quantiles=[0.5, 0.3] if self.residuals is not None else [],
            keep=True,
        )
        return trees, scores[:, ahead:]


def _same(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> bool:
    return all(
        x.keys() == y.keys() and all(x[k].tobytes() == y[k].tobytes() for k in x)
        for x, y in zip(a, b, strict=True)
    )


def _over_partitions(task: _Task, n: int, seed: int, threads: int = 1) -> None:
    """Checks the trees that partitions grow against those of all rows."""
    rng = np.random.default_rng(seed)
    part = rng.integers(0, n, len(task.X))
    if n > 3:
        part[part == 1] = 0  # one without rows
    rows = [rng.permutation(np.flatnonzero(part == k)) for k in range(n)]
    trees, scores = task.grow(threads)
    assert all(len(tree["ask"]) > 1 for tree in trees)
    found = run_here([lambda k=k: task.of(rows[k]).grow(threads) for k in range(n)])
    for k, (theirs, moved) in enumerate(found):
        assert _same(theirs, trees)
        assert np.array_equal(moved, scores[:, rows[k]])


def _task(seed: int, m: int = 1500, **changes: Any) -> _Task:
    rng = np.random.default_rng(seed)
    X = _table(rng, m)
    effect = np.sin(X[:, 0]) + np.where(np.isnan(X[:, 1]), 1, X[:, 1] / 20) + (X[:, 2] % 3 == 0)
    g = np.stack([effect + rng.normal(size=m), rng.normal(size=m) - effect * (X[:, 3] % 2)])
    c = rng.uniform(0.1, 1, (2, m))
    settings = GradientSettings(max_leaf_nodes=20, min_samples_leaf=5, l2=0.1)
    task = _Task(X, g, c, None, np.ones(m, bool), None, True, settings)
    return replace(task, **changes)


_FORMS = {
    "packed": {},
    "unit curvature": {"c": None},
    "wide": {"bounded": False},
    "copies": {"copies": np.random.default_rng(9).integers(1, 4, 1500)},
    "a bag": {"inside": np.random.default_rng(8).random(1500) < 0.6},
    "a bag of few": {"inside": np.arange(1500) < 60},
    "quantiles": {"c": None, "residuals": np.random.default_rng(7).normal(size=(2, 1500))},
    "weighted quantiles": {"residuals": np.random.default_rng(7).integers(-5, 5, (2, 1500)) / 2},
}
_SETTINGS = {
    "many leaves": {"max_leaf_nodes": 200, "min_samples_leaf": 1},
    "depth": {"max_depth": 3, "max_leaf_nodes": None},
    "two leaves": {"max_leaf_nodes": 2},
    "monotone": {"monotonic": (1, -1, 0, 0)},
    "groups": {"groups": ((0, 1), (1, 2, 3))},
    "columns": {"groups": ((0,), (1,), (2,), (3,))},
    "pairs": {"groups": ((0, 1), (2, 3))},
    "steps held back": {"l1": 0.5, "max_step": 3.0, "path_smoothing": 9.0},
    "drawn cuts": {"random_cuts": True},
    "drawn columns": {"level_features": 3, "node_features": 2, "feature_weights": (1.0, 2, 0.5, 1)},
    "factors": {"feature_factors": (0.5, 1.0, 2.0, 0.0)},
    "least curvature": {"min_curvature": 8.0, "min_gain": 3.0},
}


@pytest.mark.parametrize("form", _FORMS)
def test_every_form_of_gradients_grows_the_same_trees(form: str) -> None:
    for n, seed in ((1, 0), (3, 1), (7, 2)):
        _over_partitions(_task(1, **_FORMS[form]), n, seed)


@pytest.mark.parametrize("name", _SETTINGS)
def test_every_setting_grows_the_same_trees(name: str) -> None:
    for form in ({}, {"c": None}):
        task = _task(2, **form)
        settings = replace(task.settings, **_SETTINGS[name])
        for n, seed in ((3, 1), (7, 2)):
            _over_partitions(replace(task, settings=settings), n, seed)


def test_cells_of_pairs_are_summed_over_partitions() -> None:
    task = _task(3, m=6000)
    settings = replace(task.settings, groups=((0, 1), (1, 2), (0, 3)))
    _over_partitions(replace(task, settings=settings), 3, 4)


def test_threads_change_nothing() -> None:
    for threads in (1, 2):
        _over_partitions(_task(4, m=20_000), 3, 5, threads)


def test_a_partition_holds_no_row_of_a_node() -> None:
    task = _task(5)
    order = np.argsort(task.X[:, 0], kind="stable")
    rows = np.array_split(order, 7)
    trees, _ = task.grow()
    for theirs, _ in run_here([lambda k=k: task.of(rows[k]).grow() for k in range(7)]):
        assert _same(theirs, trees)


@pytest.mark.parametrize("weighted", [False, True])
def test_losses_are_those_of_all_rows(weighted: bool) -> None:
    rng = np.random.default_rng(6)
    m = 500
    F, weight = rng.normal(size=(1, m)), rng.random(m) if weighted else None
    copies = rng.integers(1, 4, m)
    for loss, y in (
        (Squared(), rng.normal(size=m) * 10),
        (Logistic(), rng.choice([-1, 1], m).astype(np.int8)),
    ):
        right = Engine(1).gradients.derivatives(loss, y, F, weight, copies)[2]
        parts = np.array_split(rng.permutation(m), 3)

        def total(rows: np.ndarray, loss: Any = loss, y: np.ndarray = y) -> float:
            own = None if weight is None else weight[rows]
            gradients = choose(1).gradients
            return gradients.derivatives(loss, y[rows], F[:, rows], own, copies[rows])[2]

        assert run_here([lambda rows=rows: total(rows) for rows in parts]) == [right] * 3


def test_a_loss_beyond_all_numbers_in_one_partition_is_met_by_all() -> None:
    y = [np.array([1.0, 2.0]), np.array([1e200])]

    def loss(k: int) -> float:
        g = np.empty(len(y[k]))
        core = collective().core
        return _core.squared(y[k], np.zeros(len(y[k])), None, None, g, 1, core)

    assert all(np.isnan(one) for one in run_here([lambda: loss(0), lambda: loss(1)]))


@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_are_ranked_by_all_rows(weighted: bool) -> None:
    task = _task(6)
    rng = np.random.default_rng(7)
    copies = rng.integers(1, 4, len(task.X))
    features = np.arange(4, dtype=np.int32)

    def statistics(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        coded, ahead = _coded(task.X[rows])

        def padded(x: np.ndarray) -> np.ndarray:
            return np.concatenate([np.zeros((*x.shape[:-1], ahead), x.dtype), x], axis=-1)

        assert task.c is not None
        g, times = padded(task.g[:, rows]), padded(copies[rows])
        c = padded(task.c[:, rows])
        return choose(1).gradients.pair_statistics(
            coded, g, c if weighted else None, times, features, 0.5
        )

    right = statistics(np.arange(len(task.X)))
    assert (right[0] > 0).all()
    parts = np.array_split(rng.permutation(len(task.X)), 3)
    for found in run_here([lambda rows=rows: statistics(rows) for rows in [*parts, parts[0][:0]]]):
        assert np.array_equal(found[0], right[0])
        assert np.array_equal(found[1], right[1])
