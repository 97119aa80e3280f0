"""The exceptions for model files that cannot be written or read."""

from __future__ import annotations


class ModelFileError(ValueError):
    """A model file that is damaged or unsafe, or a model that no file can hold: what, and where."""


class Flaw(Exception):
    """What is wrong with a value, raised before its place in the file is known."""
