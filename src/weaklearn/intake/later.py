"""What many fits do without, imported when first asked for.

What rows need that are in files or in several partitions, and rarer kinds of X, y and weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .class_weight import class_factors as class_factors
    from .class_weight import product as product
    from .id_columns import set_aside as set_aside
    from .multilabel import label_keys as label_keys
    from .multilabel import labels_in_table as labels_in_table
    from .multilabel import read_indicator as read_indicator
    from .partitions import classes_over as classes_over
    from .partitions import learn_over as learn_over
    from .streamed_schema import cells_in_file as cells_in_file
    from .streamed_schema import learn_streamed as learn_streamed
    from .streamed_schema import pooled_keys as pooled_keys
    from .streamed_schema import streamed_cells as streamed_cells
    from .targets import read_numbers as read_numbers

__getattr__ = lazy_names(
    __name__,
    {
        "cells_in_file": "streamed_schema",
        "class_factors": "class_weight",
        "classes_over": "partitions",
        "label_keys": "multilabel",
        "labels_in_table": "multilabel",
        "learn_over": "partitions",
        "learn_streamed": "streamed_schema",
        "pooled_keys": "streamed_schema",
        "product": "class_weight",
        "read_indicator": "multilabel",
        "read_numbers": "targets",
        "set_aside": "id_columns",
        "streamed_cells": "streamed_schema",
    },
)
