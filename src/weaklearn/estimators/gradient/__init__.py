"""Gradient boosting, and the glass box of one function per column."""
