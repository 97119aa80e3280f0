"""How many threads a row is measured on, and what more of them gain."""

from __future__ import annotations

from dataclasses import dataclass, field

from .rows import Outcome, Row

SLACK = 1.05  # more threads may take so many times the time of fewer


def counts(text: str) -> list[int]:
    """The numbers of threads in a list with commas, in order."""
    given = sorted({int(count) for count in text.split(",")})
    if given[0] < 1:
        raise ValueError("a number of threads is at least 1")
    return given


def available() -> int:
    """The processors this process may use."""
    from weaklearn.engines import available_threads

    return int(available_threads())


@dataclass
class Measured:
    """A row, and what it measured on each number of threads, the fewest first."""

    row: Row
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def gains(self, threads: int, fewer: int | None = None) -> tuple[float | None, float | None]:
        """How many times faster than on fewer threads: ours, and the fastest peer of each number.

        Fewer are the fewest measured, unless given.
        """
        first = self.outcomes.get(min(self.outcomes) if fewer is None else fewer)
        then = self.outcomes.get(threads)
        if first is None or then is None or then.unit != "s":
            return None, None
        return _quotient(first.ours, then.ours), _quotient(first.peers_best, then.peers_best)

    @property
    def slowed(self) -> dict[int, float]:
        """The numbers of threads on which ours is slower than on fewer, and how many times."""
        found, best = {}, float("inf")
        for threads, outcome in self.outcomes.items():
            if outcome.ours is not None and outcome.unit == "s":
                if outcome.ours > best * SLACK:
                    found[threads] = outcome.ours / best
                best = min(best, outcome.ours)
        return found


def _quotient(first: float | None, then: float | None) -> float | None:
    return None if first is None or then is None else first / max(then, 1e-12)
