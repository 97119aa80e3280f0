"""Arrays as text for a page: bytes deflated, in base64."""

from __future__ import annotations

import base64
import json
import zlib
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What could end a script element, open a comment, or break a line of JavaScript.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def packed(rows: NDArray[Any]) -> str:
    """Numbers as little-endian float32, one row after another."""
    return _text(np.asarray(rows, "<f4").tobytes())


def packed_steps(rows: NDArray[np.uint8]) -> str:
    """Bytes, each row as its difference from the one before: little changes between rounds."""
    steps = rows.copy()
    steps[1:] -= rows[:-1]
    return _text(steps.tobytes())


def _text(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def told(value: float) -> float | None:
    """A number as JSON knows it."""
    value = float(value)
    return value if isfinite(value) else None


def as_json(value: Any) -> str:
    """JSON that may also stand inside a page: no character of it can end the element around it.

    >>> print(as_json({"name": "</script>"}))
    {"name":"\\u003c/script\\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.translate(_ESCAPES)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
