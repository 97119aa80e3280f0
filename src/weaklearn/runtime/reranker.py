"""A model of lists of candidates."""

from __future__ import annotations

from typing import Any

from ..prediction import rerank
from .model import Model


class Reranker(Model):
    """Scores of candidates by what they show."""

    _reads = "candidates"
    _schema: Any = None

    _lists = rerank.lists_to_score
    decision_function = rerank.decision_function
    predict = rerank.predict  # type: ignore[assignment]
