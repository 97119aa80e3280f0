"""``python -m tests.campaign.suite``: the Python suite, some files a process and a trial.

For a package that was built with sanitizers (``make asan``): a process that is ended by one is a
failure of its files alone, and several run side by side. Tests are counted, those left out among
the details.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.layout import ROOT, SOURCE

_TOGETHER = 2  # files that a process tries
OPTIONS = (
    *("--doctest-modules", "--doctest-glob=*.md", "--capture=sys", "--hypothesis-profile=fast"),
    *("-q", "-p", "no:xdist", "-p", "no:cacheprovider"),
    *("-m", "not slow and not timed and not long"),
)


def pieces() -> list[tuple[str, ...]]:
    """The files of tests and pages, and the modules of the package for their examples."""
    tests = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))
    pages = [
        "README.md",
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md")),
    ]
    modules = sorted({path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py")})
    named = [f"weaklearn.{name.removesuffix('.py')}" for name in modules if name[0] != "_"]
    return [
        tuple(found[k : k + _TOGETHER])
        for found in (tests, pages, named)
        for k in range(0, len(found), _TOGETHER)
    ]


def attempt(number: int, given: list[tuple[str, ...]]) -> Counts:
    """How the tests of some files ended."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, f"--junitxml={report}"]
            + (["--pyargs"] if given[number][0].startswith("weaklearn.") else [])
            + list(given[number]),
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        found = ElementTree.parse(report).iter("testcase") if report.exists() else ()
        counts = Counts()
        for case in found:
            name = f"{case.get('classname')}::{case.get('name')}"
            bad = [part for part in case if part.tag in ("failure", "error")]
            if bad:
                counts.fail(number, f"{name}: {(bad[0].get('message') or '')[:500]}")
            elif any(part.tag == "skipped" for part in case):
                counts.details["left out"] += 1
            else:
                counts.add("answered")
    if done.returncode not in (0, 5) and not counts.failed:  # 5: no test of them is to be run
        last = "\n".join(done.stdout.splitlines()[-60:])
        counts.fail(number, f"{' '.join(given[number])}: status {done.returncode}\n{last}")
    return counts


def main(arguments: list[str]) -> int:
    given = hunting.parser(__doc__).parse_args(arguments)
    files = pieces()
    hunt = hunting.Hunt(partial(attempt, given=files), len(files), patience=3600)
    return hunting.main(hunt, given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
