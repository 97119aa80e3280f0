"""What the first prediction does without, imported when first asked for."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {".production.predictor": "predictor_of", "loading": "model_of", "term_rows": "TermRows"}
)

__getattr__ = lazy_names(__name__, _HOMES)
