"""A fit that runs out of memory at any moment leaves the earlier model as it was.

Every estimator that files keep is fitted, then fitted again on other rows, and the second fit
fails: a MemoryError is raised as one of its functions, or a compiled one that they call, returns.
``python -m tests.campaign.failed_fits --count 50 --jobs 2`` lets each fail at 50 random moments,
and at its last ones.
"""

from __future__ import annotations

import argparse
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import weaklearn
from tests.frozen import add, answers, frame
from tests.odd_rows import ODD
from weaklearn.persistence.book import KEPT

HOME = str(Path(weaklearn.__file__).parent)
LAST = 12  # how many of the last moments are tried each time


@dataclass(frozen=True)
class Case:
    """A fitted model, the rows that it answers for, and what is to fail."""

    name: str
    model: Any
    rows: Any
    learn: Callable[[], Any]

    def standing(self) -> tuple[str, dict[str, list[Any]]]:
        """What a failed fit may not change, though every attribute is the same object."""
        return self.model.fingerprint(), answers(self.model, self.rows)


class Moments:
    """Counts the moments at which functions return, and runs out of memory at one of them."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.fails_at, self.passed = fails_at, 0

    def __call__(self, at: Any, event: str, about: Any) -> None:
        code = at.f_code
        if event not in ("return", "c_return") or not code.co_filename.startswith(HOME):
            return
        if event == "return" and code.co_name == "learning":  # all is done
            return
        self.passed += 1
        if self.passed == self.fails_at:
            raise MemoryError(f"moment {self.fails_at}")

    def during(self, learn: Callable[[], None]) -> None:
        sys.setprofile(self)
        try:
            learn()
        finally:
            sys.setprofile(None)


def _part(given: Any, some: slice) -> Any:
    return given.iloc[some] if isinstance(given, pd.DataFrame) else given[some]


def cases(kind: Any) -> Iterator[Case]:
    """The models of a kind, each with rows for another fit, and for what is learnt on the way."""
    targets = {"two": add.TWO, "three": add.THREE, "numbers": add.THREE}
    for name, model, columns in add.cases(kind):
        X, target = frame(columns), name.rpartition("-")[2]
        y = np.asarray(ODD[kind.name].y if target == "odd" else targets[target])
        few = slice(None) if kind.name == "ERMClassifier" else slice(3, None)
        some_rule_is_right = kind.name == "HalvingClassifier"
        turned = y if some_rule_is_right or len(y) != len(X) else y[::-1]
        other = (_part(X, few), turned[few] if len(y) == len(X) else y)
        for method in ("fit", "partial_fit"):
            if hasattr(model, method):
                yield Case(f"{name}.{method}", model, X, partial(getattr(model, method), *other))
        if hasattr(model, "edit"):
            yield Case(f"{name}.edit", model, X, partial(model.edit, "born", flatten=True))


def failures(case: Case, count: int, last: int = LAST) -> tuple[Counter[str], list[str]]:
    """How many fits failed and how many went through, and where a failed one left its mark."""
    trial, seen, wrong = Moments(), Counter[str](), []
    standing, before = case.standing(), dict(vars(case.model))
    rng = np.random.default_rng(zlib.crc32(case.name.encode()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case.learn()  # what a first fit alone does, such as imports, is not counted
            case.model.__dict__ = dict(before)
            trial.during(case.learn)
        except ValueError:  # it takes no such rows
            return seen, wrong
        drawn = rng.integers(1, trial.passed + 1, count).tolist()
        for k in sorted({*drawn, *range(max(1, trial.passed - last), trial.passed + 1)}):
            case.model.__dict__ = dict(before)
            try:
                Moments(k).during(case.learn)
            except MemoryError:
                seen["failed"] += 1
                now = vars(case.model)
                names = now.keys() | before.keys()
                if any(now.get(name) is not before.get(name) for name in names):
                    wrong.append(f"{case.name} at moment {k} of {trial.passed}")
            else:  # the error was dealt with on the way
                seen["went through"] += 1
    case.model.__dict__ = dict(before)
    if case.standing() != standing:
        wrong.append(f"{case.name} changed what it had in place")
    return seen, wrong


def _of_kind(given: tuple[int, int]) -> tuple[Counter[str], list[str]]:
    number, count = given
    seen, wrong = Counter[str](), []
    for case in cases(KEPT[number]):
        more, found = failures(case, count)
        seen += more
        wrong += found
    return seen, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="random moments for each model")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    seen, wrong = Counter[str](), []
    with Pool(given.jobs) as pool:
        tasks = [(number, given.count) for number in range(len(KEPT))]
        for more, found in pool.imap_unordered(_of_kind, tasks):
            seen += more
            wrong += found
            for line in found:
                print(line, flush=True)
    tried = sum(seen.values())
    print(f"{tried} fits, {seen['failed']} failed, {seen['went through']} went through,", end=" ")
    print(f"{len(wrong)} left a mark")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
