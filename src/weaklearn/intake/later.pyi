# Made by `make stub` from the names that the module lists.
from .class_weight import class_factors, output_factors, with_factor
from .dataframe import chosen_columns
from .id_columns import set_aside
from .multilabel import label_keys, labels_in_table, read_indicator, rows_right
from .outputs import has_outputs, read_outputs
from .partitions import classes_over, learn_over
from .streamed_schema import cells_in_file, learn_streamed, pooled_keys, streamed_cells
from .targets import read_numbers

__all__ = [
    "cells_in_file",
    "chosen_columns",
    "class_factors",
    "classes_over",
    "has_outputs",
    "label_keys",
    "labels_in_table",
    "learn_over",
    "learn_streamed",
    "output_factors",
    "pooled_keys",
    "read_indicator",
    "read_numbers",
    "read_outputs",
    "rows_right",
    "set_aside",
    "streamed_cells",
    "with_factor",
]
