"""Data of charts and tables inside a page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .html_json import as_json


def payload(value: Any) -> str:
    """JSON for a page; numbers are rounded to six digits, and NaN and infinities are null.

    >>> payload({"name": "</script><!--", "x": [0.5, float("nan")]})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u003c!--","x":[0.5,null]}'
    """
    return as_json(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(each) for each in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value if value is None else str(value)
