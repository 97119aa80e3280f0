"""The exceptions for model files that cannot be written or read."""

from __future__ import annotations


class ModelFileError(ValueError):
    """A model file that is damaged or unsafe, or a model that no file can hold: what, and where."""


class Flaw(Exception):
    """What is wrong with a value, raised before its place in the file is known."""


# What a value that no check foresees may lead the making of a record to.
MISLED = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def misled(error: BaseException) -> str:
    """The reason for a refusal, from an error that was not meant as one."""
    return f"its values do not belong together ({type(error).__name__}: {error!s:.200})"
