# Made by `make stub` from the names that the module lists.
from .cells import code_sparse, contiguous
from .files import FileKernels
from .gradients import GradientKernels
from .joint_bins import joint_codes
from .joint_rows import group_places, group_sums
from .joint_total import joint_total
from .labels import LabelKernels
from .linear import ExpertKernels, LinearKernels, SvmKernels
from .margins import MarginKernels
from .prediction import PredictionKernels
from .queries import QueryKernels
from .rows import RowKernels
from .sample import ColumnKernels, WeightKernels
from .streamed import code_streamed, in_file, room_like
from .stumps import StumpKernels
from .trees import TreeKernels
from .vision import VisionKernels

__all__ = [
    "ColumnKernels",
    "ExpertKernels",
    "FileKernels",
    "GradientKernels",
    "LabelKernels",
    "LinearKernels",
    "MarginKernels",
    "PredictionKernels",
    "QueryKernels",
    "RowKernels",
    "StumpKernels",
    "SvmKernels",
    "TreeKernels",
    "VisionKernels",
    "WeightKernels",
    "code_sparse",
    "code_streamed",
    "contiguous",
    "group_places",
    "group_sums",
    "in_file",
    "joint_codes",
    "joint_total",
    "room_like",
]
