"""Simulations of theorems: samples are drawn, and an inequality is checked on each.

* ``coverage`` and ``expectation``: any statement about chance, tried many times; ``pac`` for the
  errors of a learner.
* ``thresholds``: bounds on the true error, on thresholds on the line, whose errors are known.
* ``margins``, ``confidence``, ``weak_to_strong``, ``bagging``: votes and averages.
* ``mistakes``, ``stopped_at_random``, ``after_a_gap``: the perceptron.

What comes back prints as a table, says whether the statement ``holds``, and has arrays to draw.
"""

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
