"""``python -m benchmarks.page FILE.json [FILE.json ...]``: puts numbers of runs into a page.

In ``docs/benchmarks.md`` the parts from ``<!-- measured: NAME -->`` to ``<!-- measured: end -->``
are written anew where the runs have numbers for them, and the pictures that they show are drawn.
Of rows measured in several files the first counts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import growth, plot_threads
from .measure import amount
from .table import SIGNS_MEAN, markdown, sign_of, times

PAGE = Path("docs/benchmarks.md")
_PART = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- measured: end -->)", re.DOTALL)

Row = dict[str, Any]


class Numbers:
    """Rows and curves of several runs, and the machine of the first."""

    def __init__(self, files: Sequence[Path]) -> None:
        runs = [json.loads(path.read_text(encoding="utf-8")) for path in files]
        self.machine: dict[str, Any] = runs[0]["machine"]
        self.rows: list[Row] = [row for run in runs for row in run["rows"]]
        self.curves = [
            growth.Curve(each["name"], each["looked_for"], each["sizes"], each["seconds"])
            for run in runs
            for each in run["growth"]
        ]

    def beside_peers(self) -> list[Row]:
        """The rows with a peer, once for each number of threads."""
        found: dict[tuple[str, int], Row] = {}
        for row in self.rows:
            if row["ratio"] is not None:
                found.setdefault((row["name"], row["threads"]), row)
        return list(found.values())

    def by_threads(self) -> dict[str, dict[int, Row]]:
        """The rows in seconds that were measured on several numbers of threads."""
        found: dict[str, dict[int, Row]] = {}
        for row in self.rows:
            if row["unit"] == "s" and row["ours"] in row["values"]:
                found.setdefault(row["name"], {}).setdefault(row["threads"], row)
        return {name: dict(sorted(rows.items())) for name, rows in found.items() if len(rows) > 1}


def _machine(of: Numbers, pictures: Path) -> str:
    known = of.machine["versions"]
    peers = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "scikit-learn": "scikit-learn"}
    told = {name: known.get(library, "") for name, library in peers.items()}
    if told["XGBoost"] == "not installed":
        told["XGBoost"] = known.get("xgboost-cpu", "not installed")
    libraries = ", ".join(f"{name} {version}" for name, version in told.items())
    return f"{of.machine['processor']}, {of.machine['cores']} processors; {libraries}."


def _ratios(of: Numbers, pictures: Path) -> str:
    lines = []
    for row in of.beside_peers():
        ours, peer = row["values"][row["ours"]], row["values"][row["best_peer"]]
        asked = (f"{times(row['first_bar'])}, {times(row['goal'])}",)
        cells = (amount(ours, row["unit"]), f"{row['best_peer']}, {amount(peer, row['unit'])}")
        reached = f"{times(row['ratio'])} {sign_of(row['reached'])}"
        lines.append((row["work"], str(row["threads"]), *cells, reached, *asked))
    if not lines:
        return ""
    head = ("work", "threads", "weaklearn", "the fastest of the others", "ratio", "bar, goal")
    return f"{markdown(head, lines)}\n\n{SIGNS_MEAN}"


def _gains(of: Numbers, pictures: Path) -> str:
    found = of.by_threads()
    counts = sorted({threads for rows in found.values() for threads in rows})
    lines = []
    for rows in found.values():
        seconds = {threads: row["values"][row["ours"]] for threads, row in rows.items()}
        first, last = min(seconds), max(seconds)
        cells = (amount(seconds[n], "s") if n in seconds else "" for n in counts)
        gain = f"{times(seconds[first] / seconds[last])} from {first} to {last}"
        lines.append((next(iter(rows.values()))["work"], *cells, gain))
    if not lines:
        return ""
    text = markdown(("threads", *map(str, counts), "gain"), lines)
    if plot_threads.plot(of.rows, pictures / "threads.png"):
        text += "\n\n![How many times faster on more threads](images/threads.png)"
    return text


def _growth(of: Numbers, pictures: Path) -> str:
    if not of.curves or not growth.plot(of.curves, pictures / "growth.png"):
        return ""
    return "![Time as rows, columns, rounds, leaves and threads are doubled](images/growth.png)"


PARTS: dict[str, Callable[[Numbers, Path], str]] = {
    "machine": _machine,
    "ratios": _ratios,
    "gains": _gains,
    "growth": _growth,
}


def filled(text: str, of: Numbers, pictures: Path) -> str:
    """The page with the numbers that there are; its other parts as they were."""

    def part(found: re.Match[str]) -> str:
        new = PARTS[found[2]](of, pictures)
        return f"{found[1]}\n{new}\n\n{found[3]}" if new else found[0]

    return _PART.sub(part, text)


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the page; returns an exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("numbers", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--page", type=Path, default=PAGE, help="(default: %(default)s)")
    arguments = parser.parse_args(argv)
    text = arguments.page.read_text(encoding="utf-8")
    pictures = arguments.page.parent / "images"
    pictures.mkdir(exist_ok=True)
    arguments.page.write_text(filled(text, Numbers(arguments.numbers), pictures), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
