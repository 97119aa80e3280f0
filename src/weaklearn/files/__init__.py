"""Model files: values written and read without code, every count and every part checked.

The format is described in ``docs/model-files.md``. This package handles bytes (``disk``), the
header and its sections (``envelope``), values (``value``, ``writer``, ``reader``, ``array``) and
records of the packages below (``stump``, ``tree``, ``ensembles``). The estimators are not known
here: ``weaklearn.persistence.book`` adds them from the rows of ``weaklearn.registry``.
"""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "disk": "write",
        "envelope": "Envelope read seal unseal",
        "error": "Flaw ModelFileError",
        "reader": "Reader",
        "record": "Book Record",
        "shape": "Shape",
        "writer": "Writer",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
