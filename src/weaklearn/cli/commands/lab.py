"""``weaklearn lab``: boosting watched in a browser."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same
from ..fault import Fault
from ..output import say
from ..signals import Terminated


@click.command(
    epilog="""\b
Examples:
  weaklearn lab
  weaklearn lab --port 8900 --no-browser
  weaklearn lab --export run.html --booster adaboost --booster lpboost
  weaklearn lab --export run.html --booster adaboost:learning_rate=0.1
  weaklearn lab --export run.html --data flowers.csv --target kind"""
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default."
)
@click.option("--host", help="Open it to other machines: 0.0.0.0, or an address of this one.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option(
    "--export", type=option.FILE, metavar="FILE", help="Write a replay as one HTML file, and end."
)
@click.option(
    "--booster",
    "boosters",
    metavar="NAME[:SETTING=VALUE,...]",
    multiple=True,
    help="Replay: one booster or two, such as adaboost or brownboost:epsilon=0.1.",
)
@click.option("--learner", metavar="NAME", help="Replay: stump, tree-2 or tree-3.")
@click.option("--points", metavar="NAME", help="Replay: toy, moons, circles, xor, ...")
@click.option("--n-points", "n", type=int, metavar="N", help="Replay: the number of points.")
@click.option(
    "--data", type=option.FILE, metavar="FILE", help="Replay: a small table of your own points."
)
@option.target(False, "The column of --data with the classes; by default the last one.")
@option.columns("--column", "The two columns of --data to draw; by default the other two.")
@click.option("--rounds", type=int, metavar="N", help="Replay: the number of rounds.")
@click.option("--noise", type=float, metavar="SHARE", help="Replay: the share of flipped labels.")
@click.option(
    "--held-out", type=float, metavar="SHARE", help="Replay: the share of points kept for testing."
)
@click.option("--seed", type=int, metavar="N", help="Replay: the random seed of points and noise.")
@click.option("--title", metavar="TEXT", help="Replay: its title.")
@option.reading
def command(port: int, host: str | None, no_browser: bool, export: str | None, **asked: Any) -> int:
    """Open a page on this machine that shows boosting round by round; Ctrl-C closes it."""
    if export is not None:
        refuse_same(export, asked["data"])
        check_folder(export)
        from ..replaying import replay

        return replay(export, **asked)
    if any(value not in (None, (), False) for value in asked.values()):
        raise Fault("the points and boosters of a page are chosen on it; name them with --export.")
    from ...lab import serve

    try:
        place = {} if host is None else {"host": host}
        serve(port, not no_browser, announce=lambda address: click.echo(address), **place)
    except KeyboardInterrupt as interrupt:
        if isinstance(interrupt, Terminated):
            raise
        say("The lab is closed.")
    return 0
