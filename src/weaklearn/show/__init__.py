"""How is it shown? Pictures of a fit, and a demonstration for the terminal.

Nothing is drawn or loaded before it is asked for; pictures need ``pip install "weaklearn[plot]"``.
"""

from ..inspection.importance import importances
from .alternating_tree import AlternatingTreeDisplay
from .detections import DetectionCurveDisplay, DetectionDisplay
from .edges import EdgeDisplay
from .haar import HaarDisplay
from .importance import ImportanceDisplay
from .picture import MarginDisplay, RoundsDisplay, draw
from .regions import DecisionRegionDisplay
from .report import report
from .shape_display import ShapeFunctionDisplay
from .stages import StagesDisplay
from .waterfall import WaterfallDisplay
from .weights import WeightsDisplay

__all__ = [
    "AlternatingTreeDisplay",
    "DecisionRegionDisplay",
    "DetectionCurveDisplay",
    "DetectionDisplay",
    "EdgeDisplay",
    "HaarDisplay",
    "ImportanceDisplay",
    "MarginDisplay",
    "RoundsDisplay",
    "ShapeFunctionDisplay",
    "StagesDisplay",
    "WaterfallDisplay",
    "WeightsDisplay",
    "draw",
    "importances",
    "report",
]
