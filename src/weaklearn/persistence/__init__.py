"""Estimators in model files: which attributes are written, and how they are checked when read."""
