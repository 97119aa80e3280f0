"""Online learning, one example at a time: protocol, learners, and conversion to batch learning.

* ``OnlineLearner``: ``predict(x)``, then ``update(x, y)``; ``run`` gives a ``Trace``.
* ``OnlinePerceptron``, ``OnlineMarginPerceptron``, ``OnlineSGD``: linear scores, and circuits.
* ``DisjunctionLearner`` and its ``adversary``, ``HalvingLearner``, ``OnlineKernelPerceptron``.
* ``kernels``: polynomial, all products, strings, one's own, and what can be made of them.
* ``random_stopping`` and ``large_gap``: a hypothesis of small error out of an online run.
"""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

# Looked up when first asked for: kernels bring scipy, which a file of weights does without.
_MODULES = ("kernels",)
_HOMES = homes_of(
    {
        "experts": "ExpertTrace HedgeTrace",
        "kernel_perceptron": "OnlineKernelPerceptron",
        "linear": "OnlineMarginPerceptron OnlinePerceptron OnlineSGD",
        "mistake_bounds": "DisjunctionLearner Duel HalvingLearner adversary",
        "protocol": "OnlineLearner Stopped Trace large_gap random_stopping",
    }
)

__getattr__ = lazy_names(__name__, _HOMES, _MODULES)
