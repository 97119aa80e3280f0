"""How is it used without writing Python? The command ``weaklearn``.

Needs ``pip install ".[cli]"``; nothing is loaded before a command asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line, that of this process by default, and returns an exit status."""
    try:
        try:
            import click  # noqa: F401
        except ImportError:
            needs = 'the command line needs click: pip install ".[cli]" in a clone of weaklearn'
            print(f"weaklearn: {needs}", file=sys.stderr)
            return 1
        from .app import run

        return run(arguments)
    except KeyboardInterrupt:  # outside ``run``, which prints a message
        return 130
