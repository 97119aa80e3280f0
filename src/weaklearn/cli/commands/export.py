"""``weaklearn export``: a model as a program or a document for elsewhere."""

from __future__ import annotations

from operator import attrgetter
from pathlib import PurePath

import click

from .. import option
from ..data import check_folder, model_at, refuse_same
from ..fault import Fault
from ..output import say

# What each ending is written as.
FORMS = {
    ".py": "python",
    ".c": "c",
    ".js": "javascript",
    ".mjs": "javascript",
    ".json": "json",
    ".sql": "sql",
    ".onnx": "onnx",
    ".pmml": "pmml",
    ".csv": "scorecard",
}


@click.command(
    epilog="""\b
Examples:
  weaklearn export model.weak -o model.py
  weaklearn export model.weak -o score.js --name score
  weaklearn export model.weak -o score.sql --table patients --keep id"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.option(
    "-o",
    "--output",
    type=option.FILE,
    metavar="OUT",
    required=True,
    help="A file; its ending says what is written.",
)
@click.option(
    "--name", metavar="NAME", help="What C functions, or the object of JavaScript, are named by."
)
@click.option("--table", metavar="TABLE", help="The table that SQL reads: TABLE or SCHEMA.TABLE.")
@option.columns("--keep", "A column of the table that SQL hands on; repeatable.")
def command(
    model: str, output: str, name: str | None, table: str | None, keep: tuple[str, ...]
) -> int:
    """Write MODEL as Python, C, JavaScript, JSON, SQL, ONNX or PMML, or as a scorecard.

    The ending of OUT says which: .py, .c, .js or .mjs, .json, .sql, .onnx, .pmml, .csv (a
    scorecard, of glass boxes, sums of stumps, and one tree). What is written predicts what the
    model predicts, without weaklearn.
    """
    refuse_same(output, model)
    check_folder(output)
    form = FORMS.get(PurePath(output).suffix.lower())
    if form is None:
        raise Fault(f"-o {output}: the ending must be one of {', '.join(FORMS)}.")
    if name is not None and form not in ("c", "javascript"):
        raise Fault(f"--name is for .c, .js and .mjs; leave it out for {output}.")
    if (table is not None or keep) and form != "sql":
        raise Fault(f"--table and --keep are for .sql; leave them out for {output}.")
    fitted = model_at(model)
    try:
        write = attrgetter(f"to_{form}")(fitted)
    except AttributeError:
        raise Fault(
            f"{type(fitted).__name__} cannot be written as {form}; weaklearn predict applies it."
        ) from None
    if form == "scorecard":
        write().to_csv(output)
    elif form == "sql":
        from ...files.disk import write_out

        names = tuple((table or "data").split("."))
        write_out(output, (write(names, keep=keep) + "\n").encode("utf-8"))
    elif name is not None:
        write(output, name=name)
    else:
        write(output)
    say(f"{output} predicts what {model} predicts.")
    return 0
