"""Many threads at once on one model, and an interpreter without a global lock."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl

CORE = "import sys, weaklearn._core; sys.exit(sys._is_gil_enabled())"


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="a usual Python")
def test_the_extension_leaves_the_global_lock_off() -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", CORE], check=True)


def at_once(n: int, work: Callable[[int], Any]) -> list[Any]:
    """What ``work`` gives in so many threads that begin together."""
    found: list[Any] = [None] * n
    barrier = threading.Barrier(n)

    def run(k: int) -> None:
        barrier.wait()
        try:
            found[k] = work(k)
        except Exception as error:
            found[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(n_estimators=5),
        wl.GradientBoostingClassifier(n_estimators=5),
        wl.RandomForestClassifier(5, random_state=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_one_model_asked_in_every_way_by_many_threads(model: Any, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(200, 4))
    y = X[:, 0] * X[:, 1] > 0
    model.fit(X, y)

    def asked(k: int) -> Any:
        path = tmp_path / f"{k % 2}.weak"  # two threads save to one path
        model.save(path)
        loaded = wl.load(path)
        again = type(model)(**model.get_params()).fit(X, y)
        return (
            model.predict_proba(X).tobytes(),
            [model.predictor()(row) for row in X[:3].tolist()],
            loaded.fingerprint(),
            again.fingerprint(),
            str(model.rules()) if hasattr(model, "rules") else "",
        )

    alone = asked(0)
    assert all(found == alone for found in at_once(4, asked))
