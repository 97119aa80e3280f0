"""The error for models whose score is no sum of trees."""

from __future__ import annotations


class NoTreeSum(TypeError):
    """A model that is no sum of trees: why, and what to use for explanations and exports."""

    def __init__(self, why: str, instead: str = "", to_export: str = "") -> None:
        super().__init__(f"{why}; {instead}." if instead else why)
        self.why, self.to_export = why, to_export or instead
