"""``weaklearn predict``: predictions for the rows of a table of any length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import click

from ...base.messages.value_text import rows_counted_from
from ...base.offered import offers
from .. import option
from ..data import check_folder, chunks_for, model_at, refuse_same, texts_for
from ..data_warnings import UnseenCategories
from ..fault import Fault
from ..kept_reading import separators
from ..output import say
from ..parquet_files import files_in


@click.command(
    epilog="""\b
Examples:
  weaklearn predict model.weak new.csv
  weaklearn predict model.weak new.csv -o out.csv --keep id --probabilities
  zcat huge.csv.gz | weaklearn predict model.weak - -o predictions.parquet"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA...", nargs=-1, required=True)
@click.option(
    "-o", "--output", type=option.FILE, metavar="OUT", help="A .csv, .csv.gz or .parquet file."
)
@click.option("-p", "--probabilities", is_flag=True, help="Also the probability of every class.")
@option.columns("--keep", "A column of DATA to copy to the output; repeatable.")
@option.columns("--ignore", "A column to leave out, for models without names; repeatable.")
@option.columns("--text", "The column of texts, for models that read texts.")
@option.threads
@option.as_json
@option.reading
def command(
    model: str,
    data: tuple[str, ...],
    output: str | None,
    probabilities: bool,
    keep: tuple[str, ...],
    ignore: tuple[str, ...],
    text: tuple[str, ...],
    threads: int | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Predict every row of DATA: one line per row, in the order of the rows.

    Columns are found by name, in any order; other columns and the target are ignored. The file is
    read in chunks, so that it may be larger than memory; several files, or a folder of Parquet
    files, are read one after another. CSV is written with a header, and with the delimiter and the
    decimal separator that are named here or were for fit, else with commas and points. In text
    columns, values that a spreadsheet would take for a formula are prefixed with an apostrophe.
    With --json, every line is an object.
    """
    refuse_same(output, *data, model)
    check_folder(output, lines=True)
    from .. import sink
    from ..evaluation import prediction_columns
    from ..model import shaped

    fitted = model_at(model)
    if threads is not None and "n_jobs" in fitted.get_params(deep=False):
        fitted.set_params(n_jobs=threads)
    if probabilities and not offers(fitted, "predict_proba"):
        raise Fault(f"{type(fitted).__name__} has no probabilities; leave --probabilities out.")
    n_rows, unseen = 0, UnseenCategories(fitted)
    with sink.opened(output, as_json, separators(fitted, reading)) as target:
        each = (
            texts_for(fitted, path, reading, text=text, keep=keep)
            if text
            else chunks_for(fitted, path, reading, keep=keep, ignore=ignore)
            for path in files_in(data)
        )
        for first, X, kept in chain.from_iterable(map(_numbered, each)):
            with rows_counted_from(first):
                found = prediction_columns(fitted, shaped(fitted, X, text), probabilities)
            taken = [name for name in kept.names if name in found]
            if taken:
                raise Fault(
                    f"--keep {taken[0]} is not possible: a column of predictions has that name; "
                    "rename the column of the data."
                )
            target.write({**kept.to_dict(), **found})
            n_rows += len(X)
            unseen.look_at(X)
    for remark in unseen.remarks(n_rows):
        say(remark)
    if output not in (None, "-"):
        say(f"{n_rows:,} predictions written to {output}.")
    return 0


def _numbered(pieces: Iterable[tuple[Any, Any]]) -> Iterator[tuple[int, Any, Any]]:
    """The pieces of a file with the number of the first row of each."""
    first = 1
    for X, kept in pieces:
        yield first, X, kept
        first += len(X)
