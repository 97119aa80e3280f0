"""What is guaranteed? The room of the theorems.

* ``bounds``: every bound as a function of its numbers, from training error and margins to the
  number of rounds, tries and examples that a promise takes.
* ``tree_code``: binary decision trees as prefix-free strings of bits, and back.
* ``decompose``, ``bias_variance`` and ``bagging_identity``: squared error taken apart.
"""

from . import tree_code
from .decomposition import bagging_identity, decompose
from .variation import bias_variance

__all__ = ["bagging_identity", "bias_variance", "decompose", "tree_code"]
