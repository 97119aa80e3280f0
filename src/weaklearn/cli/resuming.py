"""``weaklearn fit --resume``: a warm start from a model file, with its columns and parameters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.booster import Stop
from ..base.offered import fact
from ..estimators.trees.averaged_ensemble import Averaging
from ..intake.parameters import same
from ..prediction import rows
from ..production.provenance import provenance_of
from . import data
from .fault import Fault
from .model import CLASSES, NUMBERS, check_known, classes_of, setting
from .training_rows import FitOptions, Training

_FREE = ("n_estimators", "n_jobs", "verbose")  # parameters that a resumed fit may change


def model_to_resume(path: str, asked: FitOptions) -> Any:
    """The model of a file with the new number of rounds; options that contradict it are refused."""
    found = data.model_at(path)
    known, kind = found.get_params(deep=False), type(found).__name__
    if "warm_start" not in known:
        raise Fault(
            f"{path} holds a model of {kind}, which has no warm start: fit it anew, without "
            "--resume."
        )
    if asked.model is not None and kind not in classes_of(asked.model):
        raise Fault(
            f"--model {asked.model} contradicts {path}, a model of {kind}; leave --model out."
        )
    if asked.task not in (None, task_of(found)):
        raise Fault(f"--task {asked.task} contradicts {path}, which learnt {task_of(found)}.")
    if asked.text and list(asked.text) != known.get("text_columns"):
        raise Fault(
            f"--text {asked.text[0]} contradicts {path}; leave --text out: it knows its columns."
        )
    given = dict(map(setting, asked.settings))
    check_known(type(found), known, given)
    for name, value in given.items():
        if name not in _FREE and not same(known[name], value):
            raise Fault(
                f"--set {name}={value} contradicts {path}, whose {name} is {known[name]}: a "
                "resumed fit keeps its parameters, except for n_estimators."
            )
    seed = asked.seed
    if seed is not None and seed != (known.get("random_state", seed) or 0):
        raise Fault(
            f"--seed {seed} contradicts {path}, whose random_state is {known['random_state']}; "
            "leave --seed out."
        )
    free = {name: value for name, value in given.items() if name in _FREE}
    free |= {} if asked.threads is None or "n_jobs" not in known else {"n_jobs": asked.threads}
    return found.set_params(**free)


def task_of(model: Any) -> str:
    """The task of a fitted model: ``CLASSES`` or ``NUMBERS``."""
    return NUMBERS if rows.classes_of(model) is None else CLASSES


def target_of(model: Any, resumed: str, asked: str | None) -> str:
    """The target that was asked for, by default that of the model."""
    target = asked or provenance_of(model).target
    if target is None:
        raise Fault(f"{resumed} does not store the name of its target; name it with --target.")
    return target


def rows_to_resume(model: Any, resumed: str, asked: Training) -> data.Rows:
    """The training rows of a file, read with the column types of the model."""
    if asked.text:  # the columns beside are read as they were then
        target = target_of(model, resumed, asked.target)
        task = task_of(model) if data.target_type(model) == "category" else None
        return replace(asked, target=target, task=task).rows()[0]
    known = data.KnownColumns.of(model)
    for name in asked.categorical:
        if known.types.get(name) != "category":
            raise Fault(
                f"--categorical {name} contradicts {resumed}, which has no such categorical "
                "column; leave it out: columns have the types of the model."
            )
    for name in asked.ignore:
        if name in (known.names or ()):
            raise Fault(f"--ignore {name} contradicts {resumed}, which has learnt from {name!r}.")
    rows = data.rows_for(
        model,
        asked.path,
        asked.reading,
        target=asked.target,
        weights=asked.weights,
        ignore=asked.ignore,
    )
    if task_of(model) == CLASSES:
        return rows
    return data.Rows(rows.X, rows.y.astype(np.float64), rows.weights, rows.target)


@dataclass(frozen=True)
class EarlierFit:
    """The fit to continue: its file, its number of rounds or members, the hash of its rows.

    ``positive`` is the place of the class that the model speaks of, where it was given one.
    """

    path: str
    rounds: int
    rows: str | None
    positive: int | None

    @classmethod
    def of(cls, model: Any, path: str | None) -> EarlierFit | None:
        """The fit of a model that was read from a file; None for a new model."""
        if path is None:
            return None
        return cls(path, rounds_of(model), provenance_of(model).rows, model._positive)

    @contextmanager
    def without_row_warning(self) -> Iterator[None]:
        """Context manager: hides the warning about other rows, which ``warnings`` gives by hash."""
        with warnings.catch_warnings():
            if self.rows is not None:
                warnings.filterwarnings("ignore", "warm_start=True goes on with rows")
            yield

    def warnings(self, model: Any) -> list[str]:
        """Warnings after the fit: that the rows were others, or that no round was added."""
        found, now = [], provenance_of(model).rows
        if None not in (self.rows, now) and self.rows != now:
            found.append(
                f"the rows are not the training rows of {self.path}: its first {self.rounds:,} "
                "rounds were fitted on others."
            )
        if rounds_of(model) == self.rounds:
            ended = str(fact(model, "stop_reason_") or Stop.ROUNDS)
            more = "; ask for more with --set n_estimators=N" * (Stop.of(ended) is Stop.ROUNDS)
            found.append(
                f"no round was added to the {self.rounds:,} of {self.path}: {ended}{more}."
            )
        return found


def rounds_of(model: Any) -> int:
    """The number of rounds, or members, of a model."""
    return int(model._n_members if isinstance(model, Averaging) else model.n_iter_)
