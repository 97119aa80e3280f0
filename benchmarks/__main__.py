"""``python -m benchmarks``: measures row by row, then prints the table of ratios."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

GROWTH = "growth"
NONE = "none"  # of the peers


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
    parser.add_argument(
        "--threads",
        default="2",
        metavar="N[,N...]",
        help="threads of each, or a list with commas: every row on each number (default: 2)",
    )
    parser.add_argument(
        "--peer-rounds",
        type=int,
        default=20,
        help="rounds scikit-learn's AdaBoost plays in fit-100; 100 takes minutes (default: 20)",
    )
    parser.add_argument(
        "--peers",
        metavar="NAME[,NAME...]",
        help="measure these libraries only beside ours, as in LightGBM,XGBoost; or none",
    )
    parser.add_argument(
        "--peer-threads",
        metavar="N[,N...]",
        help="measure the peers on these numbers of threads only (default: on all)",
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


def _write(path: Path, found: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmarks; returns an exit status."""
    from . import (
        cluster_rows,
        core_rows,
        file_rows,
        online_rows,
        rank_rows,
        rows,
        shap_rows,
        text_rows,
        tree_peers,
        tree_rows,
        vision_rows,
    )
    from .threads import Measured, available, counts

    ROWS = (
        *rows.ROWS,
        *tree_rows.ROWS,
        *core_rows.ROWS,
        *online_rows.ROWS,
        *rank_rows.ROWS,
        *shap_rows.ROWS,
        *text_rows.ROWS,
        *vision_rows.ROWS,
        *cluster_rows.ROWS,
        *file_rows.ROWS,
    )
    names = [*(row.name for row in ROWS), GROWTH]
    large = {row.name for row in ROWS if row.large}
    parser = _parser([f"{name} (only when named)" * (name in large) or name for name in names])
    arguments = parser.parse_args(argv)
    chosen = [name for given in arguments.only for name in given.split(",")]
    chosen = chosen or [name for name in names if name not in large]
    for name in chosen:
        if name not in names:
            parser.error(f"there is no row {name!r}; the rows are {', '.join(names)}")
    peers = None if arguments.peers is None else frozenset(arguments.peers.split(","))
    libraries = [*sorted(tree_peers.LIBRARIES), NONE]
    for name in sorted(peers or ()):
        if name not in libraries:
            parser.error(f"there is no library {name!r}; they are {', '.join(libraries)}")
    if arguments.repeat is not None and arguments.repeat < 1:
        parser.error("--repeat must be at least 1")
    try:
        asked = counts(arguments.threads)
        beside = counts(arguments.peer_threads or arguments.threads)
    except ValueError as problem:
        parser.error(f"--threads, --peer-threads: {problem}")
    threads = sorted({min(count, available()) for count in asked})
    if threads != asked:
        print(f"Only {available()} processors are at hand: no more threads are tried.\n")
    # Read by OpenMP when the first peer is loaded; what is fewer is limited for each row.
    os.environ["OMP_NUM_THREADS"] = str(threads[-1])
    warnings.filterwarnings("ignore", category=UserWarning)  # peers on names of columns

    from threadpoolctl import threadpool_limits

    from . import growth, table
    from .peers import HIST

    HIST.load()  # a limit holds for the libraries that are loaded
    repeat = arguments.repeat or (1 if arguments.quick else 3)
    quick, folder = arguments.quick, arguments.data
    run = rows.Run(repeat, threads[-1], quick, arguments.peer_rounds, folder, peers)
    found: list[Measured] = []
    begin = time.perf_counter()
    for row in (row for row in ROWS if row.name in chosen):
        found.append(Measured(row))
        for count in threads:
            with threadpool_limits(count):
                whom = peers if count in beside else frozenset({NONE})
                found[-1].outcomes[count] = row.measure(replace(run, threads=count, peers=whom))
            print(table.details(found[-1], count), end="\n\n", flush=True)
            _write(arguments.output, table.as_json(run, found, []))  # kept if a long run ends early
    curves = growth.curves(run) if GROWTH in chosen else []
    if curves:
        print(table.growth(curves), end="\n\n")
    if found:
        print(table.ratios(found), end="\n\n")
        if len(threads) > 1:
            print(table.gains(found), end="\n\n")
    if arguments.quick:
        print("A quick run uses few rows and a fifth of the rounds: its ratios mean little.")
    _write(arguments.output, table.as_json(run, found, curves))
    print(f"{time.perf_counter() - begin:.0f} s; numbers in {arguments.output}", end="")
    picture = arguments.output.with_name(arguments.output.stem + "-growth.png")
    if curves and growth.plot(curves, picture):
        print(f", growth drawn in {picture}", end="")
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
