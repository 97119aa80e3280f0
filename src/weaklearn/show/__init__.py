"""How is a fit shown? Pictures, a report as one HTML page, and a demonstration for the terminal.

Nothing is drawn or loaded before it is asked for; pictures need ``pip install ".[plot]"``.
"""

from ..inspection.dependence import partial_dependence
from ..inspection.importance import importances
from .displays.alternating_tree import AlternatingTreeDisplay
from .displays.detections import DetectionCurveDisplay, DetectionDisplay, HaarDisplay
from .displays.importance import ImportanceDisplay
from .displays.regions import DecisionRegionDisplay, StagesDisplay
from .displays.rounds import EdgeDisplay, MarginDisplay, RoundsDisplay, draw
from .displays.shape_function import ShapeFunctionDisplay
from .displays.waterfall import WaterfallDisplay
from .displays.weights import WeightsDisplay
from .report import report

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
    "partial_dependence",
    "report",
]
