"""How is a model kept? Files without code: every count checked, every part held against the whole.

The form of a file is in ``docs/model-files.md``. This room knows bytes (``disk``), the header and
its sections (``envelope``), values (``value``, ``writer``, ``reader``, ``array``) and the records
of the rooms below (``stump``, ``tree``, ``game``). Which estimators there are it does not know:
they come to it as rows of ``weaklearn.registry``, by ``weaklearn.persistence.book``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
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

__getattr__ = lazy_names(
    __name__,
    {
        "Book": "record",
        "Envelope": "envelope",
        "Flaw": "error",
        "ModelFileError": "error",
        "Reader": "reader",
        "Record": "record",
        "Shape": "shape",
        "Writer": "writer",
        "read": "envelope",
        "seal": "envelope",
        "unseal": "envelope",
        "write": "disk",
    },
)
