"""Fitted models as text, tables, contributions and shape functions."""
