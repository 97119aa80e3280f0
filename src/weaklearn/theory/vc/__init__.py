"""Shattering: how many labellings a class of hypotheses has.

``dichotomies(cls, points)`` are the labellings of given points, ``growth(cls, m)`` the most that m
points can have, ``vc_dimension(cls)`` the size of the largest set with all of them, and
``is_shattered(cls, points)`` tells whether a set is one; ``witnesses``, ``missing`` and
``shattered_set`` show why. ``radon(points)`` splits points as no halfspace can.

Classes are objects: ``Thresholds()``, ``Intervals(k)``, ``ThreePiece()``, ``Piecewise(r)``,
``StumpVotes(T)`` and ``AtMost(d)`` on the line, ``Stumps(n)``, ``Rectangles(n)`` and
``Halfspaces(n, affine)`` in R^n, ``Monomials(n)`` and ``Disjunctions(n)`` on {0, 1}^n,
``AllFunctions(d)``, ``Majority(k, base)``, ``Finite(hypotheses, domain)`` and
``Predicate(realisable, domain)``. A list of functions, a matrix of answers or a function
``realisable(points, labels)`` may stand for a class.
"""

from __future__ import annotations

from ...lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "axes": "Rectangles Stumps",
        "finite": "AllFunctions Disjunctions Finite Monomials Predicate",
        "halfspaces": "Halfspaces Radon radon",
        "kind": "HypothesisClass",
        "line": "AtMost Intervals Majority Piecewise StumpVotes ThreePiece Thresholds",
        "shattering": "dichotomies growth is_shattered missing shattered_set "
        "vc_dimension witnesses",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
