# Made by `make stub` from the names that the module lists.
from .line import STATEMENTS, Line, thresholds
from .stream import after_a_gap, mistakes, separated, stopped_at_random
from .trials import Coverage, Curve, Expectation, coverage, expectation, pac
from .votes import bagging, confidence, margins, weak_to_strong

__all__ = [
    "STATEMENTS",
    "Coverage",
    "Curve",
    "Expectation",
    "Line",
    "after_a_gap",
    "bagging",
    "confidence",
    "coverage",
    "expectation",
    "margins",
    "mistakes",
    "pac",
    "separated",
    "stopped_at_random",
    "thresholds",
    "weak_to_strong",
]
