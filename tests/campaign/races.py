"""``python -m tests.campaign.races``: every estimator on many threads.

Alone, twice at once, in a forked child, and after an interrupt.

To be run under the thread sanitizer (``make tsan``), which reports what two threads touch at once.
Without it the program still compares models: the same bits whatever the threads.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.trials import TRIALS
from weaklearn.registry import ROWS, class_of

THREADS = (8, 2, 32)


def estimators() -> Iterator[tuple[str, Callable[[int], Any]]]:
    """Name and maker of each estimator of tables that takes ``n_jobs``."""
    for name, trial in TRIALS.items():
        row = ROWS[name]
        made, given = class_of(row), {**trial}
        if row.reads != "columns":
            continue
        if "n_jobs" not in made().get_params():
            continue
        if "n_estimators" in made().get_params():
            given["n_estimators"] = 3

        def make(threads: int, made: Any = made, given: Any = given) -> Any:
            return made(**given).set_params(n_jobs=threads)

        yield name, make


def table(model: Any, rows: int) -> tuple[Any, Any]:
    """Rows and targets that this estimator can be fitted on, enough for several threads."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 12))
    X[:, 8:] = rng.integers(0, 300, (rows, 4))
    X[::7, 3] = np.nan
    score = np.nan_to_num(X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=rows)
    if is_classifier(model):
        return X, (score > 0).astype(int)
    return X, score if is_regressor(model) else np.arange(rows) % 5


def fitted(make: Callable[[int], Any], threads: int, rows: int) -> tuple[str, Any]:
    """The fingerprint of a fit and its predictions."""
    model = make(threads)
    X, y = table(model, rows)
    try:
        model.fit(X, y)
    except ValueError:  # it takes numbers without gaps, or whole ones alone
        X = np.nan_to_num(X)
        model.fit(X, y)
    said = np.asarray(model.predict(X) if hasattr(model, "predict") else model.transform(X))
    if hasattr(model, "explain"):
        model.explain(X[:200])
    return model.fingerprint(), said.tobytes()


def _in_a_child(work: Callable[[], Any], expected: Any) -> bool:
    """Whether a forked child finds what is expected."""
    child = os.fork()
    if child == 0:
        os._exit(0 if work() == expected else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _interrupted(work: Callable[[], Any]) -> bool:
    """Whether work ends at once, either way, when Ctrl-C comes."""
    main = threading.main_thread().ident
    assert main is not None
    alarm = threading.Timer(0.05, lambda: signal.pthread_kill(main, signal.SIGINT))
    try:
        alarm.start()
        work()
        alarm.join()
        time.sleep(0.01)  # a signal sent just now is heard here
    except KeyboardInterrupt:
        pass
    finally:
        alarm.cancel()
    return True


def hunt(
    name: str, make: Callable[[int], Any], threads: int, rows: int, forks: bool, number: int = 0
) -> Counts:
    """Compares the fits of one estimator on so many threads with its fit on one."""
    counts = Counts()
    try:
        expected = fitted(make, 1, rows)
    except (ValueError, TypeError, NotImplementedError):
        counts.details[f"not for {name}"] += 1
        return counts

    def judge(found: Any, how: str) -> None:
        if found is True or found == expected:
            counts.add("answered")
        else:
            counts.fail(number, f"{name}, {how}: another model")

    work = partial(fitted, make, threads, rows)
    judge(work(), f"{threads} threads")
    with ThreadPoolExecutor(2) as two:
        for found in [two.submit(work) for _ in range(2)]:
            judge(found.result(), f"{threads} threads, twice at once")
    if forks:
        judge(_in_a_child(work, expected), f"{threads}, forked")
    judge(_interrupted(work), f"{threads}, interrupted")
    judge(work(), f"{threads} threads, after an interrupt")
    return counts


def attempt(number: int, names: list[str], rows: int, forks: bool) -> Counts:
    """All fits of an estimator on one number of threads."""
    turn, k = divmod(number, len(names))
    make = dict(estimators())[names[k]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hunt(names[k], make, THREADS[turn], rows, forks, number)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--only", default="", help="only these estimators, with commas")
    parser.add_argument("--no-forks", action="store_true")
    given = parser.parse_args(arguments)
    names = [name for name, _ in estimators() if not given.only or name in given.only.split(",")]
    trial = partial(attempt, names=names, rows=given.rows, forks=not given.no_forks)
    hunt = hunting.Hunt(trial, len(names) * len(THREADS), begin=_begin, patience=1800)
    return hunting.main(hunt, given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
