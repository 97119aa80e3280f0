"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


class _File(click.types.StringParamType):
    """A name as it is given, completed by the shell from the files there are."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


FILE = _File()


def reading(command: F) -> F:
    """How the file of a table is to be read; the command takes them as ``**reading``."""
    for option in reversed(_READING):
        command = option(command)
    return command


_READING = (
    click.option("--delimiter", metavar="CHAR", help="Between cells; found by itself."),
    click.option("--encoding", metavar="NAME", help="Of the text; UTF-8 unless named."),
    click.option(
        "--decimal", type=click.Choice([".", ","]), default=".", help="Point of a fraction."
    ),
    click.option(
        "--dates",
        type=click.Choice(["dmy", "mdy"]),
        help="Of dates as 03/04/2024: day first, or month first; in Parquet, makes dates of texts.",
    ),
    click.option(
        "--missing",
        metavar="TEXT",
        multiple=True,
        help="A cell that stands for no value, beside the usual ones (in Parquet: nulls and empty "
        "texts); repeatable.",
    ),
    click.option("--no-header", is_flag=True, help="The first line holds no names: c1, c2, ..."),
)

skip_unlabelled = click.option(
    "--skip-unlabelled", is_flag=True, help="Leave rows out that lack the target."
)
as_json = click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
threads = click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="At most so many; all cores else."
)


def _columns(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The columns of the table named before, for the completion of a shell."""
    from .data import names_of

    # While a value is still lacking, arguments may wait among what is left to be parsed.
    for path in [ctx.params.get("data"), *reversed(ctx.args)]:
        try:
            if path and path != "-":
                return [name for name in names_of(path) if name.startswith(incomplete)]
        except Exception:  # no table: and a completion has nobody to tell
            continue
    return []


def target(required: bool = True, said: str | None = None) -> Callable[[F], F]:
    if said is None:
        said = (
            "The column to learn."
            if required
            else "The column learnt; by default the model's own, or the one left if it knows none."
        )
    return click.option(
        "--target", required=required, metavar="COLUMN", help=said, shell_complete=_columns
    )


weights = click.option(
    "--weights", metavar="COLUMN", help="How much each row counts.", shell_complete=_columns
)


def columns(name: str, said: str, *more: str) -> Callable[[F], F]:
    """A list of columns."""
    return click.option(
        name, *more, metavar="COLUMN", multiple=True, help=said, shell_complete=_columns
    )
