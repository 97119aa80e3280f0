"""Files that are honest up to their last byte: refused within the bounds of their size, too."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.files.forge import loaded, sections, with_model
from tests.files.fuzz import bounds
from weaklearn.base.trees.grove import Grove
from weaklearn.files import ModelFileError
from weaklearn.files.envelope import MODEL
from weaklearn.persistence.model_bytes import sealed


def rows(n: int, d: int = 5, n_classes: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    noisy = X[:, 0] * X[:, 1] + rng.normal(size=n)
    return X, (noisy > 0).astype(int) if n_classes == 2 else np.arange(n) % n_classes


def forest(size: int) -> Any:
    model = wl.RandomForestClassifier(20, random_state=0).fit(*rows(6000))
    model.trees_ = Grove([*model.trees_] * (6 * size))
    return model


def bag(n: int, member: Any) -> Any:
    return wl.BaggingClassifier(member, n_estimators=n, random_state=0).fit(*rows(500))


def every_two_classes(size: int) -> Any:
    """Votes side by side for 37 classes, 666 of them, each with a few trees."""
    X, y = rows(296, 4, 37)
    return wl.AdaBoostClassifier("tree", n_estimators=4 * size, multiclass="pairs").fit(X, y)


def boosted_trees(size: int) -> Any:
    X, y = rows(400)
    trees = wl.DecisionTreeClassifier(max_depth=6)
    return wl.AdaBoostClassifier(trees, n_estimators=255 * size).fit(X, y)


def categories(size: int) -> Any:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 30, (300, 1200 * size))
    X = pd.DataFrame({f"c{j}": [f"cat{v}" for v in column] for j, column in enumerate(cells.T)})
    return wl.AdaBoostClassifier(n_estimators=5).fit(X, rng.integers(0, 2, 300))


def texts(size: int) -> Any:
    rng = np.random.default_rng(0)
    n = 600 * size
    X = [" ".join(f"w{k}" for k in rng.integers(0, 60_000 * size, 60)) for _ in range(n)]
    return wl.BoosTexterClassifier(n_estimators=5).fit(X, rng.integers(0, 2, n))


def support(size: int) -> Any:
    X, y = rows(2000 * size, 40)
    with pytest.warns(UserWarning, match="mistakes in each"):
        return wl.KernelPerceptron(max_passes=1).fit(X, y)


def conformal(size: int) -> Any:
    X, y = rows(30_000 * size + 500)
    return (
        wl.AdaBoostClassifier(n_estimators=60).fit(X[:500], y[:500]).conformalize(X[500:], y[500:])
    )


# By kind: the model of some 250 KB (1) or 1.2 MB (5) before it is compressed, which leaves a fifth
# of the smaller bag of trees.
STUMP, TREE = wl.DecisionStumpClassifier(), wl.DecisionTreeClassifier(max_depth=3)
KINDS: dict[str, Callable[[int], Any]] = {
    "forest": forest,
    "bag of trees": lambda size: bag(300 * size, TREE),
    "bag of stumps": lambda size: bag(700 * size, STUMP),
    "votes of trees": every_two_classes,
    "boosted trees": boosted_trees,
    "descent": lambda size: wl.GradientBoostingClassifier(n_estimators=60 * size).fit(
        *rows(1000, 5, 8)
    ),
    "stumps": lambda size: wl.AdaBoostClassifier(n_estimators=7500 * size).fit(*rows(500)),
    "labels": lambda size: wl.AdaBoostMHClassifier(n_estimators=1200 * size).fit(*rows(200, 5, 8)),
    "categories": categories,
    "texts": texts,
    "support vectors": support,
    "conformal scores": conformal,
}


def wrong_at_its_end(model: Any) -> bytes:
    """The file of a model, with one byte more behind all that it has learnt."""
    data = sealed(model, profile=False)
    return with_model(data, sections(data)[MODEL] + b"\0")


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the garbage collector, which goes over all objects of this process, not of a file."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


LONG = ("votes of trees", "categories")  # which take long to be fitted


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        pytest.param(kind, size, marks=[pytest.mark.long] if size > 1 or kind in LONG else [])
        for kind in KINDS
        for size in (1, 5)
    ],
)
def test_a_wrong_end_is_refused_in_time(kind: str, size: int) -> None:
    data = wrong_at_its_end(KINDS[kind](size))
    took: list[float] = []
    with no_collection():
        # By the first, what it needs is imported; further ones where other processes slow it down.
        while len(took) < 2 or (min(took) > bounds(len(data))[0] and len(took) < 20):
            began = time.process_time()
            with pytest.raises(ModelFileError, match="1 bytes follow the value"):
                loaded(data)
            took.append(time.process_time() - began)
    assert min(took) < bounds(len(data))[0], (len(data), took)


MEASURE = """
import sys
from pathlib import Path
from tests.files.forge import loaded
from weaklearn.files import ModelFileError

def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

loaded(Path(sys.argv[1]).read_bytes())
data = Path(sys.argv[2]).read_bytes()
Path("/proc/self/clear_refs").write_text("5")  # the peak is counted anew
before = kilobytes("VmRSS")
try:
    loaded(data)
except ModelFileError:
    print((kilobytes("VmHWM") - before) * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.long
@pytest.mark.parametrize("n_classes", [0, 2, 8])
def test_one_large_tree_is_refused_in_the_memory_of_its_file(
    n_classes: int, tmp_path: Path
) -> None:
    """A tree of 600,000 nodes, with the file itself left out of account."""
    rng = np.random.default_rng(0)
    n = {0: 300_000, 2: 945_000, 8: 460_000}[n_classes]
    X = rng.normal(size=(n, 3))
    if n_classes:
        model: Any = wl.DecisionTreeClassifier().fit(X, rng.integers(0, n_classes, n))
    else:
        model = wl.DecisionTreeRegressor().fit(X, rng.normal(size=n))
    assert len(model.tree_) > 590_000
    small = wl.DecisionTreeClassifier().fit(X[:50], np.arange(50) % 2)
    data = wrong_at_its_end(model)
    (tmp_path / "small.weak").write_bytes(sealed(small))
    (tmp_path / "large.weak").write_bytes(data)
    told = subprocess.run(
        [sys.executable, "-c", MEASURE, tmp_path / "small.weak", tmp_path / "large.weak"],
        env=os.environ | {"MALLOC_MMAP_THRESHOLD_": "131072", "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert int(told) < bounds(len(data))[1], (len(model.tree_), len(data), int(told))
