"""Inputs of every kind but model files, by the thousand: ``python -m tests.campaign.inputs``.

Each input is made by a seed: most are sound but for a few places, some are noise. It must be
answered, or refused by an error that is documented, within bounds of time and memory. Anything else
is a failure (another error, a crash, an input that takes too long), told with the seed that finds
it again: ``--kind csv --seed 3 --first 17 --count 1``.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.campaign import other_inputs, tables
from tests.files.fuzz import at_most

SLOWEST = 10  # seconds of the processor for an input
_HUNG = 120  # seconds of the clock, after which the process is ended
_ROOM = 2**30  # bytes that an input may take, beside what is loaded once
COLUMNS = ("tried", "refused", "answered", "failed")


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


@dataclass
class Found:
    """How the inputs of a kind ended, the failures, and seconds of the slowest input."""

    counts: Counter[str]
    failures: list[str]
    slowest: float = 0.0


def run(name: str, count: int, seed: int, folder: Path, first: int = 0, most: int = 20) -> Found:
    """Tries so many inputs of a kind, until too many have failed."""
    kind = KINDS[name]
    found = Found(Counter(), [])
    kept = folder / f"{name.replace(' ', '-')}-{seed}.input"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(first, first + count):
            rng = random.Random(f"{name}-{seed}-{k}")
            data = kind.made(rng)
            kept.write_bytes(data)  # a crash leaves the input that caused it
            began = time.process_time()
            found.counts["tried"] += 1
            try:
                with at_most(SLOWEST):
                    found.counts[kind.tried(rng, data, folder)] += 1
            except Exception as error:
                found.counts["failed"] += 1
                found.failures.append(f"{name}: {_place(error)} (--seed {seed} --first {k})")
                if len(found.failures) >= most:
                    break
            found.slowest = max(found.slowest, time.process_time() - began)
    return found


def _place(error: BaseException) -> str:
    """The error, and the line that it came from."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{type(error).__name__} at {where}: {str(error)[:500]}"


def _bounded(room: int) -> None:
    """Bounds the memory of this process to so much more than it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + room,) * 2)


def _worked(given: argparse.Namespace, folder: Path) -> dict[str, Found]:
    """Everything asked for, in this process, under the bounds."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends what hangs where Python does not run
    names = [given.kind] if given.kind else list(KINDS)
    for name in names:  # whatever is loaded once is loaded now
        run(name, 20, given.seed + 1, folder)
    _bounded(_ROOM)
    found = {}
    for name in names:
        n = given.count if given.kind else round(given.count * KINDS[name].share)
        found[name] = Found(Counter(), [])
        for k in range(given.first, given.first + n):
            signal.setitimer(signal.ITIMER_REAL, _HUNG)
            part = run(name, 1, given.seed, folder, k)
            found[name].counts += part.counts
            found[name].failures += part.failures
            found[name].slowest = max(found[name].slowest, part.slowest)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return found


def _side_by_side(given: argparse.Namespace, folder: Path) -> dict[str, Found]:
    """As many processes as asked for; one that dies is a failure, and its input is kept."""
    each, more = -(-given.count // given.jobs), ["--kind", given.kind] if given.kind else []
    running = []
    for k in range(given.jobs):
        own = folder / str(k)
        own.mkdir(parents=True)
        words = ["--count", each, "--seed", given.seed + k, "--folder", own, *more]
        command = [sys.executable, "-m", "tests.campaign.inputs", *map(str, words)]
        running.append((own, subprocess.Popen(command, stdout=subprocess.DEVNULL)))
    found = {name: Found(Counter(), []) for name in KINDS}
    for own, process in running:
        status = process.wait()
        if not (own / "found.json").exists():
            last = max(own.glob("*.input"), key=lambda path: path.stat().st_mtime)
            name = last.stem.rpartition("-")[0].replace("-", " ")
            found[name].counts += Counter(tried=1, failed=1)
            found[name].failures.append(f"{name}: the process ended with {status}; {last} is left")
            continue
        for name, part in json.loads((own / "found.json").read_text()).items():
            found[name].counts += Counter(part["counts"])
            found[name].failures += part["failures"]
            found[name].slowest = max(found[name].slowest, part["slowest"])
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1, help="processes, with seeds of their own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--kind", choices=list(KINDS), help="inputs of this kind alone")
    parser.add_argument("--folder", type=Path, help="where inputs of the moment are kept")
    given = parser.parse_args(arguments)
    folder = given.folder or Path(tempfile.mkdtemp(prefix="inputs-"))
    began = time.monotonic()
    found = _side_by_side(given, folder) if given.jobs > 1 else _worked(given, folder)
    (folder / "found.json").write_text(json.dumps({name: vars(f) for name, f in found.items()}))
    print(f"{'kind':14}", *(f"{name:>9}" for name in COLUMNS), "slowest s")
    for name, part in found.items():
        if part.counts:
            print(f"{name:14}", *(f"{part.counts[c]:9}" for c in COLUMNS), f"{part.slowest:9.2f}")
    total = sum((part.counts for part in found.values()), Counter[str]())
    print(f"{'all':14}", *(f"{total[c]:9}" for c in COLUMNS))
    failures = [failure for part in found.values() for failure in part.failures]
    print("\n".join([*failures, f"{time.monotonic() - began:.0f} s, {given.jobs} processes"]))
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
