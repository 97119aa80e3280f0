"""Kills workers of a Dask cluster at random moments of fits: every model is the same to the bit.

``python -m tests.campaign.kills --count 200`` starts a cluster of its own on this machine, with
workers that are started again by their nannies. ``--workers`` and ``--seed`` choose others.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

import weaklearn as wl

# A machine that is busy takes long to start a worker again; until then its nanny is kept.
PATIENCE = {
    "distributed.deploy.lost-worker-timeout": "300s",
    "weaklearn.wait-for-workers": 300,
    "logging": {"distributed": "critical"},
}

MODELS: dict[str, Callable[[], Any]] = {
    "votes": lambda: wl.AdaBoostClassifier(n_estimators=25),
    "classes": lambda: wl.GradientBoostingClassifier(n_estimators=25),
    "numbers": lambda: wl.GradientBoostingRegressor(n_estimators=25),
    "held out": lambda: wl.GradientBoostingClassifier(n_estimators=40, early_stopping=True),
}


@contextmanager
def local_cluster(n_workers: int) -> Iterator[Client]:
    """A client of a cluster of processes of one thread each."""
    with (
        dask.config.set(PATIENCE),
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            host="127.0.0.1",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def table(n: int = 3000) -> pd.DataFrame:
    """Rows with numbers that repeat, and a label; its number depends on all of them."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd")).round(1)
    score = frame["a"] * frame["b"] + frame["c"] + rng.normal(size=n)
    return frame.assign(label=(score > 0).astype(int))


class Killer:
    """Kills one of the workers of a cluster after some seconds, from a thread of its own."""

    def __init__(self, client: Client, seconds: float, rng: np.random.Generator) -> None:
        pids = list(client.run(os.getpid, on_error="ignore").values())
        self._pid = int(rng.choice([pid for pid in pids if isinstance(pid, int)]))
        self._timer = threading.Timer(seconds, self._kill)
        self.killed_at = 0.0

    def _kill(self) -> None:
        self.killed_at = time.monotonic()
        os.kill(self._pid, signal.SIGKILL)

    def __enter__(self) -> Killer:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        self._timer.join()


def fitted(model: Any, X: Any, y: Any) -> Any:
    """The model, fitted; few rows on a cluster are no news here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*are few for a cluster")
        return model.fit(X, y)


def campaign(count: int, n_workers: int, seed: int, tell: Callable[[str], None]) -> list[str]:
    """What went wrong in so many fits, in each of which one worker is killed."""
    rng, frame, wrong, in_fit = np.random.default_rng(seed), table(), [], 0
    X, y = frame.drop(columns="label"), frame["label"]
    homes = {name: make().fit(X, y) for name, make in MODELS.items()}
    with local_cluster(n_workers) as client:
        spread = dd.from_pandas(frame, npartitions=2 * n_workers + 1)
        usual = {}
        for name, make in MODELS.items():
            begin = time.monotonic()
            same = fitted(make(), spread, "label").fingerprint() == homes[name].fingerprint()
            usual[name] = time.monotonic() - begin
            wrong += [] if same else [f"{name}: another model without any kill"]
        for k in range(count):
            name = str(rng.choice(list(MODELS)))
            client.wait_for_workers(n_workers)
            seconds, begin = float(rng.uniform(0, usual[name])), time.monotonic()
            with Killer(client, seconds, rng) as killer:
                try:
                    model = fitted(MODELS[name](), spread, "label")
                    same = model.fingerprint() == homes[name].fingerprint()
                except Exception as error:
                    same = False
                    tell(f"{type(error).__name__}: {error}")
                end = time.monotonic()
            in_fit += 0 < killer.killed_at < end
            told = f"{k + 1} {name}: kill after {seconds:.2f} s, fit took {end - begin:.2f} s"
            tell(told + ("" if same else ", ANOTHER MODEL"))
            wrong += [] if same else [told]
    tell(f"{count - len(wrong)} of {count} the same; {in_fit} of the kills came during the fit")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if campaign(given.count, given.workers, given.seed, lambda text: print(text, flush=True)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
