"""How large targets and scores may be, so that no sum of them overflows."""

# The largest regression targets whose sums, sums of squares and sums of cubes do not overflow.
SUMMED, SQUARED, CUBED = 1e303, 1e151, 1e100
TINY = 2.0**-600  # times which the larger may be squared
