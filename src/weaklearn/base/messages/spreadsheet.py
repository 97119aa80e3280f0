"""Texts that a spreadsheet would take for formulas."""

from __future__ import annotations

import re
from typing import Any

_NUMERAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")
_FORMULA = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", "\t", "\r", "\n")  # wide ones are read alike


def harmless(value: Any) -> Any:
    """The value, with an apostrophe before a text that a spreadsheet would take for a formula.

    >>> harmless("=cmd()"), harmless("-3.5"), harmless("plain")
    ("'=cmd()", '-3.5', 'plain')
    """
    if isinstance(value, str) and value.startswith(_FORMULA) and not _NUMERAL.fullmatch(value):
        return "'" + value
    return value
