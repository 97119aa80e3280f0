# Made by `make stub` from the names that the module lists.
from .tree_reader import PackedTrees
from .tree_stream import open_trees, read_trees, write_small_trees, write_trees

__all__ = [
    "PackedTrees",
    "open_trees",
    "read_trees",
    "write_small_trees",
    "write_trees",
]
