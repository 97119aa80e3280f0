"""``weaklearn fit`` where rows stay in their files: every pass reads them anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..comparison.trial import folds
from ..datasets.data_table import DataColumn, DataTable
from ..intake.dataset_table import opened
from ..intake.labels import read_labels, read_target
from . import data, fit_summary, output, resuming
from .evaluation import cross_validated, evaluate
from .fault import Fault
from .fit_summary import Fitted
from .fitting import Kept, check_settings, fit_rows, save_model, speak_of
from .model import CLASSES, NUMBERS
from .output import say
from .parquet_files import dataset_of, files_in
from .training_rows import FitOptions, share_of, task_of, train_and_test

_REFUSED = {
    "text": "read the texts in Python, and fit on them in memory",
    "missing": "write missing values as nulls",
    "dates": "write dates as a column of dates",
    "skip_unlabelled": "write the labelled rows to files of their own",
    "threshold": "choose it with tune_threshold in Python, on rows of another file",
    "guarantees": "weaklearn certify prints them, of rows in memory",
}


def fit_on_disk(
    paths: Sequence[str], asked: FitOptions, saved_to: str | None, checkpoint: Kept | None
) -> int:
    """Runs ``weaklearn fit`` on files larger than memory."""
    given = {"text": asked.text, "threshold": asked.threshold, "guarantees": asked.guarantees}
    given |= asked.reading
    for name, remedy in _REFUSED.items():
        if given.get(name):
            raise Fault(
                f"--{name.replace('_', '-')} is not possible where rows stay in their files, as "
                f"those of several files do: {remedy}."
            )
    files, chosen = files_in(paths), None
    dataset, resume = dataset_of(files, asked.ignore), asked.resume
    target, task, weights, seed = asked.target, asked.task, asked.weights, asked.seed
    if resume is not None:
        chosen = resuming.model_to_resume(resume, asked)
        target, task = resuming.target_of(chosen, resume, target), resuming.task_of(chosen)
        seed = chosen.get_params(deep=False).get("random_state", seed)
    assert target is not None
    data.check_names(files[0], dataset.schema.names, [target, *([weights] if weights else [])])
    names = None if chosen is None else chosen._schema.names
    if chosen is None:
        task = task or _task(dataset, target)
        chosen = asked.new_model(task)
        if asked.categorical:
            chosen.set_params(categorical_features=list(asked.categorical))
    assert task is not None
    shown = type(chosen).__name__ if output.is_lively() else ""
    rows = _rows(dataset, target, weights, task, shown, names)
    rows, test_rows = _divided(rows, asked.test, task, seed or 0)
    check_settings(chosen, asked.cv, len(rows.y))
    fitted = fit_rows(chosen, rows, None, task, checkpoint, (), resume)
    fitted.test = test_rows
    speak_of(fitted, asked.positive)
    if saved_to is not None:
        save_model(fitted.model, saved_to)
        fitted.saved = saved_to
    _evaluate(fitted, asked.cv, seed or 0)
    if asked.as_json:
        output.show_json(_record(fitted, len(files)))
    else:
        _show(fitted, len(files))
    return 0


def _rows(
    dataset: Any,
    target: str,
    weights: str | None,
    task: str,
    shown: str,
    names: Sequence[str] | None,
) -> data.Rows:
    """The rows of a dataset, which stay there, with their labels and weights."""
    roles = {"y": target, "sample_weight": weights}
    X, (y, w) = opened(dataset, roles, features=names, shown=shown)
    if task == NUMBERS:
        labels = read_target(y, len(X))
    else:
        classes, codes = read_labels(y, len(X))
        labels = classes[codes]
    return data.Rows(X, labels, None if w is None else w.to_numpy(), target)


def _divided(
    rows: data.Rows, test: str | None, task: str, seed: int
) -> tuple[data.Rows, data.Rows | None]:
    """The training rows, and those of ``--test``: a share, or other files."""
    if test is None or share_of(test) is not None:
        return train_and_test(rows, test, task, seed, {})
    assert rows.target is not None
    beside = dataset_of(files_in([test]), ())
    return rows, _rows(beside, rows.target, None, task, "", rows.X.names)


def _evaluate(fitted: Fitted, cv: int | None, seed: int) -> None:
    """Adds the metrics on test rows and on folds, each of which reads the files anew."""
    model, rows, task = fitted.model, fitted.rows, fitted.task
    if fitted.test is not None:
        learnt = rows.y, rows.weights
        fitted.on_test = evaluate(
            model, fitted.test.X, fitted.test.y, task, learnt, fitted.positive
        )
    if cv:
        splits = folds(None if task == NUMBERS else rows.y, len(rows.y), cv, seed)
        X = replace(rows.X, progress=None)
        found = cross_validated(model, X, rows.y, rows.weights, task, splits, seed, fitted.positive)
        fitted.cross_validation = found
    elif cv is None and fitted.test is None:
        fitted.notes.append(
            "no cross-validation: every fold would read the files anew; ask for it with --cv 5."
        )


def _record(fitted: Fitted, n_files: int) -> dict[str, Any]:
    """What was fitted, as a JSON object."""
    model, rows = fitted.model, fitted.rows
    parts = {"cross_validation": fitted.cross_validation, "test": fitted.on_test}
    return {
        "model": type(model).__name__,
        "files": n_files,
        "rows": len(rows.y),
        "columns": model.n_features_in_,
        "rounds_before": fitted.rounds_before,
        "rounds": model.n_iter_,
        "seconds": round(fitted.seconds, 1),
        "fingerprint": model.fingerprint(),
        "saved": fitted.saved,
        **{
            name: None if part is None else replace(part, n_duplicates=None).record()
            for name, part in parts.items()
        },
        "notes": fitted.notes,
    }


def _show(fitted: Fitted, n_files: int) -> None:
    """Prints what was fitted."""
    model, rows = fitted.model, fitted.rows
    say(
        f"{type(model).__name__}: {model.n_iter_:,} rounds on {len(rows.y):,} rows of "
        f"{model.n_features_in_:,} columns in {n_files:,} file(s), {fitted.seconds:.1f} s."
    )
    fit_summary.show_evaluation(fitted)
    for note in fitted.notes:
        say(note)
    if fitted.saved is not None:
        say(f"The model is saved in {fitted.saved}.")


def _task(dataset: Any, target: str) -> str:
    """Classification, unless the target holds fractions or integers that hardly repeat."""
    import pyarrow as pa

    kind = dataset.schema.field(target).type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        return CLASSES
    values = dataset.to_table(columns=[target])[target].drop_null().cast(pa.float64(), safe=False)
    return task_of(DataTable([DataColumn(target, "number", values.to_numpy())]), target)
