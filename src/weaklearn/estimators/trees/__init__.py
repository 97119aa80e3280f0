"""Stumps, trees, bagging and random forests."""
