"""Exact arithmetic: fixed-point sums, exponentials, hashes, draws."""
