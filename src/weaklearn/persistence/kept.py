"""Which fitted attributes of an estimator a model file holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..files.check import Check


@dataclass(frozen=True)
class Kept:
    """The fitted attributes that a file holds of an estimator, each with a check.

    What ``__getstate__`` leaves of its attributes must be parameters, names of this rule,
    ``n_features_in_`` and ``feature_names_in_`` (found again from ``_schema``), ``_origin``, or
    ``_settled`` (found again from the parameters). Values are what files know (``files/value.py``)
    and records (``files.record.plain`` makes one from a dataclass in a line). Names may become
    optional but never go: files of every earlier version must load.

    Names in ``sided`` are no part of the fingerprint: what says how rows came, not what was learnt.
    Those in ``dropped`` are not kept. ``pack`` and ``unpack`` translate between the attributes of a
    model and the fitted names of the file, where these are not the same; ``cross_check`` refuses a
    loaded model whose parts contradict each other.
    """

    fitted: Mapping[str, Check]
    optional: Mapping[str, Check] = field(default_factory=dict)
    sided: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    pack: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    unpack: Callable[[Any, dict[str, Any]], None] | None = None
    cross_check: Callable[[Any], None] | None = None
