"""What predictions or many fits do without, imported when first asked for.

Kernels by their subjects, and what rows need that are in files or in several partitions.
"""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "cells": "code_sparse contiguous",
        "files": "FileKernels",
        "gradients": "GradientKernels",
        "joint_bins": "joint_codes",
        "joint_rows": "group_places group_sums",
        "joint_total": "joint_total",
        "labels": "LabelKernels",
        "linear": "ExpertKernels LinearKernels SvmKernels",
        "margins": "MarginKernels",
        "prediction": "PredictionKernels",
        "queries": "QueryKernels",
        "rows": "RowKernels",
        "sample": "ColumnKernels WeightKernels",
        "streamed": "code_streamed in_file room_like",
        "stumps": "StumpKernels",
        "trees": "TreeKernels",
        "vision": "VisionKernels",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
