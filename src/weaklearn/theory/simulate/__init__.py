"""Simulations of theorems: samples are drawn, and an inequality is checked on each.

* ``coverage`` and ``expectation``: any statement about chance, tried many times; ``pac`` for the
  errors of a learner.
* ``thresholds``: bounds on the true error, on thresholds on the line, whose errors are known.
* ``margins``, ``confidence``, ``weak_to_strong``, ``bagging``: votes and averages.
* ``mistakes``, ``stopped_at_random``, ``after_a_gap``: the perceptron.

What comes back prints as a table, says whether the statement ``holds``, and has arrays to draw.
"""

from __future__ import annotations

from ...lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "line": "STATEMENTS Line thresholds",
        "stream": "after_a_gap mistakes separated stopped_at_random",
        "trials": "Coverage Curve Expectation coverage expectation pac",
        "votes": "bagging confidence margins weak_to_strong",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
