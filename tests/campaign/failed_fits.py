"""A fit that runs out of memory at any moment leaves the earlier model as it was.

Every estimator that files keep is fitted, then fitted again on other rows, and the second fit
fails: a MemoryError is raised as one of its functions, or a compiled one that they call, returns.
``python -m tests.campaign.failed_fits --count 1000 --jobs 2`` plays so many rounds: in each one the
models of the next kind fail at random moments, the first time at their last ones too.
"""

from __future__ import annotations

import contextvars
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import weaklearn
from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.frozen import add, answers, frame
from tests.odd_rows import ODD
from weaklearn.persistence.book import KEPT

HOME = str(Path(weaklearn.__file__).parent)
LAST = 12  # how many of the last moments are tried, the first time


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
        """Learns, in a context of its own.

        An error that is raised as a generator yields skips what the generator does at its end,
        which no error of its own does: what a context variable holds would stay there.
        """
        context = contextvars.copy_context()
        sys.setprofile(self)
        try:
            context.run(learn)
        finally:
            sys.setprofile(None)


def _part(given: Any, some: slice) -> Any:
    return given.iloc[some] if isinstance(given, pd.DataFrame) else given[some]


def cases(kind: Any) -> Iterator[Case]:
    """The models of a kind, each with rows for another fit, and for what is learnt on the way."""
    for name, model, columns in add.cases(kind):
        X, y = frame(columns), add.target_of(kind.name, name)
        few = slice(None) if kind.name == "ERMClassifier" else slice(3, None)
        some_rule_is_right = kind.name == "HalvingClassifier"
        turned = y if some_rule_is_right or len(y) != len(X) else y[::-1]
        other = (_part(X, few), turned[few] if len(y) == len(X) else y)
        odd = ODD[kind.name].beside if kind.name in ODD else {}
        beside = {name: np.asarray(given)[few] for name, given in odd.items()}
        for method in ("fit", "partial_fit"):
            if hasattr(model, method):
                learn = partial(getattr(model, method), *other, **beside)
                yield Case(f"{name}.{method}", model, X, learn)
        if hasattr(model, "edit"):
            yield Case(f"{name}.edit", model, X, partial(model.edit, "born", flatten=True))


def failures(case: Case, count: int, last: int = LAST, number: int = 0, seed: int = 0) -> Counts:
    """How a second fit ended that failed at so many random moments and at its last ones.

    ``refused``: it failed, and left no mark. ``answered``: it dealt with the error and went on.
    """
    trial, counts = Moments(), Counts()
    standing, before = case.standing(), dict(vars(case.model))
    rng = np.random.default_rng([zlib.crc32(case.name.encode()), number, seed])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case.learn()  # what a first fit alone does, such as imports, is not counted
            case.model.__dict__ = dict(before)
            trial.during(case.learn)
        except ValueError:  # it takes no such rows
            return counts
        drawn = rng.integers(1, trial.passed + 1, count).tolist()
        for k in sorted({*drawn, *range(max(1, trial.passed - last), trial.passed + 1)}):
            case.model.__dict__ = dict(before)
            try:
                Moments(k).during(case.learn)
                counts.add("answered")
            except MemoryError:
                now = vars(case.model)
                names = now.keys() | before.keys()
                if any(now.get(name) is not before.get(name) for name in names):
                    counts.fail(number, f"{case.name} at moment {k} of {trial.passed}")
                else:
                    counts.add("refused")
    case.model.__dict__ = dict(before)
    if case.standing() != standing:
        counts.fail(number, f"{case.name} changed what it had in place")
    return counts


def round_of(number: int, moments: int, seed: int = 0) -> Counts:
    """The counts of all models of a kind, kind after kind."""
    counts = Counts()
    for case in cases(KEPT[number % len(KEPT)]):
        counts += failures(case, moments, LAST if number < len(KEPT) else 0, number, seed)
    return counts


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__, usual=len(KEPT))
    parser.add_argument("--moments", type=int, default=12, help="random moments for each model")
    given = parser.parse_args(arguments)
    trial = partial(round_of, moments=given.moments, seed=given.seed)
    return hunting.main(hunting.Hunt(trial), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
