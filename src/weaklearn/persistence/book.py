"""The table of all that model files may hold: values by their records, estimators by their rows."""

from __future__ import annotations

from ..files.booster import BOOSTERS
from ..files.loss import LOSSES
from ..files.online import KERNELS, LINEAR_STATE
from ..files.record import Book, RegisteredBook, records_of
from ..intake.schema import Schema
from ..registry import RECORDS as REGISTERED
from ..registry import ROWS
from .column_record import schema_record
from .kept_estimator import KeptEstimator
from .nested_model import MODEL_MEMBER
from .records import NUMBERS

SCHEMA = schema_record(Schema)
KEPT = tuple(KeptEstimator(row) for row in ROWS.values() if row.number is not None)
BOOK: Book = RegisteredBook(
    [
        *{record.number: record for home in NUMBERS for record in records_of(home)}.values(),
        *(*LOSSES, *KERNELS, LINEAR_STATE, *BOOSTERS, SCHEMA, MODEL_MEMBER),
        *(kind.record(lambda: BOOK) for kind in KEPT),
    ],
    REGISTERED,
)
