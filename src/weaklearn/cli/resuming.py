"""A fit that goes on with the model of a file: what must stay as it was, and the rows it knows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.record import Stop
from ..intake.changed_parameters import same
from ..production.provenance import earlier
from . import data
from .fault import Fault
from .model import CLASSES, NUMBERS, check_known, classes_of, setting

_FREE = ("n_estimators", "n_jobs", "verbose")  # how far to go, and how


def model_to_resume(
    path: str,
    *,
    model: str | None,
    settings: Sequence[str],
    task: str | None,
    text: Sequence[str],
    seed: int | None,
    threads: int | None,
) -> Any:
    """The model in a file with the number of rounds that is asked for; no contradiction to it."""
    found = data.model_at(path)
    known, kind = found.get_params(deep=False), type(found).__name__
    if "warm_start" not in known:
        raise Fault(
            f"{path} holds a model of {kind}, which cannot go on where it ended: fit it anew, "
            "without --resume."
        )
    if model is not None and kind not in classes_of(model):
        raise Fault(f"--model {model} contradicts {path}, a model of {kind}; leave --model out.")
    if task not in (None, task_of(found)):
        raise Fault(f"--task {task} contradicts {path}, which learnt {task_of(found)}.")
    if text and list(text) != known.get("text_columns"):
        raise Fault(f"--text {text[0]} contradicts {path}; leave --text out: it knows its columns.")
    given = dict(map(setting, settings))
    check_known(type(found), known, given)
    for name, value in given.items():
        if name not in _FREE and not same(known[name], value):
            raise Fault(
                f"--set {name}={value} contradicts {path}, whose {name} is {known[name]}: a fit "
                "that goes on keeps its parameters, n_estimators apart."
            )
    if seed is not None and seed != (known.get("random_state", seed) or 0):
        raise Fault(
            f"--seed {seed} contradicts {path}, whose random_state is {known['random_state']}; "
            "leave --seed out."
        )
    free = {name: value for name, value in given.items() if name in _FREE}
    free |= {} if threads is None or "n_jobs" not in known else {"n_jobs": threads}
    return found.set_params(**free)


def task_of(model: Any) -> str:
    """What a fitted model has learnt."""
    return CLASSES if hasattr(model, "classes_") else NUMBERS


def target_of(model: Any, path: str, asked: str | None) -> str:
    """The column to learn: the one asked for, or that of the model."""
    target = asked or earlier(model).target
    if target is None:
        raise Fault(f"{path} does not tell which column it has learnt; name it with --target.")
    return target


def rows_to_resume(
    model: Any,
    resumed: str,
    path: str,
    target: str | None,
    weights: str | None,
    ignore: Sequence[str],
    categorical: Sequence[str],
    reading: data.Reading,
) -> data.Rows:
    """The rows of a file as a model knows them."""
    known = data.Knowledge.of(model)
    for name in categorical:
        if known.types.get(name) != "category":
            raise Fault(
                f"--categorical {name} contradicts {resumed}, which does not know such a column of "
                "categories; leave it out: columns are read as the model knows them."
            )
    for name in ignore:
        if name in (known.names or ()):
            raise Fault(f"--ignore {name} contradicts {resumed}, which has learnt from {name!r}.")
    rows = data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    if task_of(model) == CLASSES:
        return rows
    return data.Rows(rows.X, rows.y.astype(np.float64), rows.weights, rows.target)


@dataclass(frozen=True)
class GoingOn:
    """Where a fit takes up: the file, its rounds or members, and the hash of its rows."""

    path: str
    rounds: int
    rows: str | None

    @classmethod
    def of(cls, model: Any, path: str | None) -> GoingOn | None:
        """Where a model stands that comes from a file; None for one that does not."""
        return None if path is None else cls(path, rounds_of(model), earlier(model).rows)

    @contextmanager
    def told_once(self) -> Iterator[None]:
        """Without the warning of a fit on other rows, which ``remarks`` tells by their hash."""
        with warnings.catch_warnings():
            if self.rows is not None:
                warnings.filterwarnings("ignore", "warm_start=True goes on with rows")
            yield

    def remarks(self, model: Any) -> list[str]:
        """On the fitted model: whether the rows were others, or nothing was done."""
        found, now = [], earlier(model).rows
        if None not in (self.rows, now) and self.rows != now:
            found.append(
                f"the rows are not those that {self.path} was fitted on: its first "
                f"{self.rounds:,} rounds have learnt from others."
            )
        if rounds_of(model) == self.rounds:
            ended = str(getattr(model, "stop_reason_", Stop.ROUNDS))
            more = "; ask for more with --set n_estimators=N" * (Stop.of(ended) is Stop.ROUNDS)
            found.append(
                f"no round was added to the {self.rounds:,} of {self.path}: {ended}{more}."
            )
        return found


def rounds_of(model: Any) -> int:
    """How many rounds, or members, a model has."""
    return int(model.n_iter_ if hasattr(model, "n_iter_") else model._n_members)
