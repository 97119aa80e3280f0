"""How is it shown? Pictures of a fit, and a demonstration for the terminal.

Nothing is drawn or loaded before it is asked for; pictures need ``pip install "weaklearn[plot]"``.
"""

from .picture import MarginDisplay, RoundsDisplay, draw

__all__ = ["MarginDisplay", "RoundsDisplay", "draw"]
