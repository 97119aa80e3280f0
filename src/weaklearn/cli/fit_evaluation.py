"""What ``weaklearn fit`` measures of a fitted model: on folds, on test rows, and by theorems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import offers
from ..comparison.trial import folds
from ..registry import row_of
from . import data_warnings, duplicates
from .certifying import certified
from .evaluation import ERROR, RECALL, RMSE, Evaluation, cross_validated, evaluate, hardly_better
from .fit_summary import Fitted, counted, informative
from .model import NUMBERS, SIMPLER, made, setting, shaped
from .training_rows import FitOptions

_HARD_TO_READ = ("gradient", "strong")  # by their names on the command line
_FOLDS = 5
_PATIENCE = 60.0  # seconds that folds nobody asked for may take
_CLEARLY = 0.02  # of a figure whose standard error is unknown: a difference that counts


def evaluate_fit(fitted: Fitted, asked: FitOptions) -> None:
    """Adds the metrics on test rows and on folds, and certificates, to ``fitted``."""
    n_folds = _number_of_folds(fitted, asked.cv)
    simple = _simpler(fitted, asked) if n_folds or fitted.test is not None else None
    if fitted.test is not None:
        fitted.on_test = _on_test(fitted, simple, asked.text)
    if n_folds:
        fitted.cross_validation = _on_folds(fitted, simple, n_folds, asked)
    judged = fitted.on_test or fitted.cross_validation
    if judged is not None:
        tuned = fitted.threshold is not None
        hardly = hardly_better(judged, fitted.positive_label, tuned)
        notes = (hardly, _simpler_is_better(judged))
        fitted.notes += [note for note in notes if note is not None]
    fitted.notes += data_warnings.on_duplicates(
        {"folds": fitted.cross_validation, "test rows": fitted.on_test}
    )
    if asked.guarantees:
        fitted.certificates = _certificates(fitted, asked.repeats)


def _simpler(fitted: Fitted, asked: FitOptions) -> Any:
    """The simpler model, fitted, that is measured beside one that is hard to read; or None."""
    row = row_of(type(fitted.model))
    if row is None or row.command not in _HARD_TO_READ or asked.resume is not None or asked.text:
        return None
    if fitted.task == NUMBERS and "loss" in dict(map(setting, asked.settings)):
        return None  # what is learnt is perhaps no mean
    found = made(SIMPLER, fitted.task, (), random_state=asked.seed, n_jobs=asked.threads)
    weights = {} if fitted.rows.weights is None else {"sample_weight": fitted.rows.weights}
    with suppressed_warnings():  # what is to be said of the rows, the model itself said
        return found.fit(fitted.rows.X, fitted.rows.y, **weights)


def _on_test(fitted: Fitted, simple: Any, text: tuple[str, ...]) -> Evaluation:
    """The metrics on the test rows, with those of the simpler model."""
    rows, test = fitted.rows, fitted.test
    assert test is not None
    learnt = rows.y, rows.weights

    def found(model: Any) -> Evaluation:
        X = shaped(model, test.X, text)
        return evaluate(model, X, test.y, fitted.task, learnt, fitted.positive)

    train_keys, test_keys = duplicates.keys(rows, test)
    result = replace(found(fitted.model), n_duplicates=int(np.isin(test_keys, train_keys).sum()))
    return result if simple is None else replace(result, simpler=found(simple).metrics)


def _on_folds(fitted: Fitted, simple: Any, n_folds: int, asked: FitOptions) -> Evaluation:
    """The metrics on folds, with those of the simpler model on the same folds."""
    rows, seed = fitted.rows, asked.seed or 0
    splits = folds(None if fitted.task == NUMBERS else rows.y, len(rows.y), n_folds, seed)

    def found(model: Any) -> Evaluation:
        X = shaped(model, rows.X, asked.text)
        given = X, rows.y, rows.weights, fitted.task, splits, seed
        return cross_validated(model, *given, fitted.positive)

    leaked = duplicates.n_leaked(duplicates.keys(rows)[0], splits)
    result = replace(found(fitted.model), n_duplicates=leaked)
    return result if simple is None else replace(result, simpler=found(simple).metrics)


def _simpler_is_better(judged: Evaluation) -> str | None:
    """The remark where the simpler model does clearly better."""
    metric = ERROR if ERROR in judged.metrics else RMSE
    ours, theirs = judged.metrics.get(metric), judged.simpler.get(metric)
    if ours is None or theirs is None or RECALL in judged.metrics:  # a threshold changes errors
        return None
    if ours - theirs <= judged.errors.get(metric, _CLEARLY * ours):
        return None
    return (
        f"a simpler model does better here: the {metric} of --model {SIMPLER} is {theirs:.3g}, "
        f"instead of {ours:.3g}."
    )


def _number_of_folds(fitted: Fitted, cv: int | None) -> int:
    """The folds to run: those asked for, or the usual ones where nothing speaks against them."""
    rows, notes = fitted.rows, fitted.notes
    if cv is not None or fitted.test is not None:
        return cv or 0
    by_class = fitted.task != NUMBERS
    least = int(min(np.unique(rows.y, return_counts=True)[1])) if by_class else len(rows.y)
    if least < _FOLDS:
        few = f"{'some class has' if by_class else 'there are'} only {counted(least, 'row')}"
        notes.append(f"no cross-validation: {few}; ask for it with --cv 2.")
        return 0
    if fitted.rounds_before is not None:
        notes.append(
            "no cross-validation: every fold is fitted from the first round on; ask for it with "
            f"--cv {_FOLDS}."
        )
        return 0
    if _FOLDS * fitted.seconds > _PATIENCE:
        notes.append(
            f"no cross-validation: the fit took {fitted.seconds:.0f} s; ask for it with --cv "
            f"{_FOLDS}."
        )
        return 0
    return _FOLDS


def _certificates(fitted: Fitted, repeats: str) -> Any:
    rows, test, model = fitted.rows, fitted.test, fitted.model
    if not offers(model, "certify"):
        fitted.notes.append(f"no guarantees: no theorem is known of {type(model).__name__}.")
        return ()
    given: dict[str, Any] = {"X": rows.X, "y": rows.y, "repeats": repeats}
    if test is not None:
        given |= {"X_test": test.X, "y_test": test.y}
    if rows.weights is not None:
        given["sample_weight"] = rows.weights
    try:
        found = certified(model, given)
    except (ValueError, TypeError) as error:  # a ``certify`` that takes other arguments
        fitted.notes.append(f"no guarantees: {error}")
        return ()
    if len(found) and not informative(found):
        fitted.notes.append(
            f"no guarantees: all {len(found)} certificates are vacuous or do not apply to this "
            "model; weaklearn certify prints why."
        )
    return found
