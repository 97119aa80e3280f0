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

from ..lazy_names import homes_of, lazy_names

_MODULES = ("bounds", "games", "simulate", "tree_code", "vc")
_HOMES = homes_of(
    {
        "bias_and_variance.decomposition": "bagging_identity decompose",
        "bias_and_variance.variation": "bias_variance",
        "games": "weak_learnability",
        "pac.compression": "compression_scheme",
        "pac.distribution": "FiniteDistribution",
        "pac.error": "erm_sandwich errors srm_curve",
        "pac.piecewise": "piecewise_halfspace",
        "pac.planning": "boost_confidence plan strong_learner",
    }
)

__getattr__ = lazy_names(__name__, _HOMES, _MODULES)
