"""Weighted votes that decay as members join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import TYPE_CHECKING, Any

from ..ensemble import Ensemble
from ..types import Floats

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..rows import Rows


class Fading(Ensemble):
    """A signed vote in which time shrinks every vote: after a time dt, exp(-dt) of it is left.

    ``given[t]`` is the vote that member t was given, and ``times[t]`` the time when it was.
    """

    sums = False  # the votes of one stage are no part of those of the next
    _made_of = ()

    def __init__(
        self,
        given: Sequence[float] = (),
        times: Sequence[float] = (),
        members: Sequence[Hypothesis] = (),
    ) -> None:
        super().__init__(1)
        self.given, self.times = tuple(given), tuple(times)
        self._members = list(members)
        self._n = len(self._members)
        now = self.times[-1] if self.times else 0.0
        self._votes = [v * exp(t - now) for v, t in zip(self.given, self.times, strict=True)]
        self.running_weight = self.weight

    def joined(self, h: Hypothesis, vote: float, dt: float) -> Fading:
        """With h as one more member, whose vote took the time dt."""
        now = (self.times[-1] if self.times else 0.0) + dt
        return Fading((*self.given, vote), (*self.times, now), [*self.members, h])

    def staged(self, t: int) -> Fading:
        return Fading(self.given[:t], self.times[:t], self.members[:t])

    def stages(self, rows: Rows) -> Iterator[Floats]:
        for t in range(1, len(self) + 1):
            yield self.staged(t)(rows)

    def __getstate__(self) -> dict[str, Any]:
        return {"given": self.given, "times": self.times, "members": self.members}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["given"], state["times"], state["members"])  # type: ignore[misc]
