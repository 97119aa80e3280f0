"""``python -m tests.campaign``: every hunt for wrong answers at one commit, in one table.

The seconds of a call are divided over the parts by their shares, once what they need is built; what
a part leaves goes to those after it. ``--resume`` goes on with the last run at this commit, parts
without an outcome first: numbers that were tried are not tried again. A run without it has a seed
of its own. Tables and logs lie in ``build/campaign``, in a folder for each run.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

from tests.campaign.counts import Outcome
from tests.campaign.parts import PARTS, Part
from tests.campaign.table import write_tables
from tests.layout import ROOT

HOME = ROOT / "build" / "campaign"
_STOPPING = 30  # seconds in which a part ends its processes


def commit() -> str:
    """The commit that is tried, with a sign where files differ from it; nothing without git."""
    words = ["git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty"]
    try:
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return found.stdout.strip()


def folder_of(name: str, *, resume: bool, home: Path = HOME) -> Path:
    """The folder of the last run at a commit, or of a new one."""
    runs = sum(1 for _ in home.glob(f"{name}-run*"))
    return home / f"{name}-run{max(1, runs) if resume else runs + 1}"


def seed_of(folder: Path) -> int:
    """A seed that hardly any other run has: a hash of the commit, and the number of the run."""
    name, run = folder.name.rsplit("-run", 1)
    return (zlib.crc32(name.encode()) << 8) + int(run)


class Campaign:
    """The parts of one call, their outcomes and the time that is left."""

    def __init__(self, folder: Path, parts: list[Part], jobs: int, seconds: float) -> None:
        self.folder, self.parts, self.jobs = folder, parts, jobs
        self.end = time.monotonic() + seconds
        self.seed = seed_of(folder)

    def path(self, part: Part) -> Path:
        return self.folder / f"{part.name.replace(' ', '-')}.json"

    def outcomes(self) -> dict[str, Outcome]:
        """Of all parts, whether or not they belong to this call."""
        return {part.name: Outcome.read(self.path(part)) for part in PARTS}

    def run(self) -> None:
        """Builds what is needed, then runs part after part."""
        for target in dict.fromkeys(part.build for part in self.parts if part.build):
            self._call(["make", "--no-print-directory", target], f"{target}.log", math.inf)
        found = self.outcomes()
        waiting = [part for part in self.parts if not found[part.name].complete]
        waiting.sort(key=lambda part: found[part.name].began)
        while waiting:
            part = waiting[0]
            left = self.end - time.monotonic()
            seconds = left * part.share / sum(part.share for part in waiting)
            waiting.pop(0)
            if seconds > 0:
                self._run(part, seconds)
            self.write()

    def _run(self, part: Part, seconds: float) -> None:
        path = self.path(part)
        options = ["--jobs", str(self.jobs), "--seed", str(self.seed), "--outcome", str(path)]
        if math.isfinite(seconds):
            options += ["--seconds", f"{seconds:.0f}"]
        print(f"{part.name} ...", end=" ", flush=True)
        log = path.with_suffix(".log").name
        status = self._call(part.command(options), log, seconds + _STOPPING)
        outcome = Outcome.read(path)
        if not outcome.began and status:
            lines = (self.folder / log).read_text(errors="replace").strip().splitlines()
            Outcome(missing=lines[-1] if lines else f"status {status}").write(path)
        print(f"{outcome.counts.tried} tried, {outcome.counts.failed} failed", flush=True)

    def _call(self, command: list[str], log: str, seconds: float) -> int:
        """The status of a command, with all that it printed in a file; after a time it is ended."""
        with open(self.folder / log, "a") as file:
            process = subprocess.Popen(
                command, cwd=ROOT, stdout=file, stderr=file, start_new_session=True
            )
            try:
                return process.wait(None if math.isinf(seconds) else seconds)
            except BaseException as error:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                return -signal.SIGKILL

    def write(self) -> str:
        """Writes the tables, and returns that of text."""
        return write_tables(self.folder, self.outcomes(), self.seed)


def main(arguments: list[str]) -> int:
    names = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seconds", type=float, default=math.inf, help="for all of it together")
    parser.add_argument(
        "--parts", default="", help=f"some of them, with commas: {', '.join(names)}"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the last run")
    parser.add_argument("--commit", default=commit(), help="its name, where git does not tell")
    given = parser.parse_args(arguments)
    if not given.commit:
        parser.error("git does not tell the commit that is tried: name it by --commit")
    chosen = [name for name in given.parts.split(",") if name] or names
    if unknown := [name for name in chosen if name not in names]:
        parser.error(f"no part is called {unknown[0]!r}: there are {', '.join(names)}")
    folder = folder_of(given.commit, resume=given.resume)
    folder.mkdir(parents=True, exist_ok=True)
    parts = [part for part in PARTS if part.name in chosen]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # ends the part too
    campaign = Campaign(folder, parts, given.jobs, given.seconds)
    campaign.run()
    print(campaign.write())
    print(f"the tables and logs are in {folder.relative_to(ROOT)}")
    return int(any(outcome.counts.failed for outcome in campaign.outcomes().values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
