"""Lossless compression of trees and numbers, for pickles and model files."""

from __future__ import annotations

from ...lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "tree_reader": "PackedTrees",
        "tree_stream": "open_trees read_trees write_small_trees write_trees",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
