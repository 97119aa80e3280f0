"""``weaklearn detect``: faces in pictures."""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn detect faces.weak group.jpg
  weaklearn detect haarcascade_frontalface_default.xml *.jpg --csv
  weaklearn detect faces.weak group.jpg --draw annotated/"""
)
@click.argument("cascade", type=option.FILE, metavar="CASCADE")
@click.argument("images", type=option.FILE, metavar="IMAGE...", nargs=-1, required=True)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@click.option("--draw", metavar="FOLDER", help="Write copies with the boxes drawn in.")
@option.as_json
def command(cascade: str, images: tuple[str, ...], **asked: Any) -> int:
    """Find faces, or what else CASCADE (a .weak file or an OpenCV .xml file) detects, in pictures.

    A box is x, y, width and height in pixels, from the upper left corner.
    """
    from ..detecting import detect

    return detect(cascade, images, **asked)
