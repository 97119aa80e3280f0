"""``weaklearn explain``: the contributions of columns to the scores of rows."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import Any

import click

from ...base.messages.table import printable
from ...base.messages.value_text import rows_numbered
from ...base.offered import offers
from .. import option
from ..data import check_folder, model_at, refuse_same, rows_for
from ..fault import Fault
from ..kept_reading import separators
from ..output import say, show, show_json

_FEW = 3  # classes that are shown side by side


@click.command(
    epilog="""\b
Examples:
  weaklearn explain model.weak new.csv --row 1 --row 5
  weaklearn explain model.weak new.csv -o contributions.csv"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@click.option(
    "--row",
    "rows",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="A row, counted from 1.",
)
@click.option(
    "--top", default=8, show_default=True, type=click.IntRange(min=1), metavar="N", help="Terms."
)
@click.option(
    "--all-classes", is_flag=True, help="The scores of all classes, not of the two highest only."
)
@click.option("--of", "label", metavar="CLASS", help="The score of this class, either of two too.")
@click.option(
    "-o", "--output", type=option.FILE, metavar="OUT", help="All rows and terms: .csv or .parquet."
)
@option.positive
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(
    model: str,
    data: str,
    output: str | None,
    rows: tuple[int, ...],
    top: int,
    all_classes: bool,
    label: str | None,
    positive: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Print what every column adds to the scores that MODEL gives to rows of DATA.

    By default the first three rows are explained. Base and contributions add up to the score; of
    many classes, the two of the highest scores are shown. The target may be among the columns of
    DATA, and is left out.
    """
    refuse_same(output, data, model)
    check_folder(output, lines=True)
    from ...prediction.positive import positive_code, threshold_words
    from ...prediction.rows import class_list
    from .. import sink
    from ..evaluation import prediction_columns

    fitted = model_at(model)
    if not offers(fitted, "explain"):
        raise Fault(f"{type(fitted).__name__} cannot attribute its scores to columns.")
    if label is not None and positive is not None:
        raise Fault("--of and --positive both name the class; leave one out.")
    if label is None and len(class_list(fitted)) == 2:
        positive = class_list(fitted)[positive_code(fitted, positive)]
        label = None if positive == class_list(fitted)[1] else str(positive)
    elif label is None:
        label, positive = positive, None
    X = rows_for(fitted, data, reading, labelled=False, ignore=ignore).X
    beyond = [row for row in rows if row > len(X)]
    if beyond:
        raise Fault(f"--row {beyond[0]} is not allowed: {data} has {len(X):,} rows.")
    if output is not None:
        with sink.opened(output, as_json, separators(fitted, reading)) as target:
            _write_contributions(_explained(fitted, X, label, positive), target)
        say(f"The contributions of {len(X):,} rows are written to {output}.")
        return 0
    chosen = [row - 1 for row in rows] or list(range(min(3, len(X))))
    some = X.take(chosen)
    with rows_numbered([row + 1 for row in chosen]):
        found = _explained(fitted, some, label, positive)
        columns = prediction_columns(fitted, some, offers(fitted, "predict_proba"))
    predictions = [{name: c[k] for name, c in columns.items()} for k in range(len(chosen))]
    if as_json:
        show_json(
            [_contributions(found, k, row + 1) | predictions[k] for k, row in enumerate(chosen)]
        )
        return 0
    threshold = threshold_words(fitted)
    if threshold is not None:
        say(f"The model answers by a threshold that it was given: {threshold}.")
    for k, row in enumerate(chosen):
        shown = found if all_classes else _foremost(found, k)
        title = f"Row {row + 1}{_prediction_text(predictions[k], label)}"
        show(shown.table(k, top), title)
    return 0


def _explained(fitted: Any, X: Any, label: str | None, positive: Any) -> Any:
    """The explanation of all scores, of two classes of ``positive``; or of that of a label."""
    found = fitted.explain(X)
    if found.classes and positive is not None:
        found = found.of(positive)
    if label is None:
        return found
    known = [str(name) for name in found.classes or found.outputs]
    if label not in known:
        raise Fault(
            f"--of {label} is not possible: the scores are of {', '.join(known) or 'numbers'}."
        )
    return found.of(label)


def _foremost(found: Any, k: int) -> Any:
    """The explanation, of more than three classes that of the two highest scores of row k."""
    if len(found.outputs) <= _FEW:
        return found
    two = sorted(range(len(found.outputs)), key=lambda c: -found.scores[k, c])[:2]
    return replace(
        found,
        base=found.base[two],
        contributions=found.contributions[..., two],
        outputs=tuple(found.outputs[c] for c in two),
    )


def _prediction_text(prediction: dict[str, Any], asked: str | None = None) -> str:
    """The prediction of a row and its probability; empty for several outputs.

    ``asked``: a class whose probability is told as well.

    >>> _prediction_text({"prediction": "yes", "probability no": 0.25, "probability yes": 0.75})
    ' (prediction yes, probability 0.75)'
    >>> row = {"prediction": "yes", "probability no": 0.25, "probability yes": 0.75}
    >>> _prediction_text(row, "no")
    ' (prediction yes, probability 0.75; of no 0.25)'
    >>> _prediction_text({"prediction": 2.5})
    ' (prediction 2.5)'
    """
    if "prediction" not in prediction:
        return ""
    label = prediction["prediction"]
    text = f"{label:.4g}" if isinstance(label, float) else printable(str(label))
    p = prediction.get(f"probability {label}")
    if p is None:
        return f" (prediction {text})"
    other = prediction.get(f"probability {asked}") if asked != str(label) else None
    more = "" if other is None else f"; of {printable(str(asked))} {other:.4g}"
    return f" (prediction {text}, probability {p:.4g}{more})"


def _contributions(found: Any, k: int, row: int) -> dict[str, Any]:
    """The explanation of one row as a JSON object."""
    return {
        "row": row,
        "scale": found.scale,
        "base": found.base,
        "score": found.scores[k],
        "contributions": dict(zip(found.names, found.contributions[k], strict=True)),
        "outputs": list(found.outputs),
    }


def _write_contributions(found: Any, target: Any) -> None:
    n, scores = len(found), found.scores
    if not found.outputs:
        parts = {name: found.contributions[:, k] for k, name in enumerate(found.names)}
        base, total = _free(["base", "score"], parts)
        target.write({base: [found.base] * n, **parts, total: scores})
        return
    for c, label in enumerate(found.outputs):
        parts = {name: found.contributions[:, k, c] for k, name in enumerate(found.names)}
        row, place, base, total = _free(["row", "output", "base", "score"], parts)
        first = {row: list(range(1, n + 1)), place: [label] * n, base: [found.base[c]] * n}
        target.write({**first, **parts, total: scores[:, c]})


def _free(names: list[str], taken: Container[str]) -> list[str]:
    """The names, those that are taken by columns with an underscore appended.

    >>> _free(["base", "score"], {"age", "score"})
    ['base', 'score_']
    """
    return [name if name not in taken else _free([name + "_"], taken)[0] for name in names]
