"""Rectangle features and cascades of them in files."""

from __future__ import annotations

from collections.abc import Mapping

from ..files.check import Check, array, flag, integer, maybe
from ..files.record import plain
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

CASCADE = plain(90, Cascade, _CASCADE, Cascade.of)
FEATURES = plain(91, HaarFeatures, _FEATURES, HaarFeatures.of)
