"""Detectors of faces in model files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.check import instance, need, text
from ..files.history import HISTORY
from ..persistence import checks as fit
from ..persistence.kept import Kept
from .record import CASCADE, FEATURES


def _window(model: Any) -> None:
    """One stage, whose features are those that were chosen."""
    cascade, features = model.cascade_, model.features_
    need(cascade.n_stages == 1, "cascade_ has not one stage")
    need(not (cascade.has_trees or cascade.has_tilted or cascade.inset), "cascade_ is another's")
    size = (features.height, features.width)
    need(size == (cascade.height, cascade.width), "features_ are of windows of another size")
    need(len(features) == cascade.n_nodes, "there is not a feature for each node")
    rects, weight, start = features.rectangles()
    own = zip(cascade.node_feature, range(len(features)), strict=True)
    for f, k in own:
        of = slice(cascade.feature_start[f], cascade.feature_start[f + 1])
        at = slice(start[k], start[k + 1])
        same = np.array_equal(cascade.rects[of], rects[at])
        same = same and np.array_equal(cascade.rect_weight[of], weight[at])
        need(same, f"node {k} looks at another feature than features_ tells")


window = Kept(
    {
        "classes_": fit.both_classes,
        "features_": instance(FEATURES.home),
        "cascade_": instance(CASCADE.home),
        "history_": instance(HISTORY.home),
        "stop_reason_": text,
    },
    cross_check=_window,
)
cascade = Kept(
    {"cascade_": instance(CASCADE.home)},
    {"history_": instance(HISTORY.home), "stop_reason_": text},
    sided=frozenset(),
)
