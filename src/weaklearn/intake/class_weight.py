"""``class_weight``: factors of the sample weights, per class."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.numeric.fixed_point import scale_weights
from ..base.numeric.total import rounded_once
from ..base.types import Floats, Partitions
from . import parameters
from .weights import counts

if TYPE_CHECKING:
    from .outputs import Outputs
    from .prepare import Examples


def product(importance: Floats, factor: Floats, over: Partitions) -> Floats:
    """Sample weights times factors; where that overflows, the factors are scaled down."""
    with np.errstate(over="ignore"):
        product = importance * factor
    most, largest = over.maximum(np.array([product.max(initial=0.0), factor.max(initial=0.0)]))
    return product if math.isfinite(most) else importance * (factor / largest)


def output_factors(
    class_weight: Any,
    outputs: Outputs,
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
    over: Partitions,
) -> NDArray[np.float64]:
    """The factor of each row of several outputs: the product of those of its classes.

    ``class_weight`` is "balanced", or a list with a dict for each output.
    """
    each = [class_weight] * outputs.n if isinstance(class_weight, str) else class_weight
    if not isinstance(each, (list, tuple)) or len(each) != outputs.n:
        raise ValueError(
            f"class_weight={show(class_weight)} is not allowed where y holds {outputs.n} outputs a "
            "row: it must be None, 'balanced' or a list with a dict for each output."
        )
    assert outputs.codes is not None
    factor = np.ones(len(outputs.codes))
    for of, classes, codes in zip(each, outputs.classes, outputs.codes.T, strict=True):
        factor *= class_factors(of, classes, codes, copies, importance, over)[codes]
    if not factor.any():
        raise ValueError(
            "class_weight leaves no row: each has a class of weight 0 in one output or another; "
            "give some of these classes a weight above 0."
        )
    return factor


def class_factors(
    class_weight: Any,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
    over: Partitions,
) -> NDArray[np.float64]:
    """The factor of each class: "balanced", or a dict from label to factor (1 where left out)."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        if importance is None:
            own = np.bincount(codes, weights=copies, minlength=len(classes))
            mass = over.sum(own.astype(np.int64)).astype(np.float64)
        else:
            mass = rounded_once([importance[codes == k] for k in range(len(classes))], over)
        return np.asarray(mass.sum() / (len(classes) * mass), np.float64)
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={show(class_weight)} is not allowed: it must be None, 'balanced' or a "
            "dict from class label to weight."
        )
    known = classes.tolist()
    strange = [label for label in class_weight if label not in known]
    left_out = [label for label in known if label not in class_weight]
    if strange and left_out:  # a fold may lack a class, but this looks like a typing error
        raise ValueError(
            f"The classes, {left_out[:10]}, are not in class_weight, which names {strange[:10]} "
            "instead; y does not hold these."
        )
    for label, weight in class_weight.items():
        if not 0 <= parameters.as_float(weight) < math.inf:
            raise ValueError(
                f"class_weight[{show(label)}] is {show(weight)}; pass finite numbers >= 0, with 0 "
                "for a class to be left out."
            )
    factor = np.array([float(class_weight.get(label, 1.0)) for label in known])
    if not factor.any():
        raise ValueError("class_weight holds zeros only; at least one must be positive.")
    return factor


def with_factor(
    examples: Examples, factor: Floats, used: NDArray[np.bool_] | None, over: Partitions
) -> tuple[Examples, NDArray[np.bool_] | None]:
    """The examples weighted by the factors of their classes; those of factor 0 are dropped."""
    copies, importance = examples.copies, examples.importance
    with np.errstate(over="ignore"):
        integral = counts(factor if copies is None else copies * factor, over)
    if importance is None and integral is not None:  # as if given as sample_weight
        copies = integral
    else:
        importance = (
            scale_weights(factor, over) if importance is None else product(importance, factor, over)
        )
    examples = replace(examples, copies=copies, importance=importance)
    if factor.all():
        return examples, used
    return examples.take(np.flatnonzero(factor)), narrowed(used, factor > 0)


def narrowed(used: NDArray[np.bool_] | None, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask of the rows still used, over all rows of X."""
    if used is None:
        return still
    fewer = used.copy()
    fewer[used] = still
    return fewer
