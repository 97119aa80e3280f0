"""Averages of many predictors: bags of examples, members, out-of-bag predictions."""

from .bagged import Bagged, OutOfBag, bag
from .bootstrap import Bags, canonical_order
from .tree_list import Grove

__all__ = ["Bagged", "Bags", "Grove", "OutOfBag", "bag", "canonical_order"]
