"""JSON that is safe inside HTML, and hashes for the content-security policy."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from typing import Any

import numpy as np

_MARKS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def as_json(value: Any) -> str:
    """JSON in plain ASCII without <, > and &: no part of it can end the element around it.

    It reads back to the same texts, whatever they hold.

    >>> print(as_json({"name": "</script>"}))
    {"name":"\\u003c/script\\u003e"}
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate(_MARKS)


def digest(text: str) -> str:
    """The hash by which a content-security policy allows a script or a style.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode()}"


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
