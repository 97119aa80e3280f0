"""Random generators of synthetic data, and checks of their parameters."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from ..base.messages.value_text import show


def generator(random_state: Any) -> Any:
    """The generator of a seed (None is 0), or the one given."""
    if isinstance(random_state, (np.random.Generator, np.random.RandomState)):
        return random_state
    if random_state is None:
        return np.random.default_rng(0)
    if isinstance(random_state, bool) or not isinstance(random_state, Integral):
        raise TypeError(
            f"random_state={random_state!r} is not allowed: it must be None, a whole number, or a "
            "random generator of numpy."
        )
    return np.random.default_rng(int(random_state))


def whole(name: str, value: Any, least: int) -> int:
    """An integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(
            f"{name}={show(value)} is not allowed: it must be a whole number of at least {least}."
        )
    return int(value)


def number(name: str, value: Any, least: float, most: float) -> float:
    """A number in a range."""
    if isinstance(value, bool) or not isinstance(value, Real) or not least <= float(value) <= most:
        raise ValueError(
            f"{name}={show(value)} is not allowed: it must be a number between {least:g} and "
            f"{most:g}."
        )
    return float(value)
