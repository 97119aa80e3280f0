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
    from . import kernels as kernels
    from .disjunction import DisjunctionLearner as DisjunctionLearner
    from .disjunction import Duel as Duel
    from .disjunction import adversary as adversary
    from .experts import ExpertTrace as ExpertTrace
    from .experts import HedgeTrace as HedgeTrace
    from .halving import HalvingLearner as HalvingLearner
    from .kernel_perceptron import OnlineKernelPerceptron as OnlineKernelPerceptron
    from .linear import OnlineMarginPerceptron as OnlineMarginPerceptron
    from .linear import OnlinePerceptron as OnlinePerceptron
    from .linear import OnlineSGD as OnlineSGD
    from .protocol import OnlineLearner as OnlineLearner
    from .protocol import Trace as Trace
    from .to_batch import Stopped as Stopped
    from .to_batch import large_gap as large_gap
    from .to_batch import random_stopping as random_stopping

# Looked up when first asked for: kernels bring scipy, which a file of weights does without.
__getattr__ = lazy_names(
    __name__,
    {
        "DisjunctionLearner": "disjunction",
        "Duel": "disjunction",
        "ExpertTrace": "experts",
        "HalvingLearner": "halving",
        "HedgeTrace": "experts",
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
