"""What the lab will not do, as a sentence for the page."""

from __future__ import annotations


class Refusal(ValueError):
    """A request that asks for something not on offer: a status of HTTP, and one sentence."""

    def __init__(self, sentence: str, status: int = 422) -> None:
        super().__init__(sentence)
        self.status = status
