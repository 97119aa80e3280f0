"""A hunt of trials that raise, die and hang, for the tests of the hunts themselves."""

from __future__ import annotations

import os
import signal
import sys
import time

from tests.campaign import hunting
from tests.campaign.counts import Counts


def trial(number: int, dies_at: int = -1, hangs_at: int = -1) -> Counts:
    """Odd numbers are answered and even ones refused, and their sum is counted; 3 raises."""
    if number == dies_at:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == hangs_at:
        time.sleep(1000)
    if number == 3:
        raise KeyError("three")
    counts = Counts()
    counts.add("answered" if number % 2 else "refused")
    counts.details["sum"] += number
    return counts


def judge(counts: Counts) -> list[str]:
    """A sum above 20 is a failure."""
    return ["too large"] if counts.details["sum"] > 20 else []


def never_begin() -> None:
    os._exit(3)


def main(arguments: list[str]) -> int:
    return hunting.main(hunting.Hunt(trial), hunting.parser(__doc__, 10).parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
