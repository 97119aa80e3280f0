"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from .fault import Fault

F = TypeVar("F", bound=Callable[..., Any])


class _File(click.types.StringParamType):
    """A path, completed by the shell from the existing files."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class _Size(click.types.StringParamType):
    """A number of bytes, in K, M, G or T if that follows."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch(r"(\d{1,15})([KMGT]?)B?", str(value).upper())
        if found is None or int(found[1]) == 0:
            self.fail(f"{value!r} is no size; write bytes, or as in 500M, 20G or 1T.", param, ctx)
        return int(found[1]) * 1024 ** " KMGT".index(found[2] or " ")


class _Order(click.types.StringParamType):
    """An order of dates: dmy or mdy for all columns, or COLUMN=dmy for one."""

    name = "order"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.rpartition("=")[2] in ("dmy", "mdy"):
            return value
        self.fail(f"{value!r} is neither dmy nor mdy, nor one of them as COLUMN=dmy.", param, ctx)


@dataclass(frozen=True)
class ThresholdRule:
    """What a threshold is chosen by: a measure, the least that is asked for, and costs."""

    by: str
    least: float | None = None
    costs: tuple[float, float] | None = None

    def arguments(self) -> dict[str, Any]:
        """The arguments of ``tune_threshold``."""
        given = {"by": self.by, "least": self.least, "costs": self.costs}
        return {name: value for name, value in given.items() if value is not None}


class _Threshold(click.types.StringParamType):
    """recall=0.9 or precision=0.5, cost=1:20, f1, balanced_accuracy or accuracy."""

    name = "rule"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, ThresholdRule):
            return value
        by, _, text = str(value).partition("=")
        try:
            if by in ("recall", "precision"):
                least = float(text)
                if 0 <= least <= 1:
                    return ThresholdRule(by, least=least)
            elif by == "cost":
                alarm, miss = map(float, text.split(":"))
                if min(alarm, miss) >= 0 and 0 < alarm + miss < inf:
                    return ThresholdRule(by, costs=(alarm, miss))
            elif by in ("f1", "balanced_accuracy", "accuracy") and not text:
                return ThresholdRule(by)
        except ValueError:
            pass
        self.fail(
            f"{value!r} is no rule; write recall=0.9 (the least recall), precision=0.5, cost=1:20 "
            "(of a false alarm, and of a positive row that is missed), f1, balanced_accuracy or "
            "accuracy.",
            param,
            ctx,
        )


FILE = _File()
ORDER = _Order()
SIZE = _Size()
THRESHOLD = _Threshold()


def reading(command: F) -> F:
    """Adds the options of reading a table, which the command takes as ``**reading``."""
    for option in reversed(_READING):
        command = option(command)
    return command


_READING = (
    click.option("--delimiter", metavar="CHAR", help="Between fields; detected."),
    click.option("--encoding", metavar="NAME", help="Text encoding; UTF-8 by default."),
    click.option(
        "--decimal", type=click.Choice([".", ","]), help="Decimal separator; a point by default."
    ),
    click.option(
        "--thousands",
        type=click.Choice([".", ",", " ", "'"]),
        help="Between groups of three digits; by default nothing is.",
    ),
    click.option(
        "--dates",
        type=ORDER,
        multiple=True,
        metavar="[COLUMN=]dmy|mdy",
        help="Dates such as 03/04/2024 are day first, or month first; 03/04/24 too. In Parquet, "
        "texts too. Of one column as joined=mdy; repeatable.",
    ),
    click.option(
        "--missing",
        metavar="TEXT",
        multiple=True,
        help="A text that marks a missing value, besides the usual ones (in Parquet: nulls and "
        "empty texts); repeatable.",
    ),
    click.option(
        "--no-header/--header",
        default=None,
        help="The first line is data: columns are c1, c2, ...",
    ),
    click.option(
        "--pipe-limit",
        type=SIZE,
        metavar="SIZE",
        show_default="16G, or half of the free disk",
        help="How much a pipe may give, as in 50G.",
    ),
)

skip_unlabelled = click.option(
    "--skip-unlabelled", is_flag=True, help="Leave out rows whose target is missing."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
repeats = click.option(
    "--repeats",
    type=click.Choice(["copies", "draws"]),
    default="copies",
    show_default=True,
    help="What equal rows are to guarantees: copies, which count once, or independent draws.",
)
threads = click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Threads to use; all cores by default.",
)


def _columns(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The columns of the table already named on the line, for shell completion."""
    from .data import names_of

    # While a value is still missing, arguments may be among those not yet parsed.
    given = ctx.params.get("data") or ()
    for path in [*([given] if isinstance(given, str) else given[:1]), *reversed(ctx.args)]:
        try:
            if path and path != "-":
                return [name for name in names_of(path) if name.startswith(incomplete)]
        except Exception:  # no table: completion has no place for an error message
            continue
    return []


def target(required: bool = True, text: str | None = None) -> Callable[[F], F]:
    """The option ``--target``, with a help text of its own or the usual one."""
    if text is None:
        text = (
            "The column to predict."
            if required
            else "The column predicted; by default the model's own, or the one column left over."
        )
    return click.option(
        "--target",
        required=required,
        metavar="COLUMN",
        multiple=True,
        callback=_one_target,
        help=text,
        shell_complete=_columns,
    )


def _one_target(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The one target; of several only one would be learnt."""
    if len(given) > 1:
        raise Fault(
            f"{len(given)} columns are named as --target, and commands learn one; several numbers "
            "at once are learnt in Python: GradientBoostingRegressor().fit(X, Y), Y of a column a "
            "target."
        )
    return given[0] if given else None


# What names a second column beside the target, and how it is learnt.
_IN_PYTHON = {
    "qid": "queries are learnt in Python: GradientBoostingRanker().fit(X, y, qid=...)",
    "event": "times of events are learnt in Python: GradientBoostingRegressor('cox').fit(X, y), y "
    "of one column of bool (whether it came) and one of times",
}
_IN_PYTHON |= {"group": _IN_PYTHON["qid"], "time": _IN_PYTHON["event"]}


def in_python(command: F) -> F:
    """Options that name further columns to learn, which commands do not have: refused by the way.

    They do not show in the help.
    """
    for name in _IN_PYTHON:
        command = click.option(
            f"--{name}", hidden=True, expose_value=False, callback=_refuse_in_python
        )(command)
    return command


def _refuse_in_python(_: click.Context, parameter: click.Parameter, given: str | None) -> None:
    if given is not None:
        name = str(parameter.name)
        raise Fault(
            f"there is no --{name}: {_IN_PYTHON[name]}; weaklearn predict and explain take the "
            "saved model."
        )


positive = click.option(
    "--positive",
    metavar="CLASS",
    help="The class that is spoken of, of two; by default the model's own, or the rarer one where "
    "it has less than 20 % of the rows, or the second.",
)
weights = click.option(
    "--weights", metavar="COLUMN", help="Sample weights.", shell_complete=_columns
)


def columns(name: str, text: str, *more: str) -> Callable[[F], F]:
    """A repeatable option that names columns, completed by the shell."""
    return click.option(
        name, *more, metavar="COLUMN", multiple=True, help=text, shell_complete=_columns
    )
