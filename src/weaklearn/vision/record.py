"""Rectangle features and cascades of them in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..files.check import Check, array, flag, integer, maybe
from ..files.error import Flaw
from ..files.record import Record, expect
from .cascade import Cascade
from .haar import HaarFeatures

_WHOLES = array("iu")
_SIDE = integer(1, 4096)

_CASCADE: Mapping[str, Check] = {
    "height": _SIDE,
    "width": _SIDE,
    "inset": flag,
    "rects": array("iu", 2),
    "rect_weight": array("f"),
    "feature_start": _WHOLES,
    "node_feature": _WHOLES,
    "node_threshold": array("f"),
    "node_low": array("f"),
    "node_high": array("f"),
    "stage_start": _WHOLES,
    "stage_threshold": array("f"),
    "tilted": maybe(array("b")),
    "low_child": maybe(_WHOLES),
    "high_child": maybe(_WHOLES),
}
_FEATURES: Mapping[str, Check] = {
    "height": _SIDE,
    "width": _SIDE,
    "kind": _WHOLES,
    "top": _WHOLES,
    "left": _WHOLES,
    "unit_height": _WHOLES,
    "unit_width": _WHOLES,
}


def _arrays(number: int, kind: Any, fields: Mapping[str, Check]) -> Record:
    """The record of a class of arrays, whose ``of`` proves them sound."""

    def take(value: Any) -> list[Any]:
        return [getattr(value, name) for name in fields]

    def make(values: list[Any]) -> Any:
        expect(values, len(fields))
        for (name, check), value in zip(fields.items(), values, strict=True):
            check(name, value)
        try:
            return kind.of(**dict(zip(fields, values, strict=True)))
        except (TypeError, ValueError, OverflowError) as error:
            raise Flaw(str(error)[:300]) from None

    return Record(number, kind, take, make)


CASCADE = _arrays(90, Cascade, _CASCADE)
FEATURES = _arrays(91, HaarFeatures, _FEATURES)
