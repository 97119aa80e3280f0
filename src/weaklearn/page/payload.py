"""Data of charts and tables inside a page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .html_json import as_json


def payload(value: Any) -> str:
    """JSON that may stand in a page; numbers are rounded, and null where they are none.

    >>> payload({"name": "</script><!--", "x": [0.5, float("nan")]})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u003c!--","x":[0.5,null]}'
    """
    return as_json(_told(value))


def _told(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _told(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_told(each) for each in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value if value is None else str(value)
