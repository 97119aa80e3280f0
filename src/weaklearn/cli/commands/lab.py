"""``weaklearn lab``: boosting watched in a browser."""

from __future__ import annotations

import click

from ..fault import Fault


@click.command(
    epilog="""\b
Examples:
  weaklearn lab
  weaklearn lab --port 8900 --no-browser
  weaklearn lab --export run.html"""
)
@click.option("--port", type=click.IntRange(0, 65535), help="A free one by default.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option("--export", metavar="FILE", help="Write a replay as one HTML file, and end.")
def command(port: int | None, no_browser: bool, export: str | None) -> int:
    """Open a page on this machine where one watches boosting happen."""
    try:
        from importlib import import_module

        lab = import_module("weaklearn.show.lab")
    except ModuleNotFoundError as error:
        if error.name != "weaklearn.show.lab":
            raise
        raise Fault("this version has no lab yet.", 1) from None
    status = lab.main(port=port, browser=not no_browser, export=export)
    return status if isinstance(status, int) else 0
