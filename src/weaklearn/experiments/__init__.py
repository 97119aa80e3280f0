"""The experiments of the founding books and papers, run again: ``weaklearn reproduce``.

Each experiment is a function of a ``Setting`` (data, seed, long or quick) that returns a
``Result``: tables of published figures beside measured ones, and charts. ``catalogue`` lists them,
``reproduce`` runs them and writes one page, and CSV files beside it.
"""

from .catalogue import EXPERIMENTS
from .outcome import Outcome
from .runner import reproduce

__all__ = ["EXPERIMENTS", "Outcome", "reproduce"]
