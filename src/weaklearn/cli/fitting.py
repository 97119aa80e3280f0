"""``weaklearn fit``: the rows, the fit, the evaluation, and the summary."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.sample import take_rows
from ..comparison.task import folds
from ..datasets.data_table import DataTable, brief
from ..datasets.reading import read_table
from ..production.provenance import name_target
from . import data, data_warnings, duplicates, output, resuming
from .certifying import certificate_record, certified
from .evaluation import Evaluation, cross_validated, evaluate, held_out
from .fault import FAILED, Fault
from .model import CLASSES, NUMBERS, TEXTS, made
from .output import say
from .signals import ignored

_FOLDS = 5
_PATIENCE = 60.0  # seconds that folds nobody asked for may take
_CERTIFICATES = 6  # printed


@dataclass
class Fitted:
    """A fitted model and what its summary reports."""

    model: Any
    rows: data.Rows
    columns: Table
    task: str
    seconds: float
    test: data.Rows | None = None
    cross_validation: Evaluation | None = None
    on_test: Evaluation | None = None
    certificates: Any = ()
    saved: str | None = None
    rounds_before: int | None = None
    notes: list[str] = field(default_factory=list)


def fit(
    path: str,
    saved_to: str | None,
    checkpoint: str | None,
    *,
    target: str | None,
    model: str | None,
    settings: tuple[str, ...],
    resume: str | None,
    task: str | None,
    test: str | None,
    cv: int | None,
    weights: str | None,
    ignore: tuple[str, ...],
    categorical: tuple[str, ...],
    text: tuple[str, ...],
    n_rules: int,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn fit``."""
    if cv == 1:
        raise Fault("--cv 1 is not allowed: it must be 0, or at least 2.")
    guessed = resume is None and task is None
    if resume is None:
        assert target is not None
        rows, task = rows_at(path, target, weights, ignore, categorical, text, reading, task)
        chosen = made(model or "adaboost", task, settings, random_state=seed, n_jobs=threads)
        _note_texts(chosen, model or "adaboost", text)
    else:
        chosen = resuming.model_to_resume(
            resume,
            model=model,
            settings=settings,
            task=task,
            text=text,
            seed=seed,
            threads=threads,
        )
        known = chosen.get_params(deep=False)
        task, seed = resuming.task_of(chosen), known.get("random_state", seed)
        text = tuple(known.get("text_columns") or ())
        if text:  # the columns beside are read as they were then
            target = resuming.target_of(chosen, resume, target)
            asked = task if data.target_type(chosen) == "category" else None
            rows, _ = rows_at(path, target, weights, ignore, categorical, text, reading, asked)
        else:
            apart = (weights, ignore, categorical)
            rows = resuming.rows_to_resume(chosen, resume, path, target, *apart, reading)
    assert rows.target is not None
    columns, n_rows = rows.X.table(), len(rows.y)
    if not as_json:
        size = f"{_counted(n_rows, 'row')}, {_counted(rows.X.shape[1], 'column')} to learn from"
        say(f"{path}: {size}; {_target_text(rows.y, task, rows.target, guessed)}.")
        output.show(columns, "Columns")
        if resume is not None:
            say(f"{resume}: going on after {_counted(resuming.rounds_of(chosen), 'round')}.")
    of_texts = {} if text else data_warnings.on_texts(rows.X, data.spelling(reading))
    rows, test_rows = _train_and_test(rows, test, task, seed or 0, reading)
    if (cv or 0) > len(rows.y):
        raise Fault(f"--cv {cv} is not allowed: there are {len(rows.y):,} rows to learn from.")
    fitted = _fit(chosen, rows, columns, task, checkpoint, text, resume)
    fitted.test = test_rows
    fitted.notes += of_texts.values()
    if not text:
        fitted.notes += data_warnings.on_identifiers(chosen, columns, n_rows, of_texts)
    if saved_to is not None:
        _save(fitted.model, saved_to)
        fitted.saved = saved_to
    _evaluate(fitted, cv, seed or 0, text)
    if as_json:
        output.show_json(_as_json(fitted, path, n_rules))
    else:
        _show(fitted, n_rules)
    return 0


# --------------------------------------------------------------------------------------- the rows


def _read(
    path: str,
    target: str,
    weights: str | None,
    ignore: tuple[str, ...],
    categorical: tuple[str, ...],
    text: tuple[str, ...],
    reading: dict[str, Any],
    task: str | None,
) -> DataTable:
    source = data.source_at(path, reading)
    names = data.names_of(source, reading)
    parts = [target, *([weights] if weights else []), *ignore]
    data.check_names(path, names, parts)
    data.check_names(path, names, list(dict.fromkeys([*categorical, *text])))
    types = dict.fromkeys((*categorical, *text), "category")
    types |= {weights: "number"} if weights else {}
    if task is not None:
        types[target] = "number" if task == NUMBERS else "category"
    wanted = [name for name in names if name not in ignore]
    if len(wanted) < 2 + bool(weights):
        raise Fault(f"{path} has no column to learn {target!r} from.")
    types = {name: kind for name, kind in types.items() if name in wanted}
    table = read_table(source, types=types, columns=wanted, **data.words(reading, source))
    if table.column(target).kind == "date":  # classes are called as they are in the file
        types[target] = "category"
        table = read_table(source, types=types, columns=wanted, **data.words(reading, source))
    return table


def _task(table: DataTable, target: str) -> str:
    """Classification, unless the target holds fractions or integers that hardly repeat."""
    from ..comparison import task

    column = table.column(target)
    if column.kind not in ("number", "integer"):
        return CLASSES
    known = column.values.astype(np.float64)
    ranks = np.unique(known, return_inverse=True)[1]  # they repeat alike, and are never too large
    kind = task.kind_of(ranks if (known == np.round(known)).all() else known)
    return NUMBERS if kind == task.NUMBERS else CLASSES


def rows_at(
    path: str,
    target: str,
    weights: str | None,
    ignore: tuple[str, ...],
    categorical: tuple[str, ...],
    text: tuple[str, ...],
    reading: dict[str, Any],
    task: str | None,
) -> tuple[data.Rows, str]:
    """The training rows of a file, and the task: ``CLASSES`` or ``NUMBERS``."""
    table = _read(path, target, weights, ignore, categorical, text, reading, task)
    table = data.with_target(path, table, target, reading)
    task = task or _task(table, target)
    y = table.labels(target)
    if task == NUMBERS:
        y = y.astype(np.float64)
    apart = [target, *([weights] if weights else [])]
    w = None if weights is None else data.amounts(path, table, weights)
    return data.Rows(table.drop(apart), y, w, target), task


def _target_text(y: Any, task: str, target: str, guessed: bool) -> str:
    """A sentence on the target: its range, or its classes and their counts."""
    classes, counts = np.unique(y, return_counts=True)
    if task == NUMBERS:
        either = guessed and bool((y == np.round(y)).all())
        meant = " (--task classes takes each for a class)" * either
        return f"{target!r} holds numbers from {brief(y.min())} to {brief(y.max())}{meant}"
    listed = ", ".join(f"{c} {n:,}" for c, n in list(zip(classes, counts, strict=True))[:6])
    more = f" and {len(classes) - 6} more" * (len(classes) > 6)
    either = guessed and y.dtype.kind in "if" and len(classes) > 2
    meant = " (--task numbers takes them for amounts)" * either
    many = _counted(len(classes), "class", "es")
    return f"{target!r} has {many}{meant}: {listed}{more}"


def _counted(n: int, word: str, ending: str = "s") -> str:
    return f"{n:,} {word}{ending * (n != 1)}"


def _train_and_test(
    rows: data.Rows, test: str | None, task: str, seed: int, reading: dict[str, Any]
) -> tuple[data.Rows, data.Rows | None]:
    """The training rows, and the test rows if there are any."""
    if test is None:
        return rows, None
    share = _share(test)
    if share is None:
        return rows, _test_rows(rows, test, task, reading)
    held = held_out(None if task == NUMBERS else rows.y, len(rows.y), share, seed)
    if not 0 < held.sum() < len(held):
        raise Fault(f"--test {test} leaves no rows to learn from, or none to test on.")
    return _subset(rows, np.flatnonzero(~held)), _subset(rows, np.flatnonzero(held))


def _share(test: str) -> float | None:
    """``--test`` as a share of the rows; None where it names a file."""
    try:
        share = float(test)
    except ValueError:
        return None
    if not 0 < share < 1:
        raise Fault(f"--test {test} is not allowed: a share is above 0 and below 1.")
    return share


def _subset(rows: data.Rows, kept: Any) -> data.Rows:
    w = None if rows.weights is None else rows.weights[kept]
    return data.Rows(take_rows(rows.X, kept), rows.y[kept], w, rows.target)


def _test_rows(rows: data.Rows, path: str, task: str, reading: dict[str, Any]) -> data.Rows:
    """The rows of a test file, read with the column types of the training rows."""
    assert rows.target is not None
    source = data.source_at(path, reading)
    names = data.names_of(source, reading)
    data.check_names(path, names, [*rows.X.names, rows.target])
    types = {name: "number" if kind == "integer" else kind for name, kind in rows.X.kinds.items()}
    types[rows.target] = "number" if rows.y.dtype.kind in "if" else "category"
    table = read_table(source, types=types, columns=list(types), **data.words(reading, source))
    table = data.with_target(path, table, rows.target, reading)
    y = table.labels(rows.target)
    return data.Rows(
        table.drop([rows.target]), y.astype(float) if task == NUMBERS else y, None, rows.target
    )


# ---------------------------------------------------------------------------------------- the fit


def _fit(
    model: Any,
    rows: data.Rows,
    columns: Table,
    task: str,
    checkpoint: str | None,
    text: tuple[str, ...],
    resumed: str | None,
) -> Fitted:
    earlier = resuming.EarlierFit.of(model, resumed)
    temporary = ({"verbose": 1} if output.is_lively() else {}) | (
        {} if resumed is None else {"warm_start": True}
    )
    given = {} if rows.weights is None else {"sample_weight": rows.weights}
    start = time.perf_counter()
    try:
        quiet = nullcontext() if earlier is None else earlier.without_row_warning()
        with _with_parameters(model, temporary), quiet:
            model.fit(shaped(model, rows.X, text), rows.y, **given)
    except KeyboardInterrupt:
        if checkpoint is not None:
            with ignored():
                _save_checkpoint(model, checkpoint, rows.target)
        raise
    name_target(model, rows.target)
    fitted = Fitted(model, rows, columns, task, time.perf_counter() - start)
    if earlier is not None:
        fitted.rounds_before, fitted.notes = earlier.rounds, earlier.warnings(model)
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


def shaped(model: Any, X: DataTable, text: tuple[str, ...]) -> Any:
    """X as a model takes it: a table, or for text models a list of texts or a data frame."""
    if not text:
        return X
    if {"text_features", "text_columns"} & set(model.get_params(deep=False)):
        return X.to_frame()
    if X.names != text:
        raise Fault(
            f"{type(model).__name__} reads one column of texts; leave the others out with --ignore."
        )
    return ["" if value is None else value for value in X[text[0]]]


def _note_texts(model: Any, name: str, text: tuple[str, ...]) -> None:
    """Sets the parameter that names the text columns; refuses a model that reads no texts."""
    if bool(text) != (name in TEXTS):
        raise Fault(
            f"--text goes with a model that reads texts ({' or '.join(TEXTS)}), and such a model "
            "with --text."
        )
    known = model.get_params(deep=False)
    for parameter in ("text_features", "text_columns"):
        if text and parameter in known:
            model.set_params(**{parameter: list(text)})


def _save(model: Any, path: str) -> None:
    try:
        model.save(path)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror or error}.", FAILED) from None


def _save_checkpoint(model: Any, checkpoint: str, target: str | None) -> None:
    """Saves the rounds of a fit that was interrupted, if there are any."""
    rounds = getattr(model, "n_iter_", 0) if hasattr(model, "ensemble_") else 0
    if not rounds:
        say(f"weaklearn: no round was finished, so that nothing is saved in {checkpoint}.")
        return
    name_target(model, target)
    _save(model, checkpoint)
    say(f"weaklearn: the {rounds:,} rounds fitted so far are saved in {checkpoint}.")


def _evaluate(fitted: Fitted, cv: int | None, seed: int, text: tuple[str, ...]) -> None:
    """Adds the metrics on test rows and on folds, and the certificates, to ``fitted``."""
    model, rows = fitted.model, fitted.rows
    if fitted.test is not None:
        found = evaluate(model, shaped(model, fitted.test.X, text), fitted.test.y, fitted.task)
        train_keys, test_keys = duplicates.keys(rows, fitted.test)
        fitted.on_test = replace(found, n_duplicates=int(np.isin(test_keys, train_keys).sum()))
    n_folds = _FOLDS if cv is None and fitted.test is None else (cv or 0)
    least = len(rows.y) if fitted.task == NUMBERS else min(np.unique(rows.y, return_counts=True)[1])
    if cv is None and n_folds > least:
        few = "there are" if fitted.task == NUMBERS else "some class has"
        few = f"{few} only {_counted(int(least), 'row')}"
        fitted.notes.append(f"no cross-validation: {few}; ask for it with --cv 2.")
        n_folds = 0
    elif cv is None and n_folds and fitted.rounds_before is not None:
        fitted.notes.append(
            "no cross-validation: every fold is fitted from the first round on; ask for it with "
            f"--cv {n_folds}."
        )
        n_folds = 0
    elif cv is None and n_folds * fitted.seconds > _PATIENCE:
        fitted.notes.append(
            f"no cross-validation: the fit took {fitted.seconds:.0f} s; ask for it with --cv "
            f"{n_folds}."
        )
        n_folds = 0
    if n_folds:
        splits = folds(None if fitted.task == NUMBERS else rows.y, len(rows.y), n_folds, seed)
        found = cross_validated(
            model, shaped(model, rows.X, text), rows.y, rows.weights, fitted.task, splits, seed
        )
        leaked = duplicates.n_leaked(duplicates.keys(rows)[0], splits)
        fitted.cross_validation = replace(found, n_duplicates=leaked)
    fitted.notes += data_warnings.on_duplicates(
        {"folds": fitted.cross_validation, "test rows": fitted.on_test}
    )
    if hasattr(model, "certify") and not text:
        fitted.certificates = _certificates(fitted)


def _certificates(fitted: Fitted) -> Any:
    rows, test = fitted.rows, fitted.test
    given: dict[str, Any] = {"X": rows.X, "y": rows.y}
    if test is not None:
        given |= {"X_test": test.X, "y_test": test.y}
    if rows.weights is not None:
        given["sample_weight"] = rows.weights
    try:
        found = certified(fitted.model, given)
    except (ValueError, TypeError) as error:  # a ``certify`` that takes other arguments
        fitted.notes.append(f"no guarantees: {error}")
        return ()
    if len(found) and not _informative(found):
        fitted.notes.append(
            f"no guarantees: all {len(found)} certificates are vacuous or do not apply to this "
            "model; weaklearn certify prints why."
        )
    return found


def _informative(certificates: Any) -> list[Any]:
    """The certificates that apply and whose bounds are not vacuous."""
    return [c for c in certificates if c.applies and not c.vacuous]


# ------------------------------------------------------------------------------------- the summary


def _summary(fitted: Fitted) -> dict[str, Any]:
    """The values of the table "Model", by name."""
    model, rows = fitted.model, fitted.rows
    summary: dict[str, Any] = {
        "model": type(model).__name__,
        "rows": len(rows.y),
        "features": rows.X.shape[1],
    }
    if fitted.rounds_before is not None:
        summary["rounds before"] = fitted.rounds_before
    if hasattr(model, "n_iter_"):
        summary["rounds"] = model.n_iter_
    if hasattr(model, "stop_reason_"):
        summary["stop reason"] = model.stop_reason_
    summary["seconds"] = round(fitted.seconds, 3)
    summary["fingerprint"] = model.fingerprint() if hasattr(model, "fingerprint") else None
    summary["saved as"] = fitted.saved
    return summary


def _show(fitted: Fitted, n_rules: int) -> None:
    model = fitted.model
    summary = {key: value for key, value in _summary(fitted).items() if value is not None}
    output.show(Table("summary", ["", "value"], list(summary.items()), shown=30), "Model")
    parts = {"folds": fitted.cross_validation, "test": fitted.on_test}
    lines = [line for name, part in parts.items() if part for line in part.lines(name)]
    if lines:
        names = ["measured on", "metric", "value", "standard error", "rows"]
        output.show(Table("error", names, lines, shown=30), "Evaluation")
    table = first_rules(model, n_rules)
    if table is not None and n_rules:
        output.show(table, "First rules" if hasattr(model, "rules") else "Feature importances")
    if _informative(fitted.certificates):
        output.show(guarantees(fitted.certificates), "Guarantees")
    for note in fitted.notes:
        say(note)
    if fitted.saved is None:
        say("The model was not saved: name a file with -o, such as -o model.weak.")
    else:
        size = os.path.getsize(fitted.saved)
        say(f"Saved as {fitted.saved} ({size:,} bytes).")


def first_rules(model: Any, n: int) -> Table | None:
    """The first rules of a model, or its most important columns where it has none."""
    if hasattr(model, "rules"):
        table: Table = model.rules(n)
        return Table(table.title, table.columns, table.rows[:n], table.note, shown=max(3, n))
    if not hasattr(model, "feature_importances_"):
        return None
    shares = np.asarray(model.feature_importances_)
    names = getattr(model, "feature_names_in_", [f"column {j}" for j in range(len(shares))])
    order = np.argsort(-shares, kind="stable")[:n]
    rows = [(str(names[j]), float(shares[j])) for j in order]
    return Table("importances", ["column", "importance"], rows, shown=max(3, n))


def guarantees(certificates: Any) -> Table:
    """The table of the first certificates that apply and are not vacuous."""
    informative = _informative(certificates)[:_CERTIFICATES]
    rows = [(c.id, c.statement, c.observed, c.bound, c.verdict) for c in informative]
    left = len(certificates) - len(rows)
    note = getattr(certificates, "note", "")
    note += f"; {left} more are weaker or do not apply: weaklearn certify shows them" * bool(left)
    columns = ["id", "guarantee", "observed", "bound", "verdict"]
    return Table("guarantees", columns, rows, note.removeprefix("; "), shown=30)


def _as_json(fitted: Fitted, path: str, n_rules: int) -> dict[str, Any]:
    model = fitted.model
    rules = first_rules(model, n_rules)
    parts = {"cross_validation": fitted.cross_validation, "test": fitted.on_test}
    return {
        "data": path,
        "target": fitted.rows.target,
        "task": fitted.task,
        "classes": getattr(model, "classes_", None),
        "columns": output.records(fitted.columns),
        **{key.replace(" ", "_"): value for key, value in _summary(fitted).items()},
        "parameters": model.get_params(deep=False),
        **{name: None if part is None else part.record() for name, part in parts.items()},
        "rules": None if rules is None else output.records(rules),
        "certificates": [certificate_record(c) for c in fitted.certificates],
        "notes": fitted.notes,
    }
