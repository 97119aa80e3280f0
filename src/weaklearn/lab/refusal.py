"""The error that answers an invalid request."""

from __future__ import annotations


class Refusal(ValueError):
    """An invalid request: one sentence, and the status code of HTTP."""

    def __init__(self, sentence: str, status: int = 422) -> None:
        super().__init__(sentence)
        self.status = status
