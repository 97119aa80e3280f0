"""``python -m benchmarks``: measures row by row, then prints the table of ratios."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

GROWTH = "growth"


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measures weaklearn beside its peers: interleaved, the best of several turns.",
        epilog="rows: " + ", ".join(names),
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="measure this row only; may be given several times, or as a list with commas",
    )
    parser.add_argument("--quick", action="store_true", help="small data and few rounds: a trial")
    parser.add_argument("--repeat", type=int, default=None, help="turns of each (default: 3)")
    parser.add_argument("--threads", type=int, default=2, help="threads of each (default: 2)")
    parser.add_argument(
        "--peer-rounds",
        type=int,
        default=20,
        help="rounds scikit-learn's AdaBoost plays in fit-100; 100 takes minutes (default: 20)",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a folder with letter.csv and adult.csv.gz"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("benchmark.json"),
        help="where the numbers go; the picture of growth goes beside it (default: %(default)s)",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmarks; returns an exit status."""
    from . import online_rows, rows, shap_rows, text_rows, tree_rows, vision_rows

    ROWS = (
        *rows.ROWS,
        *tree_rows.ROWS,
        *online_rows.ROWS,
        *shap_rows.ROWS,
        *text_rows.ROWS,
        *vision_rows.ROWS,
    )
    names = [*(row.name for row in ROWS), GROWTH]
    parser = _parser(names)
    arguments = parser.parse_args(argv)
    chosen = [name for given in arguments.only for name in given.split(",")] or names
    for name in chosen:
        if name not in names:
            parser.error(f"there is no row {name!r}; the rows are {', '.join(names)}")
    if arguments.threads < 1 or (arguments.repeat is not None and arguments.repeat < 1):
        parser.error("--threads and --repeat must be at least 1")
    # Read by OpenMP when the first peer is loaded.
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    warnings.filterwarnings("ignore", category=UserWarning)  # peers on names of columns

    from . import growth, table

    repeat = arguments.repeat or (1 if arguments.quick else 3)
    quick, folder = arguments.quick, arguments.data
    run = rows.Run(repeat, arguments.threads, quick, arguments.peer_rounds, folder)
    found = []
    begin = time.perf_counter()
    for row in (row for row in ROWS if row.name in chosen):
        found.append((row, row.measure(run)))
        print(table.details(*found[-1]), end="\n\n", flush=True)
    curves = growth.curves(run) if GROWTH in chosen else []
    if curves:
        print(table.growth(curves), end="\n\n")
    if found:
        print(table.ratios(found), end="\n\n")
    if arguments.quick:
        print("A quick run uses 5,000 rows of A and a fifth of the rounds: its ratios mean little.")
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    written = table.as_json(run, found, curves)
    arguments.output.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{time.perf_counter() - begin:.0f} s; numbers in {arguments.output}", end="")
    picture = arguments.output.with_name(arguments.output.stem + "-growth.png")
    if curves and growth.plot(curves, picture):
        print(f", growth drawn in {picture}", end="")
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
