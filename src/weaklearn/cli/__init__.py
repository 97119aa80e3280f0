"""How is it used without writing Python? The command ``weaklearn``.

Needs ``pip install "weaklearn[cli]"``; nothing is loaded before a command asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line, that of this process by default, and returns an exit status."""
    try:
        import click  # noqa: F401
    except ImportError:
        print(
            'weaklearn: the command line needs click: pip install "weaklearn[cli]"', file=sys.stderr
        )
        return 1
    try:
        from .app import run
    except KeyboardInterrupt:  # before there is anybody to tell
        return 130
    return run(arguments)
