"""Metrics of rankings and of multilabel predictions."""

from .multilabel import average_precision, coverage, f1, hamming_loss, one_error
from .ranking import mean_reciprocal_rank, ndcg, precision_at_k, rank_loss

__all__ = [
    "average_precision",
    "coverage",
    "f1",
    "hamming_loss",
    "mean_reciprocal_rank",
    "ndcg",
    "one_error",
    "precision_at_k",
    "rank_loss",
]
