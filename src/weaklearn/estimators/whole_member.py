"""Members that are whole models of this library, in a file."""

from __future__ import annotations

from typing import Any

from ..files.check import need
from ..files.member import MODEL_MEMBER
from ..files.record import Record, class_at, expect
from . import fitted as fit


def _take(h: Any) -> list[Any]:
    return [h.estimator, h.classes]


def _make(fields: list[Any]) -> Any:
    expect(fields, 2)
    estimator, classes = fields
    fit.estimator("a member", estimator)
    fit.classes("the classes of a member", classes)
    known = getattr(estimator, "classes_", None)
    need(known is not None, "a member is no fitted classifier")
    named = set(classes.tolist())
    need(all(label in named for label in known.tolist()), "a member answers other classes")
    return class_at(MODEL_MEMBER)(estimator, classes)


WHOLE_MEMBER = Record(77, MODEL_MEMBER, _take, _make)
