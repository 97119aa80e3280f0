"""All that the export methods call, in one module that is imported on the first export."""

from __future__ import annotations

from typing import Any

from ..base.trees.term import TermSum
from ..files.disk import write_out
from .c import c_source
from .json import javascript_source, json_source
from .model_ir import ModelIR, term_ir
from .onnx import load_onnx, onnx_model
from .pmml import pmml_source
from .python import python_source
from .scorecard import scorecard_of
from .sql import sql_source
from .trees import tree_ir

__all__ = [
    "c_source",
    "javascript_source",
    "json_source",
    "load_onnx",
    "model_ir",
    "onnx_model",
    "pmml_source",
    "python_source",
    "scorecard_of",
    "sql_source",
    "write_out",
]


def model_ir(model: Any, as_trees: bool) -> ModelIR:
    """The model as exports write it; with ``as_trees`` terms and stumps are trees."""
    of_terms = isinstance(model._ensemble, TermSum)
    return term_ir(model) if of_terms and not as_trees else tree_ir(model, as_trees)
