"""``python -m tests.campaign.compiled FOLDER``: the C++ tests that were built in a folder."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.campaign import hunting
from tests.campaign.counts import Counts

CTEST = str(Path(sys.executable).with_name("ctest"))


def listed(folder: str) -> list[str]:
    """The names of the tests of a folder."""
    told = subprocess.run([CTEST, "--test-dir", folder, "-N"], capture_output=True, text=True)
    return re.findall(r"Test +#\d+: (\S+)", told.stdout)


def attempt(number: int, folder: str, names: list[str]) -> Counts:
    """How one test ended."""
    counts = Counts()
    only = ["--output-on-failure", "-R", f"^{re.escape(names[number])}$"]
    done = subprocess.run(
        [CTEST, "--test-dir", folder, *only], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        counts.add("answered")
    else:
        counts.fail(number, f"{names[number]}:\n{done.stdout[-6000:]}")
    return counts


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__)
    parser.add_argument("folder")
    given = parser.parse_args(arguments)
    names = listed(given.folder)
    if not names:
        raise SystemExit(f"no C++ tests were built in {given.folder}")
    trial = partial(attempt, folder=given.folder, names=names)
    return hunting.main(hunting.Hunt(trial, len(names), patience=3600), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
