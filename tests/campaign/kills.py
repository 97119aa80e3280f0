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

_PATIENT = 90  # seconds until a worker that was killed is there again

# A machine that is busy takes long to start a worker again; until then its nanny is kept.
PATIENCE = {
    "distributed.deploy.lost-worker-timeout": "300s",
    "weaklearn.wait-for-workers": 300,
    "logging": {"distributed": "critical"},
}

MODELS: dict[str, Callable[[], Any]] = {
    "votes": lambda: wl.AdaBoostClassifier(n_estimators=25),
    "votes held out": lambda: wl.AdaBoostClassifier(n_estimators=25, early_stopping=True),
    "many classes": lambda: wl.AdaBoostClassifier(n_estimators=15),
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
    """Rows with numbers that repeat, and a label that depends on most of them."""
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


def tables() -> dict[str, pd.DataFrame]:
    """The rows of each model."""
    two = table()
    four = two.assign(label=two["label"] + 2 * (two["d"] > 0.3))
    return {name: four if name == "many classes" else two for name in MODELS}


def fitted(model: Any, X: Any, y: Any) -> Any:
    """The model, fitted; few rows on a cluster are no news here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*are few for a cluster")
        return model.fit(X, y)


class Campaign:
    """Fits in each of which one worker is killed; ``wrong`` tells of those that gave another model.

    ``in_fit`` counts the kills that came during the fit. Where a nanny fails to start its worker
    again, the rest runs on a new cluster.
    """

    def __init__(self, n_workers: int, seed: int, tell: Callable[[str], None]) -> None:
        self._n_workers, self._tell = n_workers, tell
        self._rng, self._frames = np.random.default_rng(seed), tables()
        self._homes = {
            name: make().fit(frame.drop(columns="label"), frame["label"]).fingerprint()
            for (name, make), frame in zip(MODELS.items(), self._frames.values(), strict=True)
        }
        self._usual: dict[str, float] = {}
        self.done = self.in_fit = 0
        self.wrong: list[str] = []

    def run(self, count: int) -> None:
        while self.done < count:
            with local_cluster(self._n_workers) as client:
                try:
                    while self.done < count:
                        client.wait_for_workers(self._n_workers, timeout=_PATIENT)
                        self._trial(client)
                except TimeoutError:
                    self._tell("a worker was not started again: on with a new cluster")
        same = self.done - len(self.wrong)
        self._tell(f"{same} of {self.done} the same; {self.in_fit} kills came during the fit")

    def _spread(self, name: str) -> Any:
        return dd.from_pandas(self._frames[name], npartitions=2 * self._n_workers + 1)

    def _trial(self, client: Client) -> None:
        name = str(self._rng.choice(list(MODELS)))
        if name not in self._usual:
            begin = time.monotonic()
            fitted(MODELS[name](), self._spread(name), "label")
            self._usual[name] = time.monotonic() - begin
        seconds = float(self._rng.uniform(0, self._usual[name]))
        begin = time.monotonic()
        with Killer(client, seconds, self._rng) as killer:
            try:
                model = fitted(MODELS[name](), self._spread(name), "label")
                same = model.fingerprint() == self._homes[name]
            except Exception as error:
                same = False
                self._tell(f"{type(error).__name__}: {error}")
            end = time.monotonic()
        self.done += 1
        if 0 < killer.killed_at < end:
            self.in_fit += 1
        else:  # the first fit of a kind is the slowest
            self._usual[name] = end - begin
        told = f"{self.done} {name}: kill after {seconds:.2f} s, fit took {end - begin:.2f} s"
        self._tell(told + ("" if same else ", ANOTHER MODEL"))
        self.wrong += [] if same else [told]


def campaign(count: int, n_workers: int, seed: int, tell: Callable[[str], None]) -> list[str]:
    """What went wrong in so many fits, in each of which one worker is killed."""
    run = Campaign(n_workers, seed, tell)
    run.run(count)
    return run.wrong


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
