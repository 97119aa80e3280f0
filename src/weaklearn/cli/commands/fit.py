"""``weaklearn fit``: from a table to a model, with what it says and what is known of it."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same


@click.command(
    epilog="""\b
Examples:
  weaklearn fit patients.csv --target sick -o model.weak
  weaklearn fit flats.csv.gz --target rent --model gradient --test 0.2
  weaklearn fit sales.parquet --target churn --model glass --ignore id --cv 10
  weaklearn fit patients.csv --target sick --set n_estimators=500 \\
      --set early_stopping=true --checkpoint so-far.weak
  weaklearn fit patients.csv --resume so-far.weak -o model.weak"""
)
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target(False, "The column to learn; with --resume by default the model's own.")
@click.option(
    "--model",
    metavar="NAME",
    show_default="adaboost",
    help="adaboost, gradient, glass, forest, tree, adtree, slipper, realboost, adaboost-l "
    "(AdaBoost.L), ... or the name of an estimator.",
    shell_complete=lambda *a: [m for m in _models() if m.startswith(a[2])],
)
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter; repeatable."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="N", help="The same as --set n_estimators=N."
)
@click.option(
    "--task",
    type=click.Choice(["classes", "numbers"]),
    help="What the target is, where whole numbers could be either.",
)
@click.option(
    "--test",
    type=option.FILE,
    metavar="FILE|SHARE",
    help="Rows to test on: a file, or a share as 0.2.",
)
@click.option("--cv", type=click.IntRange(min=0), metavar="K", help="Folds; 5 by default, 0: none.")
@option.skip_unlabelled
@option.weights
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.columns("--categorical", "A column of categories, whatever it looks like; repeatable.")
@option.columns("--text", "A column of texts, for --model boostexter or spam; repeatable.")
@click.option(
    "-o",
    "--output",
    type=option.FILE,
    metavar="MODEL",
    help="Where to save the model, as model.weak.",
)
@click.option(
    "--checkpoint",
    type=option.FILE,
    metavar="PATH",
    help="Where Ctrl-C saves the rounds played so far.",
)
@click.option(
    "--resume",
    type=option.FILE,
    metavar="MODEL",
    help="Go on with a model that --checkpoint or -o saved, on the same rows; its parameters stay, "
    "and --set n_estimators=N tells how far.",
)
@click.option(
    "--rules",
    "n_rules",
    type=click.IntRange(min=0),
    default=6,
    show_default=True,
    metavar="N",
    help="Rules to print.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Of all that is drawn by chance."
)
@option.threads
@option.as_json
@option.reading
@click.pass_context
def command(
    context: click.Context, /, data: str, output: str | None, checkpoint: str | None, **asked: Any
) -> int:
    """Learn to predict the column TARGET of the table DATA.

    DATA is a CSV file (comma, semicolon, tab or bar; gzip, bzip2 or xz) or a Parquet file; - is
    standard input. Columns of numbers, dates and categories are told apart and shown, and missing
    values need no filling in. A number of K folds estimates the error; the first rules and the
    guarantees that apply are printed. A fit that was interrupted goes on with --resume, to the same
    model as without a pause.
    """
    if asked["target"] is None and asked["resume"] is None:
        raise click.MissingParameter(
            ctx=context, param=next(p for p in command.params if p.name == "target")
        )
    if (rounds := asked.pop("rounds")) is not None:
        asked["settings"] += (f"n_estimators={rounds}",)
    refuse_same(output, data, asked["test"], asked["resume"])
    refuse_same(checkpoint, data, asked["test"])
    check_folder(output)
    check_folder(checkpoint)
    from ..fitting import fit

    return fit(data, output, checkpoint, **asked)


def _models() -> list[str]:
    from ..model import MODELS

    return list(MODELS)
