"""What being wrong costs: the losses as objects.

A loss is a class with a number in a module of this package; its name, its place in model files and
what estimators may set of it are found from the class.
"""

from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..base.loss import Loss
from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..base.numeric.percentile import percentile as percentile
    from .custom import CustomLoss as CustomLoss
    from .focal import *  # noqa: F403
    from .links import probability as probability
    from .margin import *  # noqa: F403
    from .names import FOR_CLASSES as FOR_CLASSES
    from .names import FOR_EVENTS as FOR_EVENTS
    from .names import FOR_NUMBERS as FOR_NUMBERS
    from .names import named as named
    from .ranking import LambdaMART as LambdaMART
    from .regression import *  # noqa: F403
    from .robust import *  # noqa: F403
    from .several import *  # noqa: F403
    from .smoothing import *  # noqa: F403
    from .survival import *  # noqa: F403

# The modules of losses by number, so that a model file imports the one that it holds.
_NUMBERS: dict[str, Collection[int]] = {
    "margin": range(40, 44),
    "regression": range(44, 52),
    "robust": range(52, 56),
    "focal": (56, 57),
    "several": (58,),
    "smoothing": (68, 69),
    "ranking": (59,),
    "survival": (70, 71),
    "shares": (72, 73),
}
_NAMED = {
    "Loss": "custom",
    "CustomLoss": "custom",
    "percentile": "regression",
    "probability": "links",
    **dict.fromkeys(("FOR_CLASSES", "FOR_EVENTS", "FOR_NUMBERS", "named"), "names"),
}


@cache
def kinds() -> tuple[type[Loss], ...]:
    """The loss classes with a number that modules of this package define.

    Those with kernels of their own come first, then in the order of the numbers.

    >>> [kind.__name__ for kind in kinds()[:3]]
    ['Logistic', 'Softmax', 'Exponential']
    """
    from pkgutil import iter_modules

    found: dict[Any, type[Loss]] = {}
    for module in iter_modules(__path__):  # noqa: F405
        for kind in _kinds_in(module.name):
            known = found.setdefault(kind.number, kind)
            assert known is kind, f"{kind.__name__} has the number of {known.__name__}"
    return tuple(sorted(found.values(), key=lambda kind: (not kind.native, kind.number or 0)))


def _kinds_in(module: str) -> Iterator[type[Loss]]:
    for kind in vars(import_module(f".{module}", __name__)).values():
        known = isinstance(kind, type) and issubclass(kind, Loss) and kind is not Loss
        if known and "number" in vars(kind):
            yield kind


def numbered(number: int) -> type[Loss] | None:
    """The loss class of a number, of which the module alone is imported where that is known.

    >>> numbered(40).__name__
    'Exponential'
    """
    listed = (module for module, numbers in _NUMBERS.items() if number in numbers)
    some = (kind for module in listed for kind in _kinds_in(module))
    return next((kind for kind in chain(some, _all()) if kind.number == number), None)


def _all() -> Iterator[type[Loss]]:
    yield from kinds()


def _homes() -> dict[str, str]:
    """The module of every name that is imported when first asked for."""
    return _NAMED | {kind.__name__: kind.__module__.rpartition(".")[2] for kind in kinds()}


__getattr__ = lazy_names(__name__, _homes)
