"""In which round an exception happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .hypothesis import FormError


@contextmanager
def error_context(when: str) -> Iterator[None]:
    """Context manager: adds to exceptions in which round they happened."""
    try:
        yield
    except Exception as error:
        add_context(error, when)
        raise


def add_context(error: Exception, when: str) -> None:
    """Adds to an exception in which round it happened."""
    error.add_note(f"weaklearn: this happened {when}.")
    ours = isinstance(error, FormError) or getattr(error, "of_loss", False)
    if ours and when not in str(error):  # logs shall have it too
        error.args = (f"{error.args[0]} (It happened {when}.)",)
