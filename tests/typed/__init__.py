"""A program that uses every public estimator, as type checkers see it."""
