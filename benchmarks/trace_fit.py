"""The way of a fit through the code: which functions of the package it calls, in what order.

``python -m benchmarks.trace_fit [Estimator ...]`` fits each estimator on a small table, three
rounds where it plays rounds, and prints how many Python calls of this package were made, in how
many files and functions, how deep they went, and how often the next call lay in another file or
another package. The second line of each is the fit alone, without the step that describes the
training rows afterwards. The last names the classes of ours that the estimator inherits from.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

import weaklearn

_ROOT = str(Path(weaklearn.__file__).parent)


@dataclass
class Trace:
    """The calls of a block of code, each by its file (below the package) and its function."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    _level: int = 0

    def __enter__(self) -> Trace:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(_ROOT):
            return
        if event == "return":
            self._level -= 1
            return
        self._level += 1
        self.depth = max(self.depth, self._level)
        self.calls.append((code.co_filename[len(_ROOT) + 1 :], code.co_qualname))

    @property
    def files(self) -> list[str]:
        """The files visited, in the order of the first visit."""
        return list(dict.fromkeys(file for file, _ in self.calls))

    @property
    def package_changes(self) -> int:
        """How often the next call lies in another package."""
        return _changes([file.split("/")[0] for file, _ in self.calls])

    def summary(self) -> str:
        """The numbers in one line."""
        files = [file for file, _ in self.calls]
        return (
            f"{len(self.calls)} calls, {len(set(files))} files, {len(set(self.calls))} functions, "
            f"depth {self.depth}; {_changes(files)} changes of file, "
            f"{self.package_changes} of package"
        )


def _changes(places: list[str]) -> int:
    """How often the next place is another one."""
    return sum(a != b for a, b in itertools.pairwise(places))


def own_classes(estimator: type) -> list[str]:
    """The classes of this package that an estimator consists of, itself the first."""
    return [c.__name__ for c in estimator.__mro__ if c.__module__.startswith("weaklearn")]


def traced(estimator: type, *, described: bool = True) -> Trace:
    """The calls of one fit; the second one, so that what is loaded once is not among them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y: Any = X[:, 0] + 0.3 * X[:, 1] + 0.1 * rng.normal(size=200)
    if not issubclass(estimator, RegressorMixin):
        y = y > 0
    rounds = "n_estimators" in inspect.signature(estimator).parameters
    settings = {"n_estimators": 3} if rounds else {}
    estimator(**settings).fit(X, y)
    model = estimator(**settings)
    if described:
        with Trace() as trace:
            model.fit(X, y)
        return trace
    with weaklearn.without_profile(rows=False), Trace() as trace:
        model.fit(X, y)
    return trace


def main(names: list[str]) -> None:
    show_files = "--files" in names
    for name in [name for name in names if name != "--files"] or ["AdaBoostClassifier"]:
        estimator = getattr(weaklearn, name)
        whole, alone = traced(estimator), traced(estimator, described=False)
        print(f"{name}.fit: {whole.summary()}")
        print(f"  without the description: {alone.summary()}")
        own = own_classes(estimator)
        print(f"  {len(own)} classes of ours: {' > '.join(own)}")
        if show_files:
            print("\n".join(f"  {file}" for file in alone.files))


if __name__ == "__main__":
    main(sys.argv[1:])
