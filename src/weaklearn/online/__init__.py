"""How is learnt one example at a time? The protocol, its learners, and the way back to a batch.

* ``OnlineLearner``: ``predict(x)``, then ``update(x, y)``; ``run`` gives a ``Trace``.
* ``OnlinePerceptron``, ``OnlineMarginPerceptron``, ``OnlineSGD``: linear scores, and circuits.
* ``random_stopping`` and ``large_gap``: a hypothesis of small error out of an online run.
"""

from .linear import OnlineMarginPerceptron, OnlinePerceptron, OnlineSGD
from .protocol import OnlineLearner, Trace
from .to_batch import Stopped, large_gap, random_stopping

__all__ = [
    "OnlineLearner",
    "OnlineMarginPerceptron",
    "OnlinePerceptron",
    "OnlineSGD",
    "Stopped",
    "Trace",
    "large_gap",
    "random_stopping",
]
