"""JSON that is safe inside HTML, and hashes for the content-security policy."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

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
