"""A model fitted from a table: the rows, the fit, what is known of its error, and the summary."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.sample import take_rows
from ..comparison.task import folds
from ..datasets.data_table import DataTable, brief
from ..datasets.reading import read_table
from ..production.provenance import name_target
from . import data, data_warnings, duplicates, output, resuming
from .evaluation import Tried, cross_validated, held_out, measured
from .fault import FAILED, Fault
from .model import CLASSES, NUMBERS, TEXTS, made
from .output import say
from .signals import undisturbed

_FOLDS = 5
_PATIENCE = 60.0  # seconds that folds nobody asked for may take
_CERTIFICATES = 6  # printed


@dataclass
class Fitted:
    """A model and all that the summary tells of it."""

    model: Any
    rows: data.Rows
    columns: Table
    task: str
    seconds: float
    test: data.Rows | None = None
    cross_validation: Tried | None = None
    on_test: Tried | None = None
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
        said = f"{path}: {_counted(n_rows, 'row')}, {_counted(rows.X.shape[1], 'column')} to learn"
        say(f"{said} from; {_described(rows.y, task, rows.target, guessed)}.")
        output.show(columns, "Columns")
        if resume is not None:
            say(f"{resume}: going on after {_counted(resuming.rounds_of(chosen), 'round')}.")
    of_texts = {} if text else data_warnings.on_texts(rows.X, data.spelling(reading))
    rows, held_out = _parted(rows, test, task, seed or 0, reading)
    if (cv or 0) > len(rows.y):
        raise Fault(f"--cv {cv} is not allowed: there are {len(rows.y):,} rows to learn from.")
    fitted = _fit(chosen, rows, columns, task, checkpoint, text, resume)
    fitted.test = held_out
    fitted.notes += of_texts.values()
    if not text:
        fitted.notes += data_warnings.on_names(chosen, columns, n_rows, of_texts)
    if saved_to is not None:
        _save(fitted.model, saved_to)
        fitted.saved = saved_to
    _judge(fitted, cv, seed or 0, text)
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
    """Classes, unless the target holds fractions or whole numbers that hardly repeat."""
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
    """The rows of a file to learn from, and whether they are of classes or of numbers."""
    table = _read(path, target, weights, ignore, categorical, text, reading, task)
    table = data.with_target(path, table, target, reading)
    task = task or _task(table, target)
    y = table.labels(target)
    if task == NUMBERS:
        y = y.astype(np.float64)
    apart = [target, *([weights] if weights else [])]
    w = None if weights is None else data.amounts(path, table, weights)
    return data.Rows(table.drop(apart), y, w, target), task


def _described(y: Any, task: str, target: str, guessed: bool) -> str:
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


def _parted(
    rows: data.Rows, test: str | None, task: str, seed: int, reading: dict[str, Any]
) -> tuple[data.Rows, data.Rows | None]:
    """The rows to learn from, and those to test on."""
    if test is None:
        return rows, None
    share = _share(test)
    if share is None:
        return rows, _test_rows(rows, test, task, reading)
    held = held_out(None if task == NUMBERS else rows.y, len(rows.y), share, seed)
    if not 0 < held.sum() < len(held):
        raise Fault(f"--test {test} leaves no rows to learn from, or none to test on.")
    return _taken(rows, np.flatnonzero(~held)), _taken(rows, np.flatnonzero(held))


def _share(test: str) -> float | None:
    """A share of the rows, where that is what was given."""
    try:
        share = float(test)
    except ValueError:
        return None
    if not 0 < share < 1:
        raise Fault(f"--test {test} is not allowed: a share is above 0 and below 1.")
    return share


def _taken(rows: data.Rows, kept: Any) -> data.Rows:
    w = None if rows.weights is None else rows.weights[kept]
    return data.Rows(take_rows(rows.X, kept), rows.y[kept], w, rows.target)


def _test_rows(rows: data.Rows, path: str, task: str, reading: dict[str, Any]) -> data.Rows:
    """The rows of another file, read as those to learn from were."""
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
    going_on = resuming.GoingOn.of(model, resumed)
    for_now = ({"verbose": 1} if output.is_lively() else {}) | (
        {} if resumed is None else {"warm_start": True}
    )
    given = {} if rows.weights is None else {"sample_weight": rows.weights}
    start = time.perf_counter()
    try:
        with _set(model, for_now), nullcontext() if going_on is None else going_on.told_once():
            model.fit(shaped(model, rows.X, text), rows.y, **given)
    except KeyboardInterrupt:
        if checkpoint is not None:
            with undisturbed():
                _keep(model, checkpoint, rows.target)
        raise
    name_target(model, rows.target)
    fitted = Fitted(model, rows, columns, task, time.perf_counter() - start)
    if going_on is not None:
        fitted.rounds_before, fitted.notes = going_on.rounds, going_on.remarks(model)
    return fitted


@contextmanager
def _set(model: Any, wanted: dict[str, Any]) -> Iterator[None]:
    """Parameters for a while, of those that a model has."""
    known = model.get_params(deep=False)
    model.set_params(**{name: value for name, value in wanted.items() if name in known})
    try:
        yield
    finally:
        model.set_params(**{name: known[name] for name in wanted if name in known})


def shaped(model: Any, X: DataTable, text: tuple[str, ...]) -> Any:
    """X as a model wants it: the one column of texts, or a frame, for those that read texts."""
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
    """Tells a model which columns are texts; refuses one that reads none."""
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


def _keep(model: Any, checkpoint: str, target: str | None) -> None:
    """Saves the rounds of a fit that was interrupted, if there are any."""
    rounds = getattr(model, "n_iter_", 0) if hasattr(model, "ensemble_") else 0
    if not rounds:
        say(f"weaklearn: nothing was learnt yet that could be kept in {checkpoint}.")
        return
    name_target(model, target)
    _save(model, checkpoint)
    say(f"weaklearn: the {rounds:,} rounds played so far are kept in {checkpoint}.")


def _judge(fitted: Fitted, cv: int | None, seed: int, text: tuple[str, ...]) -> None:
    """What is known of the error: on folds, on test rows, and by theorems."""
    model, rows = fitted.model, fitted.rows
    if fitted.test is not None:
        tried = measured(model, shaped(model, fitted.test.X, text), fitted.test.y, fitted.task)
        learnt, tested = duplicates.keys(rows, fitted.test)
        fitted.on_test = replace(tried, n_twins=int(np.isin(tested, learnt).sum()))
    n_folds = _FOLDS if cv is None and fitted.test is None else (cv or 0)
    least = len(rows.y) if fitted.task == NUMBERS else min(np.unique(rows.y, return_counts=True)[1])
    if cv is None and n_folds > least:
        few = "there are" if fitted.task == NUMBERS else "some class has"
        few = f"{few} only {_counted(int(least), 'row')}"
        fitted.notes.append(f"no folds: {few}; ask for some with --cv 2.")
        n_folds = 0
    elif cv is None and n_folds and fitted.rounds_before is not None:
        fitted.notes.append(f"no folds: these begin anew; ask for them with --cv {n_folds}.")
        n_folds = 0
    elif cv is None and n_folds * fitted.seconds > _PATIENCE:
        fitted.notes.append(
            f"no folds: the fit took {fitted.seconds:.0f} s; ask for them with --cv {n_folds}."
        )
        n_folds = 0
    if n_folds:
        splits = folds(None if fitted.task == NUMBERS else rows.y, len(rows.y), n_folds, seed)
        tried = cross_validated(
            model, shaped(model, rows.X, text), rows.y, rows.weights, fitted.task, splits, seed
        )
        twins = duplicates.learnt_and_tested(duplicates.keys(rows)[0], splits)
        fitted.cross_validation = replace(tried, n_twins=twins)
    fitted.notes += data_warnings.on_twins(
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
    except (ValueError, TypeError) as error:  # a model that certifies otherwise is told apart
        fitted.notes.append(f"no guarantees: {error}")
        return ()
    if len(found) and not _telling(found):
        fitted.notes.append(
            f"no guarantees: none of the {len(found)} that were tried says anything of this model; "
            "weaklearn certify tells why."
        )
    return found


def certified(model: Any, given: dict[str, Any]) -> Any:
    """The certificates of a model; those that take no weights say nothing of weighted rows."""
    if "sample_weight" in given and "sample_weight" not in signature(model.certify).parameters:
        given = {key: given[key] for key in given if key not in ("X", "y", "sample_weight")}
    return model.certify(**given)


def _telling(certificates: Any) -> list[Any]:
    """Those that say something."""
    return [c for c in certificates if c.applies and not c.vacuous]


# ------------------------------------------------------------------------------------- the summary


def _facts(fitted: Fitted) -> dict[str, Any]:
    model, rows = fitted.model, fitted.rows
    facts: dict[str, Any] = {
        "model": type(model).__name__,
        "rows": len(rows.y),
        "features": rows.X.shape[1],
    }
    if fitted.rounds_before is not None:
        facts["rounds before"] = fitted.rounds_before
    if hasattr(model, "n_iter_"):
        facts["rounds"] = model.n_iter_
    if hasattr(model, "stop_reason_"):
        facts["ended by"] = model.stop_reason_
    facts["seconds"] = round(fitted.seconds, 3)
    facts["fingerprint"] = model.fingerprint() if hasattr(model, "fingerprint") else None
    facts["saved as"] = fitted.saved
    return facts


def _show(fitted: Fitted, n_rules: int) -> None:
    model = fitted.model
    facts = {key: value for key, value in _facts(fitted).items() if value is not None}
    output.show(Table("summary", ["", "value"], list(facts.items()), shown=30), "Model")
    told = {"folds": fitted.cross_validation, "test": fitted.on_test}
    lines = [line for name, tried in told.items() if tried for line in tried.lines(name)]
    if lines:
        names = ["measured on", "measure", "value", "standard error", "rows"]
        output.show(Table("error", names, lines, shown=30), "How good it is")
    table = first_rules(model, n_rules)
    if table is not None and n_rules:
        output.show(table, "First rules" if hasattr(model, "rules") else "What matters most")
    if _telling(fitted.certificates):
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
        try:
            table: Table = model.rules(n)
        except TypeError:  # all of them at once
            table = model.rules()
        return Table(table.title, table.columns, table.rows[:n], table.note, shown=max(3, n))
    if not hasattr(model, "feature_importances_"):
        return None
    shares = np.asarray(model.feature_importances_)
    names = getattr(model, "feature_names_in_", [f"column {j}" for j in range(len(shares))])
    order = np.argsort(-shares, kind="stable")[:n]
    rows = [(str(names[j]), float(shares[j])) for j in order]
    return Table("importances", ["column", "importance"], rows, shown=max(3, n))


def guarantees(certificates: Any) -> Table:
    """The certificates that say something, the strongest first."""
    telling = _telling(certificates)[:_CERTIFICATES]
    rows = [(c.id, c.statement, c.observed, c.bound, c.verdict) for c in telling]
    left = len(certificates) - len(rows)
    note = getattr(certificates, "note", "")
    note += f"; {left} more say less or nothing: weaklearn certify shows them" * bool(left)
    columns = ["id", "guarantee", "observed", "bound", "verdict"]
    return Table("guarantees", columns, rows, note.removeprefix("; "), shown=30)


def _as_json(fitted: Fitted, path: str, n_rules: int) -> dict[str, Any]:
    model = fitted.model
    rules = first_rules(model, n_rules)
    told = {"cross_validation": fitted.cross_validation, "test": fitted.on_test}
    return {
        "data": path,
        "target": fitted.rows.target,
        "task": fitted.task,
        "classes": getattr(model, "classes_", None),
        "columns": output.records(fitted.columns),
        **{key.replace(" ", "_"): value for key, value in _facts(fitted).items()},
        "parameters": model.get_params(deep=False),
        **{name: None if tried is None else tried.facts() for name, tried in told.items()},
        "rules": None if rules is None else output.records(rules),
        "certificates": [certificate_facts(c) for c in fitted.certificates],
        "notes": fitted.notes,
    }


def certificate_facts(c: Any) -> dict[str, Any]:
    return {
        "id": c.id,
        "statement": c.statement,
        "source": c.source,
        "about": c.about,
        "applies": c.applies,
        "holds": c.holds,
        "vacuous": c.vacuous,
        "observed": c.observed,
        "bound": c.bound,
        "lower": c.lower,
        "delta": c.delta,
        "note": c.note,
        "assumed": list(c.assumed),
    }
