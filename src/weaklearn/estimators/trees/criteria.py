"""What trees lower: the names of criteria, and what each of them refuses."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...base.messages.value_text import show
from ...base.sample import Sample

Criterion = Literal["gini", "entropy", "log_loss", "gain_ratio", "sqrt", "error"]
NumberCriterion = Literal["squared_error", "friedman_mse", "absolute_error", "poisson"]
_SAME = {"log_loss": "entropy", "friedman_mse": "squared_error"}  # names that others have for ours


def criterion_of(model: Any) -> str:
    """The criterion by the name that the kernels know; refuses what does not go with it."""
    criterion: str = _SAME.get(model.criterion, model.criterion)
    if criterion == "absolute_error":
        _check_medians(model)
    return criterion


def _check_medians(model: Any) -> None:
    """Refuses what a tree of medians cannot do."""
    other = "; choose another, or criterion='squared_error'."
    if model.missing in ("branch", "fraction"):
        raise ValueError(
            f"missing={show(model.missing)} does not go with criterion='absolute_error', by which "
            f"missing values follow the better side (missing='side'){other}"
        )
    if model.categorical == "multiway":
        raise ValueError(
            "categorical='multiway' does not go with criterion='absolute_error', by which one "
            f"category is asked for at a time (categorical='equality'){other}"
        )
    if model.monotonic_cst is not None:
        raise ValueError(
            "monotonic_cst does not go with criterion='absolute_error', whose medians do not keep "
            f"to an order of means{other}"
        )


def check_rates(criterion: str, sample: Sample) -> None:
    """Refuses numbers that are no counts or rates, where Poisson's criterion is asked for."""
    if criterion != "poisson" or sample.y.ndim == 2:  # which is refused
        return
    wrong = np.flatnonzero(sample.y < 0)
    if len(wrong):
        raise ValueError(
            "Some value(s) of y are negative which is not allowed for Poisson regression: y holds "
            f"{sample.y[wrong[0]]:g} in row {wrong[0]}, and criterion='poisson' is for counts and "
            "rates, 0 or more; choose criterion='squared_error'."
        )
    if not (sample.y > 0).any():
        raise ValueError(
            "Sum of y is not strictly positive which is necessary for Poisson regression: y is 0 "
            "in every row; pass rows in which something happened, or choose "
            "criterion='squared_error'."
        )
