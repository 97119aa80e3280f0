"""What many fits do without, imported when first asked for.

Kernels of some subjects, and what rows need that are in files or in several partitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .cells import code_sparse as code_sparse
    from .cells import contiguous as contiguous
    from .gradients import GradientKernels as GradientKernels
    from .joint_bins import joint_codes as joint_codes
    from .joint_rows import group_places as group_places
    from .joint_rows import group_sums as group_sums
    from .joint_total import joint_total as joint_total
    from .labels import LabelKernels as LabelKernels
    from .linear import ExpertKernels as ExpertKernels
    from .linear import LinearKernels as LinearKernels
    from .linear import SvmKernels as SvmKernels
    from .margins import MarginKernels as MarginKernels
    from .prediction import PredictionKernels as PredictionKernels
    from .queries import QueryKernels as QueryKernels
    from .rows import RowKernels as RowKernels
    from .streamed import code_streamed as code_streamed
    from .streamed import in_file as in_file
    from .streamed import room_like as room_like
    from .trees import TreeKernels as TreeKernels
    from .vision import VisionKernels as VisionKernels

__getattr__ = lazy_names(
    __name__,
    {
        "ExpertKernels": "linear",
        "GradientKernels": "gradients",
        "LabelKernels": "labels",
        "LinearKernels": "linear",
        "MarginKernels": "margins",
        "QueryKernels": "queries",
        "PredictionKernels": "prediction",
        "RowKernels": "rows",
        "SvmKernels": "linear",
        "TreeKernels": "trees",
        "VisionKernels": "vision",
        "code_sparse": "cells",
        "code_streamed": "streamed",
        "contiguous": "cells",
        "group_places": "joint_rows",
        "group_sums": "joint_rows",
        "in_file": "streamed",
        "joint_codes": "joint_bins",
        "joint_total": "joint_total",
        "room_like": "streamed",
    },
)
