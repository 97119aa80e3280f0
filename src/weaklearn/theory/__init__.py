"""Learning theory as code: bounds, certificates, VC dimension, games, simulations.

* ``bounds``: every bound as a function of its numbers, from training error and margins to the
  number of rounds, tries and examples that a promise takes.
* ``games``: the value of a game of two players, and playing it by multiplicative weights;
  ``weak_learnability`` is the value of a pool of hypotheses against the examples.
* ``vc``: labellings, growth, VC dimension and shattered sets of classes of hypotheses.
* ``tree_code``: binary decision trees as prefix-free strings of bits, and back.
* ``plan`` and ``strong_learner``: from an edge, an accuracy and a confidence to rounds, examples
  and tries, and a run that honours them; ``boost_confidence``: the best of several tries.
* ``piecewise_halfspace``: step functions on the line as votes of stumps.
* ``decompose``, ``bias_variance`` and ``bagging_identity``: squared error taken apart.
* ``errors``, ``erm_sandwich`` and ``srm_curve``: the errors of a hypothesis, of one that was chosen
  by them, and of one that was chosen with regard to its size.
* ``compression_scheme``: a hypothesis rebuilt from a few of its examples.
* ``simulate``: theorems tried out on samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from . import bounds as bounds
    from . import games as games
    from . import simulate as simulate
    from . import tree_code as tree_code
    from . import vc as vc
    from .bias_and_variance.decomposition import bagging_identity as bagging_identity
    from .bias_and_variance.decomposition import decompose as decompose
    from .bias_and_variance.variation import bias_variance as bias_variance
    from .games import weak_learnability as weak_learnability
    from .pac.compression import compression_scheme as compression_scheme
    from .pac.distribution import FiniteDistribution as FiniteDistribution
    from .pac.error import erm_sandwich as erm_sandwich
    from .pac.error import errors as errors
    from .pac.error import srm_curve as srm_curve
    from .pac.piecewise import piecewise_halfspace as piecewise_halfspace
    from .pac.planning import boost_confidence as boost_confidence
    from .pac.planning import plan as plan
    from .pac.planning import strong_learner as strong_learner

_MODULES = ("bounds", "games", "simulate", "tree_code", "vc")
_HOMES = {
    **dict.fromkeys(("bagging_identity", "decompose"), "bias_and_variance.decomposition"),
    **dict.fromkeys(("boost_confidence", "plan", "strong_learner"), "pac.planning"),
    **dict.fromkeys(("erm_sandwich", "errors", "srm_curve"), "pac.error"),
    "FiniteDistribution": "pac.distribution",
    "bias_variance": "bias_and_variance.variation",
    "compression_scheme": "pac.compression",
    "piecewise_halfspace": "pac.piecewise",
    "weak_learnability": "games",
}

__getattr__ = lazy_names(__name__, _HOMES, _MODULES)
