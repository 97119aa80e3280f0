"""Inputs of every kind but model files, by the thousand: ``python -m tests.campaign.inputs``.

Each input is made by a number: most are sound but for a few places, some are noise. It must be
answered, or refused by an error that is documented, within bounds of time and memory. Anything else
is a failure (another error, a crash, an input that takes too long).
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.campaign import hunting, other_inputs, tables
from tests.campaign.counts import Counts

SLOWEST = 10  # seconds of the processor for an input
_HUNG = 120  # seconds of the clock, after which the process is ended
_ROOM = 2**30  # bytes that an input may take, beside what is loaded once


@dataclass(frozen=True)
class Kind:
    """How inputs of a kind are made, what is tried with them, and their share of all."""

    made: Callable[[random.Random], bytes]
    tried: Callable[[random.Random, bytes, Path], str]
    share: float


KINDS = {
    "csv": Kind(tables.csv, tables.read_csv, 0.5),
    "parquet": Kind(tables.parquet, tables.read_parquet, 0.15),
    "command line": Kind(tables.table_of_any_kind, tables.fit_from_command_line, 0.05),
    "mail": Kind(other_inputs.mail, other_inputs.read_message, 0.1),
    "opencv": Kind(other_inputs.cascade, other_inputs.read_cascade, 0.1),
    "lab setting": Kind(other_inputs.setting, other_inputs.read_setting, 0.05),
    "lab request": Kind(other_inputs.request, other_inputs.Visit(), 0.03),
    "lab replay": Kind(other_inputs.replay, other_inputs.write_replay, 0.02),
}


def kind_of(number: int) -> str:
    """The kind of an input, by its number: as often as its share."""
    return random.Random(number).choices(list(KINDS), [kind.share for kind in KINDS.values()])[0]


def attempt(number: int, seed: int = 0, name: str | None = None) -> Counts:
    """How one input ended."""
    name = name or kind_of(number)
    kind, rng = KINDS[name], random.Random(f"{name}-{seed}-{number}")
    counts = Counts()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="inputs-") as folder:
        warnings.simplefilter("ignore")
        try:
            data = kind.made(rng)
            with hunting.at_most(SLOWEST):
                counts.add(kind.tried(rng, data, Path(folder)))
        except Exception as error:
            counts.fail(number, f"{name}: {hunting.place(error)}")
    how = next(how for how in ("refused", "answered", "failed") if getattr(counts, how))
    counts.details[f"{name} {how}"] += 1
    return counts


def _begin(names: list[str]) -> None:
    """Loads whatever is loaded once, then bounds the memory of this process to a little more."""
    for name in names:
        for number in range(20):
            attempt(number, -1, name)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _ROOM,) * 2)


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__, usual=100_000)
    parser.add_argument("--kind", choices=list(KINDS), help="inputs of this kind alone")
    given = parser.parse_args(arguments)
    begin = partial(_begin, [given.kind] if given.kind else list(KINDS))
    trial = partial(attempt, seed=given.seed, name=given.kind)
    return hunting.main(hunting.Hunt(trial, begin=begin, patience=_HUNG), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
