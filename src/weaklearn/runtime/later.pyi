# Made by `make stub` from the names that the module lists.
from ..production.predictor import predictor_of
from .loading import model_of
from .term_rows import TermRows

__all__ = [
    "TermRows",
    "model_of",
    "predictor_of",
]
