"""Averages of many predictors: bags of examples, members, out-of-bag predictions."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .bagged import Bagged, bag
    from .bootstrap import Bags, canonical_order
    from .out_of_bag import OutOfBag
    from .tree_list import Grove

__all__ = ["Bagged", "Bags", "Grove", "OutOfBag", "bag", "canonical_order"]

__getattr__ = lazy_names(
    __name__,
    {
        "Bagged": "bagged",
        "Bags": "bootstrap",
        "Grove": "tree_list",
        "OutOfBag": "out_of_bag",
        "bag": "bagged",
        "canonical_order": "bootstrap",
    },
)
