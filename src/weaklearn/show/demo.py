"""A short session in the terminal: patients, the rules found on them, and what is guaranteed.

Run it with ``python -m weaklearn.show.demo [PICTURE]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..datasets import toy
from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.boosting.round_by_round import rounds
from .displays.rounds import draw

if TYPE_CHECKING:
    from rich.console import Console

    from ..base import Certificate

_ROUNDS = 1000
_SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Patients:
    """Scikit-learn's bundled breast-cancer data: one row a patient, in two halves."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    X_test: NDArray[np.float64]
    y_test: NDArray[Any]
    names: list[str]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the demonstration and writes its picture; returns an exit status."""
    arguments = _parser().parse_args(argv)
    try:
        import matplotlib  # noqa: F401
        import rich  # noqa: F401
    except ImportError as error:
        print(
            f'the demonstration needs {error.name}: pip install ".[demo]" in a clone of weaklearn',
            file=sys.stderr,
        )
        return 1
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a pipe may know fewer letters than we use
    from rich.console import Console

    console = Console(highlight=False)
    patients = _patients()
    _greet(console, patients)
    model = _fit(console, patients)
    _rules(console, model, patients)
    _rounds(console, model, patients)
    _certificates(console, model, patients)
    _toy(console)
    return _picture(console, model, patients, arguments.picture)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m weaklearn.show.demo",
        description="Boosts stumps on patients' data and shows rules, rounds and guarantees.",
    )
    parser.add_argument(
        "picture",
        nargs="?",
        type=Path,
        default=Path("weaklearn-demo.png"),
        help="where to write the picture (default: %(default)s)",
    )
    return parser


def _patients() -> Patients:
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    data = load_breast_cancer()
    labels = data.target_names[data.target]
    X, X_test, y, y_test = train_test_split(
        data.data, labels, test_size=0.3, stratify=labels, random_state=0
    )
    return Patients(X, y, X_test, y_test, [str(name) for name in data.feature_names])


def _heading(console: Console, text: str) -> None:
    console.print()
    console.rule(f"[bold]{text}", align="left", style="dim")


def _table(*columns: str, **options: Any) -> Any:
    """A plain table; a column named with a leading > is set flush right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, **options)
    for column in columns:
        right = column.startswith(">")
        table.add_column(
            column.removeprefix(">"),
            justify="right" if right else "left",
            no_wrap=column != "guarantee",
        )
    return table


def _greet(console: Console, patients: Patients) -> None:
    _heading(console, "weaklearn: a strong classifier from weak rules")
    console.print(
        f"\n{len(patients.y)} patients to learn from and {len(patients.y_test)} kept back for "
        f"the test, each with {len(patients.names)} measurements of cell nuclei taken from the "
        "breast. Is the tumour malignant or benign?\n"
    )


def _fit(console: Console, patients: Patients) -> Any:
    """Fits with a progress bar, moved by a callback after every round."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(32),
        MofNCompleteColumn(),
        TextColumn("rounds, training error {task.fields[error]:.1%}"),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("boosting", total=_ROUNDS, error=1.0)

        def after_round(t: int, state: Any, history: Any) -> bool:
            progress.update(task, completed=t, error=history.last()["train_error"])
            return False

        model = AdaBoostClassifier(n_estimators=_ROUNDS, callbacks=[after_round])
        model.fit(patients.X, patients.y)
    return model


def _rules(console: Console, model: Any, patients: Patients) -> None:
    _heading(console, "The first six rules of thumb")
    table = _table(">", "if", ">above", "then", "otherwise", ">wrong on", ">vote")
    for t, stump in enumerate(model.estimators_[:6]):
        below, above = model.classes_[:: int(stump.polarity_)]
        table.add_row(
            str(t + 1),
            patients.names[stump.feature_],
            f"{stump.threshold_:.4g}",
            _tinted(above),
            _tinted(below),
            f"{model.estimator_errors_[t]:.1%}",
            f"{model.estimator_weights_[t]:.2f}",
        )
    console.print(table)
    console.print(
        'Each rule alone is weak; the weighted vote of all is not. "Worst" is the mean of the '
        'three largest nuclei; "wrong on" is the share of the weight in that round, where '
        "patients whom earlier rules got wrong weigh more.",
        style="dim",
    )


def _tinted(label: str) -> str:
    return f"[red]{label}[/]" if label == "malignant" else f"[green]{label}[/]"


def _rounds(console: Console, model: Any, patients: Patients) -> None:
    _heading(console, "Round by round")
    history = model.history_
    bound = np.cumprod(history["Z"])
    test = [1 - score for score in model.staged_score(patients.X_test, patients.y_test)]
    table = _table(">rounds", ">training error", ">bound: ∏ Z", ">test error", ">smallest margin")
    for t in (t for t in _SHOWN if t <= len(history)):
        margin = history["margin_min"][t - 1]
        table.add_row(
            str(t),
            f"{history['train_error'][t - 1]:.1%}",
            f"{bound[t - 1]:.1%}" if bound[t - 1] > 5e-4 else f"{bound[t - 1]:.0e}",
            f"{test[t - 1]:.1%}",
            f"[green]{margin:.3f}[/]" if margin > 0 else f"{margin:.3f}",
        )
    console.print(table)
    clean = int(np.flatnonzero(history["train_error"])[-1]) + 2
    proven = int(np.flatnonzero(bound * len(patients.y) < 1)[0]) + 1
    console.print(
        f"No training error from round {clean} on; the theorem alone proves as much from round "
        f"{proven} on, where the bound falls below one patient in {len(patients.y)}. From round "
        f"{clean} to the last the smallest margin went from {history['margin_min'][clean - 1]:.3f} "
        f"to {history['margin_min'][-1]:.3f}, and the test error from {test[clean - 1]:.1%} to "
        f"{test[-1]:.1%}.",
        style="dim",
    )


def _certificates(console: Console, model: Any, patients: Patients) -> None:
    _heading(console, "What is guaranteed, checked on this fit")
    certificates: Sequence[Certificate] = model.certify(patients.X, patients.y).training
    informative = [c for c in certificates if c.applies and (not c.vacuous or c.id == "rounds")]
    table = _table("guarantee", ">observed", ">bound", "")
    for c in informative:
        verdict = "[green]holds[/]" if c.holds else "[bold red]violated[/]"
        table.add_row(c.statement, f"{c.observed:.4g}", _bound(c), verdict)
    console.print(table)
    silent = len(certificates) - len(informative)
    if silent:
        console.print(f"{silent} more say nothing here: their bounds exceed 1.", style="dim")


def _bound(certificate: Certificate) -> str:
    bound = certificate.bound or 0.0
    return f"{bound:.2g}" if bound < 1 else f"{bound:,.0f}"


def _toy(console: Console) -> None:
    """Table 1.1 of the book, from the rounds as they are played."""
    _heading(console, "The book's ten points, digit by digit")
    X, y = toy()
    table = _table("", *(f">{i}" for i in range(1, 11)), "", padding=0)
    votes = []
    for r in rounds(AdaBoostClassifier(n_estimators=3), X, y):
        factor = np.exp(-r.alpha * y * r.h.predict(X))
        t = "₀₁₂₃"[r.t]
        lines = [
            (f"D{t}(i)", r.D, f" ε{t} = {r.epsilon:.2f}"),
            (f"exp(-α{t} y h{t})", factor, f" α{t} = {r.alpha:.2f}"),
            ("their product", r.D * factor, f" Z{t} = {r.Z:.2f}"),
        ]
        for name, numbers, fact in lines:
            shown = [
                f"[bold]{v:.2f}[/]" if wrong else f"{v:.2f}"
                for v, wrong in zip(numbers, factor > 1, strict=True)
            ]
            table.add_row(name, *shown, fact)
        table.add_section()
        votes.append(f"{r.alpha:.2f} h{t}")
    console.print(table)
    right = int(np.sum(y * r.F > 0))
    console.print(
        f"H = sign({' + '.join(votes)}) gets {right} of {len(y)} points right; the smallest margin "
        f"is {r.margins.min():.2f}. A factor above 1 marks a mistake of the round.",
        style="dim",
    )


def _picture(console: Console, model: Any, patients: Patients, path: Path) -> int:
    title = (
        f"AdaBoost on exact stumps: breast cancer, {len(patients.y)} patients to learn from, "
        f"{len(patients.y_test)} to test on"
    )
    console.print()
    path = path if path.suffix else path.with_name(f"{path.name}.png")  # as it will be written
    try:
        rows = (patients.X, patients.y, patients.X_test, patients.y_test)
        draw(model, *rows, title=title, path=path)
    except (OSError, ValueError) as error:  # no such folder, no such format
        print(f"the picture could not be written to {path}: {error}", file=sys.stderr)
        return 1
    console.print(f"Picture written to {path.resolve()}", soft_wrap=True, markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
