"""The summary of ``weaklearn fit``: its tables, its messages and its JSON."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.offered import fact, offers
from ..datasets.data_table import brief
from ..estimators.gradient.model import GradientBoostingModel
from ..prediction.rows import classes_of
from . import data, output, threshold
from .certifying import certificate_record
from .evaluation import Evaluation
from .model import NUMBERS, SIMPLER
from .output import say
from .training_rows import are_counts

_CERTIFICATES = 6  # printed


@dataclass
class Fitted:
    """A fitted model and what its summary reports."""

    model: Any
    rows: data.Rows
    columns: Table | None
    task: str
    seconds: float
    test: data.Rows | None = None
    cross_validation: Evaluation | None = None
    on_test: Evaluation | None = None
    certificates: Any = ()
    saved: str | None = None
    rounds_before: int | None = None
    notes: list[str] = field(default_factory=list)
    threshold: Any = None  # of two classes, chosen on rows held out
    positive: int | None = None  # the place of the class that is spoken of, of two

    @property
    def positive_label(self) -> Any:
        """The class that is spoken of; None where there are not two."""
        return None if self.positive is None else self.model.classes_.tolist()[self.positive]


def show_rows(path: str, rows: data.Rows, columns: Table, task: str, guessed: bool) -> None:
    """Prints the size of a table, its target and its columns."""
    size = f"{counted(len(rows.y), 'row')}, {counted(rows.X.shape[1], 'column')} to learn from"
    say(f"{path}: {size}; {_target_text(rows, task, guessed)}.")
    output.show(columns, "Columns")


def _target_text(rows: data.Rows, task: str, guessed: bool) -> str:
    """A sentence on the target: its range, or its classes and their counts."""
    y, target = rows.y, rows.target
    classes, counts = np.unique(y, return_counts=True)
    if task == NUMBERS:
        either = guessed and bool((y == np.round(y)).all())
        meant = " (--task classes takes each for a class)" * either
        what = "counts, learnt as numbers," if guessed and are_counts(y) else "numbers"
        return f"{target!r} holds {what} from {brief(y.min())} to {brief(y.max())}{meant}"
    listed = ", ".join(f"{c} {n:,}" for c, n in list(zip(classes, counts, strict=True))[:6])
    more = f" and {len(classes) - 6} more" * (len(classes) > 6)
    either = guessed and y.dtype.kind in "if" and len(classes) > 2
    meant = " (--task numbers takes them for amounts)" * either
    many = counted(len(classes), "class", "es")
    return f"{target!r} has {many}{meant}: {listed}{more}"


def counted(n: int, word: str, ending: str = "s") -> str:
    return f"{n:,} {word}{ending * (n != 1)}"


def informative(certificates: Any) -> list[Any]:
    """The certificates that apply and whose bounds are not vacuous."""
    return [c for c in certificates if c.applies and not c.vacuous]


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
    known = {"rounds": fact(model, "n_iter_"), "stop reason": fact(model, "stop_reason_")}
    summary |= {name: value for name, value in known.items() if value is not None}
    if fitted.positive is not None:
        summary["positive class"] = fitted.positive_label
    summary["seconds"] = round(fitted.seconds, 3)
    summary["fingerprint"] = model.fingerprint()
    summary["saved as"] = fitted.saved
    return summary


def show(fitted: Fitted, n_rules: int) -> None:
    model = fitted.model
    summary = {key: value for key, value in _summary(fitted).items() if value is not None}
    output.show(Table("summary", ["", "value"], list(summary.items()), shown=30), "Model")
    if fitted.threshold is not None:
        output.show(threshold.as_table(model, fitted.threshold), "Threshold")
    show_evaluation(fitted)
    if n_rules and has_rules_to_read(model):
        output.show(first_rules(model, n_rules), "First rules")
    elif n_rules and offers(model, "feature_importances_"):
        output.show(importances(model, n_rules), "Columns that matter most")
    if informative(fitted.certificates):
        output.show(guarantees(fitted.certificates), "Guarantees")
    for note in fitted.notes:
        say(note)
    if fitted.saved is None:
        say("The model was not saved: name a file with -o, such as -o model.weak.")
    else:
        size = os.path.getsize(fitted.saved)
        say(f"Saved as {fitted.saved} ({size:,} bytes).")


def show_evaluation(fitted: Fitted) -> None:
    """Prints the metrics on folds and on test rows, if there are any."""
    parts = {"folds": fitted.cross_validation, "test": fitted.on_test}
    found = {name: part for name, part in parts.items() if part is not None}
    if not found:
        return
    lines = [line for name, part in found.items() for line in part.lines(name)]
    names = ["measured on", "metric", "value", "baseline", SIMPLER, "standard error", "rows"]
    judged = next(iter(found.values()))
    notes = [f"baseline: always {judged.constant}"]
    if any(part.simpler for part in found.values()):
        notes.append(f"{SIMPLER}: a simpler model on the same rows (--model {SIMPLER})")
    else:
        names, lines = _without(SIMPLER, names, lines)
    if fitted.threshold is not None and fitted.cross_validation is not None:
        notes.append("folds are answered without the threshold")
    if any(set(part.errors) < set(part.metrics) for part in found.values() if part.n_folds):
        notes.append("no standard error where all folds have the same figure")
    if fitted.positive is not None:
        notes.append(f"average precision is that of {fitted.positive_label}")
    output.show(Table("error", names, lines, "; ".join(notes), shown=30), "Evaluation")


def _without(name: str, names: list[str], lines: list[Any]) -> tuple[list[str], list[Any]]:
    """Names and lines of a table without one of its columns."""
    k = names.index(name)
    return names[:k] + names[k + 1 :], [(*line[:k], *line[k + 1 :]) for line in lines]


def has_rules_to_read(model: Any) -> bool:
    """Whether a model has rules that a person may read: those of gradient boosting are too many."""
    return offers(model, "rules") and not isinstance(model, GradientBoostingModel)


def first_rules(model: Any, n: int) -> Table:
    """The first rules of a model that has some."""
    table: Table = model.rules(n)
    return Table(table.title, table.columns, table.rows[:n], table.note, shown=max(3, n))


def importances(model: Any, n: int) -> Table:
    """The columns that a model goes by most, and their shares of the importance of all."""
    shares = np.asarray(model.feature_importances_)
    names = fact(model, "feature_names_in_")
    if names is None:
        names = [f"column {j}" for j in range(len(shares))]
    order = np.argsort(-shares, kind="stable")[:n]
    rows = [(str(names[j]), float(shares[j])) for j in order]
    more = len(shares) - n
    note = f"{more:,} more column{'s' * (more > 1)}" if more > 0 else ""
    return Table("importances", ["column", "importance"], rows, note, shown=max(3, n))


def guarantees(certificates: Any) -> Table:
    """The table of the first certificates that apply and are not vacuous."""
    printed = informative(certificates)[:_CERTIFICATES]
    rows = [(c.id, c.statement, c.observed, c.bound, c.verdict) for c in printed]
    left = len(certificates) - len(rows)
    note = certificates.note
    note += f"; {left} more are weaker or do not apply: weaklearn certify shows them" * bool(left)
    columns = ["id", "guarantee", "observed", "bound", "verdict"]
    return Table("guarantees", columns, rows, note.removeprefix("; "), shown=30)


def as_json(fitted: Fitted, path: str, n_rules: int) -> dict[str, Any]:
    model = fitted.model
    rules = first_rules(model, n_rules) if n_rules and offers(model, "rules") else None
    columns = n_rules and offers(model, "feature_importances_")
    parts = {"cross_validation": fitted.cross_validation, "test": fitted.on_test}
    return {
        "data": path,
        "target": fitted.rows.target,
        "task": fitted.task,
        "classes": classes_of(model),
        "columns": None if fitted.columns is None else output.records(fitted.columns),
        **{key.replace(" ", "_"): value for key, value in _summary(fitted).items()},
        "parameters": model.get_params(deep=False),
        **{name: None if part is None else part.record() for name, part in parts.items()},
        "threshold": None if fitted.threshold is None else asdict(fitted.threshold),
        "rules": None if rules is None else output.records(rules),
        "importances": output.records(importances(model, n_rules)) if columns else None,
        "certificates": [certificate_record(c) for c in fitted.certificates],
        "notes": fitted.notes,
    }
