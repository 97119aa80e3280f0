"""What is raised for a model file that cannot be written or read."""

from __future__ import annotations


class ModelFileError(ValueError):
    """A model file that cannot be trusted, or a model that no file can hold: what, and where."""


class Flaw(Exception):
    """What is wrong with a value, said before it is known where in the file the value stands."""
