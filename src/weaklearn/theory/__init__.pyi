# Made by `make stub` from the names that the module lists.
from . import bounds as bounds
from . import games as games
from . import simulate as simulate
from . import tree_code as tree_code
from . import vc as vc
from .bias_and_variance.decomposition import bagging_identity, decompose
from .bias_and_variance.variation import bias_variance
from .games import weak_learnability
from .pac.compression import compression_scheme
from .pac.distribution import FiniteDistribution
from .pac.error import erm_sandwich, errors, srm_curve
from .pac.piecewise import piecewise_halfspace
from .pac.planning import boost_confidence, plan, strong_learner

__all__ = [
    "FiniteDistribution",
    "bagging_identity",
    "bias_variance",
    "boost_confidence",
    "bounds",
    "compression_scheme",
    "decompose",
    "erm_sandwich",
    "errors",
    "games",
    "piecewise_halfspace",
    "plan",
    "simulate",
    "srm_curve",
    "strong_learner",
    "tree_code",
    "vc",
    "weak_learnability",
]
