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
    from .experts import ExpertTrace as ExpertTrace
    from .experts import HedgeTrace as HedgeTrace
    from .kernel_perceptron import OnlineKernelPerceptron as OnlineKernelPerceptron
    from .linear import OnlineMarginPerceptron as OnlineMarginPerceptron
    from .linear import OnlinePerceptron as OnlinePerceptron
    from .linear import OnlineSGD as OnlineSGD
    from .mistake_bounds import DisjunctionLearner as DisjunctionLearner
    from .mistake_bounds import Duel as Duel
    from .mistake_bounds import HalvingLearner as HalvingLearner
    from .mistake_bounds import adversary as adversary
    from .protocol import OnlineLearner as OnlineLearner
    from .protocol import Stopped as Stopped
    from .protocol import Trace as Trace
    from .protocol import large_gap as large_gap
    from .protocol import random_stopping as random_stopping

# Looked up when first asked for: kernels bring scipy, which a file of weights does without.
__getattr__ = lazy_names(
    __name__,
    {
        **dict.fromkeys(("OnlineLearner", "Stopped", "Trace"), "protocol"),
        **dict.fromkeys(("large_gap", "random_stopping"), "protocol"),
        **dict.fromkeys(("DisjunctionLearner", "Duel", "adversary"), "mistake_bounds"),
        **dict.fromkeys(("OnlineMarginPerceptron", "OnlinePerceptron", "OnlineSGD"), "linear"),
        **dict.fromkeys(("ExpertTrace", "HedgeTrace"), "experts"),
        "HalvingLearner": "mistake_bounds",
        "OnlineKernelPerceptron": "kernel_perceptron",
    },
    modules=("kernels",),
)
