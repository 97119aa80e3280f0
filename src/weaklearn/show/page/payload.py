"""Data inside a page, as JSON that no parser of HTML can take for anything else."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

_MARKS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def payload(value: Any) -> str:
    """JSON in plain ASCII without <, > and &; numbers that are none are null.

    It reads back to the same texts, whatever they hold.

    >>> payload({"name": "</script><!--", "x": [0.5, float("nan")]})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u003c!--","x":[0.5,null]}'
    """
    text = json.dumps(_told(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate(_MARKS)


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
