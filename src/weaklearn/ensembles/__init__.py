"""How do many predictors become one? Bags of examples, averages of members, out-of-bag answers."""

from typing import TYPE_CHECKING

from ..base.door import door

if TYPE_CHECKING:
    from .bagged import Bagged, bag
    from .bootstrap import Bags, canonical_order
    from .grove import Grove
    from .out_of_bag import OutOfBag

__all__ = ["Bagged", "Bags", "Grove", "OutOfBag", "bag", "canonical_order"]

__getattr__ = door(
    __name__,
    {
        "Bagged": "bagged",
        "Bags": "bootstrap",
        "Grove": "grove",
        "OutOfBag": "out_of_bag",
        "bag": "bagged",
        "canonical_order": "bootstrap",
    },
)
