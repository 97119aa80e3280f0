"""Writers killed while they save: ``python -m tests.files.kill`` does so a thousand times.

A child saves two models to one path in turn until it is killed (SIGKILL, at a moment by chance);
whatever then stands there must be one of the two, whole.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import weaklearn


def models() -> list[weaklearn.AdaBoostClassifier]:
    """Two models whose files are of different sizes."""
    X, y = weaklearn.datasets.toy()
    return [weaklearn.AdaBoostClassifier(n_estimators=t, n_jobs=1).fit(X, y) for t in (1, 3)]


def run(folder: Path, times: int, seed: int = 0) -> tuple[int, int]:
    """Kills so many writers; how many files had changed, and how many left a temporary one."""
    rng = random.Random(seed)
    path = folder / "model.weak"
    two = models()
    known = {model.fingerprint() for model in two}
    two[0].save(path)
    before, changes, strays = path.read_bytes(), 0, 0
    for k in range(times):
        child = os.fork()
        if child == 0:
            try:
                while True:
                    for model in two:
                        model.save(path)
            finally:
                os._exit(1)
        time.sleep(rng.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        now = path.read_bytes()
        changes, before = changes + (now != before), now
        found = weaklearn.load(path).fingerprint()
        assert found in known, f"kill {k} of seed {seed} left another model"
        for stray in folder.glob(".weaklearn-*.tmp"):
            strays += 1
            stray.unlink()
        assert os.listdir(folder) == ["model.weak"]
    return changes, strays


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        changes, strays = run(Path(folder), given.times, given.seed)
    print(
        f"{given.times} writers killed: one whole file each time, another one {changes} times; "
        f"{strays} left a temporary file"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
