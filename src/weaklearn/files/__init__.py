"""Model files: values written and read without code, every count and every part checked.

The format is described in ``docs/model-files.md``. This package handles bytes (``disk``), the
header and its sections (``envelope``), values (``value``, ``writer``, ``reader``, ``array``) and
records of the packages below (``stump``, ``tree``, ``ensembles``). The estimators are not known
here: ``weaklearn.persistence.book`` adds them from the rows of ``weaklearn.registry``.
"""

from __future__ import annotations

from .disk import write
from .envelope import Envelope, read, seal, unseal
from .error import Flaw, ModelFileError
from .reader import Reader
from .record import Book, Record
from .shape import Shape
from .writer import Writer

__all__ = [
    "Book",
    "Envelope",
    "Flaw",
    "ModelFileError",
    "Reader",
    "Record",
    "Shape",
    "Writer",
    "read",
    "seal",
    "unseal",
    "write",
]
