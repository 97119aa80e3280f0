"""A value as error messages print it."""

from __future__ import annotations

from typing import Any

import numpy as np


def show(value: Any) -> str:
    """The value's repr: escaped, and cut to 80 characters."""
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # an integer of thousands of digits, or an object that cannot show itself
        text = f"<{type(value).__name__}>"
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else text[:60] + f"... ({len(text)} characters)"
