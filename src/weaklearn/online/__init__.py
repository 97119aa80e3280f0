"""Online learning, one example at a time: protocol, learners, and conversion to batch learning.

* ``OnlineLearner``: ``predict(x)``, then ``update(x, y)``; ``run`` gives a ``Trace``.
* ``OnlinePerceptron``, ``OnlineMarginPerceptron``, ``OnlineSGD``: linear scores, and circuits.
* ``DisjunctionLearner`` and its ``adversary``, ``HalvingLearner``, ``OnlineKernelPerceptron``.
* ``kernels``: polynomial, all products, strings, one's own, and what can be made of them.
* ``random_stopping`` and ``large_gap``: a hypothesis of small error out of an online run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from . import kernels
    from .disjunction import DisjunctionLearner, Duel, adversary
    from .experts import ExpertTrace
    from .halving import HalvingLearner
    from .hedge import HedgeTrace
    from .kernel_perceptron import OnlineKernelPerceptron
    from .linear import OnlineMarginPerceptron, OnlinePerceptron, OnlineSGD
    from .protocol import OnlineLearner, Trace
    from .to_batch import Stopped, large_gap, random_stopping

__all__ = [
    "DisjunctionLearner",
    "Duel",
    "ExpertTrace",
    "HalvingLearner",
    "HedgeTrace",
    "OnlineKernelPerceptron",
    "OnlineLearner",
    "OnlineMarginPerceptron",
    "OnlinePerceptron",
    "OnlineSGD",
    "Stopped",
    "Trace",
    "adversary",
    "kernels",
    "large_gap",
    "random_stopping",
]

# Looked up when first asked for: kernels bring scipy, which a file of weights does without.
__getattr__ = lazy_names(
    __name__,
    {
        "DisjunctionLearner": "disjunction",
        "Duel": "disjunction",
        "ExpertTrace": "experts",
        "HalvingLearner": "halving",
        "HedgeTrace": "hedge",
        "OnlineKernelPerceptron": "kernel_perceptron",
        "OnlineLearner": "protocol",
        "OnlineMarginPerceptron": "linear",
        "OnlinePerceptron": "linear",
        "OnlineSGD": "linear",
        "Stopped": "to_batch",
        "Trace": "protocol",
        "adversary": "disjunction",
        "large_gap": "to_batch",
        "random_stopping": "to_batch",
    },
    modules=("kernels",),
)
