"""How do many predictors become one? Bags of examples, averages of members, out-of-bag answers."""

from .bag import Bagged, bag
from .bootstrap import Bags, canonical_order
from .grove import Grove
from .out_of_bag import OutOfBag

__all__ = ["Bagged", "Bags", "Grove", "OutOfBag", "bag", "canonical_order"]
