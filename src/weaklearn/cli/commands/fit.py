"""``weaklearn fit``: a model from a table, with its estimated error, and what it goes by."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same, refuse_table_name
from ..fault import Fault

_TASKS = {"classification": "classes", "regression": "numbers"}


@click.command(
    epilog="""\b
Examples:
  weaklearn fit patients.csv --target sick -o model.weak
  weaklearn fit flats.csv.gz --target rent --model strong --test 0.2
  weaklearn fit claims.csv --target fraud --threshold recall=0.9 -o model.weak
  weaklearn fit sales.parquet --target churn --model glass --ignore id --cv 10
  weaklearn fit patients.csv --target sick --model adaboost --rounds 500 \\
      --checkpoint so-far.weak
  weaklearn fit patients.csv --resume so-far.weak -o model.weak
  weaklearn fit train/*.parquet --target label -o model.weak"""
)
@click.argument("data", type=option.FILE, metavar="DATA...", nargs=-1, required=True)
@option.target(False, "The column to learn; with --resume by default the model's own.")
@click.option(
    "--model",
    metavar="NAME",
    show_default="gradient",
    help="gradient, strong (a blend: slower, and mostly better), adaboost, glass, forest, tree, "
    "adtree, slipper, ... or the name of an estimator.",
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
    type=click.Choice(["classes", "numbers", *_TASKS]),
    callback=lambda *a: _TASKS.get(a[2], a[2]),
    metavar="classes|numbers",
    help="Classification or regression, where integers could be either.",
)
@click.option(
    "--test",
    type=option.FILE,
    metavar="FILE|SHARE",
    help="Test rows: a file, or a share to hold out, such as 0.2.",
)
@click.option(
    "--cv", type=click.IntRange(min=0), metavar="K", help="Folds; 5 by default, 0 for none."
)
@option.positive
@click.option(
    "--threshold",
    type=option.THRESHOLD,
    metavar="RULE",
    help="Of two classes: choose on rows held out from which probability on the positive class is "
    "predicted, by recall=0.9 (at least that), precision=0.5, cost=1:20 (of a false alarm, and of "
    "a miss), f1, balanced_accuracy or accuracy.",
)
@click.option(
    "--hold-out",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    show_default="0.2",
    help="The rows for --threshold, which the model does not learn from.",
)
@click.option("--guarantees", is_flag=True, help="Print what theorems guarantee of the error.")
@option.repeats
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
    help="Where Ctrl-C saves the rounds fitted so far, and every minute.",
)
@click.option(
    "--checkpoint-every",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often --checkpoint saves; less often where saving takes long.",
)
@click.option(
    "--resume",
    type=option.FILE,
    metavar="MODEL",
    help="Warm start from a model that --checkpoint or -o saved, on the same rows; its parameters "
    "stay, and --set n_estimators=N is the total number of rounds.",
)
@click.option(
    "--rules",
    "n_rules",
    type=click.IntRange(min=0),
    default=6,
    show_default=True,
    metavar="N",
    help="Rules to print, or columns of a model with too many rules to read.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Random seed.")
@click.option(
    "--from-disk",
    is_flag=True,
    help="Leave the rows in their Parquet file, as is done by itself for several files and for one "
    "larger than half of the memory.",
)
@option.in_python
@option.threads
@option.as_json
@option.reading
@click.pass_context
def command(
    context: click.Context,
    /,
    data: tuple[str, ...],
    output: str | None,
    checkpoint: str | None,
    from_disk: bool,
    **asked: Any,
) -> int:
    """Learn to predict the column TARGET of the table DATA.

    DATA is a CSV file (comma, semicolon, tab or bar; gzip, bzip2 or xz) or a Parquet file; - is
    standard input. The types of columns (numbers, dates, categories) are found and shown; missing
    values need no imputation. The model is gradient boosting unless --model names another.
    Cross-validation over K folds estimates its error, beside that of AdaBoost on stumps, which is
    simpler; the first rules are printed, or the columns that matter most. An interrupted fit is
    continued by --resume, to the same model as without the interruption. Several Parquet files,
    or a folder of them, are one table, which may be larger than memory: gradient and adaboost
    learn from it.
    """
    if asked["target"] is None and asked["resume"] is None:
        raise click.MissingParameter(
            ctx=context, param=next(p for p in command.params if p.name == "target")
        )
    if (rounds := asked.pop("rounds")) is not None:
        asked["settings"] += (f"n_estimators={rounds}",)
    refuse_same(output, *data, asked["test"], asked["resume"])
    refuse_same(checkpoint, *data, asked["test"])
    for path in (output, checkpoint):
        check_folder(path)
        refuse_table_name(path)
    _refuse_alone(asked)
    from ..fitting import Kept, fit
    from ..parquet_files import stay_on_disk
    from ..training_rows import FitOptions

    seconds = asked.pop("checkpoint_every")
    options = FitOptions.of(data[0], asked)
    kept = None if checkpoint is None else Kept(checkpoint, seconds)
    if stay_on_disk(data, from_disk):
        from ..fitting_on_disk import fit_on_disk

        return fit_on_disk(data, options, output, kept)
    return fit(options, output, kept)


def _refuse_alone(asked: dict[str, Any]) -> None:
    """Refuses options that say something about another one that is not given."""
    if asked["repeats"] != "copies" and not asked["guarantees"]:
        raise Fault(f"--repeats {asked['repeats']} is about guarantees: pass --guarantees too.")
    if asked["hold_out"] is not None and asked["threshold"] is None:
        raise Fault("--hold-out names rows to choose a threshold on: pass --threshold too.")


def _models() -> list[str]:
    from ..model import MODELS

    return list(MODELS)
