"""``weaklearn fit``: the rows, the fit, the evaluation, and the summary."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.messages.warnings import suppressed_warnings
from ..base.offered import fact
from ..callbacks import Checkpoint
from ..intake.id_columns import IdentifierWarning
from ..intake.labels import codes_among
from ..prediction.positive import positive_code
from ..prediction.rows import class_list
from ..production.provenance import name_target
from ..uncertainty.decision_threshold import name_positive
from . import data, data_warnings, fit_summary, held_rows, output, resuming, threshold
from .fault import FAILED, Fault
from .fit_evaluation import evaluate_fit
from .fit_summary import Fitted, counted
from .kept_reading import kept_text, spelling, with_kept
from .model import NUMBERS, TEXTS, reads_of, shaped
from .output import say
from .signals import ignored
from .training_rows import FitOptions, train_and_test


def fit(asked: FitOptions, saved_to: str | None, checkpoint: Kept | None) -> int:
    """Runs ``weaklearn fit``."""
    resume, text, reading, seed = asked.resume, asked.text, asked.reading, asked.seed
    guessed = resume is None and asked.task is None
    if resume is None:
        rows, task = asked.rows()
        chosen = asked.new_model(task)
        _note_texts(chosen, text)
    else:
        chosen = resuming.model_to_resume(resume, asked)
        known = chosen.get_params(deep=False)
        reading = with_kept(chosen, reading)
        task, seed = resuming.task_of(chosen), known.get("random_state", seed)
        text = tuple(known.get("text_columns") or ())
        rows = resuming.rows_to_resume(chosen, resume, replace(asked, text=text, reading=reading))
    columns, n_rows, whole = rows.X.table(), len(rows.y), rows
    rows, test_rows = train_and_test(rows, asked.test, task, seed or 0, reading)
    rows, held = threshold.hold_out(rows, chosen, asked, task)
    rows = replace(rows, reading=kept_text(reading, held_rows.shares(asked, seed or 0)))
    check_settings(chosen, asked.cv, len(rows.y))
    if not asked.as_json:
        fit_summary.show_rows(asked.path, whole, columns, task, guessed)
        if resume is not None:
            say(f"{resume}: going on after {counted(resuming.rounds_of(chosen), 'round')}.")
    of_texts = {} if text else data_warnings.on_texts(whole.X, spelling(reading))
    fitted = fit_rows(chosen, rows, columns, task, checkpoint, text, resume)
    speak_of(fitted, asked.positive)
    if held is not None and asked.threshold is not None:
        fitted.threshold = threshold.tune(fitted.model, held, asked.threshold, text)
    fitted.test = test_rows
    fitted.notes += of_texts.values()
    if task != NUMBERS:
        found = data_warnings.on_target(rows.y, rows.target, spelling(reading))
        fitted.notes += [f"{remark}." for remark in found]
    if not text:
        fitted.notes += data_warnings.on_identifiers(chosen, columns, n_rows, of_texts)
    if saved_to is not None:
        save_model(fitted.model, saved_to)
        fitted.saved = saved_to
    evaluate_fit(fitted, replace(asked, text=text, seed=seed))
    if asked.as_json:
        output.show_json(fit_summary.as_json(fitted, asked.path, asked.n_rules))
    else:
        fit_summary.show(fitted, asked.n_rules)
    return 0


def speak_of(fitted: Fitted, positive: str | None) -> Fitted:
    """Fixes the class that is spoken of in a model of two.

    It is the one asked for, else that of the fit that was resumed, else the rarer one.
    """
    model = fitted.model
    if positive is None and len(class_list(model)) != 2:
        return fitted
    if positive is not None or fitted.positive is None:
        y = np.asarray(fitted.rows.y)
        codes = codes_among(model.classes_, y, len(y), "y") if y.ndim == 1 else None
        fitted.positive = positive_code(model, positive, codes)
    name_positive(model, fitted.positive_label)
    return fitted


def check_settings(model: Any, cv: int | None, n_rows: int) -> None:
    """Refuses parameters and numbers of folds that are not allowed, before the fit."""
    if cv == 1:
        raise Fault("--cv 1 is not allowed: it must be 0, or at least 2.")
    with suppressed_warnings():  # the fit gives them
        model._check_parameters()
    if (cv or 0) > n_rows:
        raise Fault(f"--cv {cv} is not allowed: there are {n_rows:,} rows to learn from.")


def fit_rows(
    model: Any,
    rows: data.Rows,
    columns: Table | None,
    task: str,
    checkpoint: Kept | None,
    text: tuple[str, ...],
    resumed: str | None,
) -> Fitted:
    """Fits a model on rows, or goes on with one that was fitted."""
    earlier = resuming.EarlierFit.of(model, resumed)
    temporary: dict[str, Any] = ({"verbose": 1} if output.is_lively() else {}) | (
        {} if resumed is None else {"warm_start": True}
    )
    if checkpoint is not None:
        temporary["callbacks"] = [checkpoint.callback(model, rows)]
    given = {} if rows.weights is None else {"sample_weight": rows.weights}
    start = time.perf_counter()
    try:
        quiet = nullcontext() if earlier is None else earlier.without_row_warning()
        with _with_parameters(model, temporary), quiet, warnings.catch_warnings():
            warnings.simplefilter("ignore", IdentifierWarning)  # each column gets its own remark
            model.fit(shaped(model, rows.X, text), rows.y, **given)
    except KeyboardInterrupt:
        if checkpoint is not None:
            with ignored():
                checkpoint.save_last(model, rows)
        raise
    name_target(model, rows.target, rows.reading)
    fitted = Fitted(model, rows, columns, task, time.perf_counter() - start)
    if earlier is not None:
        fitted.rounds_before, fitted.notes = earlier.rounds, earlier.warnings(model)
        fitted.positive = earlier.positive
    return fitted


@contextmanager
def _with_parameters(model: Any, wanted: dict[str, Any]) -> Iterator[None]:
    """Context manager: sets the parameters that the model has, and restores them afterwards."""
    known = model.get_params(deep=False)
    model.set_params(**{name: value for name, value in wanted.items() if name in known})
    try:
        yield
    finally:
        model.set_params(**{name: known[name] for name in wanted if name in known})


def _note_texts(model: Any, text: tuple[str, ...]) -> None:
    """Sets the parameter that names the text columns; refuses a model that reads other data."""
    name, reads = type(model).__name__, reads_of(model)
    if text and reads != "texts":
        raise Fault(
            f"--text {text[0]} goes with a model that reads texts ({' or '.join(TEXTS)}), and "
            f"{name} reads none; leave it out, or choose another --model."
        )
    if reads == "texts" and not text:
        raise Fault(f"{name} reads texts: name the columns that hold them by --text.")
    known = model.get_params(deep=False)
    for parameter in ("text_features", "text_columns"):
        if text and parameter in known:
            model.set_params(**{parameter: list(text)})


def save_model(model: Any, path: str) -> None:
    try:
        model.save(path)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror or error}.", FAILED) from None


@dataclass
class Kept:
    """The file that keeps the rounds fitted so far, saved every so many seconds and at the end."""

    path: str
    seconds: float
    _has_failed: bool = False

    def callback(self, model: Any, rows: data.Rows) -> Checkpoint:
        """The callback that saves the model, with the parameters that it has now."""
        known = model.get_params(deep=False)

        def keep(found: Any) -> None:
            found.set_params(**known)
            name_target(found, rows.target, rows.reading)
            try:
                save_model(found, self.path)
            except Fault as fault:  # the fit goes on
                if not self._has_failed:
                    say(f"weaklearn: no checkpoint could be saved: {fault}")
                self._has_failed = True

        return Checkpoint(keep, self.seconds)

    def save_last(self, model: Any, rows: data.Rows) -> None:
        """Saves the rounds of a fit that was interrupted, if there are any."""
        rounds = (fact(model, "ensemble_") is not None and fact(model, "n_iter_")) or 0
        if not rounds:
            say(f"weaklearn: no round was finished, so that nothing is saved in {self.path}.")
            return
        name_target(model, rows.target, rows.reading)
        save_model(model, self.path)
        say(f"weaklearn: the {rounds:,} rounds fitted so far are saved in {self.path}.")
