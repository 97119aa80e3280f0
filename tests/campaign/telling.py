"""Which errors the library raises on purpose."""

from __future__ import annotations


def is_ours(error: BaseException) -> bool:
    """Whether a line of the library raised an error, and nothing that it called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and "/weaklearn/" in trace.tb_frame.f_code.co_filename
