"""The losses of this library in a file, by number."""

from __future__ import annotations

from ..losses import kinds
from .loss_record import loss_record

LOSSES = tuple(sorted(map(loss_record, kinds()), key=lambda record: record.number))
NUMBERS = frozenset(record.number for record in LOSSES)
