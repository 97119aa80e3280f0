"""A value as error messages print it."""

from __future__ import annotations

from typing import Any

import numpy as np


def show(value: Any) -> str:
    """The value's repr: escaped, cut to 80 characters, and with numpy's numbers as plain ones.

    >>> show([np.float64(0.5), np.int64(3)])
    '[0.5, 3]'
    """
    try:
        text = repr(_plain(value))
    except Exception:  # an integer of thousands of digits, or an object that cannot show itself
        text = f"<{type(value).__name__}>"
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else text[:60] + f"... ({len(text)} characters)"


def _plain(value: Any) -> Any:
    """A value, or a short list or tuple of values, without numpy's scalars."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple) and len(value) <= 20:
        return type(value)(map(_plain, value))
    return value
