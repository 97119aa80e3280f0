"""``weaklearn demo``: a short session in the terminal."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Examples:
  weaklearn demo
  weaklearn demo picture.png"""
)
@click.argument("picture", default="weaklearn-demo.png")
def command(picture: str) -> int:
    """Boost stumps on patients' data, show rules, rounds and guarantees, and write PICTURE."""
    from ...show.demo import main
    from ..data import check_folder

    check_folder(picture)
    return main([picture])
