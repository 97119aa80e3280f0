"""The row about rankings: LambdaMART beside the rankers of the peers, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .peers import OURS, Contender
from .rows import Outcome, Row, Run, present

SEEDS = 3
LEAVES, STEP = 31, 0.1
QUERIES, ITEMS, COLUMNS = 1000, 50, 30
WITHIN = ("ndcg_lost", 0.01)


@dataclass(frozen=True)
class Queries:
    """Items of queries, those of a query together, all of one size, with grades from 0 to 4."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]

    @property
    def ids(self) -> NDArray[np.int64]:
        """The query of each item."""
        return np.repeat(np.arange(len(self.y) // ITEMS), ITEMS)


@cache
def simulated(seed: int, quick: bool) -> tuple[Queries, Queries]:
    """Queries to learn from and to test on: a curved function of nine columns, with noise.

    Queries differ in where their items lie, and in how good they are on the whole.
    """
    rng = np.random.default_rng(seed)
    count = QUERIES // 5 if quick else QUERIES

    def drawn() -> Queries:
        n, query = count * ITEMS, np.repeat(np.arange(count), ITEMS)
        X = rng.normal(size=(n, COLUMNS)) + 0.3 * rng.normal(size=(count, COLUMNS))[query]
        good = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + 0.3 * X[:, 8]
        good += np.where(X[:, 4] > 0, X[:, 5], -X[:, 6]) + 0.5 * np.abs(X[:, 7])
        good += 1.5 * rng.normal(size=n) + rng.normal(size=count)[query]
        return Queries(X, np.digitize(good, np.quantile(good, [0.5, 0.75, 0.9, 0.97])))

    return drawn(), drawn()


def _ours(rounds: int, threads: int) -> Any:
    from weaklearn import GradientBoostingRanker

    return GradientBoostingRanker(
        n_estimators=rounds, max_leaf_nodes=LEAVES, learning_rate=STEP, n_jobs=threads
    )


def _lightgbm(rounds: int, threads: int) -> Any:
    from lightgbm import LGBMRanker

    return LGBMRanker(
        n_estimators=rounds, num_leaves=LEAVES, learning_rate=STEP, n_jobs=threads, verbose=-1
    )


def _xgboost(rounds: int, threads: int) -> Any:
    from xgboost import XGBRanker

    return XGBRanker(
        n_estimators=rounds,
        learning_rate=STEP,
        grow_policy="lossguide",
        max_leaves=LEAVES,
        max_depth=0,
        tree_method="hist",
        n_jobs=threads,
    )


def _fitted(name: str, model: Any, of: Queries) -> Any:
    if name == "LightGBM":
        return model.fit(of.X, of.y, group=np.full(len(of.y) // ITEMS, ITEMS))
    return model.fit(of.X, of.y, qid=of.ids)


@dataclass(frozen=True)
class Ranker(Contender):
    """A library's ranker."""

    def load(self) -> None:
        rng = np.random.default_rng(0)
        few = Queries(rng.normal(size=(10 * ITEMS, 2)), rng.integers(0, 3, 10 * ITEMS))
        _fitted(self.name, self.make(2, 1), few).predict(few.X)


def _contenders() -> list[Contender]:
    made: list[tuple[str, str, Callable[[int, int], Any]]] = [
        (OURS.name, "weaklearn", _ours),
        ("LightGBM", "lightgbm", _lightgbm),
        ("XGBoost", "xgboost", _xgboost),
    ]
    return [Ranker(*each) for each in made]


def _processor_seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    found = call()
    return time.process_time() - begun, found


def ranking(run: Run) -> Outcome:
    """Processor time of whole fits, the best of each seed added up, and the mean NDCG@10."""
    from weaklearn.metrics import ndcg

    contenders, notes = present(run, _contenders())
    seconds = {c.name: 0.0 for c in contenders}
    lost: dict[str, list[float]] = {c.name: [] for c in contenders}
    for seed in range(SEEDS):
        learnt, test = simulated(seed, run.quick)
        best = dict.fromkeys(seconds, float("inf"))
        for _ in range(run.repeat):
            for c in contenders:
                fit = partial(_fitted, c.name, c.make(run.rounds(100), run.threads), learnt)
                taken, model = _processor_seconds(fit)
                best[c.name] = min(best[c.name], taken)
                scores = np.asarray(model.predict(test.X), float)
                lost[c.name][seed:] = [1 - ndcg(test.y, scores, k=10, group=test.ids)]
        for name, taken in best.items():
            seconds[name] += taken
    for name, each in lost.items():
        shown = ", ".join(f"{1 - loss:.4f}" for loss in each)
        notes.append(f"{name}: NDCG@10 {shown}; {seconds[name]:.2f} s of processor time")
    quality = {name: {WITHIN[0]: float(np.mean(each))} for name, each in lost.items()}
    return Outcome(seconds, "s", quality, notes, fair=WITHIN)


ROWS = (
    Row(
        "ranking", f"LambdaMART, {SEEDS} x {QUERIES:,} queries of {ITEMS} items, 100 trees",
        "LightGBM, XGBoost", 1, None, ranking,
    ),
)  # fmt: skip
