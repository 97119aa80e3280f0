"""What many fits do without, imported when first asked for.

What rows need that are in files or in several partitions, and rarer kinds of X, y and weights.
"""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "class_weight": "class_factors output_factors with_factor",
        "dataframe": "chosen_columns",
        "id_columns": "set_aside",
        "multilabel": "label_keys labels_in_table read_indicator rows_right",
        "outputs": "has_outputs read_outputs",
        "partitions": "classes_over learn_over",
        "streamed_schema": "cells_in_file learn_streamed pooled_keys streamed_cells",
        "targets": "read_numbers",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
