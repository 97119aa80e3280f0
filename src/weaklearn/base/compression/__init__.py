"""Lossless compression of trees and numbers, for pickles and model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .tree_stream import read_trees, write_trees

__all__ = ["read_trees", "write_trees"]

__getattr__ = lazy_names(__name__, {"read_trees": "tree_stream", "write_trees": "tree_stream"})
