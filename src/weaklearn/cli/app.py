"""The command ``weaklearn``: its commands by name, loaded when called, and its exit status."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from . import fault, signals
from .output import discard, say

# In the order of the help: what is used first comes first.
COMMANDS = {
    "fit": "Learn a model from a table.",
    "predict": "Predict a column for the rows of a table.",
    "report": "Write a report on a model as one HTML file.",
    "rules": "Print the rules of a model.",
    "explain": "Explain the scores of rows by their columns.",
    "serve": "Answer requests for predictions over HTTP.",
    "export": "Write a model as Python, C, JavaScript, SQL, ONNX.",
    "certify": "Print what is guaranteed of a model's error.",
    "compare": "Cross-validate several models on a table.",
    "check": "Check new rows for drift since training.",
    "inspect": "Print what a model file holds.",
    "verify": "Refit a model and check that it is the same.",
    "plan": "Compute the examples and rounds that reach an error.",
    "detect": "Find faces in pictures.",
    "lab": "Watch boosting round by round in a browser.",
    "reproduce": "Run the experiments of the founding texts.",
    "demo": "Show a short session in the terminal.",
    "completion": "Print a script that completes commands in a shell.",
}
_VARIABLE = "_WEAKLEARN_COMPLETE"


class _Commands(click.Group):
    """A group whose commands are modules of their own, imported on their first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f".commands.{name}", __package__).command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from ..base.messages.spelling import nearest

            raise fault.Fault(
                f"there is no command {args[0]!r}; the commands are {', '.join(COMMANDS)}."
                f"{nearest(args[0], list(COMMANDS))}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):  # from the table: nothing is imported for a help
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"weaklearn {sys.modules['weaklearn'].__version__}")
        ctx.exit()


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  weaklearn fit patients.csv --target sick -o model.weak
  weaklearn rules model.weak
  weaklearn predict model.weak new.csv -o predictions.csv
  weaklearn COMMAND --help""",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version.",
)
def group() -> None:
    """Boosting from a table to a saved model, its rules, guarantees and predictions.

    Results go to standard output, messages to standard error; --json prints results as JSON. The
    exit status is 0 for success, 1 where something failed, 2 for a wrong call or a faulty file, 130
    and 143 after SIGINT and SIGTERM.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit status; an error is printed as one sentence."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if _VARIABLE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(group, {}, "weaklearn", _VARIABLE, os.environ[_VARIABLE])
    for name in ("stdout", "stderr"):  # closed by whoever started us
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    shown = warnings.showwarning
    warnings.showwarning = _show_warning
    try:
        with signals.handled():
            return _run(given)
    finally:
        warnings.showwarning = shown


def _run(given: list[str]) -> int:
    try:
        status = _invoked(given)
        sys.stdout.flush()
        return status
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        return _ended(f"{_usage(error)}{error.format_message()}", fault.WRONG_CALL)
    except BrokenPipeError:
        discard(sys.stdout)
        return 0
    except (KeyboardInterrupt, click.Abort) as interrupt:
        return _interrupted(interrupt)
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # of a class that was being made
            return _interrupted(error.__cause__)
        if os.environ.get("WEAKLEARN_TRACEBACK"):
            raise
        return _ended(*fault.sentence_and_status(error))


def _interrupted(interrupt: BaseException) -> int:
    status = signals.status_of(interrupt)
    return _ended("interrupted." if status == signals.INTERRUPTED else "terminated.", status)


def _invoked(given: list[str]) -> int:
    if not given:
        given = ["--help"]
    with group.make_context("weaklearn", given) as context:
        from ..base.messages.value_text import rows_counted_from

        with rows_counted_from(1):
            status = group.invoke(context)
        return status if isinstance(status, int) else 0


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else f"{context.command_path.removeprefix('weaklearn ')}: "


def _ended(sentence: str, status: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:
        discard(sys.stdout)
    say(f"weaklearn: {fault.one_line(sentence)}")
    return status


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    say(f"weaklearn: {fault.one_line(fault.in_options(str(message)))}")
