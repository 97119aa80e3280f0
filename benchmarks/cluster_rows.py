"""The rows about a Dask cluster on this machine: two workers of one thread each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from . import data, measure
from .data import Data
from .peers import OURS
from .peers import STEP as STUMP_STEP
from .rows import Outcome, Row, Run
from .tree_peers import ALIKE, L2, LEAST_ROWS, STEP
from .tree_rows import WITHIN

WORKERS = 2
HERE = "weaklearn, two threads here"


@dataclass(frozen=True)
class OnWorkers:
    """A library on a cluster: how it fits, and the chances of class 1 by what it has fitted."""

    name: str
    module: str
    fit: Callable[[Any, Any, Any, int, int], Any]  # client, X, y, rounds, leaves
    chances: Callable[[Any, Any], Any]


def _ours(rounds: int, leaves: int, **more: Any) -> Any:
    from weaklearn import AdaBoostClassifier, GradientBoostingClassifier

    if leaves == 2:
        return AdaBoostClassifier(n_estimators=rounds, **more)
    return GradientBoostingClassifier(
        n_estimators=rounds,
        max_leaf_nodes=leaves,
        early_stopping=False,
        **ALIKE,
        **more,
    )


def _xgboost(client: Any, X: Any, y: Any, rounds: int, leaves: int) -> Any:
    from xgboost import dask as of_dask

    model = of_dask.DaskXGBClassifier(
        n_estimators=rounds,
        learning_rate=STUMP_STEP if leaves == 2 else STEP,
        min_child_weight=1,
        reg_lambda=L2,
        tree_method="hist",
        grow_policy="lossguide",
        max_leaves=leaves,
        max_depth=0,
        n_jobs=1,
    )
    model.client = client
    return model.fit(X, y)


def _xgboost_chances(model: Any, X: Any) -> Any:
    from xgboost import DMatrix

    return model.get_booster().predict(DMatrix(X))


def _lightgbm(client: Any, X: Any, y: Any, rounds: int, leaves: int) -> Any:
    from lightgbm import DaskLGBMClassifier

    model = DaskLGBMClassifier(
        client=client,
        n_estimators=rounds,
        num_leaves=leaves,
        learning_rate=STUMP_STEP if leaves == 2 else STEP,
        min_child_samples=LEAST_ROWS,
        reg_lambda=L2,
        n_jobs=1,
        verbose=-1,
    )
    return model.fit(X, y)


ON_WORKERS = (
    OnWorkers(
        OURS.name,
        "weaklearn",
        lambda client, X, y, rounds, leaves: _ours(rounds, leaves).fit(X, y),
        lambda model, X: model.predict_proba(X)[:, 1],
    ),
    OnWorkers("XGBoost, dask", "xgboost", _xgboost, _xgboost_chances),
    OnWorkers(
        "LightGBM, dask",
        "lightgbm",
        _lightgbm,
        lambda model, X: model.to_local().predict_proba(X)[:, 1],
    ),
)


@contextmanager
def _cluster() -> Iterator[Any]:
    """A client of two fresh workers, which listen on the loopback alone."""
    from dask.distributed import Client, LocalCluster

    how = {"n_workers": WORKERS, "threads_per_worker": 1, "memory_limit": 0}
    with (
        LocalCluster(host="127.0.0.1", dashboard_address=None, **how) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _on_workers(client: Any, of: Data) -> tuple[Any, Any]:
    """The rows in the memory of the workers, half of them on each."""
    import dask.array as da
    from dask.distributed import wait

    half = -(-len(of.y) // WORKERS)
    X = da.from_array(of.X, chunks=(half, of.X.shape[1]))
    found = client.persist([X, da.from_array(of.y, chunks=half)])
    wait(found)
    return found[0], found[1]


def _processor(client: Any) -> float:
    """Processor seconds of the workers and of this process so far."""
    return float(sum(client.run(time.process_time).values()) + time.process_time())


def _quality(of: Data, chances: Any) -> dict[str, float]:
    p = np.clip(np.asarray(chances, np.float64), 1e-15, 1 - 1e-15)
    right = np.where(of.y_test == 1, p, 1 - p)
    return {"accuracy": float(np.mean(right > 0.5)), "log_loss": float(-np.mean(np.log(right)))}


def _measured(run: Run, of: Data, rounds: int, leaves: int, with_peers: bool) -> Outcome:
    """Whole fits on rows that the workers hold, in turn; beside the peers, or ours alone here."""
    if find_spec("dask") is None:
        return Outcome({}, notes=["needs weaklearn[dask], which is not installed"])
    whom = [c for c in ON_WORKERS if with_peers or c.name == OURS.name]
    whom = [c for c in whom if run.peers is None or c.name.split(",")[0] in {OURS.name, *run.peers}]
    notes = [f"{c.name} skipped: not installed" for c in whom if find_spec(c.module) is None]
    whom = [c for c in whom if find_spec(c.module) is not None]
    used: dict[str, float] = {}
    with _cluster() as client:
        X, y = _on_workers(client, of)

        def counted(name: str, call: Callable[[], Any]) -> Callable[[], Any]:
            def called() -> Any:
                before = _processor(client)
                model = call()
                used[name] = min(used.get(name, np.inf), _processor(client) - before)
                return model

            return called

        calls = {
            c.name: counted(c.name, lambda c=c: c.fit(client, X, y, rounds, leaves)) for c in whom
        }
        if not with_peers:
            here = lambda: _ours(rounds, leaves, n_jobs=WORKERS).fit(of.X, of.y)  # noqa: E731
            calls[HERE] = counted(HERE, here)
        seconds, models = measure.interleaved(calls, run.repeat)
        of_name = {c.name: c for c in ON_WORKERS} | {HERE: ON_WORKERS[0]}
        quality = {
            name: _quality(of, of_name[name].chances(model, of.X_test))
            for name, model in models.items()
        }
    busy = ", ".join(f"{name} {amount:.3g} s" for name, amount in used.items())
    notes += [f"processor time of workers and client: {busy}", f"{rounds} rounds"]
    return Outcome(seconds, "s", quality, notes)


def _wide(run: Run) -> Data:
    return data.cores(1_000_000, 50, run.quick)


def workers_stumps(run: Run) -> Outcome:
    return _measured(run, _wide(run), run.rounds(500), 2, with_peers=True)


def workers_trees(run: Run) -> Outcome:
    outcome = _measured(run, data.million(run.quick), run.rounds(100), 63, with_peers=True)
    outcome.fair = WITHIN
    return outcome


def workers_here(run: Run) -> Outcome:
    return _measured(run, data.million(run.quick), run.rounds(100), 63, with_peers=False)


_PEERS = "faster of XGBoost and LightGBM on the same two workers"

ROWS = (
    Row(
        "workers-stumps",
        "1,000,000 x 50, 500 exact stumps, two Dask workers of one thread",
        _PEERS,
        1,
        3,
        workers_stumps,
        large=True,
    ),
    Row(
        "workers-trees",
        "1,000,000 x 28, 100 trees of 63 leaves, two Dask workers of one thread",
        _PEERS,
        1,
        2,
        workers_trees,
        large=True,
    ),
    Row(
        "workers-here",
        "the same over a fit on two threads in one process",
        HERE,
        0.5,
        0.8,
        workers_here,
        large=True,
    ),
)
