# Made by `make stub` from the names that the module lists.
from .axes import Rectangles, Stumps
from .finite import AllFunctions, Disjunctions, Finite, Monomials, Predicate
from .halfspaces import Halfspaces, Radon, radon
from .kind import HypothesisClass
from .line import AtMost, Intervals, Majority, Piecewise, StumpVotes, ThreePiece, Thresholds
from .shattering import (
    dichotomies,
    growth,
    is_shattered,
    missing,
    shattered_set,
    vc_dimension,
    witnesses,
)

__all__ = [
    "AllFunctions",
    "AtMost",
    "Disjunctions",
    "Finite",
    "Halfspaces",
    "HypothesisClass",
    "Intervals",
    "Majority",
    "Monomials",
    "Piecewise",
    "Predicate",
    "Radon",
    "Rectangles",
    "StumpVotes",
    "Stumps",
    "ThreePiece",
    "Thresholds",
    "dichotomies",
    "growth",
    "is_shattered",
    "missing",
    "radon",
    "shattered_set",
    "vc_dimension",
    "witnesses",
]
