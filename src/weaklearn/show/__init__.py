"""How is it shown? Pictures of a fit, and a demonstration for the terminal.

Nothing is drawn or loaded before it is asked for; pictures need ``pip install "weaklearn[plot]"``.
"""

from .alternating_tree import AlternatingTreeDisplay
from .importance import ImportanceDisplay
from .picture import MarginDisplay, RoundsDisplay, draw
from .shape_display import ShapeFunctionDisplay
from .waterfall import WaterfallDisplay

__all__ = [
    "AlternatingTreeDisplay",
    "ImportanceDisplay",
    "MarginDisplay",
    "RoundsDisplay",
    "ShapeFunctionDisplay",
    "WaterfallDisplay",
    "draw",
]
