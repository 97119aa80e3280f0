"""Pieces of collections: what their extents must be."""

import pytest

from weaklearn.cluster.pieces import Extent, check_extents

ROWS = Extent(5, 80, ("a", "b"))


def test_more_rows_than_a_partition_may_have_are_refused():
    with pytest.raises(ValueError, match=r"partition 1 of X has 2147483648 rows.*repartition it"):
        check_extents([ROWS, Extent(2**31, 2**35, ("a", "b"))], [])
    check_extents([ROWS, Extent(2**31 - 1, 2**35, ("a", "b"))], [])


def test_columns_may_come_in_any_order_and_partitions_be_empty():
    check_extents([ROWS, Extent(0, 0, ("b", "a"))], [])
    with pytest.raises(ValueError, match="partitions 0 and 1 of X have different columns"):
        check_extents([ROWS, Extent(5, 80, ("a", "c"))], [])
    with pytest.raises(ValueError, match="X_val has no rows: all of its partitions are empty"):
        check_extents([ROWS], [Extent(0, 0, ("a", "b"))])
