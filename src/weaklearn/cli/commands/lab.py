"""``weaklearn lab``: boosting watched in a browser."""

from __future__ import annotations

from typing import Any

import click

from ..data import check_folder
from ..fault import Fault
from ..output import say
from ..signals import Terminated


@click.command(
    epilog="""\b
Examples:
  weaklearn lab
  weaklearn lab --port 8900 --no-browser
  weaklearn lab --export run.html --booster adaboost --booster lpboost --points moons"""
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="A free one by default.")
@click.option("--host", help="Open it to other machines: 0.0.0.0, or an address of this one.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option("--export", metavar="FILE", help="Write a replay as one HTML file, and end.")
@click.option("--booster", "boosters", multiple=True, help="Of the replay: one, or two.")
@click.option("--learner", help="Of the replay: stump, ...")
@click.option("--points", "data", help="Of the replay: toy, moons, circles, xor, ...")
@click.option("--rounds", type=click.IntRange(min=1), help="Of the replay.")
@click.option("--noise", type=float, help="Share of wrong labels in the replay.")
def command(
    port: int, host: str | None, no_browser: bool, export: str | None, **replay: Any
) -> int:
    """Open a page on this machine where one watches boosting happen; Ctrl-C closes it."""
    given = {name: value for name, value in replay.items() if value not in (None, ())}
    if given and export is None:
        raise Fault("the points and boosters of a page are chosen on it; name them with --export.")
    check_folder(export)
    from ...lab import export as write_replay
    from ...lab import serve
    from ...lab.refusal import Refusal

    if export is not None:
        try:
            say(f"Replay written to {write_replay(export, **given)}.")
        except Refusal as refusal:
            raise Fault(_in_options(str(refusal))) from None
        return 0
    try:
        place = {} if host is None else {"host": host}
        serve(port, not no_browser, announce=lambda address: click.echo(address), **place)
    except KeyboardInterrupt as interrupt:
        if isinstance(interrupt, Terminated):
            raise
        say("The lab is closed.")
    return 0


def _in_options(sentence: str) -> str:
    """What the lab says of an argument, said of the option that it came from.

    >>> _in_options("data='moon' is not allowed")
    "--points 'moon' is not allowed"
    """
    name, equals, rest = sentence.partition("=")
    options = {"data": "--points", "boosters": "--booster"}
    known = {"learner", "rounds", "noise", *options}
    return f"{options.get(name, f'--{name}')} {rest}" if equals and name in known else sentence
